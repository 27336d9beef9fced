import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { expectAppliedEvents } from '../../test/applied-events.ts'
import { payAsGuest } from '../../test/guest.ts'
import { testDatabase, testPortal } from '../../test/harness.ts'
import { openTestCompany, sendBills } from '../../test/company.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import { verifyLedger } from '../payments/server/ledger/verify-ledger.ts'
import { verifyProvider } from '../payments/server/ledger/verify-provider.ts'
import { providerNamed } from '../payments/server/providers/providers.ts'
import { followPayouts } from './server/jobs.ts'
import { verifyReconciliation } from './server/verify.ts'

/** Tests the path of money from the bill to the bank: payouts, bank statements, exceptions and closed days. */

const HOST = 'maplegrove.localhost'
const database = await testDatabase()
const portal = await testPortal({ database, gateway: true })
let company: CompanyId
let [admin, staff] = ['', '']

async function gateway(path: string, body?: object) {
  const response = await fetch(`${portal.config.gateway.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${portal.config.gateway.apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await response.json()) as Record<string, never>
}

/** Moves the clocks of the payment provider and the portal together, so that the day ends for both. */
async function moveTo(instant: string) {
  portal.clock.set(instant)
  await gateway('/v1/test/clock', { now: instant })
  // The sessions have expired by this time, so the test signs in again.
  admin = await portal.signIn(HOST, 'admin@maplegrove.example')
  staff = await portal.signIn(HOST, 'staff@maplegrove.example')
}

beforeAll(async () => {
  company = await openTestCompany(portal, mapleGrove)
  await sendBills(
    portal,
    Array.from({ length: 12 }, (_, n) => ({ account: `8${String(n).padStart(3, '0')}`, bill: `P${n}` })),
  )
  await moveTo('2026-11-23T15:00:00Z')
})

const callApi = (path: string, body: object = {}, token?: string) =>
  portal.post(HOST, `muni/${path}`, body, { token: token ?? admin, headers: { 'idempotency-key': randomUUID() } })

async function send(name: string, text: string, mode: 'preview' | 'import' = 'import', token?: string) {
  const data = new FormData()
  data.append('mode', mode)
  data.append('file', new Blob([text]), name)
  const sent = new Response(data)
  const { statusCode, payload } = await portal.app.inject({
    method: 'POST',
    url: '/api/v2/muni/import/bank/statement',
    payload: Buffer.from(await sent.arrayBuffer()),
    headers: {
      host: HOST,
      authorization: `Bearer ${token ?? admin}`,
      'content-type': sent.headers.get('content-type') ?? '',
    },
  })
  return { status: statusCode, body: JSON.parse(payload) }
}
const csv = (...lines: string[]) => ['Date,Description,Amount,Account', ...lines].join('\n')
const dollars = (cents: number) => (cents / 100).toFixed(2)

const open = async () => (await callApi('return/recon/exceptions', { filters: { status: 'open' } })).body.rows
const balances = async () =>
  Object.fromEntries(
    (
      await portal.owner.query<{ code: string; cents: number }>(
        `SELECT a.code, coalesce(sum(CASE a.code WHEN t.debit_account THEN amount_cents ELSE -amount_cents END), 0)::int AS cents
         FROM ledger_account a LEFT JOIN ledger_transfer t ON t.company_id = a.company_id AND a.code IN (t.debit_account, t.credit_account)
         WHERE a.company_id = $1 GROUP BY a.code`,
        [company],
      )
    ).rows.map(({ code, cents }) => [code, cents]),
  )

async function expectSound() {
  await expectAppliedEvents(database.owner)
  const { findings } = await verifyLedger(database.urls.platform)
  const { acrossCompanies } = portal.context
  const ownFindings = await verifyReconciliation({
    config: portal.config,
    platformUrl: '',
    acrossCompanies,
    outside: false,
  })
  const { finding } = await verifyProvider(providerNamed(portal.config, 'sandbox'), database.urls.platform)
  expect([...findings, ...ownFindings.findings, finding].filter(({ violations }) => violations > 0)).toEqual([])
}

interface Payout {
  id: number
  trace: string
  net: number
  cost: number
  gross: number
}
const payouts = async (): Promise<Payout[]> => (await callApi('return/payouts')).body.rows

describe('payout', () => {
  test('is read once and moves its amount in the ledger', async () => {
    for (const account of ['8000', '8001', '8002']) await payAsGuest(portal, HOST, account, '17011')
    await followPayouts(portal.context)
    expect(await payouts()).toEqual([])
    await moveTo('2026-11-24T06:00:00Z')
    await Promise.all([followPayouts(portal.context), followPayouts(portal.context)])
    await followPayouts(portal.context)
    const [payout, ...others] = await payouts()
    expect(others).toEqual([])
    // The test has three bills of $100.00, each with a fee of $3.05. The provider deducts 2.2% plus 10 cents from each
    // payment.
    expect(payout).toMatchObject({
      gross: 309_15,
      cost: 3 * 237,
      net: 309_15 - 711,
      payments: 3,
      arrivesOn: '2026-11-26',
      deposited: '',
    })
    const { body } = await callApi('return/payout', { id: payout?.id })
    expect(
      body.lines.map(({ movementType, amountCents, ledgerCents }: Record<string, unknown>) => [
        movementType,
        amountCents,
        ledgerCents,
      ]),
    ).toEqual(Array.from({ length: 3 }, () => ['capture', 103_05, 103_05]))
    expect(body.lines.every(({ paymentId }: { paymentId: number | null }) => paymentId !== null)).toBe(true)
    expect(await balances()).toMatchObject({
      gateway_clearing: 0,
      provider_cost: 711,
      deposits_in_transit: 309_15 - 711,
      bank: 0,
    })
    expect(await open()).toEqual([])
    await expectSound()
  })

  test('arrives once even if a statement or day is imported again', async () => {
    const [payout] = await payouts()
    const text = csv(`2026-11-26,SANDBOX PAYOUT ${payout?.trace},${dollars(payout?.net ?? 0)},0004321`)
    expect((await send('s.csv', text, 'import', staff)).status).toBe(403)
    expect((await send('s.csv', text, 'preview')).body).toMatchObject({
      imported: false,
      created: 1,
      changed: 1,
      unchanged: 0,
    })
    expect((await callApi('return/bank/lines')).body.rows).toEqual([])
    const both = await Promise.all([send('s.csv', text), send('s.csv', text)])
    expect(both.filter(({ body }) => body.imported)).toHaveLength(1)
    const again = await send('s.csv', `${text}\n2026-11-27,MORE,1.00,0004321`)
    expect(again.status).toBe(422)
    expect(again.body.message).toContain('through November 26, 2026')
    expect(await balances()).toMatchObject({ deposits_in_transit: 0, bank: payout?.net })
    expect((await payouts())[0]).toMatchObject({ deposited: 'Nov 26, 2026', differs: false })
    await expectSound()
  })
})

describe('exception', () => {
  test('warns about old statements and future lines without changing data in a preview', async () => {
    const old = await send('old.csv', csv('2004-03-02,DEPOSIT,10.00,9991', '2004-03-03,DEPOSIT,11.00,9991'), 'preview')
    expect(old.body).toMatchObject({ imported: false, created: 2 })
    expect(old.body.warnings).toEqual([
      'The statement for account 9991 ended on March 3, 2004. Check that it is the right file.',
    ])
    const ahead = await send(
      'ahead.csv',
      csv('2026-11-24,DEPOSIT,10.00,9992', '2027-11-25,DEPOSIT,11.00,9992'),
      'preview',
    )
    expect(ahead.body.warnings).toEqual([
      'Account 9992 has a transaction on November 25, 2027, which is in the future. Make sure that you chose the right file.',
    ])
    const right = await send('right.csv', csv('2026-11-20,DEPOSIT,10.00,9993'), 'preview')
    expect(right.body.warnings).toEqual([])
  })

  test('names short deposits, bank fees and unknown money', async () => {
    await payAsGuest(portal, HOST, '8003', '17011')
    await moveTo('2026-11-25T06:00:00Z')
    await followPayouts(portal.context)
    const [payout] = await payouts()
    await moveTo('2026-11-28T06:00:00Z')
    const short = dollars((payout?.net ?? 0) - 1)
    const text = csv(
      `2026-11-27,SANDBOX PAYOUT ${payout?.trace},${short},4321`,
      '2026-11-27,MONTHLY SERVICE CHARGE,-15.00,4321',
      '2026-11-27,STATE GRANT 88,2500.00,4321',
    )
    expect((await send('t.csv', text)).body).toMatchObject({ imported: true, created: 3, changed: 1, unchanged: 2 })
    const rows = await open()
    expect(rows.map(({ kind, amount, age }: Record<string, unknown>) => [kind, amount, age]).toSorted()).toEqual([
      ['bank_unknown', -15_00, 1],
      ['bank_unknown', 2500_00, 1],
      ['deposit_differs', -1, 1],
    ])
    await expectSound()
  })

  test('requires a reason and creates a matching rule on request', async () => {
    const rows: { id: number; about: string; kind: string }[] = await open()
    const of = (about: string) => rows.find((row) => row.about.includes(about) || row.kind === about)?.id ?? 0
    expect((await callApi('own/recon/exception', { id: of('GRANT'), own: true })).body.success).toBe(true)
    expect((await callApi('return/recon/exception', { id: of('GRANT') })).body).toMatchObject({
      isOwn: true,
      hows: ['payout', 'office', 'fee', 'not_ours'],
    })
    const grant = { id: of('GRANT'), how: 'not_ours', reason: 'The state’s grant for the library' }
    expect((await callApi('resolve/recon/exception', grant, staff)).status).toBe(403)
    expect((await callApi('resolve/recon/exception', { ...grant, reason: ' ' })).status).toBe(400)
    expect((await callApi('resolve/recon/exception', { ...grant, how: 'write_off' })).status).toBe(422)
    const all = await Promise.all([1, 2, 3].map(() => callApi('resolve/recon/exception', grant)))
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const fee = { id: of('SERVICE'), how: 'fee', reason: 'The bank’s monthly charge' }
    expect((await callApi('resolve/recon/exception', { ...fee, addsRule: 'rent' })).status).toBe(422)
    expect((await callApi('resolve/recon/exception', { ...fee, addsRule: 'service charge' })).body.success).toBe(true)
    const cent = { id: of('deposit_differs'), how: 'write_off', reason: 'The bank rounds' }
    expect((await callApi('resolve/recon/exception', cent)).body.success).toBe(true)
    expect(await open()).toEqual([])
    expect(await balances()).toMatchObject({ deposits_in_transit: 0, bank_fees: 15_00, bank_differences: 1 })
    const next = csv('2026-12-01,MONTHLY SERVICE CHARGE,-15.00,4321', '2026-12-01,SERVICE CHARGE REVERSAL,15.00,4321')
    expect((await send('u.csv', next)).body).toMatchObject({ changed: 1, unchanged: 1 })
    const [reversal] = await open()
    await callApi('resolve/recon/exception', { id: reversal.id, how: 'fee', reason: 'It gave the charge back' })
    expect((await balances())['bank_fees']).toBe(15_00)
    const { rules } = (await callApi('return/bank/rules')).body
    expect(rules).toMatchObject([{ text: 'service charge', comesIn: false, became: 'fee' }])
    expect((await callApi('remove/bank/rule', { id: rules[0].id })).body.success).toBe(true)
    await expectSound()
  })

  test('links to its payment but ignores text that resembles a number', async () => {
    const { newAccounts } = (await send('w.csv', csv('2026-11-30,PARKING LOT P1 RENT,40.00,9999'))).body
    expect(newAccounts, 'of another account, which somebody may have chosen by mistake').toEqual(['9999'])
    const [rent] = await open()
    expect((await callApi('return/recon/exception', { id: rent.id })).body).toMatchObject({
      paymentId: null,
      payoutId: null,
    })
    await callApi('resolve/recon/exception', { id: rent.id, how: 'not_ours', reason: 'The lot is the school’s' })
    expect(await open()).toEqual([])
  })

  test('locks the company before the exception to avoid a deadlock', async () => {
    await send('x.csv', csv('2026-11-30,UNKNOWN,41.00,8888'))
    const [one] = await open()
    const looking = await portal.owner.connect()
    await looking.query('BEGIN')
    await looking.query('SELECT FROM payment_settings WHERE company_id = $1 FOR UPDATE', [company])
    const resolving = callApi('resolve/recon/exception', { id: one.id, how: 'not_ours', reason: 'Nobody knows' })
    const waits = async () =>
      (
        await portal.owner.query(
          `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        )
      ).rowCount
    await expect.poll(waits).toBe(1)
    await looking.query('SELECT FROM recon_exception WHERE id = $1 FOR UPDATE NOWAIT', [one.id])
    await looking.query('COMMIT')
    looking.release()
    expect((await resolving).body.success).toBe(true)
  })

  test('reports an unknown payout line and clears it after booking', async () => {
    await payAsGuest(portal, HOST, '8004', '17011')
    await payAsGuest(portal, HOST, '8005', '17011')
    // Simulates lost events by temporarily deleting their transfers from the ledger.
    const { rows: hidden } = await portal.owner.query(
      `DELETE FROM ledger_transfer WHERE company_id = $1 AND order_id = (SELECT max(id) FROM payment_order) RETURNING *`,
      [company],
    )
    await moveTo('2026-12-02T06:00:00Z')
    await followPayouts(portal.context)
    const rows = await open()
    expect(rows.map(({ kind, amount }: Record<string, unknown>) => [kind, amount])).toContainEqual([
      'line_unknown',
      103_05,
    ])
    for (const row of hidden)
      await portal.owner.query(
        `INSERT INTO ledger_transfer (company_id, id, entry_id, order_id, line_no, debit_account, credit_account, amount_cents, source, source_ref, kind, at)
         OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
        [
          row.company_id,
          row.id,
          row.entry_id,
          row.order_id,
          row.line_no,
          row.debit_account,
          row.credit_account,
          row.amount_cents,
          row.source,
          row.source_ref,
          row.kind,
          row.at,
        ],
      )
    expect((await callApi('check/reconciliation')).body).toMatchObject({ opened: 0, cleared: 1 })
    expect(await open()).toEqual([])
    await expectSound()
  })

  test('reports missing deposits and unpaid charges by age', async () => {
    const [payout] = await payouts()
    const lostPayment = await payAsGuest(portal, HOST, '8006', '17011')
    // The provider does not include the movement of this payment in a payout.
    const { rows } = await portal.owner.query<{ ref: string }>(
      `SELECT source_ref AS ref FROM ledger_transfer WHERE order_id = (SELECT max(id) FROM payment_order) LIMIT 1`,
    )
    await portal.owner.query(`UPDATE sandbox_gateway.movement SET payout = 'po_gone' WHERE object_id = $1`, [
      rows[0]?.ref,
    ])
    await moveTo('2026-12-10T06:00:00Z')
    await callApi('check/reconciliation')
    const kinds = (await open()).map(({ kind, amount }: Record<string, unknown>) => [kind, amount])
    expect(kinds).toContainEqual(['deposit_missing', -(payout?.net ?? 0)])
    expect(kinds).toContainEqual(['not_paid_out', 103_05])
    const lost = (await open()).find(({ kind }: { kind: string }) => kind === 'not_paid_out')
    expect((await callApi('return/recon/exception', { id: lost.id })).body.paymentId).toBe(lostPayment)
    await send('v.csv', csv(`2026-12-09,X,${dollars(payout?.net ?? 0)},4321`))
    expect((await open()).map(({ kind }: { kind: string }) => kind)).toEqual(['not_paid_out'])
  })
})

describe('day', () => {
  const day = (on?: string) => callApi('return/reconciliation/day', on ? { day: on } : {})
  const close = (kind: string, lastDay: string, token = admin) => callApi('close/period', { kind, lastDay }, token)

  test('shows each step to the bank and stays open with exceptions', async () => {
    const { body } = await day('2026-11-23')
    expect(body.figures.receipts).toMatchObject([
      { method: 'Card', payments: 3, billCents: 300_00, feeCents: 9_15, refundCents: 0 },
    ])
    const links = Object.fromEntries(body.figures.links.map((link: { key: string }) => [link.key, link]))
    expect(links.payments).toMatchObject({ oneCents: 309_15, otherCents: 309_15 })
    expect(links.provider).toMatchObject({ oneCents: 309_15, otherCents: 309_15, waitsCents: 0 })
    expect(links.billing).toMatchObject({ oneCents: 300_00, otherCents: 300_00 })
    const late = await close('day', '2026-12-09')
    expect(late.status).toBe(422)
    expect(late.body.message).toContain('One exception on or before this day is still open.')
    expect((await close('day', '2026-12-10')).body.message).toContain('is not over yet')
    expect((await close('day', '2026-11-30', staff)).status).toBe(403)
  })

  test('is closed once with all earlier days and rejects new entries', async () => {
    const [left] = await open()
    expect(
      (
        await callApi('resolve/recon/exception', {
          id: left.id,
          how: 'explain',
          reason: 'The provider lost it; claimed',
        })
      ).body.success,
    ).toBe(true)
    expect((await close('day', '2026-11-01')).body.message).toBe('November 1, 2026 was closed.')
    expect((await close('month', '2026-11-30')).status).toBe(422)
    const both = await Promise.all([close('day', '2026-12-09'), close('day', '2026-12-09')])
    expect(both.map(({ body }) => body.message).toSorted()).toEqual([
      'December 9, 2026 is already closed. Nothing was changed.',
      'November 2, 2026 through December 9, 2026 were closed.',
    ])
    const readClosedPeriods = () => portal.owner.query('SELECT * FROM closed_period ORDER BY kind, last_day')
    const before = (await readClosedPeriods()).rows
    expect(before).toHaveLength(39)
    expect((await close('month', '2026-11-30')).body.message).toContain('was closed.')
    expect((await close('month', '2026-11-15')).body.message).toContain('already closed')
    expect((await readClosedPeriods()).rows.filter(({ kind }) => kind === 'day')).toEqual(before)
    const { body } = await day('2026-11-23')
    expect(body.closed.by).not.toBe('')
    expect(body.figures.receipts).toMatchObject([{ payments: 3 }])
    expect(body.closedPeriods).toMatchObject([{ kind: 'month', firstDay: '2026-11-01', lastDay: '2026-11-30' }])
    await expect(
      portal.context.inCompany(company, (tx) =>
        import('../payments/server/ledger/ledger.ts').then(({ post }) =>
          post(
            tx,
            company,
            { orderId: null, source: 'bank', sourceRef: 'late', at: new Date('2026-12-09T12:00:00Z') },
            [{ kind: 'bank.fee', debit: 'bank_fees', credit: 'bank', amountCents: 1 }],
          ),
        ),
      ),
    ).rejects.toThrow('The days through 2026-12-09 are closed')
    await expectSound()
  })

  test('allows payments on the next day after any closing', async () => {
    await payAsGuest(portal, HOST, '8007', '17011')
    const { body } = await day()
    expect(body).toMatchObject({ day: '2026-12-09', closedThrough: '2026-12-09' })
    await moveTo('2026-12-11T07:00:00Z')
    expect((await day()).body).toMatchObject({ day: '2026-12-10', against: [] })
    await expectSound()
  })

  test('is exported to the general ledger under the company’s account numbers', async () => {
    const basis = (await callApi('return/gl/accounts')).body.numbers
    expect(
      (await callApi('save/gl/accounts', { ...basis, bank: '1010', deposits_in_transit: '1090', basis })).body.success,
    ).toBe(true)
    const { body: ticket } = await callApi('export/gl', { fromDate: '2026-11-23', toDate: '2026-12-10' })
    const { body, headers } = await portal.get(HOST, ticket.url)
    // The file name contains the date range, so exports of different periods made on one morning have different names.
    expect(headers['content-disposition']).toContain('general-ledger-maplegrove-2026-11-23-to-2026-12-10.csv')
    const rows = String(body)
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => row.split(','))
    const sum = (at: number) => rows.reduce((all, row) => all + Math.round(Number(row[at]) * 100), 0)
    expect(sum(3)).toBe(sum(4))
    expect(sum(3)).toBeGreaterThan(0)
    expect(rows.some((row) => row[1] === '1010' && row[2] === 'Bank')).toBe(true)
    expect((await callApi('export/gl', { fromDate: '2026-11-23', toDate: '2026-11-22' })).status).toBe(400)
  })
})

describe('decision about a bank line', () => {
  const opened = async (about: string) =>
    (await open()).find((row: { about: string; kind: string }) => row.about.includes(about) || row.kind === about)
  const resolveException = (id: number, how: string, more: object = {}) =>
    callApi('resolve/recon/exception', { id, how, reason: 'As the bank says', ...more })
  const reopen = (id: number, basis?: object) =>
    callApi('transition/recon/exception', { id, event: 'reopen', reason: 'It was wrong', ...(basis && { basis }) })

  test('is reversed by reopening and allows every other choice', async () => {
    await callApi('check/reconciliation')
    const before = await balances()
    await send('y.csv', csv('2026-12-10,RETURNED CHECK 1001 KLEIN,-25000.00,7777'))
    const { id } = await opened('KLEIN')
    for (const how of ['fee', 'office', 'not_ours', 'fee', 'fee']) {
      expect((await resolveException(id, how)).body.success).toBe(true)
      expect((await resolveException(id, 'not_ours')).status, 'it is decided').toBe(409)
      const now = await balances()
      expect((now['bank_fees'] ?? 0) - (before['bank_fees'] ?? 0)).toBe(how === 'fee' ? 25_000_00 : 0)
      expect((await reopen(id)).body.message).toContain(
        'The match was undone. Any ledger entry from the match was reversed.',
      )
      expect(await balances()).toEqual(before)
      expect((await callApi('check/reconciliation')).body).toMatchObject({ opened: 0, cleared: 0 })
      expect((await opened('KLEIN')).id).toBe(id)
      await expectSound()
    }
    expect((await resolveException(id, 'not_ours')).body.success).toBe(true)
  })

  test('is undone only once if two people try', async () => {
    await send('z.csv', csv('2026-12-10,SAFE DEPOSIT BOX,-60.00,7778'))
    const { id } = await opened('SAFE DEPOSIT')
    await resolveException(id, 'fee')
    const { reason } = (await callApi('return/recon/exception', { id })).body
    await reopen(id, { reason })
    await resolveException(id, 'not_ours', { reason: 'It is the library’s' })
    const late = await reopen(id, { reason })
    expect([late.status, late.body.code]).toEqual([409, 'seen_otherwise'])
    expect((await callApi('return/recon/exception', { id })).body.status).toBe('resolved')
  })

  test('releases a wrong payout with its booked difference', async () => {
    await payAsGuest(portal, HOST, '8008', '17011')
    await payAsGuest(portal, HOST, '8009', '17011')
    await moveTo('2026-12-12T06:00:00Z')
    await followPayouts(portal.context)
    const [payout] = await payouts()
    const before = await balances()
    await send('aa.csv', csv(`2026-12-11,TRANSFER ${payout?.trace},${dollars((payout?.net ?? 0) - 250)},4322`))
    const differs = await opened('deposit_differs')
    for (const time of ['first', 'second']) {
      expect((await resolveException(differs.id, 'write_off')).body.success, `the ${time} time`).toBe(true)
      expect(((await balances())['bank_differences'] ?? 0) - (before['bank_differences'] ?? 0)).toBe(250)
      await expectSound()
      await reopen(differs.id)
      expect((await balances())['bank_differences']).toBe(before['bank_differences'])
    }
    expect((await resolveException(differs.id, 'write_off')).body.success).toBe(true)
    const lines = (await callApi('return/bank/lines')).body.rows
    const line = lines.find(({ text }: { text: string }) => text.includes(payout?.trace ?? ''))
    expect(line.became).toBe('payout')
    const undo = { id: line.id, reason: 'Another town’s transfer', basis: { became: 'payout' } }
    expect((await callApi('open/bank/line', { ...undo, reason: ' ' })).status).toBe(400)
    expect((await callApi('open/bank/line', undo, staff)).status).toBe(403)
    expect((await callApi('open/bank/line', undo)).body.success).toBe(true)
    expect((await callApi('open/bank/line', undo)).status, 'it is open already').toBe(409)
    const { bank, ...others } = await balances()
    expect({ bank, ...others }).toEqual(before)
    expect((await payouts())[0]).toMatchObject({ deposited: '' })
    await expectSound()
    const again = await opened('TRANSFER')
    expect((await resolveException(again.id, 'not_ours')).body.success).toBe(true)
    await send('ab.csv', csv(`2026-12-11,X ${payout?.trace},${dollars((payout?.net ?? 0) - 1)},4323`))
    expect((await opened('deposit_differs')).amount, 'what was decided of the wrong match hides no new one').toBe(-1)
    const deeds = await portal.owner.query(`SELECT detail FROM audit_event WHERE action = 'reconciliation.line_opened'`)
    expect(deeds.rowCount).toBeGreaterThan(0)
    await expectSound()
  })
})
