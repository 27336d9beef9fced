import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { testDatabase, testPortal } from '../../test/harness.ts'
import { openTestCompany, sendBills } from '../../test/company.ts'
import { verifyLedger } from '../payments/server/ledger/verify-ledger.ts'
import { mayBeOneHousehold, readLine } from './rules.ts'
import { verifyLockbox } from './server/verify-lockbox.ts'

/** Lockbox payments are matched once per trace number. Unmatched payments wait for staff. */

const HOST = 'maplegrove.localhost'
const database = await testDatabase()
const portal = await testPortal({ database })
let [manager, staff] = ['', '']

beforeAll(async () => {
  await openTestCompany(portal, mapleGrove)
  await sendBills(
    portal,
    Array.from({ length: 12 }, (_, n) => ({ account: `8${String(n).padStart(3, '0')}`, bill: `P${n}` })),
  )
  manager = await portal.signIn(HOST, 'manager@maplegrove.example')
  staff = await portal.signIn(HOST, 'staff@maplegrove.example')
})

const callApi = (path: string, body: object = {}, token = manager) =>
  portal.post(HOST, `muni/${path}`, body, { token, headers: { 'idempotency-key': randomUUID() } })

async function send(
  lines: readonly string[],
  mode: 'preview' | 'import' = 'import',
  token = manager,
  invalidRows = 'leave out',
) {
  const csv = ['Account Number,Payer,Amount,Date,Trace,Currency', ...lines].join('\n')
  const data = new FormData()
  data.append('mode', mode)
  data.append('rowErrors', invalidRows)
  data.append('file', new Blob([csv]), 'bank.csv')
  const sent = new Response(data)
  const { statusCode, payload } = await portal.app.inject({
    method: 'POST',
    url: '/api/v2/muni/import/lockbox/file',
    payload: Buffer.from(await sent.arrayBuffer()),
    headers: { host: HOST, authorization: `Bearer ${token}`, 'content-type': sent.headers.get('content-type') ?? '' },
  })
  return { status: statusCode, body: JSON.parse(payload) }
}
const one = (account: string, trace: string, amount = '100.00', payer = 'Ada Quill', currency = 'USD') =>
  `${account},${payer},${amount},2026-11-20,${trace},${currency}`

const listed = async (search: string) => (await callApi('return/lockbox/payments', { search })).body.rows
const owed = async (account: string) =>
  (await callApi('find/counter/payables', { search: account })).body.matches[0].owedCents

async function expectSound() {
  const { findings } = await verifyLedger(database.urls.platform)
  const { acrossCompanies } = portal.context
  const ownFindings = await verifyLockbox({ config: portal.config, platformUrl: '', acrossCompanies, outside: false })
  expect([...findings, ...ownFindings.findings].filter(({ violations }) => violations > 0)).toEqual([])
}

test('reads a line of the bank’s file or explains its mistake', () => {
  const read = (fields: Record<string, string>, onlyDollars = true) => {
    const usual = { account: '1', payer: 'A', amount: '1.00', date: '11/3/2026', trace: 'T-0001', currency: '' }
    return readLine((name) => ({ ...usual, ...fields })[name] ?? '', { onlyDollars, today: '2026-11-24' })
  }
  expect(read({})).toMatchObject({ cents: 100, paidOn: '2026-11-03', currency: 'USD' })
  expect(read({ amount: '-1' })).toContain('must be greater than zero')
  expect(read({ date: '2026-02-30' })).toContain('is not a date')
  expect(read({ date: '2026-11-25' })).toContain('in the future')
  expect(read({ date: '2026-11-24' })).toMatchObject({ paidOn: '2026-11-24' })
  expect(read({ amount: '99999999.99' })).toContain('over the limit')
  expect(read({ trace: '' })).toContain('trace number')
  expect(read({ currency: 'CAD' })).toContain('allow only US dollars')
  expect(read({ currency: 'cad' }, false)).toMatchObject({ currency: 'CAD' })
  expect(mayBeOneHousehold('B. Quill', 'Ada Quill')).toBe(true)
  expect(mayBeOneHousehold('Roy Batty', 'Ada Quill')).toBe(false)
})

test('previews a file, imports it, and changes nothing on the second import', async () => {
  const lines = [
    one('8000', 'T-1000'),
    one('8001', 'T-1001', '130.00'),
    one('9999', 'T-1002'),
    one('8002', 'T-1003', '100.00', 'Roy Batty'),
    one('', 'T-1004'),
  ]
  expect((await send(lines, 'import', staff)).status).toBe(403)
  const counts = { created: 2, createdCents: 230_00, changed: 3, changedCents: 300_00, unchanged: 0, errorCount: 0 }
  expect((await send(lines, 'preview')).body).toMatchObject({ imported: false, ...counts })
  expect(await listed('T-10')).toEqual([])
  const both = await Promise.all([send(lines), send(lines)])
  expect(both.map(({ body }) => body.created + body.unchanged + body.changed)).toEqual([5, 5])
  expect(both.reduce((sum, { body }) => sum + body.created, 0)).toBe(2)
  expect((await send(lines)).body).toMatchObject({ created: 0, changed: 0, unchanged: 5 })
  expect([await owed('8000'), await owed('8001'), await owed('8002')]).toEqual([0, -30_00, 100_00])
  const [posted] = await listed('t-1000')
  const { body } = await callApi('return/payment/details', { paymentId: Number(posted.receipt.slice(1)) })
  expect(body.payment).toMatchObject({
    location: 'Pay channel',
    method: 'Lockbox payment',
    paymentStatus: 'Successful',
    feeCents: 0,
  })
  expect(body.transfers).toMatchObject([{ debit: 'Bank', amountCents: 100_00 }])
  const reasons = (await listed('t-100')).map((row: { reason: string }) => row.reason)
  expect(reasons).toContain('No account has the number 9999.')
  expect(reasons).toContain('The account belongs to Ada Quill, but Roy Batty paid.')
  const { rows } = await portal.owner.query(`SELECT kind, amount_cents::int AS cents FROM remittance ORDER BY cents`)
  expect(rows).toEqual([
    { kind: 'credit', cents: 100_00 },
    { kind: 'credit', cents: 130_00 },
  ])
  await expectSound()
})

