import { sql } from 'kysely'
import { auditIn, PLATFORM } from '../../../server/audit.ts'
import { type Call, implement } from '../../../server/call.ts'
import { conflict, notFound, rejected } from '../../../server/errors.ts'
import { announce } from '../../../server/live.ts'
import { companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import type { Privileges } from '../../../shared/privileges.ts'
import { platformRoles, readsSupport } from '../../staff/rules.ts'
import { assignItems, assignRequest, MOST_ITEMS, supportAssignees, supportItems } from '../contract.ts'
import { type Category, isOpen, numberOf, type Status, statuses } from '../rules.ts'
import { OPEN } from './list-requests.ts'
import { subjectOf } from './row.ts'

interface Worker {
  id: number
  name: string
  role_id: number
  privileges: Privileges
  is_active: number
  locked_at: Date | null
}

const workerColumns = sql`p.id, trim(p.first_name || ' ' || p.last_name) AS name, p.role_id, p.privileges, p.is_active, p.locked_at`

/** Somebody of the platform, who is not changed until this is done. @throws 404 */
async function findWorker(tx: Tx, id: number): Promise<Worker> {
  const { rows } = await sql<Worker>`
    SELECT ${workerColumns} FROM platform_person p WHERE p.id = ${id} FOR SHARE`.execute(tx)
  if (!rows[0]) throw notFound('Nobody with this number works here.')
  return rows[0]
}

/** @throws 422 for somebody who could not work on it */
function expectAtWork(worker: Worker): void {
  const why =
    worker.is_active !== 1
      ? 'is inactive'
      : worker.locked_at
        ? 'is locked'
        : readsSupport(worker)
          ? null
          : 'may not read support requests'
  if (why) throw rejected(`${worker.name} ${why}. Choose somebody else.`)
}

interface Item {
  company_id: number
  id: number
  status: Status
  assigned_to: number | null
  assignee: string | null
}

/** These requests of any town, locked in one order, so that two who assign at once wait and do not deadlock. */
async function lockItems(tx: Tx, ids: readonly number[]): Promise<Map<number, Item>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Item>`
    SELECT r.company_id, r.id, r.status, r.assigned_to, trim(p.first_name || ' ' || p.last_name) AS assignee
    FROM support_request r LEFT JOIN platform_person p ON p.id = r.assigned_to
    WHERE r.id = ANY (${[...new Set(ids)]}::bigint[]) ORDER BY r.id FOR UPDATE OF r`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

async function give(tx: Tx, call: Call, item: Item, to: Worker | null): Promise<void> {
  if (item.assigned_to === (to?.id ?? null)) return
  const { clock } = call.house
  await tx
    .updateTable('support_request')
    .set({ assigned_to: to?.id ?? null, updated_at: clock.now() })
    .where('company_id', '=', item.company_id)
    .where('id', '=', item.id)
    .execute()
  const detail = { from: item.assignee, to: to?.name ?? null }
  const subject = { kind: 'support_request', id: numberOf(item.id) } as const
  const deed = { action: 'support.assigned', subject, detail } as const
  await auditIn(tx, clock, companyIdFrom('platform', item.company_id), call, deed)
  await announce(tx, PLATFORM, { topic: 'support', id: item.id })
}

/** Gives one request to somebody, or to nobody. */
export const assignRequestCall = implement(assignRequest, (call) => {
  const { house, company, body } = call
  return house.acrossCompanies(async (tx) => {
    const worker = body.personId === null ? null : await findWorker(tx, body.personId)
    const item = (await lockItems(tx, [body.requestId])).get(body.requestId)
    if (!item || item.company_id !== company.id) throw notFound('This support request was not found.')
    if (body.from !== undefined && item.assigned_to !== body.from && item.assigned_to !== body.personId)
      throw conflict(
        'taken',
        item.assignee
          ? `${numberOf(item.id)} was assigned to ${item.assignee} meanwhile. Look at it, then decide again.`
          : `${numberOf(item.id)} is nobody's meanwhile. Look at it, then decide again.`,
      )
    if (worker && worker.id !== item.assigned_to) expectAtWork(worker)
    await give(tx, call, item, worker)
    const number = numberOf(item.id)
    return {
      success: true as const,
      message: worker ? `${number} is assigned to ${worker.name}.` : `${number} is assigned to nobody.`,
    }
  })
})

/** All of the platform who read requests, and those who have open ones all the same. */
export const assigneesCall = implement(supportAssignees, ({ house }) =>
  house.acrossCompanies(async (tx) => {
    const { rows } = await sql<Worker & { open: number }>`
      SELECT ${workerColumns}, coalesce(o.n, 0)::int AS open FROM platform_person p
      LEFT JOIN (SELECT r.assigned_to, count(*) AS n FROM support_request r
        WHERE ${OPEN} AND r.assigned_to IS NOT NULL GROUP BY r.assigned_to) o ON o.assigned_to = p.id
      ORDER BY p.last_name, p.first_name, p.id LIMIT 1000`.execute(tx)
    const people = rows.map((row) => ({
      ...{ id: row.id, name: row.name, role: platformRoles[row.role_id] ?? '', open: row.open },
      active: row.is_active === 1 && row.locked_at === null && readsSupport(row),
    }))
    return { people: people.filter(({ active, open }) => active || open > 0) }
  }),
)

/** What somebody works on, and what waits for anybody; the oldest first. */
export const itemsCall = implement(supportItems, ({ house, body }) =>
  house.acrossCompanies(async (tx) => {
    const worker = await findWorker(tx, body.personId)
    const those = async (whose: ReturnType<typeof sql>) => {
      const { rows } = await sql<Item & { company: string; created_at: Date; category: Category; message: string }>`
        SELECT r.*, c.name AS company FROM (
          SELECT r.* FROM support_request r WHERE ${OPEN} AND ${whose} ORDER BY r.created_at, r.id LIMIT ${MOST_ITEMS + 1}) r
        JOIN company c ON c.id = r.company_id ORDER BY r.created_at, r.id`.execute(tx)
      return rows
    }
    const assigned = await those(sql`r.assigned_to = ${worker.id}`)
    const unassigned = await those(sql`r.assigned_to IS NULL`)
    const shown = (rows: typeof assigned) =>
      rows.slice(0, MOST_ITEMS).map((row) => ({
        ...{ id: row.id, number: numberOf(row.id), company: row.company, at: row.created_at.toISOString() },
        ...{ status: row.status, category: row.category, subject: subjectOf(row.message) },
      }))
    return {
      name: worker.name,
      assigned: shown(assigned),
      unassigned: shown(unassigned),
      more: assigned.length > MOST_ITEMS || unassigned.length > MOST_ITEMS,
    }
  }),
)

/** Gives several requests to somebody and takes others off them: all of it, or, where something changed meanwhile, none. */
export const assignItemsCall = implement(assignItems, (call) => {
  const { house, body } = call
  return house.acrossCompanies(async (tx) => {
    const worker = await findWorker(tx, body.personId)
    const wanted = new Set(body.assign)
    const items = await lockItems(tx, [...body.assign, ...body.unassign])
    const found = (id: number): Item => {
      const item = items.get(id)
      if (!item) throw notFound(`${numberOf(id)} was not found.`)
      return item
    }
    const mine = body.assign.map(found).filter(({ assigned_to }) => assigned_to !== worker.id)
    if (mine.length > 0) expectAtWork(worker)
    for (const { id, status, assigned_to, assignee } of mine) {
      if (assigned_to !== null)
        throw conflict('taken', `${numberOf(id)} was assigned to ${assignee ?? 'somebody else'} meanwhile.`)
      if (!isOpen(status)) throw conflict('wrong_status', `${numberOf(id)} is ${statuses[status]} now.`)
    }
    const others = body.unassign
      .map(found)
      .filter(({ id, assigned_to }) => assigned_to === worker.id && !wanted.has(id))
    for (const item of mine) await give(tx, call, item, worker)
    for (const item of others) await give(tx, call, item, null)
    return { success: true as const, message: `The items of ${worker.name} were saved.` }
  })
})
