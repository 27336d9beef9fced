import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { liftLimits } from '../../test/databases.ts'
import { testClock, testPortal } from '../../test/harness.ts'
import { hasDescription, sdkVersion, errorsByDescription, errorsByTypes } from '../../test/stripe/expect-valid.ts'
import { recordedStripe } from '../../test/stripe/recorded-stripe.ts'
import { addTestPlatformStaff, openTestCompany, sendBills, setPaymentSettings } from '../../test/company.ts'
import { followPayouts } from '../reconciliation/server/jobs.ts'
import { runAutopay } from '../autopay/server/run.ts'
import { provideInstead } from './server/providers/providers.ts'
import { reconcile } from './server/attempts/reconcile.ts'
import { stripeProvider } from './server/providers/stripe/stripe.ts'

/** Tests a company on Stripe through the portal's public calls, with a recorded Stripe on this machine. */

const HOST = 'maplegrove.localhost'
const CARD_TOTAL = 103_05
const ECHECK_TOTAL = 101_50
const clock = testClock()
const stripe = await recordedStripe(() => clock.now())
const portal = await testPortal({ clock, env: stripe.env })
// The counter search needs at least three characters, so account numbers start at 910.
let accounts = 10
let bills = 0
let company = 0

beforeAll(async () => {
  // Uses a Stripe adapter with a shorter timeout.
  if (portal.config.stripe) provideInstead(portal.config, stripeProvider(portal.config.stripe, { timeoutMs: 3000 }))
  company = await openTestCompany(portal, mapleGrove)
  await liftLimits(portal.owner)
  const all = Array.from({ length: 80 }, (_, n) => ({ account: `9${n}`, bill: `L${n}` }))
  await sendBills(portal, all)
  bills = all.length
  await setPaymentSettings(portal, { processor_id: 2, refund_limit_cents: 100_000 })
})
beforeEach(() => {
  stripe.faults.length = 0
})
afterAll(() => stripe.close())

const rows = async (text: string) => (await portal.owner.query(text)).rows
const key = () => ({ 'idempotency-key': randomUUID() })

async function guest() {
  if (accounts >= bills) throw new Error('there are no more bills')
  const { body } = await portal.post(HOST, 'find/guest/bill', { accountNumber: `9${accounts++}`, zip: '17011' })
  const pay = (methodToken: string, method = methodToken.startsWith('pm_us') ? 2 : 1) =>
    portal.post(
      HOST,
      'pay/guest/bill',
      {
        ...{ token: body.token, payType: 1, method, billCents: 100_00, email: 'ada@example.com', methodToken },
        expectedTotalCents: method === 1 ? CARD_TOTAL : ECHECK_TOTAL,
      },
      { headers: key() },
    )
  const readCheckout = async () => (await portal.post(HOST, 'return/guest/checkout', { token: body.token })).body
  return { pay, load: readCheckout }
}

const order = async () =>
  (
    await rows(`SELECT o.id, o.status, o.refunded_cents::int AS refunded, o.method_label, o.return_code AS code, o.dispute_open AS disputed,
      a.provider, a.step, a.error_code AS error, a.intent_id AS intent,
      (SELECT coalesce(sum(CASE WHEN debit_account = 'gateway_clearing' THEN amount_cents ELSE -amount_cents END), 0)::int
       FROM ledger_transfer t WHERE t.order_id = o.id AND 'gateway_clearing' IN (debit_account, credit_account)) AS clearing
      FROM payment_order o JOIN payment_attempt a ON a.company_id = o.company_id AND a.order_id = o.id ORDER BY a.id DESC LIMIT 1`)
  )[0]

/** Advances the clock and runs the sweep without events. */
async function later(seconds = 60) {
  clock.advance(seconds * 1000)
  await reconcile(portal.context)
}

const staff = () => portal.signIn(HOST, 'admin@maplegrove.example')

/** Sends all waiting Stripe events to the portal. */
async function deliver() {
  const { events } = stripe.world.model
  const statuses: number[] = []
  for (const event of events.splice(0)) statuses.push((await send(stripe.eventOf(event))).status)
  return statuses
}

async function send(payload: string, { at = clock.now(), signature = stripe.sign(payload, at) } = {}) {
  const headers = { host: HOST, 'content-type': 'application/json', 'stripe-signature': signature }
  const reply = await portal.app.inject({ method: 'POST', url: '/webhooks/stripe', payload, headers })
  return { status: reply.statusCode, body: reply.json<{ message?: string }>() }
}

