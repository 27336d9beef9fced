import { sql } from 'kysely'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { editBy, mergeEdit, recordChanges } from '../../../server/edits.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import { implementList } from '../../../server/list.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { lockUntilCommit } from '../../../server/named-lock.ts'
import { same } from '../../../shared/edits.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import { removePortal, savePortal, showPortal } from '../contract.ts'
import { otherPortals } from '../list.ts'
import type { OtherPortal } from './client.ts'
import { portalOf } from './portal.ts'
import { testPortalCall } from './test-portal.ts'

const MAX_PORTALS = 20

const lists = implementList(otherPortals, {
  table: sql`open311_portal`,
  where: () => [sql`r.removed_at IS NULL`],
  unindexed: { all: 'A municipality sends to a few other portals, up to 20.' },
  columns: {
    name: 'name',
    url: 'url',
    state: sql`CASE WHEN r.is_active THEN 'active' ELSE 'paused' END`,
    routes: sql`(SELECT count(*)::int FROM open311_route t WHERE t.company_id = r.company_id AND t.portal_id = r.id)`,
    pending: sql`(SELECT count(*)::int FROM open311_sent_request s WHERE s.company_id = r.company_id AND s.portal_id = r.id AND s.state = 'waiting')`,
    problem: 'problem',
    servicesAt: 'services_at',
  },
  row: (_row, call) => {
    const edit = may(signedIn(call).privileges, 'integrations', 'update')
    return { can: { edit, remove: edit } }
  },
})

const routesOf = async (tx: Tx, company: CompanyId, portal_id: number) => {
  const rows = await tx
    .selectFrom('open311_route')
    .select(['category_id', 'service_code'])
    .where(({ and }) => and({ company_id: company, portal_id }))
    .orderBy('category_id')
    .execute()
  return rows.map((row) => ({ categoryId: row.category_id, serviceCode: row.service_code }))
}
type Routes = Awaited<ReturnType<typeof routesOf>>

const formOf = (row: OtherPortal, routes: Routes) => ({
  name: row.name,
  url: row.url,
  jurisdictionId: row.jurisdiction_id,
  active: row.is_active,
  followsStatus: row.follows_status,
  sendsContact: row.sends_contact,
  routes,
})
type Form = ReturnType<typeof formOf>
const blank: Form = {
  ...{ name: '', url: '', jurisdictionId: '', active: true, followsStatus: true, sendsContact: false },
  routes: [],
}

const rowOf = (form: Form) => ({
  name: form.name,
  url: form.url,
  jurisdiction_id: form.jurisdictionId,
  is_active: form.active,
  follows_status: form.followsStatus,
  sends_contact: form.sendsContact,
})

const showPortalCall = implement(showPortal, (call) =>
  call.reading(async (tx) => {
    const company = call.company.id
    const { portalId } = call.body
    const row = portalId === null ? null : await portalOf(tx, company, portalId)
    const { rows } = await sql<{ id: number; name: string; elsewhere: string }>`
      SELECT c.id, c.name, coalesce((SELECT p.name FROM open311_route t JOIN open311_portal p ON p.company_id = t.company_id AND p.id = t.portal_id
        WHERE t.company_id = c.company_id AND t.category_id = c.id AND t.portal_id <> ${portalId ?? 0}), '') AS elsewhere
      FROM request_category c WHERE c.company_id = ${company} AND c.is_active = 1 ORDER BY c.sort_no, c.id`.execute(tx)
    return {
      form: row ? formOf(row, await routesOf(tx, company, row.id)) : blank,
      hasKey: row !== null && row.api_key_sealed !== '',
      hasUpdates: row?.has_updates ?? false,
      servicesAt: row?.services_at?.toISOString() ?? null,
      problem: row?.problem ?? '',
      services: (row?.services ?? []).map(({ code, name }) => ({ code, name })),
      categories: rows,
    }
  }),
)

type SavePortalContext = Call<
  { portalId: number | null; apiKey: string; basis?: Record<string, unknown> | undefined } & Form
>

const savePortalCall = implement(savePortal, (call) =>
  call.inCompany(async (tx) => {
    const { portalId, apiKey, basis, ...own } = call.body
    const id = portalId === null ? await add(tx, call, own) : portalId
    if (portalId !== null) await change(tx, call, portalId, { own, basis })
    if (apiKey !== '')
      await tx
        .updateTable('open311_portal')
        .set({ api_key_sealed: call.context.secrets.seal(apiKey) })
        .where(({ and }) => and({ company_id: call.company.id, id }))
        .execute()
    return { success: true as const, message: say`“${own.name}” saved.`, portalId: id }
  }),
)

