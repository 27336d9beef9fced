import { sql } from 'kysely'
import { type Call, callerName, implement, signedIn } from '../../../server/call.ts'
import { rejected } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { addDays, dateIn, formatDate, midnightIn } from '../../../shared/dates.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import { methodLabel } from '../../payments/rules.ts'
import { ledgerAccounts } from '../../payments/rules-ledger.ts'
import { BOTH_LEGS } from '../../payments/api.ts'
import { closePeriod, type DayFigures, reconcileDay } from '../contract.ts'
import { type PeriodKind, periodOf } from '../rules.ts'
import { providerName } from './provider-name.ts'

const LOCK = 71_005
/** Time after midnight in which the portal still books payments that started before midnight. In milliseconds. */
const BOOKED_AFTER_MS = 3_600_000
/**
 * Maximum number of days that staff can close together, about one year. Closing a day also closes all earlier open
 * days.
 */
const MAX_BATCH = 400
const MAX_VISIBLE = 20

type CompanyZone = Pick<Company, 'id' | 'timeZone'>

interface Span {
  firstDay: string
  lastDay: string
}

/** Returns the last finished day in the company's time zone. All payments that started on that day are booked. */
const lastFinishedDay = ({ timeZone }: CompanyZone, now: Date): string =>
  addDays(dateIn(timeZone, new Date(now.getTime() - BOOKED_AFTER_MS)), -1)

/** Calculates the figures of a period: money received, comparisons of amounts, and account balances. */
async function figuresOf(tx: Tx, company: CompanyZone, span: Span): Promise<DayFigures> {
  return {
    receipts: await receiptsIn(tx, company.id, span),
    links: await linksOf(tx, company, span),
    balances: await balancesOf(tx, company, span),
  }
}

async function receiptsIn(tx: Tx, company: CompanyId, { firstDay, lastDay }: Span): Promise<DayFigures['receipts']> {
  const { rows } = await sql<Omit<DayFigures['receipts'][number], 'method'> & { method: number }>`
    SELECT method, sum(payments)::int AS payments, coalesce(sum(bill_cents) FILTER (WHERE movement_type = 'capture'), 0)::bigint AS "billCents",
      coalesce(sum(fee_cents) FILTER (WHERE movement_type = 'capture'), 0)::bigint AS "feeCents",
      coalesce(sum(bill_cents + fee_cents) FILTER (WHERE movement_type <> 'capture'), 0)::bigint AS "refundCents"
    FROM payment_day WHERE company_id = ${company} AND moved_on BETWEEN ${firstDay} AND ${lastDay} GROUP BY method ORDER BY method`.execute(
    tx,
  )
  return rows.map(({ method, ...sums }) => ({ method: methodLabel(method), ...sums }))
}

const LINKS = ['payments', 'provider', 'payouts', 'bank', 'billing']
type Figures = Pick<DayFigures['links'][number], 'oneCents' | 'otherCents' | 'waitsCents'>

/**
 * Compares amounts step by step, from the payments to the bank and the billing system. Each comparison has two amounts
 * and the part that is still pending.
 */
