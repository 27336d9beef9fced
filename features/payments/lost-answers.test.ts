import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { liftLimits } from '../../test/databases.ts'
import { testPortal } from '../../test/harness.ts'
import { type CallFate, fateful, ProviderModel, type Scenario } from '../../test/provider-model.ts'
import { addTestPlatformStaff, openAccounts, openTestTown, sendBills } from '../../test/town.ts'
import { applyEvent } from './server/apply-event.ts'
import { applyIntent } from './server/apply-intent.ts'
import { ProviderSilent } from './server/provider.ts'
import { provideInstead } from './server/providers.ts'
import { reconcile } from './server/reconcile.ts'

/** The cases that matter most of what `exactly-once.test.ts` looks for at random: each by name, every time. */

const TOWN = 'maplegrove.localhost'
const TOTAL = 103_05
const ECHECK_TOTAL = 101_50
const portal = await testPortal()
let provider: ProviderModel
let fates: CallFate[] = []
let accounts = 0
/** How often the provider was asked anything. */
let asked = 0

beforeAll(async () => {
  await openTestTown(portal, mapleGrove)
  await addTestPlatformStaff(portal)
  await liftLimits(portal.owner)
  await sendBills(
    portal,
    Array.from({ length: 40 }, (_, n) => ({ account: `9${n}`, bill: `L${n}` })),
  )
})

beforeEach(async () => {
  provider = new ProviderModel()
  fates = []
  provideInstead(
    portal.config,
    fateful(
      provider,
      () => {
        asked++
        return fates.shift() ?? 'fine'
      },
      () => {},
      async () => {},
    ),
  )
  await openAccounts(portal)
})

/** A guest before a bill of $100.00. */
async function guest() {
  const { body } = await portal.post(TOWN, 'find/guest/bill', { accountNumber: `9${accounts++}`, zip: '17011' })
  const pay = (scenario: Scenario = 'ok') => {
    const echeck = scenario.startsWith('echeck')
    const expectedTotalCents = echeck ? ECHECK_TOTAL : TOTAL
    return portal.post(
      TOWN,
      'pay/guest/bill',
      {
        ...{ token: body.token, payType: 1, method: echeck ? 2 : 1, billCents: 100_00, expectedTotalCents },
        ...{ email: 'ada@example.com', methodToken: provider.token(scenario) },
      },
      { headers: { 'idempotency-key': randomUUID() } },
    )
  }
  const state = async () =>
    (await portal.post(TOWN, 'return/guest/checkout', { token: body.token })).body.payment?.state
  return { pay, state }
}

const charges = () => [...provider.charges.values()].map(({ intent }) => intent.status)
const order = async () => {
  const { rows } = await portal.owner.query(
    `SELECT o.status, o.refunded_cents, (SELECT sum(CASE WHEN debit_account = 'gateway_clearing' THEN amount_cents ELSE -amount_cents END)::int
       FROM ledger_transfer t WHERE t.order_id = o.id AND 'gateway_clearing' IN (debit_account, credit_account)) AS clearing
     FROM payment_order o ORDER BY id DESC LIMIT 1`,
  )
  return rows[0]
}

test('a charge that nobody confirmed is cancelled at the provider before it counts as declined', async () => {
  const { pay, state } = await guest()
  // Made, and then the process died.
  fates = ['crash after']
  void pay()
  await expect.poll(charges).toEqual(['requires_confirmation'])
  portal.clock.advance(60_000)
  await reconcile(portal.context)
  expect(charges()).toEqual(['canceled'])
  expect(await state()).toBe('declined')
  expect((await pay()).body.state).toBe('paid')
  expect(charges()).toEqual(['canceled', 'succeeded'])
})

test('a confirmation whose answer got lost is no decline: it is asked about until it is known', async () => {
  const { pay, state } = await guest()
  fates = ['fine', 'silent after', 'silent before']
  expect((await pay()).body.state).toBe('working')
  expect(charges()).toEqual(['succeeded'])
  portal.clock.advance(5000)
  await reconcile(portal.context)
  expect(await state()).toBe('paid')
  expect(await order()).toMatchObject({ status: 1, clearing: TOTAL })
})

