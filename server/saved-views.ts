/** Saved views of lists (`shared/saved-views.ts`). Each person has their own. */
import { sql } from 'kysely'
import { MAX_VIEWS, savedViews } from '../shared/saved-views.ts'
import { say } from '../shared/messages.ts'
import { type Call, implement } from './call.ts'
import { notFound, rejected } from './errors.ts'
import { asOwner, lockOwn, type Owner } from './owner.ts'
import type { Tx } from './tenancy.ts'

/** Key of the caller's views of a list. */
interface ViewOwner extends Owner {
  list: string
}

/** First key of the advisory lock for saved views. */
const VIEW_LOCK = 33_001

/** Runs the work on the caller's views in one transaction, and returns the caller's views afterward. */
const withOwn = (call: Call<{ list: string }>, work?: (tx: Tx, own: ViewOwner) => Promise<void>) =>
  asOwner(call, async (tx, owner) => {
    const own = { ...owner, list: call.body.list }
    if (work) await lockOwn(tx, VIEW_LOCK, owner)
    await work?.(tx, own)
    return { views: await viewsOf(tx, own) }
  })

const chosen = (tx: Tx, { company_id, person_id, list }: ViewOwner) =>
  tx
    .selectFrom('saved_view')
    .where('company_id', '=', company_id)
    .where('person_id', '=', person_id)
    .where('list', '=', list)

const viewsOf = (tx: Tx, own: ViewOwner) =>
  chosen(tx, own)
    .select(['id', 'name', 'query'])
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()

async function refuseDuplicate(tx: Tx, own: ViewOwner, name: string, but?: number): Promise<void> {
  const other = await chosen(tx, own)
    .select('id')
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .executeTakeFirst()
  const message = say`You already have a view with this name. Choose another name, or remove that view first.`
  if (other && other.id !== but) throw rejected(message, { name: message })
}

const save = implement(savedViews.save, (call) =>
  withOwn(call, async (tx, own) => {
    const { name, query } = call.body
    await refuseDuplicate(tx, own, name)
    if ((await viewsOf(tx, own)).length >= MAX_VIEWS)
      throw rejected(say`You can save up to ${MAX_VIEWS} views per list. Remove one that you no longer need.`)
    const row = { ...own, name, query, created_at: call.context.clock.now() }
    await tx.insertInto('saved_view').values(row).execute()
  }),
)

const rename = implement(savedViews.rename, (call) =>
  withOwn(call, async (tx, own) => {
    const { id, name } = call.body
    await refuseDuplicate(tx, own, name, id)
    const { company_id, person_id, list } = own
    const { numUpdatedRows } = await tx
      .updateTable('saved_view')
      .set({ name })
      .where('company_id', '=', company_id)
      .where('id', '=', id)
      .where('person_id', '=', person_id)
      .where('list', '=', list)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw notFound('This view no longer exists.')
  }),
)

/** Does nothing if the view was already deleted. */
const remove = implement(savedViews.remove, (call) =>
  withOwn(call, async (tx, { company_id, person_id, list }) => {
    await tx
      .deleteFrom('saved_view')
      .where('company_id', '=', company_id)
      .where('id', '=', call.body.id)
      .where('person_id', '=', person_id)
      .where('list', '=', list)
      .execute()
  }),
)

export const calls = [implement(savedViews.list, (call) => withOwn(call)), save, rename, remove]
