import { sql } from 'kysely'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import type { Clock } from '../../server/clock.ts'
import type { DemoPart } from '../../server/demo.ts'
import type { Company } from '../../server/hosts.ts'
import { transition, type TransitionActor } from '../../server/states.ts'
import { companyIdFrom, type CompanyId, tenancyOn, type Tx } from '../../server/tenancy.ts'
import { addDays, dateIn, instantAt } from '../../shared/dates.ts'
import { roles } from '../../shared/privileges.ts'
import { periodOf } from './rules.ts'
import { writeClosed } from './server/day.ts'
import { updateExceptions, exceptionStateStore } from './server/update-exceptions.ts'
import { recountLedger } from '../payments/api.ts'

/**
 * Provider names for demo payments from before the demo started. One company uses bank files as its second provider.
 */
const [SANDBOX, BANK_FILES] = ['sandbox-history', 'bankfile-history']

interface DemoScenario {
  account: string
  feeCents: number
  beginsCents: number
  /** Ages in days. For each age, the newest payout that is at least this old arrived one cent short. */
  shortDaysAgo: readonly number[]
  missingDaysAgo: readonly number[]
  /** Bank lines of unknown origin. */
  unknown: readonly { daysAgo: number; text: string; cents: number }[]
  closedDaysAgo: number
}

/**
 * Reconciliation status of both demo companies. Both still have days to close, and the second company has more of them.
 */
const scenarios = new Map<string, DemoScenario>([
  [
    mapleGrove.company.subdomain,
    {
      account: '4418',
      feeCents: 38_50,
      beginsCents: 412_306_77,
      shortDaysAgo: [71, 138],
      missingDaysAgo: [6],
      unknown: [{ daysAgo: 4, text: 'MOBILE DEPOSIT 2214', cents: 180_00 }],
      closedDaysAgo: 9,
    },
  ],
  [
    harborCity.company.subdomain,
    {
      account: '9027',
      feeCents: 64_00,
      beginsCents: 1_204_551_18,
      shortDaysAgo: [3, 96],
      missingDaysAgo: [],
      unknown: [
        { daysAgo: 12, text: 'ACH CREDIT VISTA PROPERTIES RENT', cents: 2_450_00 },
        { daysAgo: 5, text: 'RETURNED ITEM CHARGE', cents: -12_00 },
      ],
      closedDaysAgo: 24,
    },
  ],
])

type DemoMerchantCompany = Pick<Company, 'id' | 'timeZone'>

/** Runs after all payments exist. Adds a year of payouts and statements, resolved exceptions and closed days. */
export const demo: DemoPart = {
  async after({ db, clock, analyze }) {
    const { rows } = await db.platform.query<{ id: number; subdomain: string; zone: string }>(
      'SELECT c.id, c.subdomain, z.zone FROM company c JOIN timezone z ON z.id = c.timezone_id',
    )
    const inEach = (
      work: (tx: Tx, company: DemoMerchantCompany, scenario: DemoScenario, today: string) => Promise<void>,
    ) =>
      Promise.all(
        rows.map(async ({ id, subdomain, zone }) => {
          const scenario = scenarios.get(subdomain)
          const demoCompany = { id: companyIdFrom('platform', id), timeZone: zone }
          const today = dateIn(zone, clock.now())
          if (scenario) await tenancyOn(db.app)(demoCompany.id, (tx) => work(tx, demoCompany, scenario, today))
        }),
      )
    await inEach(async (tx, demoCompany, scenario, today) => {
      await payOut(tx, clock, demoCompany)
      await receive(tx, demoCompany, scenario, today)
    })
    // Updates the statistics of the tables. Closing the days runs one query for each of a hundred days. With a plan for
    // empty tables, each query would read the entire year.
    await analyze(
      'ledger_transfer',
      'payment_order',
      'payment_order_line',
      'payment_day',
      'remittance',
      'payout',
      'payout_line',
      'bank_transaction',
    )
    await inEach(async (tx, demoCompany, scenario, today) => {
      await updateExceptions(tx, { clock }, demoCompany)
      const staff = await staffOf(tx, demoCompany.id)
      await resolveOld(tx, clock, demoCompany, { staffMember: staff, today, scenario })
      await closeDays(tx, demoCompany, { staffMember: staff, today, scenario })
      // The bulk insert did not update the stored totals of the ledger, so this recalculates them.
      await recountLedger(tx, demoCompany.id)
    })
  },
}