describe('guest', () => {
  test('transfers a card payment to the company without the fee', async () => {
    const { pay, load } = await guest()
    expect((await pay('pm_card_visa')).body.state).toBe('paid')
    expect(await order()).toMatchObject({
      status: 1,
      provider: 'stripe',
      clearing: CARD_TOTAL,
      method_label: 'Visa ending 4242',
    })
    const created = stripe.requests.find(({ route }) => route === 'POST /v1/payment_intents')
    const sent = new URLSearchParams(created?.body)
    const { account } = (await load()).gateway
    expect(sent.get('transfer_data[destination]')).toBe(account)
    expect([sent.get('amount'), sent.get('application_fee_amount')]).toEqual(['10305', '305'])
  })

  test('pays with another card after a decline', async () => {
    const { pay } = await guest()
    const declined = await pay('pm_card_visa_chargeDeclined')
    expect(declined.body).toMatchObject({ state: 'declined', message: expect.stringContaining('declined') })
    expect((await pay('pm_card_visa')).body.state).toBe('paid')
  })

  test('completes a payment after authentication at the bank', async () => {
    const { pay, load } = await guest()
    const challenged = await pay('pm_card_authenticationRequired')
    expect(challenged.body).toMatchObject({
      state: 'challenge',
      actionUrl: expect.stringContaining('https://hooks.stripe.test/'),
    })
    stripe.world.model.advance(0)
    clock.advance(5000)
    expect((await load()).payment.state).toBe('paid')
  })

  test('keeps an eCheck pending until it settles days later', async () => {
    const { pay } = await guest()
    expect((await pay('pm_usBankAccount_success')).body.state).toBe('processing')
    expect(await order()).toMatchObject({ status: 0, clearing: 0 })
    stripe.world.model.advance(0)
    await later()
    expect(await order()).toMatchObject({
      status: 1,
      clearing: ECHECK_TOTAL,
      method_label: 'Checking account ending 6789',
    })
  })

  test('keeps a payment open while its microdeposits are pending', async () => {
    const { pay } = await guest()
    const challenged = await pay('pm_usBankAccount_microdeposits')
    expect(challenged.body).toMatchObject({
      state: 'processing',
      actionUrl: expect.stringContaining('https://payments.stripe.test/microdeposit/'),
      message: expect.stringContaining('Nothing has been charged yet.'),
    })
    const emails = async () => (await portal.emails()).filter(({ subject }) => subject.includes('is processing')).length
    const before = await emails()
    await later(3600)
    expect(await order()).toMatchObject({ status: 0, step: 'processing' })
    stripe.world.unverified.clear()
    await later()
    // The eCheck starts to process only after the microdeposits are verified.
    expect((await emails()) - before).toBe(1)
    stripe.world.model.advance(0)
    await later()
    expect(await order()).toMatchObject({ status: 1, clearing: ECHECK_TOTAL })
  })

  test('declines an eCheck without funds with the bank’s code', async () => {
    const { pay } = await guest()
    await pay('pm_usBankAccount_insufficientFunds')
    stripe.world.model.advance(0)
    await later()
    expect(await order()).toMatchObject({ status: 2, code: 'R01', clearing: 0 })
  })

  test('makes the amount due again after an eCheck return', async () => {
    const { pay } = await guest()
    await pay('pm_usBankAccount_dispute')
    stripe.world.model.advance(0)
    await later()
    expect(await order()).toMatchObject({ status: 1, clearing: ECHECK_TOTAL })
    stripe.world.model.advance(0)
    await later()
    expect(await order()).toMatchObject({ status: 2, step: 'returned', code: 'R10', clearing: 0, disputed: false })
  })
})

describe('unanswered Stripe call', () => {
  test.each([
    ['the request never arrived', 'before'],
    ['it breaks', 500],
    ['it is asked too much', 429],
  ] as const)('lets the guest pay again without a double charge if %s', async (_what, fault) => {
    const { pay } = await guest()
    // After a broken connection, the SDK retries once with the same key.
    stripe.faults.push(fault, ...(fault === 'before' ? [fault] : []))
    expect((await pay('pm_card_visa')).body.state).toBe('declined')
    expect((await pay('pm_card_visa')).body.state).toBe('paid')
  })

  test('charges once if the response to the confirmation is lost', async () => {
    const { pay } = await guest()
    const charged = () => stripe.world.model.movements.filter(({ movementType }) => movementType === 'capture').length
    const before = charged()
    await staff()
    // The first two calls succeed. Stripe then confirms the charge, but its response is lost.
    stripe.faults.push(undefined, undefined, 'after', 'after')
    expect((await pay('pm_card_visa')).body.state).toBe('paid')
    expect(charged() - before).toBe(1)
  })
})

