import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { bai2, type Bai2Line } from '../../test/bai2.ts'
import { testClock, testDatabase, testPortal } from '../../test/harness.ts'
import { recordedStripe } from '../../test/stripe/recorded-stripe.ts'
import { type ProviderMovement, threeProviders } from '../../test/three-providers.ts'
import { openTestCompany, sendBills, setPaymentSettings } from '../../test/company.ts'
import { addDays } from '../../shared/dates.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import type { DayFigures } from './contract.ts'
import type { MovementType } from '../payments/server/providers/provider.ts'
import { readPayouts } from './server/read-payouts.ts'
import { verifyReconciliation } from './server/verify.ts'

/**
 * Simulates a month of payments of a company with three providers, including refunds, eCheck returns, disputes and late
 * events. All providers number their objects from 1, so the same ids occur several times. The portal must find exactly
 * the planted errors and account for every cent.
 */

const PAYMENTS = process.env['NIGHTLY'] ? 100_000 : 2000
/** Number of days between two reads of payouts. With 3, a read finds several payouts of each provider. */
const MORNINGS = process.env['NIGHTLY'] ? 1 : 3
const HOST = 'maplegrove.localhost'
const clock = testClock('2026-10-01T04:00:00Z')
const stripeClock = testClock('2026-10-01T04:00:00Z')
const database = await testDatabase()
const stripe = await recordedStripe(() => stripeClock.now())
const portal = await testPortal({ database, clock, gateway: true, env: stripe.env })
let company: CompanyId
let providers: Awaited<ReturnType<typeof threeProviders>>
let admin = ''

const callApi = (path: string, body: object = {}) =>
  portal.post(HOST, `muni/${path}`, body, { token: admin, headers: { 'idempotency-key': randomUUID() } })
const query = async <R extends object>(text: string, values: unknown[] = []): Promise<R[]> =>
  (await portal.owner.query<R>(text, values)).rows

/** Creates the payments of October and their outcomes. The portal records them later. */
async function makeMonth(): Promise<void> {
  await query(
    `CREATE UNLOGGED TABLE month AS SELECT *, row_number() OVER (PARTITION BY provider ORDER BY id)::int AS no FROM (
       SELECT n + 1 AS id, at, 1 + n % 3 / 2 AS method, 5000 + n * 7 % 20000 AS bill, 195 AS fee,
         CASE WHEN extract(hour FROM at AT TIME ZONE 'UTC') BETWEEN 14 AND 17 THEN 'bankfile' WHEN at < '2026-10-18 00:00-04' THEN 'sandbox' ELSE 'stripe' END AS provider
       FROM (SELECT n, timestamptz '2026-10-01 00:00-04' + n * (interval '31 days' / ${PAYMENTS}) AS at FROM generate_series(0, ${PAYMENTS - 1}) n) m) m`,
  )
  // Stripe debits returns and disputes from the portal's own account. Each such debit becomes an exception, so the test
  // creates only a few.
  await query(
    `CREATE UNLOGGED TABLE moved AS
     SELECT m.id AS order_id, m.provider, w.movement_type, 'pi_' || m.no AS intent, w.ref || m.no AS ref,
       CASE left(w.ref, 2) WHEN 're' THEN 'refund' WHEN 'dp' THEN 'dispute' ELSE 'intent' END AS object, w.sign * (m.bill + m.fee) AS cents, m.at + w.after AS at,
       CASE m.provider WHEN 'bankfile' THEN 0 WHEN 'stripe' THEN CASE w.movement_type WHEN 'capture' THEN m.fee WHEN 'refund' THEN -m.fee ELSE 0 END
         ELSE CASE w.movement_type WHEN 'capture' THEN CASE m.method WHEN 1 THEN ((m.bill + m.fee) * 220 + 5000) / 10000 + 10 ELSE 40 END
           WHEN 'return' THEN 300 WHEN 'dispute' THEN 1500 ELSE 0 END END AS cost
     FROM month m, LATERAL (SELECT CASE m.provider WHEN 'stripe' THEN 200 ELSE 40 END AS seldom) s,
       LATERAL (VALUES ('capture', 'pi_', 1, interval '0', true), ('refund', 're_', -1, '30 hours', m.no % 40 = 1), ('return', 'pi_', -1, '50 hours', m.no % seldom = 2),
         ('dispute', 'dp_', -1, '26 hours', m.no % seldom = 3 AND m.provider <> 'bankfile'),
         ('dispute_won', 'dp_', 1, '70 hours', m.no % seldom = 3 AND m.provider <> 'bankfile'),
         -- A refund that came back on the same day: the bank files' payout of that day is of nothing.
         ('refund', 're_', -1, '2026-11-04 15:00Z' - m.at, m.no = 5 AND m.provider = 'bankfile'),
         ('refund_failed', 're_', 1, '2026-11-04 16:00Z' - m.at, m.no = 5 AND m.provider = 'bankfile')) AS w(movement_type, ref, sign, after, happens)
     WHERE w.happens`,
  )
}

