import { sql } from 'kysely'
import type { Company } from '../../../server/hosts.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { addDays, dateIn, midnightIn } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { merchantOverview } from '../contract.ts'
import { nextWorkingDay, type Period } from '../rules.ts'

type Payouts = ResponseOf<typeof merchantOverview>['payouts']
type CompanyZone = Pick<Company, 'id' | 'timeZone'>

const SHOWN = 5
/** Of so many payouts is told when they arrive. */
const RECENT = 30
/** What is taken is paid out within days; what is older than this and is not is an exception of the reconciliation. */
const HELD_DAYS = 35

export async function payoutsOf(tx: Tx, town: CompanyZone, now: Date): Promise<Payouts> {
  const { rows } = await sql<Payouts['last'][number] & { began: string }>`
    SELECT id, trace, paid_at AS "paidAt", arrives_on AS "arrivesOn", net_cents AS "netCents", deposited_cents IS NOT NULL AS deposited,
      to_char(paid_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS began
    FROM payout WHERE company_id = ${town.id} ORDER BY paid_at DESC, id DESC LIMIT ${RECENT}`.execute(tx)
  const days = rows.map(({ arrivesOn, began }) => (Date.parse(arrivesOn) - Date.parse(began)) / 86_400_000)
  const mostDays = Math.max(0, ...days)
  const schedule = rows.length > 0 && {
    ...{ payouts: rows.length, leastDays: Math.min(...days), mostDays },
    weekends: rows.some(({ began }) => [0, 6].includes(new Date(began).getUTCDay())),
  }
  const held = await heldOf(tx, town, now)
  const by = schedule && held.cents > 0 ? addDays(nextWorkingDay(dateIn(town.timeZone, now)), mostDays) : null
  return {
    last: rows
      .slice(0, SHOWN)
      .map(({ began: _began, ...row }) => ({ ...row, paidAt: new Date(row.paidAt).toISOString() })),
    schedule: schedule || null,
    ...(await underWayOf(tx, town.id, dateIn(town.timeZone, now))),
    held: { ...held, by },
  }
}

/** What is on its way, and what should have arrived on an earlier day. */
async function underWayOf(tx: Tx, company: CompanyId, today: string): Promise<Pick<Payouts, 'underWay' | 'late'>> {
  const { rows } = await sql<Payouts['underWay'] & { late: boolean }>`
    SELECT arrives_on < ${today} AS late, count(*)::int AS payouts, sum(net_cents)::bigint AS cents, min(arrives_on) AS next
    FROM payout WHERE company_id = ${company} AND deposited_cents IS NULL GROUP BY 1`.execute(tx)
  const of = (wanted: boolean) => rows.find(({ late }) => late === wanted) ?? { payouts: 0, cents: 0, next: null }
  const [onTime, late] = [of(false), of(true)]
  return {
    underWay: { payouts: onTime.payouts, cents: onTime.cents, next: onTime.next },
    late: { payouts: late.payouts, cents: late.cents },
  }
}

/** What the provider holds for the town: what moved there and stands in no payout yet. */
async function heldOf(tx: Tx, { id: company, timeZone }: CompanyZone, now: Date): Promise<Omit<Payouts['held'], 'by'>> {
  const settings = await tx
    .selectFrom('payment_settings')
    .select('reconciled_since')
    .where('company_id', '=', company)
    .executeTakeFirst()
  const earliest = addDays(dateIn(timeZone, now), -HELD_DAYS)
  const followed = settings?.reconciled_since ?? earliest
  const since = midnightIn(timeZone, followed > earliest ? followed : earliest)
  const { rows } = await sql<Omit<Payouts['held'], 'by'>>`
    SELECT count(*) FILTER (WHERE h.way = 'capture')::int AS payments, coalesce(sum(h.cents), 0)::bigint AS cents
    FROM held_movement h LEFT JOIN payout_line l ON l.company_id = ${company} AND l.source_ref = h.source_ref AND l.way = h.way AND l.provider = h.source
    WHERE h.company_id = ${company} AND h.at >= ${since} AND l.line_no IS NULL`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('sums answer one row')
  return row
}

/** What the provider kept of the payouts of these days and of those before. */
export async function costOf(
  tx: Tx,
  { id: company, timeZone }: CompanyZone,
  now: Period,
  before: Period,
): Promise<{ now: number; before: number }> {
  const [from, turn] = [midnightIn(timeZone, before.fromDate), midnightIn(timeZone, now.fromDate)]
  const { rows } = await sql<{ now: number; before: number }>`
    SELECT coalesce(sum(cost_cents) FILTER (WHERE paid_at >= ${turn}), 0)::bigint AS now,
      coalesce(sum(cost_cents) FILTER (WHERE paid_at < ${turn}), 0)::bigint AS before
    FROM payout WHERE company_id = ${company} AND paid_at >= ${from} AND paid_at < ${midnightIn(timeZone, addDays(now.toDate, 1))}`.execute(
    tx,
  )
  const [row] = rows
  if (!row) throw new Error('sums answer one row')
  return row
}