describe('refund', () => {
  const sendAction = async (path: string, fields: object) => {
    const body = { paymentId: (await order()).id, reason: 'Paid twice', ...fields }
    return portal.post(HOST, `muni/${path}`, body, { token: await staff(), headers: key() })
  }
  const refund = (amountCents: number) => sendAction('refund/payment', { amountCents, line: null })

  test('refunds a part and then the rest', async () => {
    await (await guest()).pay('pm_card_visa')
    expect((await refund(2000)).body).toMatchObject({ success: true })
    expect(await order()).toMatchObject({ status: 1, refunded: 2000, clearing: CARD_TOTAL - 2000 })
    expect((await refund(CARD_TOTAL - 2000)).body).toMatchObject({ success: true })
    expect(await order()).toMatchObject({ status: 3, refunded: CARD_TOTAL, clearing: 0 })
    const [sent] = stripe.requests.filter(({ route }) => route === 'POST /v1/refunds')
    const params = new URLSearchParams(sent?.body)
    expect([params.get('reverse_transfer'), params.get('refund_application_fee')]).toEqual(['true', 'true'])
  })

  test('refunds once after a lost response and a forgotten key', async () => {
    await (await guest()).pay('pm_card_visa')
    await staff()
    // The first two calls read the refunds and the charge. Stripe then creates the refund, but its response is lost.
    stripe.faults.push(undefined, undefined, 'after', 'after')
    await refund(2000)
    stripe.forgetKeys()
    clock.advance(60_000)
    await portal.runJobs('payments.refunds')
    const { intent } = await order()
    expect([...stripe.world.model.refunds.values()].filter(({ intentId }) => intentId === intent)).toHaveLength(1)
    expect(await order()).toMatchObject({ refunded: 2000, clearing: CARD_TOTAL - 2000 })
  })

  test('voids a payment with its fee on the same day', async () => {
    await (await guest()).pay('pm_card_visa')
    expect((await sendAction('void/payment', {})).body).toMatchObject({ success: true })
    expect(await order()).toMatchObject({ status: 5, clearing: 0 })
    await later()
    expect(await order()).toMatchObject({ status: 5, clearing: 0 })
  })

  test('finds a refund made at Stripe in the movement list', async () => {
    await (await guest()).pay('pm_card_visa')
    const { intent } = await order()
    const charge = [...stripe.world.model.charges.values()]
      .filter((one) => one.intent.status === 'succeeded' && one.intent.refundedCents < one.intent.amountCents)
      .findIndex((one) => one.intent.id === intent)
    stripe.world.model.refund(charge, 50)
    stripe.world.model.events.length = 0
    await later()
    expect(await order()).toMatchObject({ status: 1, refunded: Math.floor(CARD_TOTAL / 2) })
  })

  test.each([
    ['won', { status: 1, clearing: CARD_TOTAL }],
    ['lost', { status: 3, clearing: 0 }],
  ] as const)('books a dispute that is %s', async (as, then) => {
    await (await guest()).pay('pm_card_visa')
    const { intent } = await order()
    const { model } = stripe.world
    const charge = [...model.charges.values()]
      .filter(
        (one) =>
          one.intent.status === 'succeeded' &&
          ![...model.disputes.values()].some(({ intentId }) => intentId === one.intent.id),
      )
      .findIndex((one) => one.intent.id === intent)
    model.dispute(charge)
    await deliver()
    await later()
    expect(await order()).toMatchObject({ status: 1, disputed: true, clearing: 0 })
    const [open] = [...model.disputes.values()].filter(({ status }) => status === 'needs_response')
    const disputeResponse = await sendAction('respond/dispute', { reason: 'The water was used.' })
    expect(disputeResponse.body).toMatchObject({ success: true })
    expect(stripe.world.evidence.get(open?.id ?? '')).toEqual({
      uncategorized_text: 'The water was used.',
      product_description: expect.stringContaining('Maple Grove, account 9'),
      submit: 'true',
    })
    Object.assign(open ?? {}, { status: 'needs_response' })
    model.decide(0, as)
    await deliver()
    await later()
    expect(await order()).toMatchObject({ ...then, disputed: false })
  })
})