/**
 * Writes the portal's payments, ledger entries and remittances. The bank's return files report the returns of bank
 * debits.
 */
async function writeOurBooks(): Promise<void> {
  await query(
    `WITH made AS (
      INSERT INTO payment_order (company_id, id, status, type, reference, payer_name, payer_email, location, method, pay_type, bill_cents, fee_cents,
        absorbed_fee_cents, total_cents, refunded_cents, fee_quote, method_label, dispute_open, created_at, paid_at, net_bill_cents, net_fee_cents,
        refunded_bill_cents, refunded_fee_cents, returned_bill_cents, returned_fee_cents, search_text)
      SELECT $1, id, 1, 'Utility', '1', 'Ada Quill', '', 1, method, 1, bill, fee, 0, bill + fee, 0, '{}', '', false, at, at, 0, 0, 0, 0, 0, 0, '' FROM month RETURNING id),
    lines AS (
      INSERT INTO payment_order_line (company_id, order_id, line_no, kind, payable_id, amount_cents, fee_cents, absorbed_fee_cents, settled_cents, gl_account, fee_program, title, details, items)
      SELECT $1, id, 1, 'utility', (SELECT min(id) FROM utility_account), bill, fee, 0, bill, '400', 'convenience', 'Utility', '[]', '[]' FROM month JOIN made USING (id)),
    attempts AS (
      INSERT INTO payment_attempt (company_id, order_id, attempt_no, idempotency_key, status, step, provider, provider_account, intent_id, created_at, submitted_at, checked_at)
      SELECT $1, id, 1, 'month-' || id, 1, 'succeeded', provider, $2::jsonb->>provider, 'pi_' || no, at, at, at FROM month JOIN made USING (id)),
    told AS (
      INSERT INTO remittance (company_id, account_id, order_id, line_no, source, source_ref, kind, amount_cents, at)
      SELECT $1, (SELECT min(id) FROM utility_account), id, 1, provider, 'pi_' || no, 'credit', bill, at FROM month JOIN made USING (id))
    INSERT INTO ledger_transfer (company_id, entry_id, order_id, line_no, debit_account, credit_account, amount_cents, source, source_ref, kind, at)
    SELECT $1, nextval('ledger_entry_number'), v.order_id, CASE WHEN movement_type LIKE 'dispute%' THEN NULL ELSE 1 END, CASE WHEN v.cents < 0 THEN leg.account ELSE 'gateway_clearing' END,
      CASE WHEN v.cents < 0 THEN 'gateway_clearing' ELSE leg.account END, leg.cents, v.provider, v.ref, movement_type || '.' || leg.part, v.at
    FROM moved v JOIN month m ON m.id = v.order_id JOIN made ON made.id = m.id
    CROSS JOIN LATERAL (VALUES ('bill', 'payable_municipality', bill), ('fee', 'fee_revenue', fee), ('reserve', 'dispute_reserve', bill + fee)) AS leg(part, account, cents)
    WHERE (leg.part = 'reserve') = (movement_type LIKE 'dispute%') AND NOT (movement_type = 'return' AND v.provider = 'bankfile')`,
    [company, JSON.stringify(providers.accounts)],
  )
  // The billing system must also receive refunds and returns.
  await query(
    `WITH reversals AS (SELECT order_id, source, source_ref, amount_cents, at FROM ledger_transfer t WHERE kind IN ('refund.bill', 'return.bill')
       AND NOT EXISTS (SELECT FROM ledger_transfer f WHERE f.order_id = t.order_id AND f.kind = 'refund_failed.bill')),
     reduced AS (UPDATE payment_order_line l SET settled_cents = 0 FROM reversals WHERE l.company_id = $1 AND l.order_id = reversals.order_id)
     INSERT INTO remittance (company_id, account_id, order_id, line_no, source, source_ref, kind, amount_cents, at)
     SELECT $1, (SELECT min(id) FROM utility_account), order_id, 1, source, source_ref, 'reversal', amount_cents, at FROM reversals`,
    [company],
  )
  await query('SELECT recount_ledger($1)', [company])
  // PostgreSQL updates its statistics automatically only after some time.
  await query('ANALYZE')
}

