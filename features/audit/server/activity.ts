import { sql } from 'kysely'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { csvLabels, csvText, implementCsv } from '../../../server/csv.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { cursorOf, isInstant, readCursor } from '../../../server/cursor.ts'
import { type AuditAction, auditActions } from '../../../shared/audit-actions.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'
import { activityCsv, activityLog } from '../contract.ts'
import { doneByOthers, seenByOthers, actionLabelOf } from '../rules.ts'
import { conditionsOf, type EventRow, namesOf, walk } from './events.ts'

const PAGE = 25

/**
 * Returns the activity of the signed-in person, newest first. The feed merges repeated entries, so it can't be a list
 * with pages, counts and totals.
 */
export const activityCall = implement(activityLog, async (call) => {
  const { company, context, body } = call
  const me = signedIn(call).personId
  const position = readCursor(body.cursor, isInstant)
  const conditions = conditionsOf(company, body.filters)
  if (position) conditions.push(sql`(e.at, e.id) < (${position.key}::timestamptz, ${position.id})`)
  return call.inCompany(async (tx) => {
    const { rows } = await walk(conditions, me, PAGE + 1).execute(tx)
    const visible = rows.slice(0, PAGE)
    const names = await namesOf(
      context,
      tx,
      company,
      visible.map((row) => row.impersonator_id ?? row.actor_id),
    )
    const payments = await paymentsOf(tx, company.id, visible)
    const last = rows.length > PAGE ? visible.at(-1) : undefined
    return {
      entries: visible.map((row) => entryOf(row, me, names, payments)).filter(isNotRepeated),
      next: last ? cursorOf({ key: last.at.toISOString(), id: last.id }) : null,
    }
  })
})

/** Returns the amount and the items of each payment among the events. Keys are the payment ids in the log. */
async function paymentsOf(tx: Tx, company: CompanyId, rows: readonly EventRow[]): Promise<Map<string, string>> {
  const ids = rows.flatMap(({ subject_kind, subject }) =>
    subject_kind === 'payment' && /^\d{1,15}$/.test(subject) ? [subject] : [],
  )
  if (ids.length === 0) return new Map()
  const { rows: orders } = await sql<{ id: string; cents: number; items: string }>`
    SELECT o.id::text AS id, o.total_cents AS cents, string_agg(l.title, ', ' ORDER BY l.line_no) AS items
    FROM payment_order o JOIN payment_order_line l ON l.company_id = o.company_id AND l.order_id = o.id
    WHERE o.company_id = ${company} AND o.id = ANY (${ids}::bigint[]) GROUP BY o.company_id, o.id`.execute(tx)
  return new Map(orders.map(({ id, cents, items }) => [id, `${formatCents(cents)}, ${items}`]))
}

function entryOf(row: EventRow, me: number, names: ReadonlyMap<number, string>, payments: ReadonlyMap<string, string>) {
  const actor = row.impersonator_id ?? row.actor_id
  const other = actor !== null && actor !== me
  const action = row.action as AuditAction
  const byOthersLabel = (action === 'impersonation.call' && seenByOthers[row.subject]) || doneByOthers[action]
  return {
    id: row.id,
    at: row.at.toISOString(),
    what: (other && byOthersLabel) || actionLabelOf(action),
    about: row.subject_kind === 'payment' ? (payments.get(row.subject) ?? '') : '',
    by: other ? (names.get(actor) ?? say`Former user`) : null,
    // Shows only the reason for an impersonation. Other reasons are codes for staff reports.
    why: action.startsWith('impersonat') ? text(row.detail['reason']) : '',
  }
}

type Entry = ReturnType<typeof entryOf>

/**
 * False for an impersonator's entry that equals the entry before it in the list. A screen makes several calls at the
 * same time, and readers see them as one action.
 */
function isNotRepeated(entry: Entry, n: number, all: readonly Entry[]): boolean {
  const later = all[n - 1]
  const same = ({ at, what, about, by, why }: Entry) => `${at.slice(0, 16)} ${what} ${about} ${by} ${why}`
  return !entry.by || !later || same(later) !== same(entry)
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

export const activityCsvCall = implementCsv(activityCsv, async (call) => {
  await call.inCompany((tx) => call.audit(tx, { action: 'export.activity' }))
  return { company: call.company, subject: 'activity', question: csvQuestion(call) }
})

function csvQuestion(call: Call<RequestOf<typeof activityCsv>>) {
  const { company, body } = call
  const me = signedIn(call).personId
  const actor = sql`coalesce(e.impersonator_id, e.actor_id)`
  const other = sql`(${actor} IS NOT NULL AND ${actor} <> ${me})`
  const seen = sql`CASE WHEN e.action = 'impersonation.call' THEN ${csvLabels('e.subject', seenByOthers)} END`
  return sql`
    SELECT to_char(e.at AT TIME ZONE ${company.timeZone}, 'YYYY-MM-DD HH24:MI') AS "Date",
      coalesce(CASE WHEN ${other} THEN coalesce(${seen}, ${csvLabels('e.action', doneByOthers)}) END,
        ${csvLabels('e.action', auditActions)}, e.action) AS "Action taken",
      CASE WHEN ${other} THEN 'Someone else' END AS "By",
      ${csvText(sql`CASE WHEN starts_with(e.action, 'impersonat') THEN e.detail ->> 'reason' END`)} AS "Reason",
      ${csvText(sql`CASE WHEN e.subject_kind = 'payment' AND e.subject ~ '^[0-9]{1,15}$' THEN (
        SELECT '$' || (max(o.total_cents) * 0.01)::numeric(14, 2) || ', ' || string_agg(l.title, ', ' ORDER BY l.line_no)
        FROM payment_order o JOIN payment_order_line l ON l.company_id = o.company_id AND l.order_id = o.id
        WHERE o.company_id = ${company.id} AND o.id = e.subject::bigint) END`)} AS "Payment"
    FROM (${walk(conditionsOf(company, body.filters), me, null)}) AS e ORDER BY e.at DESC, e.id DESC`
}
