import { sql } from 'kysely'
import { formatDate } from '../../../shared/dates.ts'
import { plural, say } from '../../../shared/messages.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { defineNotice } from '../../../server/notices/notice.ts'
import { notify } from '../../../server/notices/notify.ts'
import type { Tx } from '../../../server/tenancy.ts'

interface AssignmentNoticeData {
  orders: { id: number; number: string; title: string; dueOn: string }[]
}

const pathOf = (id: number) => `/municipality/work-orders?order=${id}`

const assignmentEmail = ({ orders }: AssignmentNoticeData, url: (path: string) => string) => ({
  subject: say`${plural(orders.length, 'A work order was assigned to you', '# work orders were assigned to you')}`,
  paragraphs: orders.flatMap(({ id, number, title, dueOn }) => [
    dueOn ? say`${number}: ${title}. It is due on ${formatDate(dueOn)}.` : say`${number}: ${title}.`,
    { label: say`Open work order ${number}`, url: url(pathOf(id)), small: true as const },
  ]),
})

/** Notice of assigned orders. One email lists all orders that were assigned within a few minutes. */
export const workNotice = defineNotice<AssignmentNoticeData>({
  event: 'work.given',
  required: false,
  called: 'updates on work assigned to you',
  waitSeconds: 120,
  why: ({ name }) => say`You are receiving this email because ${name} assigned work to you or your crew.`,
  content: (data, at) => assignmentEmail(data, at.url),
  together: (all, at) => {
    const orders = new Map(all.flatMap((data) => data.orders).map((order) => [order.id, order]))
    return assignmentEmail({ orders: [...orders.values()] }, at.url)
  },
})

interface Holders {
  assigned_to: number | null
  crew_id: number | null
}

interface AssignmentChange {
  order: Holders & { id: number; number: string; title: string; due_on: string | null }
  before: Holders | null
  /** Id of the person who assigns the order. This person gets no notification. */
  by: number | null
}

/**
 * Notifies the new assignees of an order: the person and all crew members. Skips people who were already assigned to
 * the order.
 */
export async function notifyAssigned(
  tx: Tx,
  context: AppContext,
  company: Company,
  { order, before, by }: AssignmentChange,
): Promise<void> {
  if (order.assigned_to === (before?.assigned_to ?? null) && order.crew_id === (before?.crew_id ?? null)) return
  const holds = ({ assigned_to, crew_id }: Holders) => sql`(p.id = ${assigned_to}::bigint OR EXISTS (
    SELECT 1 FROM crew_member m
    WHERE m.company_id = p.company_id AND m.crew_id = ${crew_id}::bigint AND m.person_id = p.id))`
  const held = before ? holds(before) : sql`false`
  const { rows } = await sql<{ email: string }>`
    SELECT p.email FROM person p
    WHERE p.company_id = ${company.id} AND p.role_id >= 3 AND p.is_active = 1 AND p.locked_at IS NULL
      AND ${holds(order)} AND (${held}) IS NOT TRUE AND p.id IS DISTINCT FROM ${by}::bigint
    ORDER BY p.id`.execute(tx)
  const data = { orders: [{ id: order.id, number: order.number, title: order.title, dueOn: order.due_on ?? '' }] }
  for (const { email } of rows) await notify(tx, context, { at: company, to: email, notice: workNotice, data })
}