const movedOf = (provider: string, movementType: MovementType, index: number) =>
  query<ProviderMovement & { order_id: number }>(
    'SELECT * FROM moved WHERE provider = $1 AND movement_type = $2 ORDER BY at OFFSET $3 LIMIT 1',
    [provider, movementType, index],
  ).then(([movement]) => {
    if (!movement) throw new Error('too few')
    return movement
  })

async function send(name: string, text: string) {
  const data = new FormData()
  data.append('mode', 'import')
  data.append('file', new Blob([text]), name)
  const sent = new Response(data)
  const { payload } = await portal.app.inject({
    method: 'POST',
    url: '/api/v2/muni/import/bank/statement',
    payload: Buffer.from(await sent.arrayBuffer()),
    headers: { host: HOST, authorization: `Bearer ${admin}`, 'content-type': sent.headers.get('content-type') ?? '' },
  })
  return JSON.parse(payload)
}

const open = async () =>
  query<{ id: number; kind: string; about: string; cents: number }>(
    `SELECT id, kind, about, amount_cents::int AS cents FROM recon_exception WHERE company_id = $1 AND status = 'open' ORDER BY kind, subject`,
    [company],
  )

/** Exception that the test planted or the portal found: its kind, its amount in cents, and words that identify it. */
type PlantedException = readonly [kind: string, cents: number, terms?: string]
const sorted = (all: readonly PlantedException[]) =>
  all.map(([kind, cents]) => `${kind} ${cents}`).toSorted((a, b) => a.localeCompare(b))

beforeAll(async () => {
  company = await openTestCompany(portal, mapleGrove)
  await sendBills(portal, [{ account: '8000', bill: 'P1' }])
  await setPaymentSettings(portal, { processor_id: 2, second_processor_id: 3 })
  providers = await threeProviders(portal, database, { stripe, stripeClock }, company)
  await providers.openAccounts('2026-10-01T04:00:00Z')
  await makeMonth()
  await writeOurBooks()
}, 300_000)
afterAll(async () => {
  await providers.bank.close()
  await stripe.close()
})

/** Exceptions that the test planted during the month, at the providers and in the portal. */
const planted: PlantedException[] = []
let late: ProviderMovement & { order_id: number }
let lost: ProviderMovement
let forgotten: ProviderMovement