describe('event', () => {
  const paid = async () => {
    const { pay } = await guest()
    await pay('pm_usBankAccount_success')
    stripe.world.model.advance(0)
    const event = stripe.world.model.events.findLast(({ type }) => type === 'capture')
    stripe.world.model.events.length = 0
    if (!event) throw new Error('nothing was paid')
    return stripe.eventOf(event)
  }
  const count = async () => (await rows('SELECT count(*)::int AS n FROM provider_event'))[0].n

  test('applies a signed event once, however often it arrives', async () => {
    const payload = await paid()
    const before = await count()
    for (let n = 0; n < 3; n++) expect((await send(payload)).status).toBe(200)
    expect((await count()) - before).toBe(1)
    await expect.poll(order).toMatchObject({ status: 1, clearing: ECHECK_TOTAL })
  })

  test.each([
    [
      'was tampered with',
      (payload: string) => ({ payload: payload.replace('"id"', '"Id"'), signature: stripe.sign(payload, clock.now()) }),
    ],
    [
      'is signed with another secret',
      (payload: string) => ({ payload, signature: stripe.sign(payload, clock.now(), 'whsec_other') }),
    ],
    ['is not signed', (payload: string) => ({ payload, signature: '' })],
    [
      'is old',
      (payload: string) => ({ payload, signature: stripe.sign(payload, new Date(clock.now().getTime() - 301_000)) }),
    ],
    [
      'is of a time to come',
      (payload: string) => ({ payload, signature: stripe.sign(payload, new Date(clock.now().getTime() + 301_000)) }),
    ],
  ])('rejects an event that %s without saving it', async (_what, forge) => {
    const before = await count()
    const { payload, signature } = forge(await paid())
    const reply = await send(payload, { signature })
    expect(reply.status).toBe(400)
    expect(await count()).toBe(before)
  })

  test('reaches the same state if a newer event arrives first', async () => {
    const { pay } = await guest()
    await pay('pm_usBankAccount_dispute')
    const { model } = stripe.world
    model.events.length = 0
    model.advance(0)
    model.advance(0)
    const payloads = model.events.splice(0).map((event) => stripe.eventOf(event))
    for (const payload of payloads.toReversed()) expect((await send(payload)).status).toBe(200)
    await expect.poll(order).toMatchObject({ status: 2, step: 'returned', clearing: 0 })
  })

  test('accepts and ignores an event about another object', async () => {
    const before = await count()
    const about = { id: 'cus_1', object: 'customer' }
    const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: 'customer.updated', data: { object: about } })
    expect((await send(payload)).status).toBe(200)
    expect(await count()).toBe(before)
  })
})

