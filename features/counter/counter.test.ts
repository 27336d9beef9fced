import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { liftLimits } from '../../test/databases.ts'
import { testDatabase, testPortal } from '../../test/harness.ts'
import { openTestCompany, sendBills } from '../../test/company.ts'
import { verifyLedger } from '../payments/server/ledger/verify-ledger.ts'
import { changeOf, expectedCash, tenderRefusal, sumOfCounts } from './rules.ts'
import { verifyDrawers } from './server/verify-drawers.ts'

/**
 * Tests the counter: each payment enters a drawer exactly once, even if responses are lost. Also tests voids and
 * counts.
 */

const HOST = 'maplegrove.localhost'
const RUNS = process.env['NIGHTLY'] ? 200 : 12
const database = await testDatabase()
const portal = await testPortal({ database })
let [manager, admin, staff] = ['', '', '']
let used = 0

beforeAll(async () => {
  await openTestCompany(portal, mapleGrove)
  await liftLimits(portal.owner)
  await sendBills(
    portal,
    Array.from({ length: 60 }, (_, n) => ({ account: `6${String(n).padStart(3, '0')}`, bill: `P${n}` })),
  )
  manager = await portal.signIn(HOST, 'manager@maplegrove.example')
  admin = await portal.signIn(HOST, 'admin@maplegrove.example')
  staff = await portal.signIn(HOST, 'staff@maplegrove.example')
})

const post = (path: string, body: object, token = manager, key: string = randomUUID()) =>
  portal.post(HOST, `muni/${path}`, body, { token, headers: { 'idempotency-key': key } })

/** Finds, with the counter's search, an account that owes $100.00. */
async function find(): Promise<{ kind: string; id: number; owedCents: number }> {
  const { body } = await post('find/counter/payables', { search: `6${String(used++).padStart(3, '0')}` })
  return body.matches[0]
}

async function drawer(token = manager) {
  const { body } = await post('return/counter', {}, token)
  return body.drawer
}

/** Opens a drawer with $100.00, unless one is open. */
async function opened(token = manager): Promise<number> {
  if (!(await drawer(token))) await post('open/drawer', { counts: { 2000: 5 } }, token)
  return (await drawer(token)).id
}

interface Payment {
  cents?: number
  method?: number
  tendered?: number
  confirmed?: number
  number?: string
  key?: string
  token?: string
  email?: string
}
async function take(drawerId: number, payment: Payment = {}) {
  const { cents = 100_00, method = 3, tendered = cents, confirmed = cents, key, token, email = '' } = payment
  const { number = method === 3 ? '' : '1042' } = payment
  const { kind, id } = await find()
  const pays = [{ kind, id, amountCents: cents, confirmedCents: confirmed }]
  const body = { drawerId, pays, method, tenderedCents: tendered, number, email }
  return post('take/counter/payment', body, token, key)
}

async function expectSound() {
  const { findings } = await verifyLedger(database.urls.platform)
  const { acrossCompanies } = portal.context
  const drawers = await verifyDrawers({ config: portal.config, platformUrl: '', acrossCompanies, outside: false })
  expect([...findings, ...drawers.findings].filter(({ violations }) => violations > 0)).toEqual([])
}

const countsOf = (cents: number) => ({ 1: cents })

test('calculates change, missing money and expected cash', () => {
  expect(sumOfCounts({ 2000: 3, 25: 4 })).toBe(61_00)
  expect(changeOf({ method: 3, totalCents: 57_20, tenderedCents: 60_00 })).toBe(2_80)
  expect(tenderRefusal({ method: 3, totalCents: 57_20, tenderedCents: 57_00 })).toContain('$0.20 short')
  expect(tenderRefusal({ method: 4, totalCents: 57_20, tenderedCents: 60_00 })).toContain('You cannot give change')
  expect(tenderRefusal({ method: 4, totalCents: 57_20, tenderedCents: 57_20 })).toBeNull()
  const payments = [
    { method: 3, status: 1, totalCents: 40_00 },
    { method: 3, status: 5, totalCents: 30_00 },
    { method: 4, status: 1, totalCents: 20_00 },
    { method: 3, status: 3, totalCents: 10_00 },
  ]
  expect(expectedCash(100_00, payments)).toBe(150_00)
})

