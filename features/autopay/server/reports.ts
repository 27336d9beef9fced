import { sql } from 'kysely'
import { implementList } from '../../../server/list.ts'
import { matchesSearch } from '../../../server/list-sql.ts'
import { actorOf } from '../../../server/states.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { allPayables, arrangementPort } from '../../payments/api.ts'
import { autopayRemovals, autopayReport } from '../list.ts'
import { autopayStates } from '../states.ts'

const payer = sql`
  LEFT JOIN person p ON p.company_id = r.company_id AND p.id = r.person_id
  LEFT JOIN stored_method m ON m.company_id = r.company_id AND m.id = r.method_id`

/** Joins one charge of an enrollment. `which` is the condition and the order. */
const charge = (name: string, which: ReturnType<typeof sql>) => sql`
  LEFT JOIN LATERAL (SELECT * FROM autopay_charge c WHERE c.company_id = r.company_id AND c.autopay_id = r.id AND ${which} LIMIT 1)
    ${sql.ref(name)} ON true`

/** Joins the amount that the next charge will take. It never exceeds the announced amount or the amount due now. */
function plannedAmount() {
  const kinds = allPayables().flatMap(({ kind, recurs }) =>
    recurs ? [sql`WHEN ${sql.lit(kind)} THEN ${recurs.payableNow}`] : [],
  )
  const owed = sql<number>`thing.owed`
  return sql`
  LEFT JOIN LATERAL (SELECT CASE WHEN c.state = 'charging' THEN coalesce(c.amount_cents, c.notified_cents)
      ELSE least(coalesce(c.amount_cents, c.notified_cents), ${arrangementPort()?.charged(owed) ?? owed}) END AS cents
    FROM (SELECT next.*) AS c
    CROSS JOIN LATERAL (SELECT CASE a.kind ${sql.join(kinds, sql` `)} END AS owed FROM (SELECT c.company_id, c.kind, c.payable_id) a) thing
    WHERE c.id IS NOT NULL) charged ON true`
}

/** Joins the newest transition with one of these events, with its actor and reason. */
const step = (name: string, events: ReturnType<typeof sql>) => sql`
  LEFT JOIN LATERAL (SELECT h.actor_name, h.reason FROM status_history h
    WHERE h.company_id = r.company_id AND h.machine = 'autopay' AND h.subject_id = r.id AND h.event IN (${events})
    ORDER BY h.seq DESC LIMIT 1) ${sql.ref(name)} ON true`

const shared = {
  reference: 'reference',
  name: sql`trim(p.first_name || ' ' || p.last_name)`,
  email: sql`p.email`,
  methodLabel: sql`coalesce(m.method_label, '')`,
  enrolledAt: 'enrolled_at',
}
const search = (text: string) => matchesSearch(sql`r.search_text`, text)

export const autopayReportCalls = implementList(autopayReport, {
  table: sql`found_autopay`,
  where: () => [sql`r.state IN ('active', 'paused')`],
  // Function, because it must run after all payable kinds are defined.
  joins: () => sql`${payer}
    ${charge('next', sql`c.state IN ('planned', 'charging') ORDER BY c.charge_on, c.id`)}
    ${plannedAmount()}
    ${charge('last', sql`c.state NOT IN ('planned', 'charging') ORDER BY c.finished_at DESC, c.id DESC`)}
    ${step('halted', sql`'halt'`)}`,
  columns: {
    ...shared,
    status: sql`r.state`,
    // AutoPay does not charge amounts paid since the announcement. If nothing is left, the report shows no charge.
    nextOn: sql`CASE WHEN charged.cents > 0 THEN next.charge_on END`,
    nextCents: sql`nullif(greatest(charged.cents, 0), 0)::bigint`,
    // Skipped and refused charges, and charges without an amount due, were never made. Their day may be in the future.
    lastOn: sql`CASE WHEN last.state IN ('paid', 'failed') THEN last.charge_on END`,
    lastResult: sql`coalesce(last.state, 'none')`,
    pausedBy: sql`CASE WHEN r.state = 'paused' THEN coalesce(halted.actor_name, '') ELSE '' END`,
    pauseReason: sql`CASE WHEN r.state = 'paused' THEN coalesce(halted.reason, '') ELSE '' END`,
    personId: 'person_id',
  },
  filters: { status: (status) => sql`r.state = ${status}` },
  search,
  row: ({ status }, call) => ({ can: { view: true, ...buttonsFrom(autopayStates, status, actorOf(call)) } }),
  exported: 'export.autopay',
})

export const autopayRemovalCalls = implementList(autopayRemovals, {
  table: sql`found_autopay`,
  where: () => [sql`r.ended_at IS NOT NULL`],
  joins: sql`${payer}
    ${charge('last', sql`c.order_id IS NOT NULL ORDER BY c.charge_on DESC, c.id DESC`)}
    ${step('ending', sql`'end', 'stop'`)}`,
  columns: {
    ...shared,
    at: 'ended_at',
    reason: 'end_reason',
    endedBy: sql`coalesce(ending.actor_name, '')`,
    note: sql`coalesce(ending.reason, '')`,
    code: 'end_code',
    lastCents: sql`last.amount_cents`,
  },
  filters: { reason: (reason) => sql`r.end_reason = ${reason}` },
  search,
  row: () => ({ can: {} }),
  exported: 'export.autopay',
})
