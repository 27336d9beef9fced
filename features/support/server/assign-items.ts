import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { assignCase, UNASSIGNED } from '../../../server/cases/assign.ts'
import { expectAtWork, lockStaffMember } from '../../../server/cases/staff-calls.ts'
import { PLATFORM } from '../../../server/audit.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { assignItems, MAX_ITEMS, supportItems } from '../contract.ts'
import { numberOf } from '../rules.ts'
import { requestStates } from '../states.ts'
import { OPEN, type Request, supportRequests } from './case.ts'
import { subjectOf } from './row.ts'
import { say, translated } from '../../../shared/messages.ts'

type Item = Request & { assignee: string | null }

/**
 * Loads and locks requests of any company. Always locks them in the same order, so that concurrent assignments do not
 * deadlock.
 */
async function lockItems(tx: Tx, ids: readonly number[]): Promise<Map<number, Item>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Item>`
    SELECT r.*, trim(p.first_name || ' ' || p.last_name) AS assignee
    FROM support_request r LEFT JOIN platform_person p ON p.id = r.assigned_to
    WHERE r.id = ANY (${[...new Set(ids)]}::bigint[]) ORDER BY r.id FOR UPDATE OF r`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Lists a person's requests and the unassigned requests, oldest first. */
export const itemsCall = implement(supportItems, ({ context, body }) =>
  context.acrossCompanies(async (tx) => {
    const worker = await lockStaffMember(tx, supportRequests, PLATFORM, body.personId)
    const those = async (condition: ReturnType<typeof sql>) => {
      const { rows } = await sql<Request & { company: string }>`
        SELECT r.*, c.name AS company FROM (
          SELECT r.* FROM support_request r WHERE ${OPEN} AND ${condition} ORDER BY r.created_at, r.id LIMIT ${MAX_ITEMS + 1}) r
        JOIN company c ON c.id = r.company_id ORDER BY r.created_at, r.id`.execute(tx)
      return rows
    }
    const assigned = await those(sql`r.assigned_to = ${worker.id}`)
    const unassigned = await those(sql`r.assigned_to IS NULL`)
    const viewsOf = (rows: typeof assigned) =>
      rows.slice(0, MAX_ITEMS).map((row) => ({
        ...{ id: row.id, number: numberOf(row.id), company: row.company, at: row.created_at.toISOString() },
        ...{ status: row.status, category: row.category, subject: subjectOf(row.message) },
      }))
    return {
      name: worker.name,
      assigned: viewsOf(assigned),
      unassigned: viewsOf(unassigned),
      more: assigned.length > MAX_ITEMS || unassigned.length > MAX_ITEMS,
    }
  }),
)

/**
 * Assigns several requests to a person and unassigns others. Changes nothing if any of the requests was assigned to
 * someone else in the meantime.
 */
export const assignItemsCall = implement(assignItems, (call) => {
  const { context, body } = call
  return context.acrossCompanies(async (tx) => {
    const worker = await lockStaffMember(tx, supportRequests, PLATFORM, body.personId)
    const wanted = new Set(body.assign)
    const items = await lockItems(tx, [...body.assign, ...body.unassign])
    const itemOf = (id: number): Item => {
      const item = items.get(id)
      if (!item) throw notFound(say`Support request ${numberOf(id)} was not found.`)
      return item
    }
    const reassigned = body.assign.map(itemOf).filter(({ assigned_to }) => assigned_to !== worker.id)
    if (reassigned.length > 0) expectAtWork(supportRequests, worker)
    for (const { id, status, assigned_to, assignee } of reassigned) {
      if (assigned_to !== null)
        throw conflict(
          'taken',
          say`Support request ${numberOf(id)} has since been assigned to ${assignee ?? 'someone else'}.`,
        )
      if (!requestStates.states[status].open)
        throw conflict('wrong_status', say`${numberOf(id)}: ${translated(requestStates.labels[status])}.`)
    }
    const others = body.unassign
      .map(itemOf)
      .filter(({ id, assigned_to }) => assigned_to === worker.id && !wanted.has(id))
    const holder = { assigned_to: worker.id, department_id: null, name: worker.name }
    for (const item of reassigned) await assignCase(tx, call, supportRequests, item, holder, { from: item.assignee })
    for (const item of others) await assignCase(tx, call, supportRequests, item, UNASSIGNED, { from: item.assignee })
    return { success: true as const, message: say`Assignments for ${worker.name} saved.` }
  })
})
