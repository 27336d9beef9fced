import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { testClock, testDatabase, testPortal } from '../../test/harness.ts'
import { openTestTown, sendBills } from '../../test/town.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import type { PayoutLine, Way } from '../payments/server/provider.ts'
import { keepPayout } from './server/read-payouts.ts'
import { verifyReconciliation } from './server/verify.ts'

/**
 * A month of payments with every kind of trouble: refunds, eChecks that come back, disputes, news that come late, payouts across
 * midnight. Whatever was planted is found under its name, and nothing else; every cent is accounted for.
 */

const PAYMENTS = process.env['NIGHTLY'] ? 100_000 : 2000
const TOWN = 'maplegrove.localhost'
const clock = testClock('2026-11-09T15:00:00Z')
const database = await testDatabase()
const portal = await testPortal({ database, clock })
let company: CompanyId
let admin = ''

const ask = (path: string, body: object = {}) =>
  portal.post(TOWN, `muni/${path}`, body, { token: admin, headers: { 'idempotency-key': randomUUID() } })
const query = async <R extends object>(text: string, values: unknown[] = []): Promise<R[]> =>
  (await portal.owner.query<R>(text, values)).rows

/** Payments of October with what became of some of them, as the ledger books them, and what the billing system was told. */
async function makeMonth(): Promise<void> {
  await query(
    `WITH made AS (
      INSERT INTO payment_order (company_id, status, type, reference, payer_name, payer_email, location, method, pay_type, bill_cents, fee_cents,
        absorbed_fee_cents, total_cents, refunded_cents, fee_quote, means, dispute_open, created_at, paid_at, kept_bill_cents, kept_fee_cents,
        refunded_bill_cents, refunded_fee_cents, returned_bill_cents, returned_fee_cents, search_text)
      SELECT $1, 1, 'Utility', '1', 'Ada Quill', '', 1, 1 + n % 3 / 2, 1, 5000 + n * 7 % 20000, 195, 0, 5195 + n * 7 % 20000, 0, '{}', '', false, at, at, 0, 0, 0, 0, 0, 0, ''
      FROM (SELECT n, timestamptz '2026-10-01 00:00-04' + n * (interval '31 days' / $2::int) AS at FROM generate_series(0, $2::int - 1) n) m RETURNING id, bill_cents, fee_cents, paid_at),
    lines AS (
      INSERT INTO payment_order_line (company_id, order_id, line_no, kind, payable_id, amount_cents, fee_cents, absorbed_fee_cents, settled_cents, gl_account, fee_program, title, facts, items)
      SELECT $1, id, 1, 'utility', (SELECT min(id) FROM utility_account), bill_cents, fee_cents, 0, bill_cents, '400', 'convenience', 'Utility', '[]', '[]' FROM made),
    told AS (
      INSERT INTO remittance (company_id, account_id, order_id, line_no, source, source_ref, kind, amount_cents, at)
      SELECT $1, (SELECT min(id) FROM utility_account), id, 1, 'sandbox', 'pi_' || id, 'credit', bill_cents, paid_at FROM made),
    way AS (
      SELECT id, bill_cents, fee_cents, paid_at, w.way, w.ref || id AS ref, w.back, w.after FROM made
      CROSS JOIN LATERAL (VALUES ('capture', 'pi_', false, interval '0'), ('refund', 're_', true, interval '30 hours'), ('return', 'pi_', true, interval '50 hours'),
        ('dispute', 'dp_', true, interval '26 hours'), ('dispute_won', 'dp_', false, interval '70 hours')) AS w(way, ref, back, after)
      WHERE w.way = 'capture' OR id % 40 = 1 AND w.way = 'refund' OR id % 40 = 2 AND w.way = 'return' OR id % 40 = 3 AND w.way IN ('dispute', 'dispute_won'))
    INSERT INTO ledger_transfer (company_id, entry_id, order_id, line_no, debit_account, credit_account, amount_cents, source, source_ref, kind, at)
    SELECT $1, nextval('ledger_entry_number'), id, CASE WHEN way LIKE 'dispute%' THEN NULL ELSE 1 END, CASE WHEN back THEN leg.account ELSE 'gateway_clearing' END,
      CASE WHEN back THEN 'gateway_clearing' ELSE leg.account END, leg.cents, 'sandbox', ref, way || '.' || leg.part, paid_at + after
    FROM way CROSS JOIN LATERAL (VALUES ('bill', 'payable_municipality', bill_cents), ('fee', 'fee_revenue', fee_cents), ('reserve', 'dispute_reserve', bill_cents + fee_cents)) AS leg(part, account, cents)
    WHERE (leg.part = 'reserve') = (way LIKE 'dispute%')`,
    [company, PAYMENTS],
  )
  // What went back the billing system is told of, too.
  await query(
    `WITH back AS (SELECT order_id, source_ref, amount_cents, at FROM ledger_transfer WHERE kind IN ('refund.bill', 'return.bill')),
     reduced AS (UPDATE payment_order_line l SET settled_cents = 0 FROM back WHERE l.company_id = $1 AND l.order_id = back.order_id)
     INSERT INTO remittance (company_id, account_id, order_id, line_no, source, source_ref, kind, amount_cents, at)
     SELECT $1, (SELECT min(id) FROM utility_account), order_id, 1, 'sandbox', source_ref, 'reversal', amount_cents, at FROM back`,
    [company],
  )
  await query('SELECT recount_ledger($1)', [company])
  // As the database does by itself before long.
  await query('ANALYZE')
}