async function plant(): Promise<void> {
  // Plants a sandbox charge that the ledger never records, and a Stripe charge with an event that arrives after its
  // payout.
  lost = await movedOf('sandbox', 'capture', 60)
  late = await movedOf('stripe', 'capture', 90)
  await query(`DELETE FROM ledger_transfer WHERE (source, source_ref) IN (('sandbox', $1), ('stripe', $2))`, [
    ...[lost.ref, late.ref],
  ])
  await query(`DELETE FROM remittance WHERE order_id = $1`, [late.order_id])
  await query(`UPDATE payment_order_line SET settled_cents = 0 WHERE order_id = $1`, [late.order_id])
  await query(`UPDATE payment_order SET status = 0, paid_at = NULL WHERE id = $1`, [late.order_id])
  await query(`UPDATE payment_attempt SET status = 0, step = 'submitted' WHERE order_id = $1`, [late.order_id])
  await query('SELECT recount_ledger($1)', [company])
  // Plants a wrong amount in a bank file, a sandbox charge that is never paid out, and a wrong remittance to the
  // billing system.
  const other = await movedOf('bankfile', 'capture', 70)
  forgotten = await movedOf('sandbox', 'capture', 150)
  const untold = await movedOf('stripe', 'capture', 185)
  await query(
    `UPDATE moved SET cents = cents + 1 WHERE provider = 'bankfile' AND movement_type = 'capture' AND ref = $1`,
    [other.ref],
  )
  await query(`UPDATE remittance SET amount_cents = amount_cents - 1 WHERE order_id = $1`, [untold.order_id])
  planted.push(
    ['line_unknown', lost.cents, 'Sandbox'],
    ['line_differs', 1, 'Bank file'],
    ['not_paid_out', forgotten.cents, 'Sandbox'],
    ['remittance_differs', -1],
  )
}

/** Simulates the month day by day: the bank file cutoff, midnight and, on some mornings, the job that reads payouts. */
async function goThroughMonth(): Promise<void> {
  for (let day = '2026-10-01', index = 0; day <= '2026-11-08'; day = addDays(day, 1), index++) {
    const next = addDays(day, 1)
    clock.set(`${day}T21:00:00Z`)
    await Promise.all([providers.bankDay(`${day}T21:00:00Z`), providers.gatewayAt(`${next}T00:10:00Z`)])
    providers.stripeNight(`${next}T00:00:00Z`)
    if (index === 9)
      await query(`UPDATE sandbox_gateway.payout SET amount_cents = amount_cents - 5 WHERE created_at > $1`, [
        `${next}T00:00:00Z`,
      ])
    // On this day, payouts of two providers have the same number.
    if (index === 20)
      await query(`UPDATE bankfile.payout SET trace = $1 WHERE arrives_on = $2`, [
        (await providers.paidOut()).findLast(({ provider }) => provider === 'stripe')?.trace,
        day,
      ])
    clock.set(`${next}T06:00:00Z`)
    if (index % MORNINGS === MORNINGS - 1) await readPayouts(portal.context, () => true)
  }
  planted.push(['payout_sum', 5, 'Sandbox'])
  // Updates the statistics after a month of payouts. In production, the database does this every day.
  await query('ANALYZE payout, payout_line, ledger_transfer, payment_order_line, remittance')
}