/**
 * Creates one payout for each provider and working day. The amount is the sum of the earlier movements minus costs.
 * Days are in UTC. Bank files cost nothing, and their payouts arrive on the same day. If refunds exceed payments, the
 * provider debits the bank account.
 */
async function payOut(tx: Tx, clock: Clock, { id: company, timeZone }: DemoMerchantCompany): Promise<void> {
  const paidAt = sql`(day + CASE source WHEN ${BANK_FILES} THEN time '21:05' ELSE time '06:00' END) AT TIME ZONE 'UTC'`
  await sql`
    WITH moved AS MATERIALIZED (
      SELECT t.source, t.source_ref, split_part(t.kind, '.', 1) AS movement_type, min(t.at) AS at, min(t.order_id) AS order_id,
        sum(CASE t.debit_account WHEN 'gateway_clearing' THEN t.amount_cents ELSE -t.amount_cents END)::bigint AS cents
      FROM ledger_transfer t WHERE t.company_id = ${company} AND t.source IN (${SANDBOX}, ${BANK_FILES}) AND 'gateway_clearing' IN (t.debit_account, t.credit_account)
      GROUP BY 1, 2, 3),
    costed AS MATERIALIZED (
      SELECT m.*, (m.at AT TIME ZONE 'UTC')::date + CASE extract(isodow FROM m.at AT TIME ZONE 'UTC') WHEN 5 THEN 3 WHEN 6 THEN 2 ELSE 1 END AS day,
        CASE WHEN m.source = ${BANK_FILES} THEN 0 WHEN m.movement_type = 'capture' THEN CASE o.method WHEN 1 THEN (m.cents * 220 + 5000) / 10000 + 10 ELSE 40 END WHEN m.movement_type = 'return' THEN 300 WHEN m.movement_type = 'dispute' THEN 1500 ELSE 0 END AS cost
      FROM moved m JOIN payment_order o ON o.company_id = ${company} AND o.id = m.order_id),
    written AS (
      INSERT INTO payout (company_id, provider, provider_ref, trace, paid_at, arrives_on, gross_cents, cost_cents, net_cents, line_count, line_cents, search_text)
      SELECT ${company}, d.source, 'po_' || to_char(day, 'YYYYMMDD'), n.trace, d.paid_at,
        day + CASE WHEN d.source = ${BANK_FILES} THEN 0 WHEN extract(isodow FROM day) >= 4 THEN 4 ELSE 2 END, d.cents, d.cost, d.cents - d.cost, d.lines, d.cents - d.cost,
        lower(n.trace || ' po_' || to_char(day, 'YYYYMMDD'))
      FROM (SELECT source, day, ${paidAt} AS paid_at, sum(cents) AS cents, sum(cost) AS cost, count(*) AS lines FROM costed
          WHERE ${paidAt} + interval '8 minutes' <= ${clock.now()} GROUP BY 1, 2) d,
        LATERAL (SELECT CASE d.source WHEN ${BANK_FILES} THEN '1100000093-' || day ELSE 'SBX' || to_char(day, 'YYMMDD') || '001' END AS trace) n
      WHERE d.cents - d.cost <> 0 RETURNING id, paid_at, provider)
    INSERT INTO payout_line (company_id, payout_id, line_no, provider, movement, movement_type, source_ref, amount_cents, cost_cents, at, ledger_cents, order_id)
    SELECT ${company}, w.id, row_number() OVER (PARTITION BY w.id ORDER BY c.at, c.source_ref), c.source, 'txn_' || c.movement_type || '_' || c.source_ref, c.movement_type, c.source_ref, c.cents, c.cost, c.at, c.cents, c.order_id
    FROM costed c JOIN written w ON w.provider = c.source AND (w.paid_at AT TIME ZONE 'UTC')::date = c.day`.execute(tx)
  await sql`
    INSERT INTO ledger_transfer (company_id, entry_id, debit_account, credit_account, amount_cents, source, source_ref, kind, at)
    SELECT ${company}, e.entry, CASE WHEN leg.cents > 0 THEN leg.account ELSE 'gateway_clearing' END, CASE WHEN leg.cents > 0 THEN 'gateway_clearing' ELSE leg.account END,
      abs(leg.cents), e.provider, e.provider_ref, leg.kind, e.paid_at + interval '8 minutes'
    FROM (SELECT p.*, nextval('ledger_entry_number') AS entry FROM payout p WHERE p.company_id = ${company} ORDER BY p.paid_at) e
    CROSS JOIN LATERAL (VALUES ('payout.net', 'deposits_in_transit', e.net_cents), ('payout.cost', 'provider_cost', e.cost_cents)) AS leg(kind, account, cents)
    WHERE leg.cents <> 0`.execute(tx)
  await sql`
    UPDATE payment_settings SET reconciled_since = (SELECT (min(at) AT TIME ZONE ${timeZone})::date FROM payout_line WHERE company_id = ${company})
    WHERE company_id = ${company}`.execute(tx)
}