interface Moved {
  way: Way
  ref: string
  cents: number
  at: Date
}

/** What the provider says moved: the same, by its own clock. */
const movements = () =>
  query<Moved>(
    `SELECT split_part(kind, '.', 1) AS way, source_ref AS ref, min(at) AS at,
      sum(CASE debit_account WHEN 'gateway_clearing' THEN amount_cents ELSE -amount_cents END)::int AS cents
     FROM ledger_transfer WHERE source = 'sandbox' AND kind NOT LIKE 'payout.%' GROUP BY 1, 2 ORDER BY min(at), 2, 1`,
  )

const costOf = ({ way, cents }: Moved) =>
  way === 'capture'
    ? Math.floor((cents * 220 + 5000) / 10_000) + 10
    : way === 'return'
      ? 300
      : way === 'dispute'
        ? 1500
        : 0
const dayOf = (at: Date) => at.toISOString().slice(0, 10)

/** The days of the provider end at midnight in UTC; each is paid out in the night, and arrives two days later. */
async function payOut(
  day: string,
  moved: readonly Moved[],
  shift = 0,
): Promise<{ trace: string; net: number; arrives: string }> {
  const lines = moved.map((one, n): PayoutLine => ({
    ...{
      id: `txn_${day}_${n}`,
      way: one.way,
      intentId: one.ref,
      objectId: one.ref,
      amountCents: one.cents,
      feeCents: costOf(one),
      at: one.at,
    },
  }))
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + 1)
  const arrives = new Date(at.getTime() + 2 * 86_400_000)
  const feeCents = lines.reduce((sum, line) => sum + line.feeCents, 0)
  const amountCents = lines.reduce((sum, line) => sum + line.amountCents, 0) - feeCents + shift
  const trace = `SBX${day.replaceAll('-', '')}`
  const payout = {
    id: `po_${day}`,
    account: 'a',
    amountCents,
    feeCents,
    lines: lines.length,
    trace,
    at,
    arrivesOn: dayOf(arrives),
  }
  await portal.house.inCompany(company, (tx) =>
    keepPayout(
      tx,
      { clock: { now: () => at } },
      { id: company, timeZone: 'America/New_York' },
      { provider: 'sandbox', payout, lines },
    ),
  )
  return { trace, net: amountCents, arrives: dayOf(arrives) }
}