test(`names each planted fault among ${PAYMENTS.toLocaleString('en-US')} payments of three providers`, async () => {
  await plant()
  await providers.addCharges()
  await query(`UPDATE sandbox_gateway.movement SET payout = 'po_gone' WHERE object_id = $1 AND type = 'capture'`, [
    forgotten.ref,
  ])
  await goThroughMonth()
  clock.set('2026-11-09T15:00:00Z')
  admin = await portal.signIn(HOST, 'admin@maplegrove.example')
  const unapplied = () => query('SELECT event_id, last_error FROM provider_event WHERE applied_at IS NULL')
  await expect.poll(unapplied).toEqual([])

  // Two kinds of amounts are never paid out: the sandbox balance after the company left the sandbox, and Stripe's
  // debits of the portal's account.
  for (const { cents } of await query<{ cents: number }>(
    `SELECT amount_cents::int AS cents FROM sandbox_gateway.movement WHERE payout IS NULL`,
  ))
    planted.push(['not_paid_out', cents, 'Sandbox'])
  for (const { cents } of await query<{ cents: number }>(
    `SELECT cents FROM moved WHERE provider = 'stripe' AND movement_type IN ('return', 'dispute', 'dispute_won')`,
  ))
    planted.push(['not_paid_out', cents, 'Stripe'])

  // Creates a bank statement in which one deposit is missing and another is one cent short. It also has the bank's fee
  // and a deposit of unknown origin. The statement comes in two files with a gap between them.
  const paid = (await providers.paidOut()).filter(({ cents }) => cents !== 0)
  const of = (name: string) => paid.filter(({ provider }) => provider === name)
  expect(Math.min(...['sandbox', 'stripe', 'bankfile'].map((name) => of(name).length))).toBeGreaterThan(12)
  const [missing, short] = [of('bankfile')[12], of('stripe')[6]]
  const payoutTexts = { sandbox: 'SANDBOX PAYOUT', stripe: 'STRIPE TRANSFER', bankfile: 'ACH SETTLEMENT' }
  const bankLines = paid
    .filter((one) => one !== missing)
    .flatMap((one, n) => [
      {
        day: one.arrives,
        cents: one === short ? one.cents - 1 : one.cents,
        // Some banks omit the payout number.
        text: `${payoutTexts[one.provider as keyof typeof payoutTexts]}${one.provider === 'stripe' && n % 3 === 0 && one !== short ? '' : ` ${one.trace}`}`,
      },
      ...(n === 3 ? [{ day: one.arrives, text: 'SERVICE CHARGE', cents: -25_00 }] : []),
      ...(n === 31 ? [{ day: one.arrives, text: 'WHO IS THIS', cents: 77_77 }] : []),
    ])
  const days = [...Map.groupBy(bankLines, ({ day }) => day)].map(([day, lines]) => ({
    day: day.slice(2).replaceAll('-', ''),
    lines: lines.map((one): Bai2Line => ({
      ...{ text: one.text, cents: Math.abs(one.cents), code: one.cents > 0 ? '142' : '455' },
    })),
  }))
  const sum = (some: typeof bankLines) => some.reduce((all, { cents }) => all + cents, 0)
  const [first, second] = [days.slice(0, 18), days.slice(18)]
  const firstLines = first.reduce((n, { lines }) => n + lines.length, 0)
  expect(await send('one.bai2', bai2(first, 1_000_000_00))).toMatchObject({ imported: true })
  const opening = 1_000_000_00 + sum(bankLines.slice(0, firstLines)) + 3
  expect(await send('two.bai2', bai2(second, opening))).toMatchObject({
    imported: true,
    created: bankLines.length - firstLines,
  })

  planted.push(
    ['bank_unknown', -25_00],
    ['bank_unknown', 77_77],
    ['deposit_differs', -1, 'Stripe'],
    ['deposit_missing', -(missing?.cents ?? 0), 'Bank file'],
    ['line_unknown', late.cents, 'Stripe'],
    ['statement_gap', 3],
  )
  const exceptions = await open()
  expect(sorted(exceptions.map(({ kind, cents }) => [kind, cents]))).toEqual(sorted(planted))
  for (const [kind, cents, textPart = ''] of planted)
    expect(exceptions.some((one) => one.kind === kind && one.cents === cents && one.about.includes(textPart))).toBe(
      true,
    )

  // After the late event arrives, the exception clears automatically.
  const event = { id: 'late', object: 'intent', objectId: late.ref, intentId: late.ref, type: 'succeeded' } as const
  const payload = stripe.eventOf({ provider: 'stripe', account: '', ...event })
  const signature = stripe.sign(payload, clock.now())
  const headers = { host: HOST, 'content-type': 'application/json', 'stripe-signature': signature }
  await portal.app.inject({ method: 'POST', url: '/webhooks/stripe', payload, headers })
  await expect
    .poll(() => query('SELECT status FROM payment_order WHERE id = $1', [late.order_id]))
    .toEqual([{ status: 1 }])
  expect((await callApi('check/reconciliation')).body).toMatchObject({ opened: 0, cleared: 1 })

  // The remaining balance of each account must equal the exceptions, to the cent.
  const [left] = await query<{ clearing: number; transit: number; bank: number }>(
    `SELECT sum(CASE 'gateway_clearing' WHEN debit_account THEN amount_cents WHEN credit_account THEN -amount_cents ELSE 0 END)::float8 AS clearing,
        sum(CASE 'deposits_in_transit' WHEN debit_account THEN amount_cents WHEN credit_account THEN -amount_cents ELSE 0 END)::float8 AS transit,
        sum(CASE 'bank' WHEN debit_account THEN amount_cents WHEN credit_account THEN -amount_cents ELSE 0 END)::float8 AS bank
       FROM ledger_transfer WHERE company_id = $1`,
    [company],
  )
  const notPaidOut = planted.filter(([kind]) => kind === 'not_paid_out').reduce((all, [, cents]) => all + cents, 0)
  expect(left?.clearing).toBe(notPaidOut - lost.cents - 1 + 5)
  expect(left?.transit).toBe((missing?.cents ?? 0) + 1)
  expect(left?.bank).toBe(sum(bankLines) - 77_77 + 25_00)
  const { acrossCompanies } = portal.context
  const { findings } = await verifyReconciliation({
    config: portal.config,
    platformUrl: '',
    acrossCompanies,
    outside: false,
  })
  expect(findings.filter(({ violations }) => violations > 0)).toEqual([])
}, 900_000)