test('twenty refunds that are told at once are all counted', async () => {
  const { pay } = await guest()
  await pay()
  for (let n = 0; n < 20; n++) provider.refund(0, 2)
  const events = provider.events.filter(({ object }) => object === 'refund')
  await Promise.all(events.map((event) => applyEvent(portal.context, event)))
  const refunded = [...provider.refunds.values()].reduce((sum, { amountCents }) => sum + amountCents, 0)
  expect(await order()).toMatchObject({ refunded_cents: refunded, clearing: TOTAL - refunded })
})

test('a payment that is given back bit by bit gives all of its fee back', async () => {
  const { pay } = await guest()
  await pay()
  for (const percent of [7, 13, 29, 31, 50, 100]) provider.refund(0, percent)
  for (const event of provider.events.filter(({ object }) => object === 'refund'))
    await applyEvent(portal.context, event)
  const { rows } = await portal.owner.query(
    `SELECT kind, sum(amount_cents)::int AS cents FROM ledger_transfer
     WHERE kind LIKE 'refund.%' AND order_id = (SELECT max(id) FROM payment_order) GROUP BY kind ORDER BY kind`,
  )
  expect(rows).toEqual([
    { kind: 'refund.bill', cents: 100_00 },
    { kind: 'refund.fee', cents: 3_05 },
  ])
  expect(await order()).toMatchObject({ status: 3, refunded_cents: TOTAL, clearing: 0 })
})

/** What the ledger's accounts hold of the newest order, in cents: what is empty is left out. */
async function books(): Promise<Record<string, number>> {
  const { rows } = await portal.owner.query<{ code: string; cents: number }>(
    `SELECT code, sum(cents)::int AS cents FROM (
       SELECT order_id, debit_account AS code, amount_cents AS cents FROM ledger_transfer
       UNION ALL SELECT order_id, credit_account, -amount_cents FROM ledger_transfer) legs
     WHERE order_id = (SELECT max(id) FROM payment_order) GROUP BY code HAVING sum(cents) <> 0`,
  )
  return Object.fromEntries(rows.map(({ code, cents }) => [code, cents]))
}

const alerts = async (): Promise<string[]> =>
  (
    await portal.owner.query<{ code: string }>(
      'SELECT code FROM payment_alert WHERE order_id = (SELECT max(id) FROM payment_order) ORDER BY id',
    )
  ).rows.map(({ code }) => code)

/** The gateway's events arrive, in this order; what is not named never does. */
async function arrive(...types: string[]): Promise<void> {
  for (const type of types)
    for (const event of provider.events.filter((one) => one.type === type)) await applyEvent(portal.context, event)
}

/** An eCheck of $101.50 that was paid, and that the bank will return. */
async function paidByECheck() {
  const payer = await guest()
  await payer.pay('echeck_R10')
  provider.advance(0)
  await arrive('capture')
  expect(await payer.state()).toBe('paid')
  return payer
}

/** Which events arrive before the bank returns the eCheck, and which after. */
const returns: [string, string[], string[]][] = [
  ['as they happened', ['refund'], ['return']],
  ['the return first', [], ['return', 'refund']],
  ['the return’s event lost, since the charge itself says so', [], ['refund', 'refund']],
]

test.each(returns)(
  'an eCheck that was given back and then returned is owed by the payer: %s',
  async (_how, before, after) => {
    const { state } = await paidByECheck()
    provider.refund(0, 100)
    await arrive(...before)
    provider.advance(0)
    await arrive(...after)
    expect(await books()).toEqual({ gateway_clearing: -ECHECK_TOTAL, returns_receivable: ECHECK_TOTAL })
    expect(await order()).toMatchObject({ status: 2, refunded_cents: ECHECK_TOTAL })
    expect(await state()).toBe('returned')
    expect(await alerts()).toEqual(expect.arrayContaining(['returned', 'owed_by_payer']))
  },
)