describe('resident', () => {
  const as = async () => ({ token: await portal.signIn(HOST, 'resident@maplegrove.example'), headers: key() })
  const add = async (methodToken: string, method = 1) =>
    portal.post(HOST, 'add/payment/method', { method, agree: true, methodToken }, await as())

  test('saves a card, pays with it by AutoPay and removes it', async () => {
    const { body: added } = await add('pm_card_visa')
    expect(added).toMatchObject({ success: true, message: 'Visa ending 4242 was saved for your payments.' })
    await portal.owner.query(
      `INSERT INTO linked_account (company_id, person_id, account_id, linked_at)
       SELECT p.company_id, p.id, a.id, now() FROM person p JOIN utility_account a ON a.company_id = p.company_id
       WHERE p.email = 'resident@maplegrove.example' AND a.account_number = '9${accounts++}' ON CONFLICT DO NOTHING`,
    )
    const autopayView = (await portal.post(HOST, 'return/autopay', {}, await as())).body
    const form = {
      methodId: added.id,
      timing: 'due',
      daysBefore: 0,
      dayOfMonth: 0,
      limited: false,
      capCents: null,
      agree: true,
    }
    const saved = await portal.post(
      HOST,
      'save/autopay',
      { kind: 'utility', itemId: autopayView.items[0].id, mandate: autopayView.mandate.version, form },
      await as(),
    )
    expect(saved.body).toMatchObject({ success: true })
    clock.set('2026-12-01T15:00:00.000Z')
    await runAutopay(portal.context)
    await runAutopay(portal.context)
    expect(await order()).toMatchObject({ status: 1, provider: 'stripe', clearing: CARD_TOTAL })
    const confirmed = stripe.requests.findLast(({ route }) => route.endsWith('/confirm'))
    expect(confirmed?.body).toContain('off_session=true')
    await portal.post(HOST, 'remove/payment/method', { id: added.id, endAutopay: true }, await as())
    await portal.runJobs()
    expect([...stripe.world.methods.values()].map(({ customer }) => customer)).toEqual([null])
  })

  test('saves a bank account after microdeposits that take days', async () => {
    const readMethods = async () => (await portal.post(HOST, 'return/payment/methods', {}, await as())).body
    expect((await add('pm_usBankAccount_microdeposits', 2)).body).toMatchObject({ id: 0, actionUrl: null })
    const { toConfirm } = await readMethods()
    const finish = async () => portal.post(HOST, 'finish/payment/method', { setup: toConfirm[0].setup }, await as())
    expect((await finish()).body).toMatchObject({ id: 0, actionUrl: expect.stringContaining('/microdeposit/seti_') })
    // The job checks the setup repeatedly.
    for (const minutes of [21, 7 * 60, 40 * 60]) {
      clock.advance(minutes * 60_000)
      await portal.runJobs()
    }
    expect((await readMethods()).toConfirm).toHaveLength(1)
    for (const id of stripe.world.setups.keys()) stripe.world.verify(id)
    clock.advance(7 * 60 * 60_000)
    await portal.runJobs()
    expect(await readMethods()).toMatchObject({
      toConfirm: [],
      methods: [{ methodLabel: 'Checking account ending 6789' }],
    })
    expect((await finish()).body).toMatchObject({
      message: 'Checking account ending 6789 was saved for your payments.',
    })
  })

  test('explains why a card was not saved', async () => {
    const { status, body } = await add('pm_card_visa_chargeDeclined')
    expect([status, body.message]).toEqual([422, expect.stringContaining('The payment method was not saved')])
  })

  test('requires authentication at the bank before a card is saved', async () => {
    const { body } = await add('pm_card_authenticationRequired')
    expect(body).toMatchObject({ id: 0, actionUrl: expect.stringContaining('https://hooks.stripe.test/') })
  })
})

