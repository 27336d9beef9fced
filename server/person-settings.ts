/** Settings of the screens that members of staff chose (`shared/person-settings.ts`). */
import { sql } from 'kysely'
import { MAX_SETTINGS, personSettings } from '../shared/person-settings.ts'
import { say } from '../shared/messages.ts'
import { PLATFORM } from './audit.ts'
import { type Call, implement, signedIn } from './call.ts'
import { rejected } from './errors.ts'
import type { Tx } from './tenancy.ts'

interface Owner {
  company_id: number
  person_id: number
}

/** First key of the advisory lock for settings. The second key is derived from the person's id. */
const SETTINGS_LOCK = 33_002

function asOwner<Body, T>(call: Call<Body>, work: (tx: Tx, owner: Owner) => Promise<T>): Promise<T> {
  const { companyId, personId } = signedIn(call)
  const run = (tx: Tx) => work(tx, { company_id: companyId ?? PLATFORM, person_id: personId })
  return companyId === null ? call.context.acrossCompanies(run) : call.context.inCompany(companyId, run)
}

const settingsOf = (tx: Tx, { company_id, person_id }: Owner) =>
  tx.selectFrom('person_setting').where('company_id', '=', company_id).where('person_id', '=', person_id)

const save = implement(personSettings.save, (call) =>
  asOwner(call, async (tx, owner) => {
    const { name, value } = call.body
    // Locks the person's settings, so that parallel calls can't exceed the limit.
    await sql`SELECT pg_advisory_xact_lock(${SETTINGS_LOCK}, ${owner.person_id % 2 ** 31})`.execute(tx)
    const others = await settingsOf(tx, owner).select('name').where('name', '!=', name).execute()
    if (others.length >= MAX_SETTINGS)
      throw rejected(say`You already have ${MAX_SETTINGS} settings. This browser still uses the new one.`)
    const row = { value: JSON.stringify(value), changed_at: call.context.clock.now() }
    await tx
      .insertInto('person_setting')
      .values({ ...owner, name, ...row })
      .onConflict((conflict) => conflict.columns(['company_id', 'person_id', 'name']).doUpdateSet(row))
      .execute()
    return { name }
  }),
)

const list = implement(personSettings.list, (call) =>
  asOwner(call, async (tx, owner) => {
    const rows = await settingsOf(tx, owner).select(['name', 'value']).execute()
    return { settings: Object.fromEntries(rows.map(({ name, value }) => [name, value])) }
  }),
)

export const calls = [list, save]