test.each(returns)(
  'an eCheck of which a part was given back and that came back owes that part alone: %s',
  async (_how, before, after) => {
    await paidByECheck()
    provider.refund(0, 33)
    const part = [...provider.refunds.values()][0]?.amountCents ?? 0
    await arrive(...before)
    provider.advance(0)
    await arrive(...after)
    expect(await books()).toEqual({ gateway_clearing: -part, returns_receivable: part })
    expect(await order()).toMatchObject({ status: 2, refunded_cents: part })
  },
)

test('what was known of a charge before it came back, and comes late, changes nothing', async () => {
  const { state } = await paidByECheck()
  const [charge] = [...provider.charges.values()]
  if (!charge) throw new Error('nothing was charged')
  const paid = structuredClone(charge.intent)
  expect(paid.status).toBe('succeeded')
  provider.advance(0)
  await arrive('return')
  const attempt = async () => {
    const { rows } = await portal.owner.query(
      'SELECT id, company_id, status, step FROM payment_attempt ORDER BY id DESC LIMIT 1',
    )
    return rows[0]
  }
  const known = await attempt()
  expect(known).toMatchObject({ status: 2, step: 'returned' })
  const before = await books()
  await applyIntent(portal.context, known.company_id, known.id, paid)
  expect(await attempt()).toEqual(known)
  expect(await books()).toEqual(before)
  expect(await state()).toBe('returned')
})

test('whoever pays an account waits for whoever holds it, with nothing charged meanwhile', async () => {
  const { pay } = await guest()
  const holder = await portal.owner.connect()
  try {
    await holder.query('BEGIN')
    await holder.query('SELECT FROM utility_account WHERE account_number = $1 FOR NO KEY UPDATE', [`9${accounts - 1}`])
    const answer = pay()
    const waiting = async () =>
      (
        await portal.owner.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
      ).rowCount
    await expect.poll(waiting).toBe(1)
    expect(charges()).toEqual([])
    await holder.query('COMMIT')
    expect((await answer).body.state).toBe('paid')
  } finally {
    holder.release()
  }
})

test('a refund, a return and a dispute whose events were all lost are found in the provider’s own account', async () => {
  await paidByECheck()
  provider.refund(0, 33)
  const [refund] = [...provider.refunds.values()]
  provider.events.length = 0
  await reconcile(portal.context)
  expect(await order()).toMatchObject({ status: 1, refunded_cents: refund?.amountCents })
  provider.advance(0)
  await reconcile(portal.context)
  expect(await order()).toMatchObject({ status: 2, clearing: -(refund?.amountCents ?? 0) })

  const { pay } = await guest()
  await pay()
  provider.dispute(0)
  await reconcile(portal.context)
  expect(await books()).toMatchObject({ dispute_reserve: TOTAL, payable_municipality: -100_00 })
  expect(await alerts()).toEqual(['disputed'])
})

test('a sweep that dies half way skips nothing', async () => {
  const { pay } = await guest()
  await pay()
  for (let n = 0; n < 3; n++) provider.refund(0, 50)
  const refunded = [...provider.refunds.values()].reduce((sum, { amountCents }) => sum + amountCents, 0)
  for (const deaths of [0, 1, 2, 3]) {
    fates = [...Array.from({ length: deaths }, (): CallFate => 'fine'), 'silent after']
    await reconcile(portal.context)
  }
  portal.clock.advance(5 * 60_000)
  fates = []
  await reconcile(portal.context)
  expect(await order()).toMatchObject({ refunded_cents: refunded, clearing: TOTAL - refunded })
})

test('a dispute is set aside until it is decided: won it is back, lost it is the town’s, less what was refunded', async () => {
  const { pay, state } = await guest()
  await pay()
  const standing = await books()
  provider.dispute(0)
  await arrive('dispute')
  expect(await books()).toEqual({ ...standing, gateway_clearing: undefined, dispute_reserve: TOTAL })
  provider.decide(0, 'won')
  await arrive('dispute', 'dispute_won')
  expect(await books()).toEqual(standing)

  const other = await guest()
  await other.pay()
  provider.refund(1, 50)
  provider.dispute(0)
  provider.decide(0, 'lost')
  // Learned the wrong way round, and the loss before the dispute.
  await arrive('dispute_lost', 'refund', 'dispute')
  const part = [...provider.refunds.values()][0]?.amountCents ?? 0
  expect(await books()).toEqual({ gateway_clearing: -part, returns_receivable: part })
  expect(await order()).toMatchObject({ status: 3, refunded_cents: part })
  expect(await state()).toBe('paid')
  expect(await other.state()).toBe('refunded')
})