/**
 * Creates weekly bank statements: deposits of payouts, lockbox payments, office cash, the bank's fee, and unrelated
 * lines.
 */
async function receive(
  tx: Tx,
  { id: company, timeZone }: DemoMerchantCompany,
  scenario: DemoScenario,
  today: string,
): Promise<void> {
  const through = addDays(today, -1)
  const isSpecial = (days: readonly number[]) => sql`
    p.id IN (SELECT (SELECT q.id FROM payout q WHERE q.company_id = ${company} AND q.arrives_on <= ${today}::date - d.days ORDER BY q.arrives_on DESC, q.id DESC LIMIT 1)
      FROM unnest(${[...days]}::int[]) AS d(days))`
  await sql`
    CREATE TEMPORARY TABLE told ON COMMIT DROP AS
    SELECT row_number() OVER (ORDER BY t.day, t.became, t.text) AS n, t.*, (date_trunc('week', t.day) + interval '6 days')::date AS week FROM (
      SELECT p.arrives_on AS day, p.net_cents - CASE WHEN ${isSpecial(scenario.shortDaysAgo)} THEN 1 ELSE 0 END AS cents,
        CASE WHEN p.net_cents > 0 THEN '142' ELSE '455' END AS code, p.trace AS reference, CASE p.provider WHEN ${BANK_FILES} THEN 'ACH SETTLEMENT' ELSE 'SANDBOX PAYOUT' END AS text, 'payout' AS became, p.id AS payout_id, NULL::text AS file
      FROM payout p WHERE p.company_id = ${company} AND p.arrives_on <= ${through}::date AND NOT (${isSpecial(scenario.missingDaysAgo)})
      UNION ALL SELECT greatest(max(l.received_at AT TIME ZONE ${timeZone})::date, max(l.paid_on)), sum(l.amount_cents), '115', '', 'LOCKBOX DEPOSIT ' || to_char(max(l.paid_on), 'MM/DD'), 'lockbox', NULL, l.file_name
      FROM lockbox_payment l WHERE l.company_id = ${company} GROUP BY l.file_name HAVING max(l.received_at AT TIME ZONE ${timeZone})::date <= ${through}::date
      UNION ALL SELECT c.friday, c.cents, '174', '', 'BRANCH DEPOSIT CASH AND CHECKS', 'office', NULL, NULL FROM (
        SELECT (date_trunc('week', (t.at AT TIME ZONE ${timeZone})::date + 2) + interval '4 days')::date AS friday,
          sum(CASE t.debit_account WHEN 'office_cash' THEN t.amount_cents ELSE -t.amount_cents END)::bigint AS cents
        FROM ledger_transfer t WHERE t.company_id = ${company} AND 'office_cash' IN (t.debit_account, t.credit_account) GROUP BY 1) c
      WHERE c.cents > 0 AND c.friday <= ${through}::date
      UNION ALL SELECT m::date, -${scenario.feeCents}::bigint, '698', '', 'ANALYSIS SERVICE CHARGE', 'fee', NULL, NULL
      FROM generate_series(date_trunc('month', ${today}::date - interval '11 months'), ${through}::date, interval '1 month') m
      UNION ALL SELECT (m + interval '14 days')::date, 18450000, '142', '', 'COMMONWEALTH LIQUID FUELS', 'not_ours', NULL, NULL
      FROM generate_series(date_trunc('quarter', ${today}::date - interval '9 months'), ${through}::date - 14, interval '3 months') m
      UNION ALL SELECT ${today}::date - u.ago, u.cents, CASE WHEN u.cents > 0 THEN '174' ELSE '698' END, '', u.text, 'open', NULL, NULL
      FROM unnest(${scenario.unknown.map(({ daysAgo }) => daysAgo)}::int[], ${scenario.unknown.map(({ cents }) => cents)}::bigint[], ${scenario.unknown.map(({ text }) => text)}::text[]) AS u(ago, cents, text)
    ) t`.execute(tx)
  await sql`
    WITH weeks AS (
      SELECT week, least(week, ${through}::date) AS to_day, count(*)::int AS lines, sum(cents) AS cents, sum(sum(cents)) OVER (ORDER BY week) AS so_far FROM told GROUP BY week),
    written AS (
      INSERT INTO bank_statement (company_id, account, format, file_name, digest, from_day, to_day, opening_cents, closing_cents, line_count, imported_at)
      SELECT ${company}, ${scenario.account}, 'bai2', 'statement-' || to_char(week, 'IYYY-"W"IW') || '.bai2', md5(week::text) || md5(${scenario.account}), week - 6, to_day,
        ${scenario.beginsCents} + so_far - cents, ${scenario.beginsCents} + so_far, lines, ((to_day + 1) + time '08:40') AT TIME ZONE ${timeZone} FROM weeks ORDER BY week RETURNING id, from_day, imported_at)
    INSERT INTO bank_transaction (company_id, statement_id, line_no, booked_on, amount_cents, code, reference, description, became, payout_id, lockbox_file, finished_at, finished_by, reason, search_text)
    SELECT ${company}, w.id, row_number() OVER (PARTITION BY w.id ORDER BY t.n), t.day, t.cents, t.code, t.reference, t.text, t.became, t.payout_id, t.file,
      CASE WHEN t.became <> 'open' THEN w.imported_at END, CASE WHEN t.became <> 'open' THEN 'Mainstreet' ELSE '' END, '', lower(concat_ws(' ', t.reference, t.text))
    FROM told t JOIN written w ON w.from_day = t.week - 6`.execute(tx)
  await sql`
    UPDATE payout p SET deposited_cents = b.amount_cents, deposited_on = b.booked_on FROM bank_transaction b
    WHERE p.company_id = ${company} AND b.company_id = ${company} AND b.payout_id = p.id`.execute(tx)
  await sql`
    INSERT INTO ledger_transfer (company_id, entry_id, debit_account, credit_account, amount_cents, source, source_ref, kind, at)
    SELECT ${company}, nextval('ledger_entry_number'), CASE WHEN amount_cents > 0 THEN 'bank' ELSE other END, CASE WHEN amount_cents > 0 THEN other ELSE 'bank' END,
      abs(amount_cents), 'bank', 'line-' || id, 'bank.' || became, finished_at
    FROM (SELECT b.*, CASE became WHEN 'payout' THEN 'deposits_in_transit' WHEN 'office' THEN 'office_cash' WHEN 'fee' THEN 'bank_fees' END AS other
      FROM bank_transaction b WHERE b.company_id = ${company}) b WHERE other IS NOT NULL ORDER BY finished_at, id`.execute(
    tx,
  )
  for (const [description, comesIn, became] of [
    ['ANALYSIS SERVICE CHARGE', false, 'fee'],
    ['BRANCH DEPOSIT', true, 'office'],
    ['LIQUID FUELS', true, 'not_ours'],
  ] as const)
    await tx
      .insertInto('bank_rule')
      .values({
        company_id: company,
        match_text: description,
        comes_in: comesIn,
        became,
        made_at: instantAt(timeZone, addDays(today, -300), '10:00'),
        made_by: 'The office',
      })
      .execute()
}