async function linksOf(
  tx: Tx,
  { id: company, timeZone }: CompanyZone,
  { firstDay, lastDay }: Span,
): Promise<DayFigures['links']> {
  const [from, until] = [midnightIn(timeZone, firstDay), midnightIn(timeZone, addDays(lastDay, 1))]
  const { rows } = await sql<Figures & { key: string; name: string }>`
    WITH moved AS MATERIALIZED (
      SELECT order_id, line_no, source, source_ref, split_part(kind, '.', 1) AS movement_type,
        CASE 'gateway_clearing' WHEN debit_account THEN amount_cents WHEN credit_account THEN -amount_cents ELSE 0 END AS clearing,
        CASE 'payable_municipality' WHEN credit_account THEN amount_cents WHEN debit_account THEN -amount_cents ELSE 0 END AS bill,
        CASE WHEN 'absorbed_fee' IN (debit_account, credit_account) THEN 0 WHEN credit_account = 'fee_revenue' THEN amount_cents
          WHEN debit_account = 'fee_revenue' THEN -amount_cents ELSE 0 END AS fee
      FROM ledger_transfer WHERE company_id = ${company} AND at >= ${from} AND at < ${until} AND order_id IS NOT NULL),
    held AS (
      SELECT m.source, m.clearing, l.amount_cents FROM (SELECT source, source_ref, movement_type, sum(clearing)::bigint AS clearing FROM moved WHERE clearing <> 0 GROUP BY 1, 2, 3) m
        LEFT JOIN payout_line l ON l.company_id = ${company} AND l.source_ref = m.source_ref AND l.movement_type = m.movement_type AND l.provider = m.source),
    billed AS (
      SELECT coalesce(sum(m.bill), 0)::bigint AS cents FROM moved m
        JOIN payment_order_line l ON l.company_id = ${company} AND l.order_id = m.order_id AND l.line_no = m.line_no AND l.kind = 'utility'
      WHERE m.bill <> 0)
    SELECT 'payments' AS key, '' AS name, (SELECT coalesce(sum(bill_cents + fee_cents), 0) FROM payment_day
        WHERE company_id = ${company} AND moved_on BETWEEN ${firstDay} AND ${lastDay})::bigint AS "oneCents",
      (SELECT coalesce(sum(bill + fee), 0) FROM moved)::bigint AS "otherCents", 0::bigint AS "waitsCents"
    UNION ALL SELECT 'provider', ${providerName(sql`source`)}, sum(clearing)::bigint, coalesce(sum(amount_cents), 0)::bigint,
      coalesce(sum(clearing) FILTER (WHERE amount_cents IS NULL), 0)::bigint FROM held GROUP BY source
    UNION ALL SELECT 'payouts', ${providerName(sql`payout.provider`)}, sum(line_cents)::bigint, sum(net_cents)::bigint, 0 FROM payout
      WHERE company_id = ${company} AND paid_at >= ${from} AND paid_at < ${until} GROUP BY provider
    UNION ALL SELECT 'bank', ${providerName(sql`payout.provider`)}, sum(net_cents)::bigint, coalesce(sum(deposited_cents), 0)::bigint,
      coalesce(sum(net_cents) FILTER (WHERE deposited_cents IS NULL), 0)::bigint FROM payout
      WHERE company_id = ${company} AND arrives_on BETWEEN ${firstDay} AND ${lastDay} GROUP BY provider
    UNION ALL SELECT 'billing', '', (SELECT cents FROM billed), (SELECT coalesce(sum(CASE kind WHEN 'credit' THEN amount_cents ELSE -amount_cents END), 0)
      FROM remittance WHERE company_id = ${company} AND at >= ${from} AND at < ${until})::bigint, 0
    ORDER BY 2`.execute(tx)
  return LINKS.map((key) => {
    const parts = rows.filter((row) => row.key === key).map(({ key: _of, ...part }) => part)
    const sum = (of: keyof Figures) => parts.reduce((all, part) => all + part[of], 0)
    return {
      ...{ key, oneCents: sum('oneCents'), otherCents: sum('otherCents'), waitsCents: sum('waitsCents') },
      ...(parts.length > 1 && { parts }),
    }
  })
}

/**
 * Calculates the opening and closing balance of each ledger account. The type of the account determines the sign. The
 * calculation starts from the balances of the last closed day, so that it does not add up earlier days again.
 */
async function balancesOf(
  tx: Tx,
  { id: company, timeZone }: CompanyZone,
  { firstDay, lastDay }: Span,
): Promise<DayFigures['balances']> {
  const before = await tx
    .selectFrom('closed_period')
    .select(['last_day', 'figures'])
    .where('company_id', '=', company)
    .where('kind', '=', 'day')
    .where('last_day', '<', firstDay)
    .orderBy('last_day', 'desc')
    .limit(1)
    .executeTakeFirst()
  const openingCents = new Map(
    ((before?.figures as DayFigures | undefined)?.balances ?? []).map(({ account, endsCents }) => [account, endsCents]),
  )
  const countedFrom = before ? midnightIn(timeZone, addDays(before.last_day, 1)) : new Date(0)
  const [from, until] = [midnightIn(timeZone, firstDay), midnightIn(timeZone, addDays(lastDay, 1))]
  const { rows } = await sql<{
    account: string
    name: string
    kind: string
    earlier: number
    debit: number
    credit: number
  }>`
    SELECT a.code AS account, a.name, a.kind, coalesce(m.earlier, 0)::bigint AS earlier, coalesce(m.debit, 0)::bigint AS debit, coalesce(m.credit, 0)::bigint AS credit
    FROM ledger_account a LEFT JOIN (
      SELECT leg.account, sum(leg.cents) FILTER (WHERE t.at < ${from}) AS earlier, sum(leg.cents) FILTER (WHERE t.at >= ${from} AND leg.cents > 0) AS debit,
        -sum(leg.cents) FILTER (WHERE t.at >= ${from} AND leg.cents < 0) AS credit
      FROM ledger_transfer t ${BOTH_LEGS}
      WHERE t.company_id = ${company} AND t.at >= ${countedFrom} AND t.at < ${until} GROUP BY leg.account) m ON m.account = a.code
    WHERE a.company_id = ${company}`.execute(tx)
  const order = Object.keys(ledgerAccounts)
  return rows
    .toSorted((a, b) => order.indexOf(a.account) - order.indexOf(b.account))
    .map(({ account, name, kind, earlier, debit, credit }) => {
      const sense = kind === 'asset' || kind === 'expense' ? 1 : -1
      const beginsCents = (openingCents.get(account) ?? 0) + sense * earlier
      return {
        account,
        name,
        beginsCents,
        debitCents: debit,
        creditCents: credit,
        endsCents: beginsCents + sense * (debit - credit),
      }
    })
}