test('a refund that the payer’s bank refused is paid again', async () => {
  const { pay, state } = await guest()
  await pay()
  const standing = await books()
  provider.refund(0, 100)
  await arrive('refund')
  expect(await state()).toBe('refunded')
  provider.failRefund(0)
  await arrive('refund_failed', 'refund')
  expect(await books()).toEqual(standing)
  expect(await order()).toMatchObject({ status: 1, refunded_cents: 0 })
})

/** An event as the gateway posts it. */
const post = (event: object) =>
  portal.app.inject({
    ...{ method: 'POST', url: '/webhooks/sandbox', payload: JSON.stringify(event) },
    headers: { 'content-type': 'application/json' },
  })

test('205 events that can never be applied do not hold up the others', async () => {
  const { pay } = await guest()
  await pay()
  const nowhere = { type: 'capture', account: 'acct_gone', object: 'intent', intentId: 'pi_gone', objectId: 'pi_gone' }
  asked = 0
  for (let n = 0; n < 205; n++) await post({ ...nowhere, id: `evt_poison_${n}` })
  await expect.poll(() => asked).toBe(205)
  portal.clock.advance(1000)
  provider.refund(0, 100)
  // Nobody answers when it arrives, and the provider's own account of it is not to be had: the event is all there is.
  provider.movements.length = 0
  fates = ['silent before']
  await post(provider.events.find(({ type }) => type === 'refund') ?? {})
  await expect.poll(() => fates).toEqual([])
  portal.clock.advance(61_000)
  await reconcile(portal.context)
  expect(await order()).toMatchObject({ status: 3, clearing: 0 })
})

test('205 attempts that the provider knows nothing of do not hold up the others', async () => {
  const lost = await guest()
  await lost.pay('slow')
  const { rows } = await portal.owner.query<{ order_id: number }>(
    'SELECT max(order_id) AS order_id FROM payment_attempt',
  )
  const copies = [rows[0]?.order_id]
  await portal.owner.query(
    `INSERT INTO payment_order SELECT (jsonb_populate_record(o, jsonb_build_object('id', o.id * 1000 + n, 'checkout_id', null))).*
     FROM payment_order o, generate_series(1, 205) n WHERE o.id = $1`,
    copies,
  )
  await portal.owner.query(
    `INSERT INTO payment_attempt SELECT (jsonb_populate_record(a, jsonb_build_object('id', a.id * 1000 + n, 'order_id', o.id,
       'intent_id', 'pi_lost_' || n, 'idempotency_key', 'lost-' || n))).*
     FROM payment_attempt a JOIN generate_series(1, 205) n ON true JOIN payment_order o ON o.id = a.order_id * 1000 + n WHERE a.order_id = $1`,
    copies,
  )
  portal.clock.advance(5000)
  const { pay } = await guest()
  await pay('slow')
  const newest = (await portal.owner.query('SELECT max(id) AS id FROM payment_order WHERE checkout_id IS NOT NULL'))
    .rows[0].id
  provider.advance(1)
  provider.movements.length = 0
  for (let minute = 0; minute < 2; minute++) {
    portal.clock.advance(60_000)
    await reconcile(portal.context)
  }
  const { rows: left } = await portal.owner.query('SELECT status FROM payment_order WHERE id = $1', [newest])
  await portal.owner.query("UPDATE payment_attempt SET status = 2, step = 'failed' WHERE intent_id LIKE 'pi_lost_%'")
  expect(left).toEqual([{ status: 1 }])
})

/** A charge that never took anything: whose it is makes no difference. */
const mended = {
  ...{ status: 'canceled' as const, amountCents: 500, refundedCents: 0, error: null, actionUrl: null },
  ...{ means: '', returnCode: null, companyId: null },
}