interface DemoStaff {
  id: number
  name: string
}

async function staffOf(tx: Tx, company: CompanyId): Promise<DemoStaff> {
  const row = await tx
    .selectFrom('person')
    .select(['id', 'first_name', 'last_name'])
    .where('company_id', '=', company)
    .where('role_id', '=', roles.municipalityAdmin)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  return { id: row.id, name: `${row.first_name} ${row.last_name}` }
}

interface Ending {
  staffMember: DemoStaff
  today: string
  scenario: DemoScenario
}

/** Resolves old exceptions and books their differences. Assigns an owner to one of the open exceptions. */
async function resolveOld(
  tx: Tx,
  clock: Clock,
  { id: company, timeZone }: DemoMerchantCompany,
  { staffMember, today }: Ending,
): Promise<void> {
  const rows = await tx
    .selectFrom('recon_exception')
    .select(['id', 'on_day', 'amount_cents', 'kind'])
    .where('company_id', '=', company)
    .where('status', '=', 'open')
    .orderBy('on_day')
    .execute()
  for (const row of rows) {
    const opened = instantAt(timeZone, addDays(row.on_day, 1), '08:41')
    await tx
      .updateTable('recon_exception')
      .set({ opened_at: opened < clock.now() ? opened : clock.now() })
      .where('company_id', '=', company)
      .where('id', '=', row.id)
      .execute()
    if (row.on_day > addDays(today, -30)) continue
    const at = instantAt(timeZone, addDays(row.on_day, 2), '09:15')
    const actor: TransitionActor = {
      ...{ as: 'staff', privileges: { reconcile: 31 }, clock: { now: () => at } },
      caller: { session: null, requestId: '', kind: 'system' },
      person: staffMember,
    }
    const reason = 'The bank deducted one cent. We called the bank. A claim is not worth the cost.'
    await transition(tx, exceptionStateStore, { scope: company, id: row.id, event: 'resolve', actor, reason })
    await sql`
      INSERT INTO ledger_transfer (company_id, entry_id, debit_account, credit_account, amount_cents, source, source_ref, kind, at)
      SELECT ${company}, nextval('ledger_entry_number'), 'bank_differences', 'deposits_in_transit', ${-row.amount_cents}, 'bank', ${`difference-${row.id}`}, 'bank.short', ${at}
      WHERE ${row.kind} = 'deposit_differs'`.execute(tx)
  }
  await sql`
    UPDATE recon_exception SET owner_id = ${staffMember.id}, owner_name = ${staffMember.name} WHERE company_id = ${company} AND id = (
      SELECT min(id) FROM recon_exception WHERE company_id = ${company} AND status = 'open')`.execute(tx)
}

/**
 * Closes each day since the month before last, always on the following morning. Closes each month after its last day.
 */
async function closeDays(
  tx: Tx,
  demoCompany: DemoMerchantCompany,
  { staffMember, today, scenario }: Ending,
): Promise<void> {
  const through = addDays(today, -scenario.closedDaysAgo)
  const first = periodOf('month', addDays(periodOf('month', through).firstDay, -1)).firstDay
  const by = (day: string, time: string) => ({
    at: instantAt(demoCompany.timeZone, addDays(day, 1), time),
    person: staffMember.id,
    name: staffMember.name,
  })
  for (let day = first; day <= through; day = addDays(day, 1)) {
    await writeClosed(tx, demoCompany, 'day', { firstDay: day, lastDay: day }, by(day, '09:30'))
    const month = periodOf('month', day)
    if (month.lastDay === day) await writeClosed(tx, demoCompany, 'month', month, by(day, '09:45'))
  }
}
