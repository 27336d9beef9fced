import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { liftLimits } from '../../test/databases.ts'
import { testPortal } from '../../test/harness.ts'
import { type CallFate, fateful, ProviderModel, type Scenario } from '../../test/provider-model.ts'
import { addTestPlatformStaff, openAccounts, openTestCompany, sendBills } from '../../test/company.ts'
import { applyEvent } from './server/providers/apply-event.ts'
import { applyIntent } from './server/attempts/apply-intent.ts'
import { ProviderSilent } from './server/providers/provider.ts'
import { provideInstead } from './server/providers/providers.ts'
import { reconcile } from './server/attempts/reconcile.ts'

/** Tests the most important cases that `exactly-once.test.ts` generates at random. */

const HOST = 'maplegrove.localhost'
const TOTAL = 103_05
const ECHECK_TOTAL = 101_50
const portal = await testPortal()
let provider: ProviderModel
let fates: CallFate[] = []
let accounts = 0
/** Number of calls to the provider. */
let queries = 0

beforeAll(async () => {
  await openTestCompany(portal, mapleGrove)
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
        queries++
        return fates.shift() ?? 'fine'
      },
      () => {},
      async () => {},
    ),
  )
  await openAccounts(portal)
})

/** Opens the checkout of a $100.00 bill as a guest. */
async function guest() {
  const { body } = await portal.post(HOST, 'find/guest/bill', { accountNumber: `9${accounts++}`, zip: '17011' })
  const pay = (scenario: Scenario = 'ok') => {
    const echeck = scenario.startsWith('echeck')
    const expectedTotalCents = echeck ? ECHECK_TOTAL : TOTAL
    return portal.post(
      HOST,
      'pay/guest/bill',
      {
        ...{ token: body.token, payType: 1, method: echeck ? 2 : 1, billCents: 100_00, expectedTotalCents },
        ...{ email: 'ada@example.com', methodToken: provider.token(scenario) },
      },
      { headers: { 'idempotency-key': randomUUID() } },
    )
  }
  const state = async () =>
    (await portal.post(HOST, 'return/guest/checkout', { token: body.token })).body.payment?.state
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

test('cancels an unconfirmed charge at the provider before it counts as declined', async () => {
  const { pay, state } = await guest()
  // The provider creates the charge, then the portal process crashes.
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

test('checks a confirmation with a lost answer until its state is known', async () => {
  const { pay, state } = await guest()
  fates = ['fine', 'silent after', 'silent before']
  expect((await pay()).body.state).toBe('working')
  expect(charges()).toEqual(['succeeded'])
  portal.clock.advance(5000)
  await reconcile(portal.context)
  expect(await state()).toBe('paid')
  expect(await order()).toMatchObject({ status: 1, clearing: TOTAL })
})

test('counts twenty refunds reported at the same time', async () => {
  const { pay } = await guest()
  await pay()
  for (let n = 0; n < 20; n++) provider.refund(0, 2)
  const events = provider.events.filter(({ object }) => object === 'refund')
  await Promise.all(events.map((event) => applyEvent(portal.context, event)))
  const refunded = [...provider.refunds.values()].reduce((sum, { amountCents }) => sum + amountCents, 0)
  expect(await order()).toMatchObject({ refunded_cents: refunded, clearing: TOTAL - refunded })
})

test('refunds the whole fee when the bill is refunded in parts', async () => {
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

/** Returns the ledger balance of each account, in cents, for the newest order. Skips balances of 0. */
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

/** Delivers the provider's events of these types, in this order. All other events get lost. */
async function arrive(...types: string[]): Promise<void> {
  for (const type of types)
    for (const event of provider.events.filter((one) => one.type === type)) await applyEvent(portal.context, event)
}

/** Pays $101.50 with an eCheck that the bank later returns. */
async function paidByECheck() {
  const payer = await guest()
  await payer.pay('echeck_R10')
  provider.advance(0)
  await arrive('capture')
  expect(await payer.state()).toBe('paid')
  return payer
}

/** Test cases: name, events that arrive before the bank returns the eCheck, and events that arrive after it. */
const returns: [string, string[], string[]][] = [
  ['as they happened', ['refund'], ['return']],
  ['the return first', [], ['return', 'refund']],
  ['the return’s event lost, since the charge itself says so', [], ['refund', 'refund']],
]

test.each(returns)('charges the payer for an eCheck refunded and then returned: %s', async (_how, before, after) => {
  const { state } = await paidByECheck()
  provider.refund(0, 100)
  await arrive(...before)
  provider.advance(0)
  await arrive(...after)
  expect(await books()).toEqual({ gateway_clearing: -ECHECK_TOTAL, returns_receivable: ECHECK_TOTAL })
  expect(await order()).toMatchObject({ status: 2, refunded_cents: ECHECK_TOTAL })
  expect(await state()).toBe('returned')
  expect(await alerts()).toEqual(expect.arrayContaining(['returned', 'owed_by_payer']))
})

test.each(returns)('charges only the refunded part of a returned eCheck: %s', async (_how, before, after) => {
  await paidByECheck()
  provider.refund(0, 33)
  const part = [...provider.refunds.values()][0]?.amountCents ?? 0
  await arrive(...before)
  provider.advance(0)
  await arrive(...after)
  expect(await books()).toEqual({ gateway_clearing: -part, returns_receivable: part })
  expect(await order()).toMatchObject({ status: 2, refunded_cents: part })
})

test('ignores late news about a charge from before its return', async () => {
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
  const existing = await attempt()
  expect(existing).toMatchObject({ status: 2, step: 'returned' })
  const before = await books()
  await applyIntent(portal.context, existing.company_id, existing.id, paid)
  expect(await attempt()).toEqual(existing)
  expect(await books()).toEqual(before)
  expect(await state()).toBe('returned')
})

test('waits for a locked account and charges nothing in the meantime', async () => {
  const { pay } = await guest()
  const holder = await portal.owner.connect()
  try {
    await holder.query('BEGIN')
    await holder.query('SELECT FROM utility_account WHERE account_number = $1 FOR NO KEY UPDATE', [`9${accounts - 1}`])
    const response = pay()
    const blockedCount = async () =>
      (
        await portal.owner.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
      ).rowCount
    await expect.poll(blockedCount).toBe(1)
    expect(charges()).toEqual([])
    await holder.query('COMMIT')
    expect((await response).body.state).toBe('paid')
  } finally {
    holder.release()
  }
})

test('finds lost refund, return and dispute events in the provider’s account', async () => {
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

test('skips nothing if a reconciliation run crashes', async () => {
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

test('reserves disputed money, returns it if won, books the loss if lost', async () => {
  const { pay, state } = await guest()
  await pay()
  const booksBefore = await books()
  provider.dispute(0)
  await arrive('dispute')
  expect(await books()).toEqual({ ...booksBefore, gateway_clearing: undefined, dispute_reserve: TOTAL })
  provider.decide(0, 'won')
  await arrive('dispute', 'dispute_won')
  expect(await books()).toEqual(booksBefore)

  const other = await guest()
  await other.pay()
  provider.refund(1, 50)
  provider.dispute(0)
  provider.decide(0, 'lost')
  // Events arrive in the wrong order: the dispute is lost before it starts.
  await arrive('dispute_lost', 'refund', 'dispute')
  const part = [...provider.refunds.values()][0]?.amountCents ?? 0
  expect(await books()).toEqual({ gateway_clearing: -part, returns_receivable: part })
  expect(await order()).toMatchObject({ status: 3, refunded_cents: part })
  expect(await state()).toBe('paid')
  expect(await other.state()).toBe('refunded')
})

test('marks a payment as paid again if the bank refuses its refund', async () => {
  const { pay, state } = await guest()
  await pay()
  const booksBefore = await books()
  provider.refund(0, 100)
  await arrive('refund')
  expect(await state()).toBe('refunded')
  provider.failRefund(0)
  await arrive('refund_failed', 'refund')
  expect(await books()).toEqual(booksBefore)
  expect(await order()).toMatchObject({ status: 1, refunded_cents: 0 })
})

/** Posts an event to the portal, as the provider does. */
const post = (event: object) =>
  portal.app.inject({
    ...{ method: 'POST', url: '/webhooks/sandbox', payload: JSON.stringify(event) },
    headers: { 'content-type': 'application/json' },
  })

test('processes other events despite 205 that can never be applied', async () => {
  const { pay } = await guest()
  await pay()
  const nowhere = { type: 'capture', account: 'acct_gone', object: 'intent', intentId: 'pi_gone', objectId: 'pi_gone' }
  queries = 0
  for (let n = 0; n < 205; n++) await post({ ...nowhere, id: `evt_poison_${n}` })
  await expect.poll(() => queries).toBe(205)
  portal.clock.advance(1000)
  provider.refund(0, 100)
  // The provider does not respond and lists no movements, so the portal learns of the refund only from the event.
  provider.movements.length = 0
  fates = ['silent before']
  await post(provider.events.find(({ type }) => type === 'refund') ?? {})
  await expect.poll(() => fates).toEqual([])
  portal.clock.advance(61_000)
  await reconcile(portal.context)
  expect(await order()).toMatchObject({ status: 3, clearing: 0 })
})

test('processes other attempts despite 205 unknown to the provider', async () => {
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

/** Fields of a charge that never moved money. The company does not matter here. */
const fixed = {
  ...{ status: 'canceled' as const, amountCents: 500, refundedCents: 0, error: null, actionUrl: null },
  ...{ methodLabel: '', returnCode: null, companyId: null },
}

const inbox = async (id: string) =>
  (
    await portal.owner.query(
      'SELECT tries, applied_at, abandoned_at, last_error FROM provider_event WHERE event_id = $1',
      [id],
    )
  ).rows[0]

/** Runs the reconciler several times, each time after the maximum retry delay of 6 hours. */
async function reconcileTimes(times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    portal.clock.advance(6 * 3_600_000)
    await reconcile(portal.context)
  }
}

test('retries a refused event with growing waits, then stops', async () => {
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
  await reconcileTimes(9)
  expect(await inbox('evt_refused')).toMatchObject({ tries: 12, applied_at: null, abandoned_at: expect.any(Date) })

  // Platform staff see the event and retry it after they fix the cause.
  const token = await portal.signIn('admin.localhost', 'super@mainstreet.example')
  const callApi = async (path: string, body: object) =>
    (await portal.post('admin.localhost', path, body, { token })).body
  const listed = async () => (await callApi('admin/return/provider/events', { filters: {}, search: 'pi_gone' })).rows
  const [row] = await listed()
  expect(row).toMatchObject({
    about: 'capture pi_gone',
    company: '',
    tries: 12,
    nextTry: '',
    abandoned: true,
    can: { repeat: true },
  })
  const repeat = () => callApi('admin/repeat/provider/event', { eventId: row.id })
  expect(await repeat()).toEqual({ success: false, error: 'no such intent' })
  const { getIntent } = provider
  provider.getIntent = async () => ({ ...fixed, id: 'pi_gone' })
  expect(await repeat()).toEqual({ success: true, error: '' })
  expect((await listed()).filter(({ id }: { id: number }) => id === row.id)).toEqual([])
  provider.getIntent = getIntent

  provider.getIntent = async () => {
    throw new ProviderSilent('nobody answers')
  }
  await post({ ...gone, id: 'evt_silent' })
  await expect.poll(async () => (await inbox('evt_silent')).last_error).toBe('nobody answers')
  await reconcileTimes(13)
  expect(await inbox('evt_silent')).toMatchObject({ tries: 13, abandoned_at: null, last_error: 'nobody answers' })
})

test('reports money of a charge that belongs to no company', async () => {
  const { companyId } = [...(await paidCharge()).charges.values()].map(({ intent }) => intent)[0] ?? {}
  const intentRequest = {
    amountCents: 500,
    feeCents: 0,
    method: 'card' as const,
    description: '',
    companyId: companyId ?? 0,
  }
  const stranger = await provider.createIntent('acct_test', intentRequest, 'of somebody else')
  await provider.confirmIntent(
    'acct_test',
    stranger.id,
    { token: provider.token('ok') },
    '',
    'of somebody else, confirmed',
  )
  await reconcile(portal.context)
  const movement = provider.movements.find(({ intentId }) => intentId === stranger.id)
  expect(await inbox(`movement:${movement?.id}`)).toMatchObject({
    applied_at: null,
    last_error: expect.stringContaining(`moved money of the charge ${stranger.id}`),
  })
  // After the refund, the charge has a net amount of 0. The portal therefore treats the charge as a test of the
  // provider.
  provider.refund([...provider.charges.keys()].indexOf(stranger.id), 100)
  await reconcileTimes(1)
  expect(await inbox(`movement:${movement?.id}`)).toMatchObject({ applied_at: expect.any(Date) })
})

async function paidCharge() {
  const { pay } = await guest()
  await pay()
  return provider
}
