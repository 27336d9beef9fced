import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { liftLimits } from '../../test/databases.ts'
import { testPortal } from '../../test/harness.ts'
import { type Fate, fateful, ProviderModel, type Scenario } from '../../test/provider-model.ts'
import { openTestTown } from '../../test/town.ts'
import { importBills } from '../utility-accounts/server/import-bills.ts'
import { applyEvent } from './server/provider-events.ts'
import { provideInstead } from './server/providers.ts'
import { reconcile } from './server/reconcile.ts'

/** The cases that matter most of what `exactly-once.test.ts` looks for at random: each by name, every time. */

const TOWN = 'maplegrove.localhost'
const TOTAL = 103_05
const portal = await testPortal()
let provider: ProviderModel
let fates: Fate[] = []
let accounts = 0

beforeAll(async () => {
  await openTestTown(portal, mapleGrove)
  await liftLimits(portal.owner)
  const head =
    'account_number,customer_name,service_address,city,state,zip,bill_number,bill_date,due_date,period_start,period_end,service_1,amount_1'
  const lines = Array.from(
    { length: 9 },
    (_, n) =>
      `9${n},Ada Quill,${n} Elm Street,Maple Grove,PA,17011,L${n},2026-11-01,2026-12-01,2026-10-01,2026-10-31,Water,100.00`,
  )
  const { db, clock, house } = portal
  await importBills({ db, clock, log: house.log }, 'maplegrove', Readable.from([[head, ...lines].join('\n')]))
})

beforeEach(async () => {
  provider = new ProviderModel()
  fates = []
  provideInstead(
    portal.config,
    fateful(
      provider,
      () => fates.shift() ?? 'fine',
      () => {},
      async () => {},
    ),
  )
  await portal.owner.query(`UPDATE payment_settings SET provider_account = 'acct_test'`)
})

/** A guest before a bill of $100.00. */
async function guest() {
  const { body } = await portal.post(TOWN, 'find/guest/bill', { accountNumber: `9${accounts++}`, zip: '17011' })
  const pay = (scenario: Scenario = 'ok') =>
    portal.post(
      TOWN,
      'pay/guest/bill',
      {
        ...{ token: body.token, payType: 1, method: 1, billCents: 100_00, expectedTotalCents: TOTAL },
        ...{ email: 'ada@example.com', methodToken: provider.token(scenario) },
      },
      { headers: { 'idempotency-key': randomUUID() } },
    )
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
  await reconcile(portal.house)
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
  await reconcile(portal.house)
  expect(await state()).toBe('paid')
  expect(await order()).toMatchObject({ status: 1, clearing: TOTAL })
})

test('twenty refunds that are told at once are all counted', async () => {
  const { pay } = await guest()
  await pay()
  for (let n = 0; n < 20; n++) provider.refund(0, 2)
  const events = provider.events.filter(({ object }) => object === 'refund')
  await Promise.all(events.map((event) => applyEvent(portal.house, event)))
  const refunded = [...provider.refunds.values()].reduce((sum, { amountCents }) => sum + amountCents, 0)
  expect(await order()).toMatchObject({ refunded_cents: refunded, clearing: TOTAL - refunded })
})

test('a payment that is given back bit by bit gives all of its fee back', async () => {
  const { pay } = await guest()
  await pay()
  for (const percent of [7, 13, 29, 31, 50, 100]) provider.refund(0, percent)
  for (const event of provider.events.filter(({ object }) => object === 'refund')) await applyEvent(portal.house, event)
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