async function add(tx: Tx, call: SavePortalContext, form: Form): Promise<number> {
  const company_id = call.company.id
  const now = call.context.clock.now()
  await lockUntilCommit(tx, 'open311_portal', company_id)
  const { n } = await tx
    .selectFrom('open311_portal')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('company_id', '=', company_id)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(n) >= MAX_PORTALS)
    throw conflict('too_many_portals', say`You already have ${n} portals. Remove one that you no longer use.`)
  const { id } = await tx
    .insertInto('open311_portal')
    .values({ company_id, ...rowOf(form), updates_until: now, next_check_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await saveRoutes(tx, call, id, form.routes)
  await call.audit(tx, { action: 'open311.portal_added', subject: { kind: 'open311_portal', id }, detail: form })
  return id
}

async function change(
  tx: Tx,
  call: SavePortalContext,
  id: number,
  { own, basis }: Pick<SavePortalContext['body'], 'basis'> & { own: Form },
) {
  const company = call.company.id
  const row = await portalOf(tx, company, id, { hold: true })
  const before = formOf(row, await routesOf(tx, company, id))
  const edit = editBy(tx, call, `open311_portal ${id}`)
  const after = await mergeEdit<Form>(edit, { basis, own, now: before })
  if (same(before, after)) return
  // A new server requires a new API key. Otherwise, a changed URL would send the stored key to another server.
  const isElsewhere = new URL(after.url).origin !== new URL(before.url).origin
  await tx
    .updateTable('open311_portal')
    .set({
      ...rowOf(after),
      ...(isElsewhere && { api_key_sealed: '', services: '[]', services_at: null, has_updates: false }),
    })
    .where(({ and }) => and({ company_id: company, id }))
    .execute()
  await saveRoutes(tx, call, id, after.routes)
  await recordChanges(edit, before, after)
  const detail = { before, after }
  await call.audit(tx, { action: 'open311.portal_changed', subject: { kind: 'open311_portal', id }, detail })
}

/** @throws 422 if a category does not belong to the company or already goes to another portal */
async function saveRoutes(tx: Tx, call: SavePortalContext, portal_id: number, routes: Routes): Promise<void> {
  const company_id = call.company.id
  const ids = routes.map(({ categoryId }) => categoryId)
  const existing = await tx
    .selectFrom('request_category')
    .select('id')
    .where('company_id', '=', company_id)
    .where('id', 'in', [0, ...ids])
    .execute()
  if (existing.length < ids.length) throw rejected(NO_CATEGORY, { routes: NO_CATEGORY })
  await tx
    .deleteFrom('open311_route')
    .where(({ and }) => and({ company_id, portal_id }))
    .where('category_id', 'not in', [0, ...ids])
    .execute()
  for (const { categoryId, serviceCode } of routes) {
    const saved = await tx
      .insertInto('open311_route')
      .values({
        company_id,
        category_id: categoryId,
        portal_id,
        service_code: serviceCode,
        since: call.context.clock.now(),
      })
      .onConflict((on) =>
        on
          .columns(['company_id', 'category_id'])
          .doUpdateSet({ service_code: serviceCode })
          .where('open311_route.portal_id', '=', portal_id),
      )
      .returning('category_id')
      .executeTakeFirst()
    if (!saved) throw rejected(ROUTE_CONFLICT, { routes: ROUTE_CONFLICT })
  }
}
const NO_CATEGORY =
  'One of the selected categories was not found. Open the portal again, then choose the categories again.'
const ROUTE_CONFLICT =
  'One of the selected categories already goes to another portal. Remove it from that portal first.'

/**
 * Removes a portal. Requests that wait to be sent are not sent, and the status of sent requests is no longer updated.
 */
const removePortalCall = implement(removePortal, (call) =>
  call.inCompany(async (tx) => {
    const company_id = call.company.id
    const { portalId: id } = call.body
    const { name } = await portalOf(tx, company_id, id, { hold: true })
    await tx
      .deleteFrom('open311_route')
      .where(({ and }) => and({ company_id, portal_id: id }))
      .execute()
    await tx
      .updateTable('open311_sent_request')
      .set({ state: 'abandoned', problem: say`The portal was removed.` })
      .where(({ and }) => and({ company_id, portal_id: id }))
      .where('state', 'in', ['waiting', 'token'])
      .execute()
    await tx
      .updateTable('open311_portal')
      .set({ removed_at: call.context.clock.now(), is_active: false, api_key_sealed: '' })
      .where(({ and }) => and({ company_id, id }))
      .execute()
    await call.audit(tx, {
      action: 'open311.portal_removed',
      subject: { kind: 'open311_portal', id },
      detail: { name },
    })
    return { success: true as const, message: say`“${name}” was removed. It will get no more requests.` }
  }),
)

export const openPortalCalls = [...lists, showPortalCall, savePortalCall, removePortalCall, testPortalCall]