test('pays several items once, with change, receipts, email and ledger', async () => {
  expect((await post('open/drawer', { counts: { 2000: 5 } }, staff)).status).toBe(403)
  const drawerId = await opened()
  expect((await post('open/drawer', { counts: {} })).status).toBe(409)
  const byName = await post('find/counter/payables', { search: 'quill 12 elm' })
  expect(byName.body.matches[0]).toMatchObject({
    kind: 'utility',
    name: 'Ada Quill',
    description: '12 Elm Street',
    owedCents: 100_00,
  })
  const [one, other] = [await find(), await find()]
  const pays = [
    { kind: one.kind, id: one.id, amountCents: 100_00 },
    { kind: other.kind, id: other.id, amountCents: 30_00 },
  ]
  const body = { drawerId, pays, method: 3, tenderedCents: 150_00, number: '', email: 'ada@example.com' }
  const key = randomUUID()
  const all = await Promise.all([1, 2, 3, 4].map(() => post('take/counter/payment', body, manager, key)))
  const done = all.filter(({ status }) => status === 200)
  expect(all.every(({ status }) => status === 200 || status === 409)).toBe(true)
  expect(new Set(done.map((response) => response.body.paymentId)).size).toBe(1)
  const [first] = done
  expect(first?.body).toMatchObject({ totalCents: 130_00, changeCents: 20_00 })
  const { paymentId } = first?.body ?? {}
  expect((await drawer()).payments).toMatchObject([
    { paymentId, methodLabel: 'Cash: $150.00, change $20.00', changeCents: 20_00 },
  ])
  const details = (await post('return/payment/details', { paymentId })).body
  expect(details.payment).toMatchObject({
    location: 'Office',
    method: 'Cash',
    paymentStatus: 'Successful',
    feeCents: 0,
  })
  expect(details.transfers).toMatchObject([
    { debit: 'Office cash', amountCents: 100_00 },
    { debit: 'Office cash', amountCents: 30_00 },
  ])
  expect(JSON.stringify((await portal.emails()).at(-1))).toContain('ada@example.com')
  const sizes = await Promise.all(
    ['letter', 'roll'].map(async (format) => {
      const { body: ticket } = await post('print/payment/receipt', { paymentId, format })
      return /MediaBox \[0 0 ([\d.]+)/.exec((await portal.get(HOST, ticket.url)).body)?.[1]
    }),
  )
  expect(sizes.map((size) => Math.round(Number(size)))).toEqual([612, 227])
  await expectSound()
})

test('refuses a wrong tender, a closed or foreign drawer, a stale amount', async () => {
  const drawerId = await opened()
  const before = (await drawer()).payments.length
  expect((await take(drawerId, { tendered: 99_99 })).body.message).toContain('$0.01 short')
  expect((await take(drawerId, { method: 4, tendered: 120_00 })).status).toBe(422)
  expect((await take(drawerId, { token: admin })).status).toBe(403)
  expect((await take(9_999_999)).status).toBe(404)
  const { id } = await find()
  const unknown = { kind: 'nothing', id, amountCents: 1 }
  const body = { drawerId, pays: [unknown], method: 3, tenderedCents: 1, number: '', email: '' }
  expect((await post('take/counter/payment', body)).status).toBe(422)
  expect((await drawer()).payments).toHaveLength(before)
  // An overpayment becomes a credit, which staff must confirm.
  expect((await take(drawerId, { cents: 250_00, method: 5, confirmed: 200_00 })).body.message).toContain(
    'Confirm that the payer wants to pay more than the amount due',
  )
  for (const method of [4, 5])
    expect((await take(drawerId, { method, number: '' })).body.message).toBe(
      'Enter the number on the check or money order.',
    )
  expect((await drawer()).payments).toHaveLength(before)
  expect((await take(drawerId, { cents: 250_00, method: 5 })).body).toMatchObject({
    totalCents: 250_00,
    changeCents: 0,
  })
})

test('takes a void from the open drawer and refuses later ones', async () => {
  const drawerId = await opened()
  const { expectedCents } = await drawer()
  expect(expectedCents).toBeNull()
  const cash = (await drawer()).payments.filter((one: { method: number }) => one.method === 3)
  const had = expectedCash(100_00, cash)
  const [gone, remaining] = [await take(drawerId), await take(drawerId, { cents: 60_00 })]
  const voided = await post('void/payment', { paymentId: gone.body.paymentId, reason: 'Wrong account' })
  expect(voided.body).toMatchObject({ status: 'done' })
  const closing = await post('close/drawer', {
    drawerId,
    counts: countsOf(had + 60_00 - 75),
    note: 'A coin rolled away',
  })
  expect(closing.body.message).toBe('Drawer closed. The cash is $0.75 short.')
  expect((await post('close/drawer', { drawerId, counts: {}, note: '' })).status).toBe(409)
  expect((await take(drawerId)).status).toBe(409)
  const late = await post('void/payment', { paymentId: remaining.body.paymentId, reason: 'Wrong account' })
  expect([late.status, late.body.code]).toEqual([409, 'settled'])
  const { rows } = await portal.owner.query(
    `SELECT debit_account, amount_cents::int FROM ledger_transfer WHERE source_ref = $1`,
    [`drawer-${drawerId}`],
  )
  expect(rows).toEqual([{ debit_account: 'cash_over_short', amount_cents: 75 }])
  const sheet = (await post('return/drawer', { drawerId }, staff)).body.drawer
  expect(sheet).toMatchObject({
    expectedCents: had + 60_00,
    closingCents: had + 60_00 - 75,
    note: 'A coin rolled away',
  })
  const list = await post('return/drawers', { filters: {} }, staff)
  expect(list.body).toMatchObject({
    rows: [{ overShortCents: -75, status: 'closed' }],
    totals: { overShortCents: -75 },
  })
  await expectSound()
})

/** Closes the drawer with a count of the expected cash plus `off` cents. */
async function close(drawerId: number, { off = 0, note = '' } = {}) {
  const { payments } = await drawer()
  const cash = payments.filter((one: { method: number }) => one.method === 3)
  return post('close/drawer', { drawerId, counts: countsOf(expectedCash(100_00, cash) + off), note })
}

describe('closing a drawer', () => {
  it('refuses an uncounted drawer', async () => {
    const drawerId = await opened()
    const uncounted = await post('close/drawer', { drawerId, counts: {}, note: 'Busy' })
    expect([uncounted.status, Object.keys(uncounted.body.details.fields)]).toEqual([422, ['counts']])
    expect(await drawer()).not.toBeNull()
  })

  it('asks for a reason if cash is over or short, without the amount', async () => {
    const drawerId = await opened()
    for (const off of [-1, 1, 2_00]) {
      const { status, body } = await close(drawerId, { off })
      expect([status, Object.keys(body.details.fields)]).toEqual([422, ['note']])
      expect(body.message).not.toMatch(/\d/)
    }
    expect((await close(drawerId)).body.success, 'no reason if the cash is right').toBe(true)
  })

  it('stores the day sheet, which later refunds do not change', async () => {
    const drawerId = await opened()
    const { paymentId } = (await take(drawerId)).body
    await close(drawerId)
    const sheet = async () => (await post('return/drawer', { drawerId })).body.drawer
    const { since, ...before } = await sheet()
    expect(since).toEqual([])
    await post('refund/payment', { paymentId, amountCents: 100_00, reason: 'Paid twice' })
    const { since: later, ...after } = await sheet()
    expect(after).toEqual(before)
    expect(later).toMatchObject([{ paymentId, status: 3 }])
    await expectSound()
  })

  it('lets a supervisor who did not count correct it, with records', async () => {
    const drawerId = await opened()
    await close(drawerId, { off: -5_00, note: 'A note is missing' })
    const sheet = async () => (await post('return/drawer', { drawerId }, admin)).body
    const { drawer: before, mayCorrect } = await sheet()
    expect(mayCorrect).toBe(true)
    const request = { drawerId, countedCents: before.closingCents + 5_00, reason: 'It lay under the tray' }
    expect((await post('correct/drawer', request)).status, 'the clerk of the drawer').toBe(403)
    expect((await post('correct/drawer', request, staff)).status).toBe(403)
    expect((await post('correct/drawer', { ...request, reason: '' }, admin)).status).toBe(400)
    const basis = { countedCents: before.closingCents }
    expect((await post('correct/drawer', { ...request, basis }, admin)).body.success).toBe(true)
    expect((await post('correct/drawer', { ...request, basis }, admin)).body.code).toBe('seen_otherwise')
    expect((await post('correct/drawer', request, admin)).status, 'nothing is left to correct').toBe(422)
    const { corrections, ...after } = (await sheet()).drawer
    expect({ ...after, corrections: [] }).toEqual(before)
    expect(corrections).toMatchObject([{ cents: 5_00, reason: 'It lay under the tray' }])
    await expectSound()
  })
})

describe('void from the open drawer of another clerk', () => {
  const pendingVoids = async () => (await post('return/counter', {})).body.voids

  it('waits until the owner approves', async () => {
    const drawerId = await opened()
    const { paymentId } = (await take(drawerId, { method: 5 })).body
    const voidResponse = await post('void/payment', { paymentId, reason: 'Wrong account' }, admin)
    expect(voidResponse.body).toMatchObject({ status: 'waiting' })
    expect(voidResponse.body.message).toContain('open cash drawer')
    const [one, ...others] = await pendingVoids()
    expect([one.paymentId, one.cents, others]).toEqual([paymentId, 100_00, []])
    const { refundId } = one
    expect((await close(drawerId)).body.code, 'not before the clerk answered').toBe('void_waits')
    expect((await post('decide/refund', { refundId, event: 'approve' }, admin)).status).toBe(403)
    expect((await post('agree/void', { refundId, agree: true }, admin)).status).toBe(403)
    expect((await post('agree/void', { refundId, agree: true })).body.success).toBe(true)
    expect((await post('agree/void', { refundId, agree: true })).status).toBe(409)
    const { payments } = await drawer()
    expect(payments.find((row: { paymentId: number }) => row.paymentId === paymentId).status).toBe(5)
    await expectSound()
  })

  it('is declined by the owner with a reason', async () => {
    const drawerId = await opened()
    const { paymentId } = (await take(drawerId)).body
    await post('void/payment', { paymentId, reason: 'Wrong account' }, admin)
    const [{ refundId }] = await pendingVoids()
    expect((await post('agree/void', { refundId, agree: false })).status).toBe(422)
    await post('agree/void', { refundId, agree: false, reason: 'The payer is gone' })
    expect(await pendingVoids()).toEqual([])
    const { payments } = await drawer()
    expect(payments.find((row: { paymentId: number }) => row.paymentId === paymentId).status).toBe(1)
    expect((await close(drawerId)).body.success).toBe(true)
  })
})

test('matches expected cash to the payments under concurrent use', async () => {
  const step = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('take' as const),
        cents: fc.integer({ min: 1, max: 20_00 }),
        method: fc.constantFrom(3, 3, 4, 5),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('void' as const), nth: fc.nat(3) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('refund' as const),
        nth: fc.nat(3),
        cents: fc.integer({ min: 1, max: 10_00 }),
      }),
    },
  )
  const { id: account, kind } = await find()
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: -5_00, max: 5_00 }),
      async (steps, off) => {
        const drawerId = await opened()
        // Uses the stored sheet, because the last concurrent step may look up a payment after the count closed the
        // drawer.
        const paymentAt = async (n: number) => {
          const { payments } = (await post('return/drawer', { drawerId })).body.drawer
          return payments[n % Math.max(1, payments.length)]?.paymentId
        }
        const runs = steps.map(async (one) => {
          if (one.do === 'take')
            return post('take/counter/payment', {
              ...{
                drawerId,
                pays: [{ kind, id: account, amountCents: one.cents, confirmedCents: one.cents }],
                method: one.method,
              },
              ...{ tenderedCents: one.cents, number: '7', email: '' },
            })
          const paymentId = await paymentAt(one.nth)
          if (paymentId === undefined) return undefined
          return one.do === 'void'
            ? post('void/payment', { paymentId, reason: 'By chance' })
            : post('refund/payment', { paymentId, amountCents: one.cents, reason: 'By chance' })
        })
        // Counts the drawer while the last step is still running.
        await Promise.all(runs.slice(0, -1))
        const { payments } = await drawer()
        const counted = Math.max(0, expectedCash(100_00, payments) + off)
        const [, closing] = await Promise.all([
          runs.at(-1),
          post('close/drawer', { drawerId, counts: countsOf(counted), note: 'By chance' }),
        ])
        expect(closing?.status).toBe(200)
        const { rows } = await portal.owner.query(
          `SELECT count(*)::int AS n FROM payment_refund WHERE status = 'sending'`,
        )
        expect(rows[0].n).toBe(0)
      },
    ),
    { numRuns: RUNS },
  )
  await expectSound()
})

it('shows the second clerk the first payment before they take another', async () => {
  const drawerId = await opened()
  const { kind, id, owedCents } = await find()
  const pays = [{ kind, id, amountCents: owedCents, seenCents: owedCents }]
  const request = { drawerId, pays, method: 3, tenderedCents: owedCents, number: '', email: '' }
  const both = await Promise.all([1, 2].map(() => post('take/counter/payment', request)))
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(both.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'seen_otherwise' })
  await expectSound()
})