const inbox = async (id: string) =>
  (
    await portal.owner.query(
      'SELECT tries, applied_at, given_up_at, last_error FROM provider_event WHERE event_id = $1',
      [id],
    )
  ).rows[0]

/** Sweeps so many times, each when the longest wait is over. */
async function sweepFor(times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    portal.clock.advance(6 * 3_600_000)
    await reconcile(portal.context)
  }
}

test('an event that is refused is tried after growing waits, and given up in the end; a provider that is silent is asked on', async () => {
  await portal.owner.query('DELETE FROM provider_event')
  const gone = { type: 'capture', account: 'acct_gone', object: 'intent', intentId: 'pi_gone', objectId: 'pi_gone' }
  await post({ ...gone, id: 'evt_refused' })
  await expect.poll(async () => (await inbox('evt_refused')).last_error).toBe('no such intent')
  const tries: number[] = []
  for (let minute = 0; minute < 8; minute++) {
    portal.clock.advance(60_000)
    await reconcile(portal.context)
    tries.push((await inbox('evt_refused')).tries)
  }
  expect(tries).toEqual([1, 2, 2, 3, 3, 3, 3, 4])
  await sweepFor(9)
  expect(await inbox('evt_refused')).toMatchObject({ tries: 12, applied_at: null, given_up_at: expect.any(Date) })

  // The platform's staff see it, and try it again when whatever was against it is mended.
  const token = await portal.signIn('admin.localhost', 'super@mainstreet.example')
  const ask = async (path: string, body: object) => (await portal.post('admin.localhost', path, body, { token })).body
  const listed = async () => (await ask('admin/return/provider/events', { filters: {}, search: 'pi_gone' })).rows
  const [row] = await listed()
  expect(row).toMatchObject({
    about: 'capture pi_gone',
    town: '',
    tries: 12,
    nextTry: '',
    givenUp: true,
    can: { repeat: true },
  })
  const repeat = () => ask('admin/repeat/provider/event', { eventId: row.id })
  expect(await repeat()).toEqual({ success: false, error: 'no such intent' })
  const { getIntent } = provider
  provider.getIntent = async () => ({ ...mended, id: 'pi_gone' })
  expect(await repeat()).toEqual({ success: true, error: '' })
  expect((await listed()).filter(({ id }: { id: number }) => id === row.id)).toEqual([])
  provider.getIntent = getIntent

  provider.getIntent = async () => {
    throw new ProviderSilent('nobody answers')
  }
  await post({ ...gone, id: 'evt_silent' })
  await expect.poll(async () => (await inbox('evt_silent')).last_error).toBe('nobody answers')
  await sweepFor(13)
  expect(await inbox('evt_silent')).toMatchObject({ tries: 13, given_up_at: null, last_error: 'nobody answers' })
})

test('money of a charge that no town knows is not passed over', async () => {
  const { companyId } = [...(await paidCharge()).charges.values()].map(({ intent }) => intent)[0] ?? {}
  const wanted = { amountCents: 500, feeCents: 0, method: 'card' as const, description: '', companyId: companyId ?? 0 }
  const stranger = await provider.createIntent('acct_test', wanted, 'of somebody else')
  await provider.confirmIntent(
    'acct_test',
    stranger.id,
    { token: provider.token('ok') },
    '',
    'of somebody else, confirmed',
  )
  await reconcile(portal.context)
  const found = provider.movements.find(({ intentId }) => intentId === stranger.id)
  expect(await inbox(`movement:${found?.id}`)).toMatchObject({
    applied_at: null,
    last_error: expect.stringContaining(`moved money of the charge ${stranger.id}`),
  })
  // Given back, it is nobody's loss: a trial of the gateway.
  provider.refund([...provider.charges.keys()].indexOf(stranger.id), 100)
  await sweepFor(1)
  expect(await inbox(`movement:${found?.id}`)).toMatchObject({ applied_at: expect.any(Date) })
})

async function paidCharge() {
  const { pay } = await guest()
  await pay()
  return provider
}
