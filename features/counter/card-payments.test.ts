import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { expectAppliedEvents } from '../../test/applied-events.ts'
import { liftLimits } from '../../test/databases.ts'
import { testDatabase, testPortal } from '../../test/harness.ts'
import { setFees } from '../../test/fees.ts'
import { openTestCompany, sendBills, setPaymentSettings } from '../../test/company.ts'
import type { FeeTerms } from '../payments/rules-fees.ts'
import { provideInstead } from '../payments/server/providers/providers.ts'
import { reconcile } from '../payments/server/attempts/reconcile.ts'
import { sandboxProvider } from '../payments/server/providers/sandbox/sandbox.ts'
import { notifyOffices } from '../payments/server/emails/notify-office.ts'
import { verifyLedger } from '../payments/server/ledger/verify-ledger.ts'

/** Tests cards and checks that the provider charges at the counter, and the effect of each payment setting. */

const HOST = 'maplegrove.localhost'
const database = await testDatabase()
const portal = await testPortal({ database, gateway: true })
provideInstead(portal.config, sandboxProvider({ ...portal.config.gateway, timeoutMs: 1000 }))
let [manager, resident, reader, drawerId] = ['', '', '', 0]
let used = 0

const send = (path: string, body: object, token = manager, key: string = randomUUID()) =>
  portal.post(HOST, path, body, { token, headers: { 'idempotency-key': key } })
const post = (path: string, body: object = {}, key?: string) => send(`muni/${path}`, body, manager, key)
const set = (patch: Record<string, string | number>) => setPaymentSettings(portal, patch)
const gateway = (path: string, init: RequestInit = {}) =>
  fetch(`${portal.config.gateway.url}${path}`, {
    method: 'POST',
    ...init,
    headers: {
      authorization: `Bearer ${portal.config.gateway.apiKey}`,
      'content-type': 'application/json',
      ...init.headers,
    },
  })