async function send(name: string, lines: readonly string[]) {
  const data = new FormData()
  data.append('mode', 'import')
  data.append('file', new Blob([['Date,Description,Amount,Balance,Account', ...lines].join('\n')]), name)
  const sent = new Response(data)
  const { payload } = await portal.app.inject({
    method: 'POST',
    url: '/api/v2/muni/take/bank/statement',
    payload: Buffer.from(await sent.arrayBuffer()),
    headers: { host: TOWN, authorization: `Bearer ${admin}`, 'content-type': sent.headers.get('content-type') ?? '' },
  })
  return JSON.parse(payload)
}

const open = async () =>
  query<{ id: number; kind: string; subject: string; cents: number }>(
    `SELECT id, kind, subject, amount_cents::int AS cents FROM recon_exception WHERE company_id = $1 AND status = 'open' ORDER BY kind, subject`,
    [company],
  )

beforeAll(async () => {
  company = await openTestTown(portal, mapleGrove)
  await sendBills(portal, [{ account: '8000', bill: 'P1' }])
  await makeMonth()
  admin = await portal.signIn(TOWN, 'admin@maplegrove.example')
}, 300_000)

test(`of ${PAYMENTS.toLocaleString('en-US')} payments of a month each planted fault is found and named, nothing else, and every cent is accounted for`, async () => {
  const all = await movements()
  const of = (way: Way, nth: number) => {
    const found = all.filter((one) => one.way === way)[nth]
    if (!found) throw new Error('too few')
    return found
  }
  // A charge of which no event told, and none of the provider's account until later: the ledger learns it after its payout.
  const [lost, late] = [of('capture', 60), of('capture', 90)]
  const hidden = await query<Record<string, unknown>>(
    'DELETE FROM ledger_transfer WHERE source_ref = ANY($1) RETURNING *',
    [[lost.ref, late.ref]],
  )
  // One that the provider charged otherwise, one that it forgot to pay out, one that the billing system was told otherwise.
  const [other, forgotten, untold] = [of('capture', 120), of('capture', 150), of('capture', 185)]
  await query('UPDATE remittance SET amount_cents = amount_cents - 1 WHERE source_ref = $1', [untold.ref])
  const days = Map.groupBy(
    all.filter((one) => one !== forgotten).map((one) => (one === other ? { ...one, cents: one.cents + 1 } : one)),
    ({ at }) => dayOf(at),
  )
  const paid: Awaited<ReturnType<typeof payOut>>[] = []
  for (const [day, moved] of [...days].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    paid.push(await payOut(day, moved, paid.length === 9 ? -5 : 0))
  const [missing, short] = [paid[12], paid[16]]

  // The bank: each deposit but one, one of them a cent short, its fee, and money that nobody knows; in two files that do not join.
  let balance = 1_000_000_00
  const told = paid
    .filter((one) => one !== missing)
    .flatMap((one) => [
      { day: one.arrives, says: `PAYOUT ${one.trace}`, cents: one === short ? one.net - 1 : one.net },
      ...(one === paid[3] ? [{ day: one.arrives, says: 'SERVICE CHARGE', cents: -25_00 }] : []),
      ...(one === paid[21] ? [{ day: one.arrives, says: 'WHO IS THIS', cents: 77_77 }] : []),
    ])
  const csv = (some: typeof told) =>
    some.map(({ day, says, cents }) => `${day},${says},${cents / 100},${((balance += cents) / 100).toFixed(2)},4321`)
  const [first, second] = [told.slice(0, 18), told.slice(18)]
  expect(await send('one.csv', csv(first))).toMatchObject({ imported: true })
  balance += 3
  expect(await send('two.csv', csv(second))).toMatchObject({ imported: true })

  const cents = (one: Moved) => one.cents
  const planted = [
    ['bank_unknown', -25_00],
    ['bank_unknown', 77_77],
    ['deposit_differs', -1],
    ['deposit_missing', -(missing?.net ?? 0)],
    ['line_differs', 1],
    ['line_unknown', cents(late)],
    ['line_unknown', cents(lost)],
    ['not_paid_out', cents(forgotten)],
    ['payout_sum', 5],
    ['remittance_differs', -1],
    // What the ledger does not know was told to the billing system all the same, as far as these rows go.
    ['statement_gap', 3],
  ]
  const sortKey = ([kind, n]: readonly (string | number)[]) => `${kind} ${n}`
  const found = (await open()).map(({ kind, cents: n }) => [kind, n])
  expect(found.toSorted((a, b) => sortKey(a).localeCompare(sortKey(b)))).toEqual(
    planted.toSorted((a, b) => sortKey(a).localeCompare(sortKey(b))),
  )

  // The late one arrives: it clears by itself.
  for (const row of hidden.filter(({ source_ref }) => source_ref === late.ref)) {
    const names = Object.keys(row)
    await query(
      `INSERT INTO ledger_transfer (${names.join(', ')}) OVERRIDING SYSTEM VALUE VALUES (${names.map((_, n) => `$${n + 1}`).join(', ')})`,
      Object.values(row),
    )
  }
  expect((await ask('look/reconciliation')).body).toMatchObject({ found: 0, cleared: 1 })

  // Every cent: what is left on each account is what the exceptions say, and nothing besides.
  const [left] = await query<{ clearing: number; transit: number; bank: number }>(
    `SELECT sum(CASE 'gateway_clearing' WHEN debit_account THEN amount_cents WHEN credit_account THEN -amount_cents ELSE 0 END)::float8 AS clearing,
        sum(CASE 'deposits_in_transit' WHEN debit_account THEN amount_cents WHEN credit_account THEN -amount_cents ELSE 0 END)::float8 AS transit,
        sum(CASE 'bank' WHEN debit_account THEN amount_cents WHEN credit_account THEN -amount_cents ELSE 0 END)::float8 AS bank
       FROM ledger_transfer WHERE company_id = $1`,
    [company],
  )
  expect(left?.clearing).toBe(cents(forgotten) - cents(lost) - 1 + 5)
  expect(left?.transit).toBe((missing?.net ?? 0) + 1)
  expect(left?.bank).toBe(told.reduce((sum, one) => sum + one.cents, 0) - 77_77 + 25_00)
  const { acrossCompanies } = portal.house
  const { findings } = await verifyReconciliation({
    config: portal.config,
    platformUrl: '',
    acrossCompanies,
    outside: false,
  })
  expect(findings.filter(({ wrong }) => wrong > 0)).toEqual([])
}, 600_000)

test('the month closes once everything has its reason, and a second time changes nothing', async () => {
  for (const { id, kind, cents } of await open()) {
    const how = kind !== 'bank_unknown' ? 'explain' : cents < 0 ? 'fee' : 'not_ours'
    expect((await ask('settle/recon/exception', { id, how, reason: `Seen to: ${kind}` })).body.success).toBe(true)
  }
  expect(await open()).toEqual([])
  expect((await ask('close/period', { kind: 'day', lastDay: '2026-10-01' })).body.success).toBe(true)
  expect((await ask('close/period', { kind: 'day', lastDay: '2026-11-07' })).body.success).toBe(true)
  expect((await ask('close/period', { kind: 'month', lastDay: '2026-10-31' })).body.success).toBe(true)
  const all = () => query('SELECT * FROM closed_period ORDER BY kind, last_day')
  const ledger = () => query('SELECT count(*), sum(amount_cents) FROM ledger_transfer')
  const [before, moved] = [await all(), await ledger()]
  expect(before).toHaveLength(39)
  for (const kind of ['day', 'month'])
    expect((await ask('close/period', { kind, lastDay: '2026-10-31' })).body.message).toContain('closed already')
  expect(await ask('look/reconciliation').then(({ body }) => [body.found, body.cleared])).toEqual([0, 0])
  expect([await all(), await ledger()]).toEqual([before, moved])
}, 300_000)