describe('card reader at the counter', () => {
  let [token, reader, drawerId] = ['', '', 0]
  const post = (path: string, body: object = {}, idempotency = key()) =>
    portal.post(HOST, `muni/${path}`, body, { token, headers: idempotency })
  const readReaders = async () => (await post('return/card/readers')).body.readers as { id: string; label: string }[]
  const action = () => stripe.world.readers.get(reader)?.action ?? null
  /** Starts a $100.00 payment for an account on the reader. */
  async function startReaderPayment(idempotency = key(), account = `9${accounts++}`, to = reader) {
    const { kind, id } = (await post('find/counter/payables', { search: account })).body.matches[0]
    const pays = [{ kind, id, amountCents: 100_00 }]
    return (await post('take/card/payment', { drawerId, pays, email: '', by: { reader: to } }, idempotency)).body
  }
  async function readStatus(paymentId: number) {
    clock.advance(3000)
    return (await post('return/card/payment', { paymentId })).body
  }

  beforeAll(async () => {
    token = await portal.signIn(HOST, 'manager@maplegrove.example')
    await setPaymentSettings(portal, { has_card_reader: 1 })
    await post('open/drawer', { counts: {} })
    drawerId = (await post('return/counter')).body.drawer.id
    expect((await post('pair/card/reader', { code: 'nobodys', label: 'Front desk' })).status).toBe(422)
    await post('pair/card/reader', { code: 'simulated-wpe', label: 'Front desk' })
    reader = (await readReaders())[0]?.id ?? ''
  })

  test('waits for the card without a limit and charges it once', async () => {
    expect([...stripe.world.locations.values()]).toMatchObject([
      { display_name: 'Maple Grove', address: { line1: '100 Main Street', postal_code: '17011', country: 'US' } },
    ])
    const same = key()
    const account = `9${accounts++}`
    const [first, second] = [await startReaderPayment(same, account), await startReaderPayment(same, account)]
    expect([first.state, second]).toEqual(['waiting', first])
    await later(300)
    expect(await readStatus(first.paymentId)).toMatchObject({ state: 'waiting' })
    stripe.world.present(reader)
    expect((await send(stripe.readerEvent(reader, 'evt_reader'))).status).toBe(200)
    await expect.poll(order).toMatchObject({ status: 1, method_label: 'Visa ending 4242', clearing: 100_00 })
    const made = new URLSearchParams(
      stripe.requests.findLast(({ route }) => route === 'POST /v1/payment_intents')?.body,
    )
    expect([made.get('payment_method_types[0]'), made.has('transfer_data[destination]')]).toEqual([
      'card_present',
      true,
    ])
  })

  test.each([
    ['is declined', { code: 'card_declined', message: 'Your card was declined.' }, 'declined'],
    ['is taken away', { code: 'customer_canceled', message: 'customer' }, 'cancelled at the card reader'],
  ] as const)('charges nothing if the card %s', async (_what, failure, messagePart) => {
    const { paymentId } = await startReaderPayment()
    stripe.world.present(reader, failure)
    const paymentStatus = await readStatus(paymentId)
    expect([paymentStatus.state, paymentStatus.message]).toEqual(['declined', expect.stringContaining(messagePart)])
  })

  test('clears the display on cancel unless a card came first', async () => {
    const started = await startReaderPayment()
    expect((await post('cancel/card/payment', { paymentId: started.paymentId })).body.state).toBe('cancelled')
    expect(action()).toBeNull()
    const paid = await startReaderPayment()
    stripe.world.present(reader)
    expect((await post('cancel/card/payment', { paymentId: paid.paymentId })).body.state).toBe('paid')
  })

  test('refuses a charge if it is busy, offline or foreign', async () => {
    const first = await startReaderPayment()
    expect(await startReaderPayment()).toMatchObject({ state: 'declined', message: expect.stringContaining('busy') })
    expect(action()).toMatchObject({ status: 'in_progress' })
    await post('cancel/card/payment', { paymentId: first.paymentId })
    const testReader = stripe.world.readers.get(reader)
    if (!testReader) throw new Error('there is no reader')
    testReader.isOffline = true
    expect(await startReaderPayment()).toMatchObject({ state: 'declined', message: expect.stringContaining('offline') })
    testReader.isOffline = false
    stripe.world.readers.set('tmr_other', { ...testReader, id: 'tmr_other', metadata: { account: 'acct_other' } })
    expect(await startReaderPayment(undefined, undefined, 'tmr_other')).toMatchObject({ state: 'cancelled' })
    expect((await post('remove/card/reader', { id: 'tmr_other' })).status).toBe(404)
    expect(stripe.world.readers.get('tmr_other')?.action).toBeNull()
  })

  test('receives a charge once if the response is lost', async () => {
    const PROCESS = 'POST /v1/terminal/readers/{reader}/process_payment_intent'
    stripe.plan({ route: PROCESS, fault: 'after' })
    const { paymentId } = await startReaderPayment()
    stripe.world.present(reader)
    expect(await readStatus(paymentId)).toMatchObject({ state: 'paid' })
    // The SDK retries each call once.
    for (let n = 0; n < 4; n++) stripe.plan({ route: PROCESS, fault: 'before' })
    const dead = await startReaderPayment()
    expect(dead.state).toBe('working')
    await later(60)
    expect(await readStatus(dead.paymentId)).toMatchObject({ state: 'cancelled' })
    expect(action()).toMatchObject({ status: 'succeeded' })
  })

  test('is removable only while it waits for no charge', async () => {
    const { paymentId } = await startReaderPayment()
    expect((await post('remove/card/reader', { id: reader })).body.code).toBe('reader_busy')
    await post('cancel/card/payment', { paymentId })
    expect((await post('remove/card/reader', { id: reader })).body.success).toBe(true)
    expect(await readReaders()).toEqual([])
  })
})