interface ClosingInput {
  /** Last finished day. */
  lastDay: string
  /** Number of open exceptions up to and including the day. */
  open: number
}

/** Lists messages about open work that prevents staff from closing a day. */
async function findClosingBlockers(
  tx: Tx,
  company: CompanyZone,
  day: string,
  { lastDay, open }: ClosingInput,
): Promise<string[]> {
  const against: string[] = []
  if (day > lastDay) against.push(say`${formatDate(day)} is not over yet.`)
  if (open === 1) against.push(say`One exception on or before this day is still open.`)
  if (open > 1) against.push(say`${open} exceptions on or before this day are still open.`)
  const drawers = await tx
    .selectFrom('drawer')
    .select('staff_name')
    .where('company_id', '=', company.id)
    .where('status', '=', 'open')
    .where('opened_at', '<', midnightIn(company.timeZone, addDays(day, 1)))
    .orderBy('opened_at')
    .execute()
  for (const { staff_name: name } of drawers) against.push(say`${name}’s drawer is still open.`)
  return against
}

const openThrough = async (tx: Tx, company: CompanyId, day: string): Promise<number> => {
  const { n } = await tx
    .selectFrom('recon_exception')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('company_id', '=', company)
    .where('status', '=', 'open')
    .where('on_day', '<=', day)
    .executeTakeFirstOrThrow()
  return Number(n)
}

export const oldestOpen = (tx: Tx, company: CompanyId, day: string) =>
  tx
    .selectFrom('recon_exception')
    .select(['id', 'kind', 'about', 'on_day as day', 'amount_cents as amountCents', 'owner_name as owner'])
    .where('company_id', '=', company)
    .where('status', '=', 'open')
    .where('on_day', '<=', day)
    .orderBy('on_day')
    .orderBy('id')
    .limit(MAX_VISIBLE)
    .execute()

interface ClosedPeriod extends Span {
  kind: PeriodKind
  at: string
  by: string
}

export async function closedOf(
  tx: Tx,
  company: CompanyId,
): Promise<{ first: string; through: string; periods: ClosedPeriod[] }> {
  const { rows: days } = await sql<{ first: string | null; last: string | null }>`
    SELECT min(last_day)::text AS first, max(last_day)::text AS last FROM closed_period WHERE company_id = ${company} AND kind = 'day'`.execute(
    tx,
  )
  const rows = await tx
    .selectFrom('closed_period')
    .select(['kind', 'first_day', 'last_day', 'closed_at', 'closed_by'])
    .where('company_id', '=', company)
    .where('kind', '<>', 'day')
    .orderBy('last_day', 'desc')
    .limit(24)
    .execute()
  const periods = rows.map((row) => ({
    kind: row.kind,
    firstDay: row.first_day,
    lastDay: row.last_day,
    at: row.closed_at.toISOString(),
    by: row.closed_by,
  }))
  return { first: days[0]?.first ?? '', through: days[0]?.last ?? '', periods }
}

/** Lists the three most recent open months and years in which all days are closed. */
function closablePeriods({
  first,
  through,
  periods,
}: Awaited<ReturnType<typeof closedOf>>): (Span & { kind: PeriodKind })[] {
  if (through === '') return []
  const ripe: (Span & { kind: PeriodKind })[] = []
  for (const kind of ['month', 'year'] as const) {
    let span = periodOf(kind, addDays(through, 1))
    for (let n = 0; n < 3; n++) {
      span = periodOf(kind, addDays(span.firstDay, -1))
      if (span.firstDay < first) break
      if (!periods.some((one) => one.kind === kind && one.lastDay === span.lastDay)) ripe.push({ kind, ...span })
    }
  }
  return ripe
}

