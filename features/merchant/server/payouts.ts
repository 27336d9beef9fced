import { sql } from 'kysely'
import type { Company } from '../../../server/hosts.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { addDays, dateIn, midnightIn } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { merchantOverview } from '../contract.ts'
import { nextWorkingDay, type Period } from '../rules.ts'

type Payouts = ResponseOf<typeof merchantOverview>['payouts']
type CompanyZone = Pick<Company, 'id' | 'timeZone'>

const MAX_ROWS = 5
/** Number of recent payouts that the schedule is derived from. */
const RECENT = 30
/**
 * Maximum age in days of a payment without a payout. Providers pay out within days, so an older payment without a
 * payout is a reconciliation exception.
 */
const PENDING_DAYS = 35

export async function payoutsOf(tx: Tx, company: CompanyZone, now: Date): Promise<Payouts> {
  const { rows } = await sql<Payouts['last'][number] & { began: string }>`
    SELECT id, trace, paid_at AS "paidAt", arrives_on AS "arrivesOn", net_cents AS "netCents", deposited_cents IS NOT NULL AS deposited,
      to_char(paid_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS began
    FROM payout WHERE company_id = ${company.id} ORDER BY paid_at DESC, id DESC LIMIT ${RECENT}`.execute(tx)
  const days = rows.map(({ arrivesOn, began }) => (Date.parse(arrivesOn) - Date.parse(began)) / 86_400_000)
  const maxDays = Math.max(0, ...days)
  const schedule = rows.length > 0 && {
    ...{ payouts: rows.length, minDays: Math.min(...days), maxDays },
    weekends: rows.some(({ began }) => [0, 6].includes(new Date(began).getUTCDay())),
  }
  const pending = await pendingOf(tx, company, now)
  const by = schedule && pending.cents > 0 ? addDays(nextWorkingDay(dateIn(company.timeZone, now)), maxDays) : null
  return {
    last: rows
      .slice(0, MAX_ROWS)
      .map(({ began: _began, ...row }) => ({ ...row, paidAt: new Date(row.paidAt).toISOString() })),
    schedule: schedule || null,
    ...(await inTransitOf(tx, company.id, dateIn(company.timeZone, now))),
    held: { ...pending, by },
  }
}

/** Returns payouts in transit, and payouts that missed their arrival date. */
async function inTransitOf(tx: Tx, company: CompanyId, today: string): Promise<Pick<Payouts, 'inTransit' | 'late'>> {
  const { rows } = await sql<Payouts['inTransit'] & { late: boolean }>`
    SELECT arrives_on < ${today} AS late, count(*)::int AS payouts, sum(net_cents)::bigint AS cents, min(arrives_on) AS next
    FROM payout WHERE company_id = ${company} AND deposited_cents IS NULL GROUP BY 1`.execute(tx)
  const of = (isLate: boolean) => rows.find(({ late }) => late === isLate) ?? { payouts: 0, cents: 0, next: null }
  const [onTime, late] = [of(false), of(true)]
  return {
    inTransit: { payouts: onTime.payouts, cents: onTime.cents, next: onTime.next },
    late: { payouts: late.payouts, cents: late.cents },
  }
}

/** Returns the money that the provider holds for the company and has not paid out. */
async function pendingOf(
  tx: Tx,
  { id: company, timeZone }: CompanyZone,
  now: Date,
): Promise<Omit<Payouts['held'], 'by'>> {
  const settings = await tx
    .selectFrom('payment_settings')
    .select('reconciled_since')
    .where('company_id', '=', company)
    .executeTakeFirst()
  const earliest = addDays(dateIn(timeZone, now), -PENDING_DAYS)
  const followed = settings?.reconciled_since ?? earliest
  const since = midnightIn(timeZone, followed > earliest ? followed : earliest)
  const { rows } = await sql<Omit<Payouts['held'], 'by'>>`
    SELECT count(*) FILTER (WHERE h.movement_type = 'capture')::int AS payments, coalesce(sum(h.cents), 0)::bigint AS cents
    FROM held_movement h LEFT JOIN payout_line l ON l.company_id = ${company} AND l.source_ref = h.source_ref AND l.movement_type = h.movement_type AND l.provider = h.source
    WHERE h.company_id = ${company} AND h.at >= ${since} AND l.line_no IS NULL`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('sums answer one row')
  return row
}

/** Returns the payout costs that the provider withheld in this period and in the previous period. */
export async function costOf(
  tx: Tx,
  { id: company, timeZone }: CompanyZone,
  now: Period,
  before: Period,
): Promise<{ now: number; before: number }> {
  const [from, boundary] = [midnightIn(timeZone, before.fromDate), midnightIn(timeZone, now.fromDate)]
  const { rows } = await sql<{ now: number; before: number }>`
    SELECT coalesce(sum(cost_cents) FILTER (WHERE paid_at >= ${boundary}), 0)::bigint AS now,
      coalesce(sum(cost_cents) FILTER (WHERE paid_at < ${boundary}), 0)::bigint AS before
    FROM payout WHERE company_id = ${company} AND paid_at >= ${from} AND paid_at < ${midnightIn(timeZone, addDays(now.toDate, 1))}`.execute(
    tx,
  )
  const [row] = rows
  if (!row) throw new Error('sums answer one row')
  return row
}
