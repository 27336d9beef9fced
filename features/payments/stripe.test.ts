import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { liftLimits } from '../../test/databases.ts'
import { testClock, testPortal } from '../../test/harness.ts'
import { hasDescription, sdkVersion, wrongByDescription, wrongByTypes } from '../../test/stripe/expect-valid.ts'
import { recordedStripe } from '../../test/stripe/recorded-stripe.ts'
import { addTestPlatformStaff, openTestTown, sendBills, setPaymentSettings } from '../../test/town.ts'
import { followPayouts } from '../reconciliation/server/jobs.ts'
import { runAutopay } from '../autopay/server/run.ts'
import { provideInstead } from './server/providers.ts'
import { reconcile } from './server/reconcile.ts'
import { stripeProvider } from './server/stripe/stripe.ts'

/** A town on Stripe, through the portal's front door, with a recorded Stripe on this machine. */

const TOWN = 'maplegrove.localhost'
const CARD_TOTAL = 103_05
const ECHECK_TOTAL = 101_50
const clock = testClock()
const stripe = await recordedStripe(() => clock.now())
const portal = await testPortal({ clock, env: stripe.env })
// The counter looks for three characters and more.
let accounts = 10
let bills = 0
let company = 0

beforeAll(async () => {
  // The same adapter, with less patience.
  if (portal.config.stripe) provideInstead(portal.config, stripeProvider(portal.config.stripe, { timeoutMs: 3000 }))
  company = await openTestTown(portal, mapleGrove)
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
  const { body } = await portal.post(TOWN, 'find/guest/bill', { accountNumber: `9${accounts++}`, zip: '17011' })
  const pay = (methodToken: string, method = methodToken.startsWith('pm_us') ? 2 : 1) =>
    portal.post(
      TOWN,
      'pay/guest/bill',
      {
        ...{ token: body.token, payType: 1, method, billCents: 100_00, email: 'ada@example.com', methodToken },
        expectedTotalCents: method === 1 ? CARD_TOTAL : ECHECK_TOTAL,
      },
      { headers: key() },
    )
  const look = async () => (await portal.post(TOWN, 'return/guest/checkout', { token: body.token })).body
  return { pay, look }
}

const order = async () =>
  (
    await rows(`SELECT o.id, o.status, o.refunded_cents::int AS refunded, o.means, o.return_code AS code, o.dispute_open AS disputed,
      a.provider, a.step, a.error_code AS error, a.intent_id AS intent,
      (SELECT coalesce(sum(CASE WHEN debit_account = 'gateway_clearing' THEN amount_cents ELSE -amount_cents END), 0)::int
       FROM ledger_transfer t WHERE t.order_id = o.id AND 'gateway_clearing' IN (debit_account, credit_account)) AS clearing
      FROM payment_order o JOIN payment_attempt a ON a.company_id = o.company_id AND a.order_id = o.id ORDER BY a.id DESC LIMIT 1`)
  )[0]

/** The sweep, a while later: no event has told anything. */
async function later(seconds = 60) {
  clock.advance(seconds * 1000)
  await reconcile(portal.context)
}

const staff = () => portal.signIn(TOWN, 'admin@maplegrove.example')

/** All that Stripe has to tell, sent to the portal. */
async function deliver() {
  const { events } = stripe.world.model
  const answers: number[] = []
  for (const event of events.splice(0)) answers.push((await send(stripe.eventOf(event))).status)
  return answers
}

async function send(payload: string, { at = clock.now(), signature = stripe.sign(payload, at) } = {}) {
  const headers = { host: TOWN, 'content-type': 'application/json', 'stripe-signature': signature }
  const answer = await portal.app.inject({ method: 'POST', url: '/webhooks/stripe', payload, headers })
  return { status: answer.statusCode, body: answer.json<{ message?: string }>() }
}

describe('a guest', () => {
  test('pays by card: the town has its part at Stripe, the fee stays with the portal', async () => {
    const { pay, look } = await guest()
    expect((await pay('pm_card_visa')).body.state).toBe('paid')
    expect(await order()).toMatchObject({
      status: 1,
      provider: 'stripe',
      clearing: CARD_TOTAL,
      means: 'Visa ending 4242',
    })
    const created = stripe.requests.find(({ route }) => route === 'POST /v1/payment_intents')
    const sent = new URLSearchParams(created?.body)
    const { account } = (await look()).gateway
    expect(sent.get('transfer_data[destination]')).toBe(account)
    expect([sent.get('amount'), sent.get('application_fee_amount')]).toEqual(['10305', '305'])
  })

  test('is told of a decline, and pays by another card', async () => {
    const { pay } = await guest()
    const declined = await pay('pm_card_visa_chargeDeclined')
    expect(declined.body).toMatchObject({ state: 'declined', message: expect.stringContaining('declined') })
    expect((await pay('pm_card_visa')).body.state).toBe('paid')
  })

  test('goes to their bank and comes back', async () => {
    const { pay, look } = await guest()
    const asked = await pay('pm_card_authenticationRequired')
    expect(asked.body).toMatchObject({
      state: 'challenge',
      actionUrl: expect.stringContaining('https://hooks.stripe.test/'),
    })
    stripe.world.model.advance(0)
    clock.advance(5000)
    expect((await look()).payment.state).toBe('paid')
  })

  test('pays by eCheck, which arrives days later', async () => {
    const { pay } = await guest()
    expect((await pay('pm_usBankAccount_success')).body.state).toBe('processing')
    expect(await order()).toMatchObject({ status: 0, clearing: 0 })
    stripe.world.model.advance(0)
    await later()
    expect(await order()).toMatchObject({ status: 1, clearing: ECHECK_TOTAL, means: 'Checking account ending 6789' })
  })

  test('names small deposits on Stripe’s page, for which nothing is given up meanwhile', async () => {
    const { pay } = await guest()
    const asked = await pay('pm_usBankAccount_microdeposits')
    expect(asked.body).toMatchObject({
      state: 'processing',
      actionUrl: expect.stringContaining('https://payments.stripe.test/microdeposit/'),
      message: expect.stringContaining('Nothing was taken yet.'),
    })
    const mails = async () => (await portal.mails()).filter(({ subject }) => subject.includes('on its way')).length
    const before = await mails()
    await later(3600)
    expect(await order()).toMatchObject({ status: 0, step: 'processing' })
    stripe.world.unverified.clear()
    await later()
    // Only now it is on its way.
    expect((await mails()) - before).toBe(1)
    stripe.world.model.advance(0)
    await later()
    expect(await order()).toMatchObject({ status: 1, clearing: ECHECK_TOTAL })
  })

  test('has no money for an eCheck: it is declined with the code of the bank', async () => {
    const { pay } = await guest()
    await pay('pm_usBankAccount_insufficientFunds')
    stripe.world.model.advance(0)
    await later()
    expect(await order()).toMatchObject({ status: 2, code: 'R01', clearing: 0 })
  })

  test('takes an eCheck back after it was paid: the amount is owed again', async () => {
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

describe('where Stripe does not answer', () => {
  test.each([
    ['the request never arrived', 'before'],
    ['it breaks', 500],
    ['it is asked too much', 429],
  ] as const)('%s: nothing was charged, and the guest pays anew', async (_what, fault) => {
    const { pay } = await guest()
    // The SDK asks once more, under the same key, where a connection broke.
    stripe.faults.push(fault, ...(fault === 'before' ? [fault] : []))
    expect((await pay('pm_card_visa')).body.state).toBe('declined')
    expect((await pay('pm_card_visa')).body.state).toBe('paid')
  })

  test('the answer to the confirmation got lost: it is asked for, and charged once', async () => {
    const { pay } = await guest()
    const charged = () => stripe.world.model.movements.filter(({ way }) => way === 'capture').length
    const before = charged()
    await staff()
    // The charge is made, its record read, and then the answer to the confirmation is lost.
    stripe.faults.push(undefined, undefined, 'after', 'after')
    expect((await pay('pm_card_visa')).body.state).toBe('paid')
    expect(charged() - before).toBe(1)
  })
})

describe('money goes back', () => {
  const back = async (path: string, facts: object) => {
    const body = { paymentId: (await order()).id, reason: 'Paid twice', ...facts }
    return portal.post(TOWN, `muni/${path}`, body, { token: await staff(), headers: key() })
  }
  const refund = (amountCents: number) => back('refund/payment', { amountCents, line: null })

  test('in parts, and then all of it', async () => {
    await (await guest()).pay('pm_card_visa')
    expect((await refund(2000)).body).toMatchObject({ success: true })
    expect(await order()).toMatchObject({ status: 1, refunded: 2000, clearing: CARD_TOTAL - 2000 })
    expect((await refund(CARD_TOTAL - 2000)).body).toMatchObject({ success: true })
    expect(await order()).toMatchObject({ status: 3, refunded: CARD_TOTAL, clearing: 0 })
    const [sent] = stripe.requests.filter(({ route }) => route === 'POST /v1/refunds')
    const params = new URLSearchParams(sent?.body)
    expect([params.get('reverse_transfer'), params.get('refund_application_fee')]).toEqual(['true', 'true'])
  })

  test('once, though the first answer was lost and Stripe has forgotten the key', async () => {
    await (await guest()).pay('pm_card_visa')
    await staff()
    // The list of its refunds, the charge, and then the answer to the refund is lost.
    stripe.faults.push(undefined, undefined, 'after', 'after')
    await refund(2000)
    stripe.forgetKeys()
    clock.advance(60_000)
    await portal.runJobs('payments.refunds')
    const { intent } = await order()
    expect([...stripe.world.model.refunds.values()].filter(({ intentId }) => intentId === intent)).toHaveLength(1)
    expect(await order()).toMatchObject({ refunded: 2000, clearing: CARD_TOTAL - 2000 })
  })

  test('as a void on the day itself: all of it with the fee', async () => {
    await (await guest()).pay('pm_card_visa')
    expect((await back('void/payment', {})).body).toMatchObject({ success: true })
    expect(await order()).toMatchObject({ status: 5, clearing: 0 })
    await later()
    expect(await order()).toMatchObject({ status: 5, clearing: 0 })
  })

  test('at Stripe itself: the sweep finds it in the account of what moved', async () => {
    await (await guest()).pay('pm_card_visa')
    const { intent } = await order()
    const nth = [...stripe.world.model.charges.values()]
      .filter((one) => one.intent.status === 'succeeded' && one.intent.refundedCents < one.intent.amountCents)
      .findIndex((one) => one.intent.id === intent)
    stripe.world.model.refund(nth, 50)
    stripe.world.model.events.length = 0
    await later()
    expect(await order()).toMatchObject({ status: 1, refunded: Math.floor(CARD_TOTAL / 2) })
  })

  test.each([
    ['won', { status: 1, clearing: CARD_TOTAL }],
    ['lost', { status: 3, clearing: 0 }],
  ] as const)('by a dispute that is %s', async (as, then) => {
    await (await guest()).pay('pm_card_visa')
    const { intent } = await order()
    const { model } = stripe.world
    const nth = [...model.charges.values()]
      .filter(
        (one) =>
          one.intent.status === 'succeeded' &&
          ![...model.disputes.values()].some(({ intentId }) => intentId === one.intent.id),
      )
      .findIndex((one) => one.intent.id === intent)
    model.dispute(nth)
    await deliver()
    await later()
    expect(await order()).toMatchObject({ status: 1, disputed: true, clearing: 0 })
    const [open] = [...model.disputes.values()].filter(({ status }) => status === 'needs_response')
    const answered = await back('answer/dispute', { reason: 'The water was used.' })
    expect(answered.body).toMatchObject({ success: true })
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

describe('an event', () => {
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

  test('that is signed is believed, once however often it comes', async () => {
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
  ])('that %s is refused, and nothing is kept of it', async (_what, forge) => {
    const before = await count()
    const { payload, signature } = forge(await paid())
    const answer = await send(payload, { signature })
    expect(answer.status).toBe(400)
    expect(await count()).toBe(before)
  })

  test('that comes before an older one changes the same', async () => {
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

  test('of something else is taken and left alone', async () => {
    const before = await count()
    const about = { id: 'cus_1', object: 'customer' }
    const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: 'customer.updated', data: { object: about } })
    expect((await send(payload)).status).toBe(200)
    expect(await count()).toBe(before)
  })
})

describe('a resident', () => {
  const as = async () => ({ token: await portal.signIn(TOWN, 'resident@maplegrove.example'), headers: key() })
  const add = async (methodToken: string, method = 1) =>
    portal.post(TOWN, 'add/payment/method', { method, agree: true, methodToken }, await as())

  test('has a card kept, which AutoPay charges while they are away, and removes it', async () => {
    const { body: added } = await add('pm_card_visa')
    expect(added).toMatchObject({ success: true, message: 'Visa ending 4242 is kept for your payments.' })
    await portal.owner.query(
      `INSERT INTO linked_account (company_id, person_id, account_id, linked_at)
       SELECT p.company_id, p.id, a.id, now() FROM person p JOIN utility_account a ON a.company_id = p.company_id
       WHERE p.email = 'resident@maplegrove.example' AND a.account_number = '9${accounts++}' ON CONFLICT DO NOTHING`,
    )
    const known = (await portal.post(TOWN, 'return/autopay', {}, await as())).body
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
      TOWN,
      'save/autopay',
      { kind: 'utility', thingId: known.things[0].id, mandate: known.mandate.version, form },
      await as(),
    )
    expect(saved.body).toMatchObject({ success: true })
    clock.set('2026-12-01T15:00:00.000Z')
    await runAutopay(portal.context)
    await runAutopay(portal.context)
    expect(await order()).toMatchObject({ status: 1, provider: 'stripe', clearing: CARD_TOTAL })
    const confirmed = stripe.requests.findLast(({ route }) => route.endsWith('/confirm'))
    expect(confirmed?.body).toContain('off_session=true')
    await portal.post(TOWN, 'remove/payment/method', { id: added.id, endAutopay: true }, await as())
    await portal.runJobs()
    expect([...stripe.world.methods.values()].map(({ customer }) => customer)).toEqual([null])
  })

  test('has a bank account kept once the small deposits were named, though they come days later', async () => {
    const kept = async () => (await portal.post(TOWN, 'return/payment/methods', {}, await as())).body
    expect((await add('pm_usBankAccount_microdeposits', 2)).body).toMatchObject({ id: 0, actionUrl: null })
    const { toConfirm } = await kept()
    const finish = async () => portal.post(TOWN, 'finish/payment/method', { setup: toConfirm[0].setup }, await as())
    expect((await finish()).body).toMatchObject({ id: 0, actionUrl: expect.stringContaining('/microdeposit/seti_') })
    // The job asks again and again.
    for (const minutes of [21, 7 * 60, 40 * 60]) {
      clock.advance(minutes * 60_000)
      await portal.runJobs()
    }
    expect((await kept()).toConfirm).toHaveLength(1)
    for (const id of stripe.world.setups.keys()) stripe.world.verify(id)
    clock.advance(7 * 60 * 60_000)
    await portal.runJobs()
    expect(await kept()).toMatchObject({ toConfirm: [], methods: [{ means: 'Checking account ending 6789' }] })
    expect((await finish()).body).toMatchObject({ message: 'Checking account ending 6789 is kept for your payments.' })
  })

  test('is told why a card is not kept', async () => {
    const { status, body } = await add('pm_card_visa_chargeDeclined')
    expect([status, body.message]).toEqual([422, expect.stringContaining('It was not kept')])
  })

  test('is sent to their bank before a card is kept', async () => {
    const { body } = await add('pm_card_authenticationRequired')
    expect(body).toMatchObject({ id: 0, actionUrl: expect.stringContaining('https://hooks.stripe.test/') })
  })
})

describe('a card reader at the counter', () => {
  let [token, reader, drawerId] = ['', '', 0]
  const post = (path: string, body: object = {}, idempotency = key()) =>
    portal.post(TOWN, `muni/${path}`, body, { token, headers: idempotency })
  const shown = async () => (await post('return/card/readers')).body.readers as { id: string; label: string }[]
  const action = () => stripe.world.readers.get(reader)?.action ?? null
  /** Hands $100.00 of an account to the reader. */
  async function hand(idempotency = key(), account = `9${accounts++}`, to = reader) {
    const { kind, id } = (await post('find/counter/payables', { search: account })).body.found[0]
    const pays = [{ kind, id, amountCents: 100_00 }]
    return (await post('take/card/payment', { drawerId, pays, email: '', by: { reader: to } }, idempotency)).body
  }
  async function look(paymentId: number) {
    clock.advance(3000)
    return (await post('return/card/payment', { paymentId })).body
  }

  beforeAll(async () => {
    token = await portal.signIn(TOWN, 'manager@maplegrove.example')
    await setPaymentSettings(portal, { has_card_reader: 1 })
    await post('open/drawer', { counts: {} })
    drawerId = (await post('return/counter')).body.drawer.id
    expect((await post('pair/card/reader', { code: 'nobodys', label: 'Front desk' })).status).toBe(422)
    await post('pair/card/reader', { code: 'simulated-wpe', label: 'Front desk' })
    reader = (await shown())[0]?.id ?? ''
  })

  test('stands where the town is, waits for its card however long that takes, and takes it once', async () => {
    expect([...stripe.world.locations.values()]).toMatchObject([
      { display_name: 'Maple Grove', address: { line1: '100 Main Street', postal_code: '17011', country: 'US' } },
    ])
    const same = key()
    const account = `9${accounts++}`
    const [first, second] = [await hand(same, account), await hand(same, account)]
    expect([first.state, second]).toEqual(['waiting', first])
    await later(300)
    expect(await look(first.paymentId)).toMatchObject({ state: 'waiting' })
    stripe.world.present(reader)
    expect((await send(stripe.readerEvent(reader, 'evt_reader'))).status).toBe(200)
    await expect.poll(order).toMatchObject({ status: 1, means: 'Visa ending 4242', clearing: 100_00 })
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
  ] as const)('says that the card %s, and charges nothing', async (_what, failure, sentence) => {
    const { paymentId } = await hand()
    stripe.world.present(reader, failure)
    const told = await look(paymentId)
    expect([told.state, told.message]).toEqual(['declined', expect.stringContaining(sentence)])
  })

  test('shows nothing more once the clerk gave up, and a card that came first is paid', async () => {
    const given = await hand()
    expect((await post('cancel/card/payment', { paymentId: given.paymentId })).body.state).toBe('cancelled')
    expect(action()).toBeNull()
    const paid = await hand()
    stripe.world.present(reader)
    expect((await post('cancel/card/payment', { paymentId: paid.paymentId })).body.state).toBe('paid')
  })

  test('that is busy, offline or another town’s is handed nothing', async () => {
    const first = await hand()
    expect(await hand()).toMatchObject({ state: 'declined', message: expect.stringContaining('busy') })
    expect(action()).toMatchObject({ status: 'in_progress' })
    await post('cancel/card/payment', { paymentId: first.paymentId })
    const known = stripe.world.readers.get(reader)
    if (!known) throw new Error('there is no reader')
    known.isOffline = true
    expect(await hand()).toMatchObject({ state: 'declined', message: expect.stringContaining('offline') })
    known.isOffline = false
    stripe.world.readers.set('tmr_other', { ...known, id: 'tmr_other', metadata: { account: 'acct_other' } })
    expect(await hand(undefined, undefined, 'tmr_other')).toMatchObject({ state: 'cancelled' })
    expect((await post('remove/card/reader', { id: 'tmr_other' })).status).toBe(404)
    expect(stripe.world.readers.get('tmr_other')?.action).toBeNull()
  })

  test('is handed a charge once though the answer was lost, and never where nothing arrived', async () => {
    const PROCESS = 'POST /v1/terminal/readers/{reader}/process_payment_intent'
    stripe.plan({ route: PROCESS, fault: 'after' })
    const { paymentId } = await hand()
    stripe.world.present(reader)
    expect(await look(paymentId)).toMatchObject({ state: 'paid' })
    // The SDK asks each time once more.
    for (let n = 0; n < 4; n++) stripe.plan({ route: PROCESS, fault: 'before' })
    const dead = await hand()
    expect(dead.state).toBe('working')
    await later(60)
    expect(await look(dead.paymentId)).toMatchObject({ state: 'cancelled' })
    expect(action()).toMatchObject({ status: 'succeeded' })
  })

  test('is removed once it waits for nothing', async () => {
    const { paymentId } = await hand()
    expect((await post('remove/card/reader', { id: reader })).body.code).toBe('reader_busy')
    await post('cancel/card/payment', { paymentId })
    expect((await post('remove/card/reader', { id: reader })).body.success).toBe(true)
    expect(await shown()).toEqual([])
  })
})

describe('a town', () => {
  test('lets its own pages load Stripe’s script and what that loads, and those of no other town', async () => {
    const policyOf = async (host: string) => {
      const { headers } = await portal.get(host, '/')
      const policy = String(headers['content-security-policy'])
      const directives = policy.split('; ').map((line) => line.split(' '))
      const of = (name: string) => directives.find(([first]) => first === name)?.slice(1) ?? []
      return { of, policy, permissions: headers['permissions-policy'] }
    }
    const ours = await policyOf(TOWN)
    const theirs = await policyOf('admin.localhost')
    const added = (name: string) => ours.of(name).filter((origin) => !theirs.of(name).includes(origin))
    const scripts = ['https://js.stripe.com', 'https://*.js.stripe.com']
    expect(added('script-src')).toEqual(scripts)
    expect(added('frame-src')).toEqual([...scripts, 'https://hooks.stripe.com'])
    expect(added('connect-src')).toEqual([stripe.url])
    expect(ours.permissions).toContain('payment=(self "https://js.stripe.com" "https://*.js.stripe.com")')
    expect(theirs.policy).not.toContain('stripe')
    expect(theirs.permissions).toContain('payment=()')
  })

  test('gets a payout that agrees with the ledger, line by line', async () => {
    const { pay, look } = await guest()
    await pay('pm_card_visa')
    const { account } = (await look()).gateway
    await later()
    const paid = stripe.world.payOut(account)
    clock.advance(60_000)
    await followPayouts(portal.context)
    const [row] = await rows('SELECT line_count, net_cents::int AS net, line_cents::int AS lines FROM payout')
    expect(row).toMatchObject({ line_count: paid?.lines.length })
    expect(row.lines).toBe(row.net)
    const differing = await rows('SELECT way, source_ref FROM payout_line WHERE amount_cents <> ledger_cents')
    expect(differing).toEqual([])
    // Read again from its place: nothing comes twice.
    await followPayouts(portal.context)
    expect(await rows('SELECT id FROM payout')).toHaveLength(1)
  })

  test('is told what Stripe still asks for, when it is on hold, and when it is ready', async () => {
    await addTestPlatformStaff(portal)
    const token = await portal.signIn('admin.localhost', 'super@mainstreet.example')
    const ask = async (path: string) =>
      (await portal.post('admin.localhost', `admin/${path}`, { companyId: company }, { token })).body
    const standing = () => ask('return/company/processor/standing')
    await portal.owner.query('DELETE FROM provider_account')
    expect(await standing()).toMatchObject({ state: 'not_started' })
    expect((await ask('begin/company/processor/setup')).url).toContain('https://connect.stripe.test/setup/acct_')
    const known = [...stripe.world.accounts.values()].at(-1)
    if (!known) throw new Error('there is no account')
    expect(await standing()).toMatchObject({ state: 'in_progress', takesPayments: false })
    known.submitted = true
    expect(await standing()).toMatchObject({ state: 'missing', missing: ['company.tax_id'] })
    known.due = []
    known.pending = ['company.verification.document']
    known.disabled = 'requirements.pending_verification'
    expect(await standing()).toMatchObject({ state: 'in_review', takesPayments: false })
    known.disabled = 'rejected.other'
    expect(await standing()).toMatchObject({ state: 'on_hold', why: 'rejected.other' })
    known.disabled = null
    expect(await standing()).toMatchObject({ state: 'ready', takesPayments: true, isPaidOut: true })
    await setPaymentSettings(portal, { processor_id: 1 })
    expect(await standing()).toMatchObject({ state: 'not_needed' })
    await setPaymentSettings(portal, { processor_id: 2 })
  })
})

describe('what was sent to Stripe', () => {
  test('is what the SDK’s own types allow', () => {
    expect(stripe.requests.length).toBeGreaterThan(50)
    expect(wrongByTypes(stripe.requests)).toEqual([])
  })

  test.skipIf(!hasDescription)('is what Stripe’s description allows (skipped without ../shared)', async () => {
    expect(await wrongByDescription(stripe.requests)).toEqual([])
  })

  test('and what they don’t allow is found', async () => {
    const wrong = { method: 'POST', url: '/v1/refunds', route: 'POST /v1/refunds' }
    const requests = [{ ...wrong, body: 'payment_intent=pi_1&amount=much&reverse_transfers=true' }]
    expect(wrongByTypes(requests)).toHaveLength(1)
    if (hasDescription) expect(await wrongByDescription(requests)).toHaveLength(1)
  })

  test('goes by the SDK of the version that its types were judged by', () => {
    expect(sdkVersion).toBe('22.6.2')
  })
})