const tap = (reply: string) =>
  gateway(`/terminal/${reader}`, {
    body: new URLSearchParams({ response: reply }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const number = () => `6${String(used++).padStart(3, '0')}`
const find = async (search = number()) => (await post('find/counter/payables', { search })).body.matches[0]

/** Starts a $100.00 payment of an account on the card reader. */
async function startReaderPayment(key: string = randomUUID(), account?: string) {
  const { kind, id } = await find(account)
  const pays = [{ kind, id, amountCents: 100_00 }]
  return post('take/card/payment', { drawerId, pays, email: '', by: { reader } }, key)
}
const loadPayment = async (paymentId: number) => {
  await portal.owner.query(
    `UPDATE payment_attempt SET checked_at = checked_at - interval '10 seconds' WHERE status = 0`,
  )
  return (await post('return/card/payment', { paymentId })).body
}

beforeAll(async () => {
  await openTestCompany(portal, mapleGrove)
  await liftLimits(portal.owner)
  await sendBills(
    portal,
    Array.from({ length: 40 }, (_, n) => ({ account: `6${String(n).padStart(3, '0')}`, bill: `P${n}` })),
  )
  manager = await portal.signIn(HOST, 'manager@maplegrove.example')
  resident = await portal.signIn(HOST, 'resident@maplegrove.example')
  await set({ has_card_reader: 1 })
  await post('open/drawer', { counts: {} })
  drawerId = (await post('return/counter')).body.drawer.id
  expect((await post('pair/card/reader', { code: 'nobodys', label: 'Front desk' })).status).toBe(422)
  expect((await post('pair/card/reader', { code: 'simulated-front', label: 'Front desk' })).body.success).toBe(true)
  const { readers } = (await post('return/card/readers')).body
  expect(readers).toMatchObject([{ label: 'Front desk' }])
  reader = readers[0].id
})

describe('card reader at the counter', () => {
  test('charges the card once without a fee, and is busy while waiting', async () => {
    const key = randomUUID()
    const account = number()
    const [first, second] = [await startReaderPayment(key, account), await startReaderPayment(key, account)]
    expect(first.body).toMatchObject({ state: 'waiting', totalCents: 100_00 })
    expect(second.body).toEqual(first.body)
    expect((await startReaderPayment()).body).toMatchObject({ state: 'cancelled' })
    expect((await post('return/counter')).body.drawer.payments[1]).toMatchObject({ status: 0, method: 1 })
    await tap('4242424242424242')
    const { paymentId } = first.body
    expect(await loadPayment(paymentId)).toMatchObject({ state: 'paid', totalCents: 100_00 })
    const { body } = await post('return/payment/details', { paymentId })
    expect(body.payment).toMatchObject({
      location: 'Office',
      method: 'Card',
      methodLabel: 'Visa ending 4242',
      feeCents: 0,
    })
    expect((await post('print/payment/receipt', { paymentId, issuedDocument: 'roll' })).status).toBe(200)
  })

  test('is removed when idle, stays in the history and can be re-paired', async () => {
    const pair = async () => post('pair/card/reader', { code: 'simulated-side', label: 'Side desk' })
    const find = async () =>
      (await post('return/card/readers')).body.readers.find(({ label }: { label: string }) => label === 'Side desk')
    await pair()
    const before = reader
    const { id } = await find()
    reader = id
    await startReaderPayment()
    expect(await post('remove/card/reader', { id })).toMatchObject({ status: 409, body: { code: 'reader_busy' } })
    await tap('cancel')
    reader = before
    expect((await post('remove/card/reader', { id })).body.success).toBe(true)
    expect(await find()).toBeUndefined()
    expect((await post('remove/card/reader', { id })).status).toBe(404)
    const { rows } = await portal.owner.query(`SELECT detail FROM audit_event WHERE action = 'counter.reader_removed'`)
    expect(rows).toMatchObject([{ detail: { label: 'Side desk' } }])
    await pair()
    expect(await find()).toMatchObject({ label: 'Side desk' })
    await post('remove/card/reader', { id: (await find()).id })
  })

  test('reports a decline, a removed card and a timeout without a charge', async () => {
    for (const [reply, message] of [
      ['4000000000000002', 'The card was declined.'],
      ['cancel', 'The card was taken away.'],
      ['timeout', 'waited too long'],
    ] as const) {
      const { body } = await startReaderPayment()
      await tap(reply)
      const response = await loadPayment(body.paymentId)
      expect([response.state, response.message]).toEqual(['declined', expect.stringContaining(message)])
    }
    const { body } = await startReaderPayment()
    expect((await post('cancel/card/payment', { paymentId: body.paymentId })).body).toMatchObject({
      state: 'cancelled',
    })
    await tap('4242424242424242')
    expect(await loadPayment(body.paymentId)).toMatchObject({ state: 'cancelled' })
  })

  test('charges once or not at all after lost answers and crashes', async () => {
    await gateway('/v1/test/faults', { body: JSON.stringify({ fault: 'timeout-after', path: '/process', count: 1 }) })
    const { body } = await startReaderPayment()
    await tap('4242424242424242')
    expect(await loadPayment(body.paymentId)).toMatchObject({ state: 'paid' })
    // Simulates a call that fails before it reaches the reader. No one is charged, and reconciliation cancels the
    // payment.
    await gateway('/v1/test/faults', { body: JSON.stringify({ fault: 'timeout-before', path: '/process', count: 2 }) })
    const { body: dead } = await startReaderPayment()
    expect(dead.state).toBe('working')
    await gateway('/v1/test/faults', { method: 'DELETE', body: '{}' })
    portal.clock.set(new Date(portal.clock.now().getTime() + 60_000).toISOString())
    await reconcile(portal.context)
    expect(await loadPayment(dead.paymentId)).toMatchObject({ state: 'cancelled' })
    await expectAppliedEvents(database.owner)
    expect((await verifyLedger(database.urls.platform)).findings.filter(({ violations }) => violations > 0)).toEqual([])
  })
})

/** Pays part of an account by card, as a guest on the payment page. */
async function payOnPage(billCents: number, payType: number, feeCents = 0) {
  const account = number()
  const { body } = await send('find/guest/bill', { accountNumber: account, zip: '17011' }, '')
  const { token } = body
  const { gateway: fields, ...page } = (await send('return/guest/checkout', { token }, '')).body
  const made = await gateway(`/fields/tokens?account=${fields.account}`, {
    body: JSON.stringify({ type: 'card', number: '4242424242424242', month: 8, year: 2031, cvc: '123' }),
  })
  const { token: methodToken } = (await made.json()) as { token: string }
  const request = {
    token,
    payType,
    method: 1,
    billCents,
    expectedTotalCents: billCents + feeCents,
    email: 'ada@example.com',
    methodToken,
  }
  return { page, paid: await send('pay/guest/bill', request, '') }
}
const USUAL = { min_payment_cents: 500, max_payment_cents: 150_000, is_pay_in_full: 0 }
beforeAll(() => setFees(portal, { program: 'none' }))

describe('effect of each payment setting', () => {
  const settings: Record<string, () => Promise<void>> = {
    has_card_reader: async () => {
      await set({ has_card_reader: 0 })
      expect((await post('return/card/readers')).body).toMatchObject({ cards: false, readers: [] })
      expect((await startReaderPayment()).body.code).toBe('not_offered')
      await set({ has_card_reader: 1 })
      expect((await post('return/card/readers')).body.cards).toBe(true)
    },
    has_tele_check: async () => {
      const { kind, id } = await find()
      const { gateway: fields } = (await post('return/card/readers')).body
      const made = await gateway(`/fields/tokens?account=${fields.account}`, {
        body: JSON.stringify({
          type: 'echeck',
          routing: '110000000',
          number: '000123456789',
          holder: 'Ada Quill',
          account_type: 2,
        }),
      })
      const { token } = (await made.json()) as { token: string }
      const request = { drawerId, pays: [{ kind, id, amountCents: 100_00 }], email: '', by: { methodToken: token } }
      expect((await post('take/card/payment', request)).body.code).toBe('not_offered')
      await set({ has_tele_check: 1 })
      expect((await post('take/card/payment', request)).body).toMatchObject({ state: 'processing', totalCents: 100_00 })
    },
    receive_payment_emails: async () => {
      const countNotices = async () => {
        portal.clock.set(new Date(portal.clock.now().getTime() + 120_000).toISOString())
        await notifyOffices(portal.context)
        const { rows } = await portal.owner.query(`SELECT data FROM pending_notice WHERE event = 'payment.office'`)
        return rows.length
      }
      await set({ receive_payment_emails: 1 })
      await countNotices()
      const { kind, id } = await find()
      const cash = {
        drawerId,
        pays: [{ kind, id, amountCents: 100_00 }],
        method: 3,
        tenderedCents: 100_00,
        number: '',
        email: '',
      }
      expect((await post('take/counter/payment', cash)).status).toBe(200)
      const noticeCount = await countNotices()
      expect(noticeCount).toBeGreaterThan(0)
      expect(await countNotices()).toBe(noticeCount)
      await set({ receive_payment_emails: 0 })
      const other = await find()
      await post('take/counter/payment', { ...cash, pays: [{ kind: other.kind, id: other.id, amountCents: 100_00 }] })
      expect(await countNotices()).toBe(noticeCount)
    },
    is_pay_in_full: async () => {
      await set({ ...USUAL, is_pay_in_full: 1 })
      const part = await payOnPage(60_00, 2)
      expect(part.page.payables[0].inFull).toBe(true)
      expect(part.paid.status).toBe(422)
      expect((await payOnPage(100_00, 1)).paid.body.state).toBe('paid')
      await set(USUAL)
      expect((await payOnPage(60_00, 2)).paid.body.state).toBe('paid')
    },
    'min_payment and max_payment': async () => {
      await set({ ...USUAL, min_payment_cents: 70_00, max_payment_cents: 90_00 })
      expect((await payOnPage(60_00, 2)).paid.body.message).toContain('$70.00')
      expect((await payOnPage(95_00, 2)).paid.body.message).toContain('$90.00')
      expect((await payOnPage(80_00, 2)).paid.body.state).toBe('paid')
      await set(USUAL)
    },
    'fee_for_cc and fee_for_ach': async () => {
      const fees = { cardBps: 0, cardFixedCents: 250, cardMinCents: 0, cardMaxCents: 500, echeckCents: 75 }
      await setFees(portal, { ...fees, program: 'convenience', absorb: 0 })
      const { page, paid } = await payOnPage(100_00, 1, 2_50)
      expect(page.fees.rules.map(({ fixedCents }: FeeTerms) => fixedCents).toSorted()).toEqual([250, 75])
      expect(paid.body).toMatchObject({ state: 'paid', quote: { feeCents: 2_50, totalCents: 102_50 } })
      await setFees(portal, { absorb: 1 })
      expect((await payOnPage(100_00, 1)).paid.body.quote).toMatchObject({ feeCents: 0, absorbedFeeCents: 2_50 })
      await setFees(portal, { program: 'none', absorb: 0 })
    },
    autopay_enabled: async () => {
      for (const on of [0, 1] as const) {
        await set({ autopay_enabled: on })
        expect((await send('return/autopay', {}, resident)).body.enabled).toBe(on === 1)
      }
    },
    'has_pay_by_phone, pay_by_phone_number and ivr_user_pin_enabled': async () => {
      for (const on of [0, 1] as const) {
        await set({ has_pay_by_phone: on, pay_by_phone_number: '7175550199', ivr_user_pin_enabled: on })
        const { body } = await send('return/phone/pin', {}, resident)
        expect(body).toMatchObject({ enabled: on === 1, number: '7175550199', needsPin: on === 1 })
      }
    },
  }
  test.for(Object.entries(settings))('%s', ([, check]) => check())
})