test('posts or returns a waiting payment once', async () => {
  const idOf = async (trace: string): Promise<number> => (await listed(trace))[0].id
  const [otherPayerId, unknown] = [await idOf('t-1003'), await idOf('t-1002')]
  const { body: search } = await callApi('find/counter/payables', { search: '8002' })
  const { kind, id: payableId } = search.matches[0]
  const assign = { id: otherPayerId, kind, payableId, reason: 'His mother lives there' }
  expect((await callApi('assign/lockbox/payment', assign, staff)).status).toBe(403)
  expect((await callApi('assign/lockbox/payment', { ...assign, kind: 'nothing' })).status).toBe(422)
  expect((await callApi('return/lockbox/unposted')).body.unposted).toBe(3)
  const unsaid = await callApi('assign/lockbox/payment', { ...assign, reason: ' ' })
  const message =
    'The account belongs to Ada Quill, but Roy Batty paid. To post the payment to this account, enter the reason.'
  expect([unsaid.status, unsaid.body.details]).toEqual([422, { fields: { reason: message } }])
  expect(await owed('8002')).toBe(100_00)
  const all = await Promise.all([1, 2, 3, 4].map(() => callApi('assign/lockbox/payment', assign)))
  expect(all.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
  expect(await owed('8002')).toBe(0)
  // `reason` now explains the posting. Before, it explained why the payment needed review.
  expect((await callApi('return/lockbox/payment', { id: otherPayerId })).body).toMatchObject({
    state: 'posted',
    reason: 'His mother lives there',
  })
  const back = { id: unknown, event: 'return_payment' }
  expect((await callApi('transition/lockbox/payment', { ...back, reason: ' ' })).status).toBe(422)
  expect((await callApi('transition/lockbox/payment', { ...back, reason: 'No such customer' })).body.success).toBe(true)
  expect((await callApi('assign/lockbox/payment', { ...assign, id: unknown })).status).toBe(409)
  expect((await callApi('return/lockbox/payment', { id: unknown })).body).toMatchObject({
    state: 'returned',
    reason: 'No such customer',
    mayAssign: false,
  })
  await expectSound()
})

test('imports the correct lines of a faulty file unless refused', async () => {
  const lines = [one('8007', 'T-3000'), one('8008', 'T-3001', 'much')]
  const { body } = await send(lines)
  expect(body).toMatchObject({ imported: true, created: 1, errorCount: 1 })
  expect(body.invalidRows).toMatchObject([{ where: 'Line 3' }])
  expect((await send([lines[1] ?? ''])).body).toMatchObject({ imported: false, errorCount: 1 })
  expect((await send([lines[0] ?? '', one('8008', 'T-3001')])).body).toMatchObject({ created: 1, unchanged: 1 })
  await expectSound()
})

test('refuses a whole file on request, and holds other currencies for dollars', async () => {
  const lines = [
    one('8003', 'T-2000'),
    one('8004', 'T-2000'),
    one('8005', 'T-2001', 'much'),
    one('8006', 'T-2002', '80.00', 'Ada Quill', 'CAD'),
  ]
  const { body } = await send(lines, 'import', manager, 'refuse')
  expect(body).toMatchObject({ imported: false, errorCount: 3, read: 4 })
  expect(body.invalidRows.map(({ where }: { where: string }) => where)).toEqual(['Line 3', 'Line 4', 'Line 5'])
  expect(await listed('t-200')).toEqual([])
  await portal.owner.query('UPDATE payment_settings SET only_usd_currency = 0')
  expect((await send(lines.slice(3))).body).toMatchObject({ imported: true, changed: 1 })
  const [{ id }] = await listed('t-2002')
  const match = (await callApi('find/counter/payables', { search: '8006' })).body.matches[0]
  const assign = { id, kind: match.kind, payableId: match.id }
  expect((await callApi('assign/lockbox/payment', assign)).status).toBe(422)
  expect((await callApi('assign/lockbox/payment', { ...assign, dollarsCents: 57_20 })).body.success).toBe(true)
  expect(await owed('8006')).toBe(42_80)
  expect((await callApi('return/lockbox/payment', { id })).body.reason).toBe('')
  await expectSound()
})