export const reconcileDayCall = implement(reconcileDay, (call) =>
  call.reading(async (tx) => {
    const { company, context, body } = call
    const closed = await closedOf(tx, company.id)
    const lastDay = lastFinishedDay(company, context.clock.now())
    const next = closed.through === '' ? lastDay : addDays(closed.through, 1)
    const day = body.day ?? (next > lastDay ? closed.through : next)
    const closedPeriod = await tx
      .selectFrom('closed_period')
      .select(['closed_at', 'closed_by', 'figures'])
      .where('company_id', '=', company.id)
      .where('kind', '=', 'day')
      .where('last_day', '=', day)
      .executeTakeFirst()
    const open = await openThrough(tx, company.id, day)
    const isOpen = closedPeriod === undefined && day > closed.through
    return {
      day,
      closedThrough: closed.through,
      lastDay,
      // A closed day always shows its saved figures, even if later entries make corrections.
      figures: closedPeriod
        ? (closedPeriod.figures as DayFigures)
        : await figuresOf(tx, company, { firstDay: day, lastDay: day }),
      closed: closedPeriod ? { at: closedPeriod.closed_at.toISOString(), by: closedPeriod.closed_by } : null,
      against: isOpen ? await findClosingBlockers(tx, company, day, { lastDay, open }) : [],
      openExceptions: open,
      exceptions: await oldestOpen(tx, company.id, day),
      periods: [
        ...(isOpen ? [{ kind: 'day' as const, firstDay: firstDayToClose(closed.through, day), lastDay: day }] : []),
        ...closablePeriods(closed),
      ],
      closedPeriods: closed.periods,
      mayClose: may(signedIn(call).privileges, 'closing', 'update'),
    }
  }),
)

/** Returns the first of the days that close together with `day`. If no day is closed yet, only `day` closes. */
const firstDayToClose = (closedThrough: string, day: string): string =>
  closedThrough === '' ? day : addDays(closedThrough, 1)

export const closePeriodCall = implement(closePeriod, (call) => {
  const { kind, lastDay } = call.body
  return call.inCompany(async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(${LOCK}, ${call.company.id})`.execute(tx)
    const message = await (kind === 'day' ? closeDays(tx, call, lastDay) : closeMonths(tx, call, kind, lastDay))
    return { success: true as const, message }
  })
})

/** Closes a day and all earlier open days. Does nothing if the day is already closed. */
async function closeDays(tx: Tx, call: Call, day: string): Promise<string> {
  const { company, context } = call
  const { through } = await closedOf(tx, company.id)
  if (through !== '' && day <= through) return say`${formatDate(day)} is already closed. Nothing was changed.`
  const closingInput = {
    lastDay: lastFinishedDay(company, context.clock.now()),
    open: await openThrough(tx, company.id, day),
  }
  const against = await findClosingBlockers(tx, company, day, closingInput)
  if (against.length > 0) throw rejected(say`${formatDate(day)} cannot be closed yet. ${against.join(' ')}`)
  const first = firstDayToClose(through, day)
  if (addDays(first, MAX_BATCH) < day) throw rejected(say`Close up to ${MAX_BATCH} days at a time.`)
  for (let one = first; one <= day; one = addDays(one, 1))
    await writeClosed(tx, company, 'day', { firstDay: one, lastDay: one }, byOf(call))
  await call.audit(tx, { action: 'reconciliation.closed', detail: { kind: 'day', firstDay: first, lastDay: day } })
  return first === day
    ? say`${formatDate(day)} was closed.`
    : say`${formatDate(first)} through ${formatDate(day)} were closed.`
}

async function closeMonths(tx: Tx, call: Call, kind: 'month' | 'year', lastDay: string): Promise<string> {
  const closed = await closedOf(tx, call.company.id)
  const span = periodOf(kind, lastDay)
  const spanText = `${formatDate(span.firstDay)} – ${formatDate(span.lastDay)}`
  if (closed.periods.some((one) => one.kind === kind && one.lastDay === span.lastDay))
    return say`${spanText} is already closed. Nothing was changed.`
  if (closed.through === '' || span.lastDay > closed.through || span.firstDay < closed.first)
    throw rejected(say`Close all days in ${spanText} first.`)
  await writeClosed(tx, call.company, kind, span, byOf(call))
  await call.audit(tx, { action: 'reconciliation.closed', detail: { kind, ...span } })
  return say`${spanText} was closed.`
}

interface ClosingActor {
  at: Date
  person: number | null
  name: string
}

const byOf = (call: Call): ClosingActor => {
  const { personId } = signedIn(call)
  return { at: call.context.clock.now(), person: personId, name: callerName(call) }
}

/** Saves the figures of a period permanently. */
export async function writeClosed(
  tx: Tx,
  company: CompanyZone,
  kind: PeriodKind,
  span: Span,
  { at, person, name }: ClosingActor,
): Promise<void> {
  await tx
    .insertInto('closed_period')
    .values({
      company_id: company.id,
      kind,
      first_day: span.firstDay,
      last_day: span.lastDay,
      closed_at: at,
      person_id: person,
      closed_by: name,
      figures: JSON.stringify(await figuresOf(tx, company, span)),
    })
    .execute()
}
