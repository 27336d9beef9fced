import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { liftLimits } from '../../test/databases.ts'
import { testPortal } from '../../test/harness.ts'
import { ProviderModel } from '../../test/provider-model.ts'
import { addTestPlatformStaff, openAccounts, openTestCompany, sendBills } from '../../test/company.ts'
import { ProviderSilent } from './server/providers/provider.ts'
import { provideInstead } from './server/providers/providers.ts'
import { reconcile } from './server/attempts/reconcile.ts'

/** Tests companies with different providers. Each payment stays with the provider that started it. */

const MAPLE = 'maplegrove.localhost'
const HARBOR = 'harborcity.localhost'
const ADMIN = 'admin.localhost'
const TOTAL = 103_05
const portal = await testPortal()
const rows = async (text: string) => (await portal.owner.query(text)).rows
let sandbox: ProviderModel
let stripe: ProviderModel
let maple = 0
let harbor = 0
let accounts = 0

beforeAll(async () => {
  maple = await openTestCompany(portal, mapleGrove)
  harbor = await openTestCompany(portal, harborCity)
  await addTestPlatformStaff(portal)
  await liftLimits(portal.owner)
  // Account numbers and bill numbers are the same in both companies.
  const bills = Array.from({ length: 16 }, (_, n) => ({ account: `9${n}`, bill: `L${n}` }))
  await sendBills(portal, bills)
  await sendBills(portal, bills, 'harborcity')
})
beforeEach(async () => {
  sandbox = new ProviderModel()
  stripe = new ProviderModel('stripe')
  provideInstead(portal.config, sandbox)
  provideInstead(portal.config, stripe)
  await openAccounts(portal)
  await openAccounts(portal, { provider: 'stripe', account: 'acct_stripe' })
  await use(1)
})

/** Selects the processor of Maple Grove as platform staff. */
async function use(processor: number) {
  const token = await portal.signIn(ADMIN, 'super@mainstreet.example')
  const staff = await rows(
    `SELECT id FROM person WHERE email IN ('admin@maplegrove.example', 'manager@maplegrove.example')`,
  )
  const [primaryStaff, secondaryStaff] = staff.map(({ id }) => id)
  const form = { company: maple, selectedProcessor: processor, primaryStaff, secondaryStaff }
  return portal.post(ADMIN, 'admin/save/company/util/processor', form, { token })
}

async function guest(host = MAPLE) {
  const { body } = await portal.post(host, 'find/guest/bill', { accountNumber: `9${accounts++}`, zip: '17011' })
  return (methodToken: string, method = 1, total = method === 1 ? TOTAL : 101_50) =>
    portal.post(
      host,
      'pay/guest/bill',
      {
        ...{ token: body.token, payType: 1, method, billCents: 100_00, email: 'ada@example.com', methodToken },
        expectedTotalCents: total,
      },
      { headers: { 'idempotency-key': randomUUID() } },
    )
}

const charged = (model: ProviderModel) => [...model.charges.values()].map(({ intent }) => intent.status)

test('charges two companies through two providers in parallel', async () => {
  await portal.owner.query('UPDATE payment_settings SET processor_id = 2 WHERE company_id <> $1', [maple])
  const [pay, payElsewhere] = [await guest(), await guest(HARBOR)]
  expect((await pay(sandbox.token('ok'))).body.state).toBe('paid')
  // Harbor City absorbs the fee, so the payer pays only the bill.
  expect((await payElsewhere(stripe.token('ok'), 1, 100_00)).body.state).toBe('paid')
  expect([charged(sandbox), charged(stripe)]).toEqual([['succeeded'], ['succeeded']])
  expect(await rows('SELECT company_id, source FROM ledger_transfer GROUP BY 1, 2 ORDER BY 2')).toEqual([
    { company_id: maple, source: 'sandbox' },
    { company_id: harbor, source: 'stripe' },
  ])
})

test('completes a pending payment with its original provider after a change', async () => {
  const pay = await guest()
  expect((await pay(sandbox.token('echeck'), 2)).body.state).toBe('processing')
  expect((await use(2)).body).toMatchObject({ success: true })
  const next = await guest()
  expect((await next(stripe.token('ok'))).body.state).toBe('paid')
  sandbox.advance(0)
  portal.clock.advance(60_000)
  await reconcile(portal.context)
  const attempts = await rows('SELECT provider, step FROM payment_attempt ORDER BY id DESC LIMIT 2')
  expect(attempts).toEqual([
    { provider: 'stripe', step: 'succeeded' },
    { provider: 'sandbox', step: 'succeeded' },
  ])
  expect([charged(sandbox), charged(stripe)]).toEqual([['succeeded'], ['succeeded']])
})

test('refunds a payment through its original provider', async () => {
  await (
    await guest()
  )(sandbox.token('ok'))
  await use(2)
  const [order] = await rows('SELECT max(id) AS id FROM payment_order')
  const token = await portal.signIn(MAPLE, 'admin@maplegrove.example')
  const { body } = await portal.post(
    MAPLE,
    'muni/refund/payment',
    { paymentId: order.id, kind: 'refund', amountCents: 2000, reason: 'Twice', line: null },
    { token, headers: { 'idempotency-key': randomUUID() } },
  )
  expect(body).toMatchObject({ success: true })
  expect([...sandbox.refunds.values()].map(({ amountCents }) => amountCents)).toEqual([2000])
  expect(stripe.refunds.size).toBe(0)
})