describe('company', () => {
  test('allows Stripe’s script only on its own pages', async () => {
    const policyOf = async (host: string) => {
      const { headers } = await portal.get(host, '/')
      const policy = String(headers['content-security-policy'])
      const directives = policy.split('; ').map((line) => line.split(' '))
      const of = (name: string) => directives.find(([first]) => first === name)?.slice(1) ?? []
      return { of, policy, permissions: headers['permissions-policy'] }
    }
    const ours = await policyOf(HOST)
    const adminPolicy = await policyOf('admin.localhost')
    const added = (name: string) => ours.of(name).filter((origin) => !adminPolicy.of(name).includes(origin))
    const scripts = ['https://js.stripe.com', 'https://*.js.stripe.com']
    expect(added('script-src')).toEqual(scripts)
    expect(added('frame-src')).toEqual([...scripts, 'https://hooks.stripe.com'])
    expect(added('connect-src')).toEqual([stripe.url])
    expect(ours.permissions).toContain('payment=(self "https://js.stripe.com" "https://*.js.stripe.com")')
    expect(adminPolicy.policy).not.toContain('stripe')
    expect(adminPolicy.permissions).toContain('payment=()')
  })

  test('receives a payout that matches the ledger line by line', async () => {
    const { pay, load } = await guest()
    await pay('pm_card_visa')
    const { account } = (await load()).gateway
    await later()
    const paid = stripe.world.payOut(account)
    clock.advance(60_000)
    await followPayouts(portal.context)
    const [row] = await rows('SELECT line_count, net_cents::int AS net, line_cents::int AS lines FROM payout')
    expect(row).toMatchObject({ line_count: paid?.lines.length })
    expect(row.lines).toBe(row.net)
    const differing = await rows('SELECT movement_type, source_ref FROM payout_line WHERE amount_cents <> ledger_cents')
    expect(differing).toEqual([])
    // The second run starts at the saved position, so no payout appears twice.
    await followPayouts(portal.context)
    expect(await rows('SELECT id FROM payout')).toHaveLength(1)
  })

  test('shows missing information, a hold and readiness at Stripe', async () => {
    await addTestPlatformStaff(portal)
    const token = await portal.signIn('admin.localhost', 'super@mainstreet.example')
    const callApi = async (path: string) =>
      (await portal.post('admin.localhost', `admin/${path}`, { companyId: company }, { token })).body
    const readSetup = () => callApi('return/company/processor/standing')
    await portal.owner.query('DELETE FROM provider_account')
    expect(await readSetup()).toMatchObject({ state: 'not_started' })
    expect((await callApi('start/company/processor/setup')).url).toContain('https://connect.stripe.test/setup/acct_')
    const testAccount = [...stripe.world.accounts.values()].at(-1)
    if (!testAccount) throw new Error('there is no account')
    expect(await readSetup()).toMatchObject({ state: 'in_progress', takesPayments: false })
    testAccount.submitted = true
    expect(await readSetup()).toMatchObject({ state: 'missing', missing: ['company.tax_id'] })
    testAccount.due = []
    testAccount.pending = ['company.verification.document']
    testAccount.disabled = 'requirements.pending_verification'
    expect(await readSetup()).toMatchObject({ state: 'in_review', takesPayments: false })
    testAccount.disabled = 'rejected.other'
    expect(await readSetup()).toMatchObject({ state: 'on_hold', why: 'rejected.other' })
    testAccount.disabled = null
    expect(await readSetup()).toMatchObject({ state: 'ready', takesPayments: true, isPaidOut: true })
    await setPaymentSettings(portal, { processor_id: 1 })
    expect(await readSetup()).toMatchObject({ state: 'not_needed' })
    await setPaymentSettings(portal, { processor_id: 2 })
  })
})

describe('requests to Stripe', () => {
  test('match the types of the SDK', () => {
    expect(stripe.requests.length).toBeGreaterThan(50)
    expect(errorsByTypes(stripe.requests)).toEqual([])
  })

  test.skipIf(!hasDescription)('match Stripe’s API description (skipped without ../shared)', async () => {
    expect(await errorsByDescription(stripe.requests)).toEqual([])
  })

  test('fail the checks if a parameter is invalid', async () => {
    const unknownRoute = { method: 'POST', url: '/v1/refunds', route: 'POST /v1/refunds' }
    const requests = [{ ...unknownRoute, body: 'payment_intent=pi_1&amount=much&reverse_transfers=true' }]
    expect(errorsByTypes(requests)).toHaveLength(1)
    if (hasDescription) expect(await errorsByDescription(requests)).toHaveLength(1)
  })

  test('use the SDK version of the checked types', () => {
    expect(sdkVersion).toBe('22.6.2')
  })
})