test('closes the month once after each exception is resolved', async () => {
  for (const { id, kind, cents } of await open()) {
    const how = kind !== 'bank_unknown' ? 'explain' : cents < 0 ? 'fee' : 'not_ours'
    expect((await callApi('resolve/recon/exception', { id, how, reason: `Seen to: ${kind}` })).body.success).toBe(true)
  }
  expect(await open()).toEqual([])
  expect((await callApi('close/period', { kind: 'day', lastDay: '2026-10-01' })).body.success).toBe(true)
  expect((await callApi('close/period', { kind: 'day', lastDay: '2026-11-07' })).body.success).toBe(true)
  expect((await callApi('close/period', { kind: 'month', lastDay: '2026-10-31' })).body.success).toBe(true)
  // For each provider, the closed month compares the ledger amount with the payouts and the amount not yet paid out.
  const [month] = await query<{ figures: DayFigures }>(`SELECT figures FROM closed_period WHERE kind = 'month'`)
  const parts = month?.figures.links.find(({ key }) => key === 'provider')?.parts ?? []
  const expected = await query<{ name: string; one: number }>(
    `SELECT c.name, sum(CASE debit_account WHEN 'gateway_clearing' THEN amount_cents ELSE -amount_cents END)::float8 AS one
     FROM ledger_transfer t JOIN processor c ON c.provider = t.source WHERE 'gateway_clearing' IN (debit_account, credit_account)
       AND order_id IS NOT NULL AND at >= '2026-10-01 00:00-04' AND at < '2026-11-01 00:00-04' GROUP BY 1 ORDER BY 1`,
  )
  expect(parts.map(({ name, oneCents }) => ({ name, one: oneCents }))).toEqual(expected)
  const differs = parts.map(({ name, oneCents, otherCents, waitsCents }) => [name, oneCents - otherCents - waitsCents])
  expect(differs).toEqual([
    ['Bank file', -1],
    ['Sandbox', 0],
    ['Stripe', 0],
  ])
  // The charge that was not paid out and the balance at the former provider are still open.
  const [still] = await query<{ cents: number }>(
    `SELECT coalesce(sum(v.amount_cents), 0)::float8 AS cents FROM sandbox_gateway.movement v
     JOIN moved m ON m.provider = 'sandbox' AND m.movement_type = v.type AND m.ref = v.object_id
     WHERE v.payout IS NULL AND m.at < '2026-11-01 00:00-04'`,
  )
  expect(parts.find(({ name }) => name === 'Sandbox')?.waitsCents).toBe(forgotten.cents + (still?.cents ?? NaN))
  const all = () => query('SELECT * FROM closed_period ORDER BY kind, last_day')
  const ledger = () => query('SELECT count(*), sum(amount_cents) FROM ledger_transfer')
  const [before, moved] = [await all(), await ledger()]
  expect(before).toHaveLength(39)
  for (const kind of ['day', 'month'])
    expect((await callApi('close/period', { kind, lastDay: '2026-10-31' })).body.message).toContain('already closed')
  expect(await callApi('check/reconciliation').then(({ body }) => [body.opened, body.cleared])).toEqual([0, 0])
  await stripe.close()
  expect((await callApi('check/reconciliation')).body.message).toBe(
    'No changes found. Stripe is not responding. The portal will read new payouts when the provider responds again.',
  )
  expect([await all(), await ledger()]).toEqual([before, moved])
}, 300_000)