test('reads each movement list from its own position despite an outage', async () => {
  await (
    await guest()
  )(sandbox.token('ok'))
  await use(2)
  await (
    await guest()
  )(stripe.token('ok'))
  stripe.listMovements = async () => Promise.reject(new Error('down'))
  await reconcile(portal.context)
  stripe.listMovements = ProviderModel.prototype.listMovements.bind(stripe)
  sandbox.refund(0, 100)
  await reconcile(portal.context)
  expect(await rows('SELECT provider FROM provider_position ORDER BY 1')).toEqual([
    { provider: 'sandbox' },
    { provider: 'stripe' },
  ])
  expect(await rows(`SELECT sum(refunded_cents)::int AS cents FROM payment_order WHERE status = 3`)).toEqual([
    { cents: TOTAL },
  ])
})

test('refuses a card saved at the former provider and names the remedy', async () => {
  const token = await portal.signIn(MAPLE, 'resident@maplegrove.example')
  const as = () => ({ token, headers: { 'idempotency-key': randomUUID() } })
  const added = await portal.post(
    MAPLE,
    'add/payment/method',
    { method: 1, agree: true, methodToken: sandbox.token('ok') },
    as(),
  )
  expect(added.status).toBe(200)
  await use(2)
  const { body } = await portal.post(MAPLE, 'return/payment/methods', {}, as())
  expect(body.methods).toMatchObject([{ unusable: 'elsewhere' }])
  const checkout = await portal.post(MAPLE, 'find/guest/bill', { accountNumber: `9${accounts++}`, zip: '17011' }, as())
  const paid = await portal.post(
    MAPLE,
    'pay/guest/bill',
    {
      ...{ token: checkout.body.token, payType: 1, method: 1, billCents: 100_00, expectedTotalCents: TOTAL },
      ...{ email: 'ada@example.com', storedMethodId: added.body.id },
    },
    as(),
  )
  expect([paid.status, paid.body.message]).toEqual([
    409,
    'Visa ending 4242 is stored with a payment provider that we no longer use. Nothing was charged. Add it again.',
  ])
  expect(charged(stripe)).toEqual([])
})

test('uses the second provider in an outage except for uncertain payments', async () => {
  const token = await portal.signIn(MAPLE, 'admin@maplegrove.example')
  const choose = (provider: string | null) =>
    portal.post(
      MAPLE,
      'muni/choose/second/provider',
      { provider },
      { token, headers: { 'idempotency-key': randomUUID() } },
    )
  expect((await choose('stripe')).body.message).toBe('Stripe cannot take payments for the municipality yet.')
  expect((await choose('sandbox')).status).toBe(409)
  await portal.owner.query(
    `INSERT INTO provider_onboarding (company_id, provider, status, created_at, status_at, next_check_at) VALUES ($1, 'stripe', 'ready', now(), now(), now())
     ON CONFLICT (company_id, provider) DO UPDATE SET status = 'ready'`,
    [maple],
  )
  expect((await choose('stripe')).body.success).toBe(true)
  // The provider never responds, so the outcome of this payment is unknown.
  const silent = async () => Promise.reject(new ProviderSilent('nobody answers'))
  const pay = await guest()
  sandbox.confirmIntent = silent
  sandbox.getIntent = silent
  expect((await pay(sandbox.token('ok'))).body.state).toBe('working')
  // During normal operation of the first provider, the portal does not call the second one.
  expect(charged(stripe)).toEqual([])
  await portal.owner.query(
    `INSERT INTO payment_outage (company_id, provider, since, noticed_at) VALUES ($1, 'sandbox', $2, $2)`,
    [maple, portal.clock.now()],
  )
  portal.clock.advance(10_000)
  accounts--
  expect((await (await guest())(stripe.token('ok'))).status).toBe(422)
  expect(charged(stripe)).toEqual([])
  expect((await (await guest())(stripe.token('ok'))).body.state).toBe('paid')
  expect(charged(stripe)).toEqual(['succeeded'])
  expect((await portal.post(MAPLE, 'return/current/alerts', {})).body.notices).toEqual([])
  // Both providers have an outage, so the banner appears.
  await portal.owner.query(
    `INSERT INTO payment_outage (company_id, provider, since, noticed_at) VALUES ($1, 'stripe', $2, $2)`,
    [maple, portal.clock.now()],
  )
  expect((await portal.post(MAPLE, 'return/current/alerts', {})).body.notices).toHaveLength(1)
  await portal.owner.query('UPDATE payment_outage SET until = $1', [portal.clock.now()])
  portal.clock.advance(10_000)
  sandbox.confirmIntent = ProviderModel.prototype.confirmIntent.bind(sandbox)
  sandbox.getIntent = ProviderModel.prototype.getIntent.bind(sandbox)
  expect((await (await guest())(sandbox.token('ok'))).body.state).toBe('paid')
  expect(charged(stripe)).toEqual(['succeeded'])
})

test('refuses a processor that the portal is not connected to', async () => {
  const bare = await testPortal()
  await openTestCompany(bare, mapleGrove)
  await addTestPlatformStaff(bare)
  const token = await bare.signIn(ADMIN, 'super@mainstreet.example')
  const { rows: people } = await bare.owner.query(
    `SELECT id, company_id FROM person WHERE email IN ('admin@maplegrove.example', 'manager@maplegrove.example')`,
  )
  const [{ id, company_id: company }, other] = people
  const form = { company, selectedProcessor: 2, primaryStaff: id, secondaryStaff: other.id }
  const { status, body } = await bare.post(ADMIN, 'admin/save/company/util/processor', form, { token })
  expect([status, body.message]).toEqual([
    422,
    'This portal is not connected to Stripe yet. Ask the portal operator to connect it first.',
  ])
})
