import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import { liftLimits } from '../../test/databases.ts'
import { testDatabase, testPortal } from '../../test/harness.ts'
import { addPermits, makePermitTables, permits } from '../../test/permits.ts'
import { ProviderModel, type Scenario } from '../../test/provider-model.ts'
import { openTestTown } from '../../test/town.ts'
import { importBills } from '../utility-accounts/server/import-bills.ts'
import { utilityBills } from '../utility-accounts/server/payable.ts'
import { limitsFor, owedInAll, quoteOf, settledOf, spread } from './rules.ts'
import { applyEvent } from './server/apply-event.ts'
import { beginPayment } from './server/begin-payment.ts'
import { openCheckout } from './server/checkout.ts'
import { driveAttempt } from './server/drive-attempt.ts'
import { definePayable } from './server/payables.ts'
import { provideInstead } from './server/providers.ts'
import { settingsOf, throughOf } from './server/settings.ts'
import { verifyLedger } from './server/verify-ledger.ts'

/** Payments of several things at once, of two kinds: utility accounts that owe $100.00 and permits of $40.00. */

const TOWN = 'maplegrove.localhost'
const FEES = { program: 'convenience', absorb: 0, cardBps: 275, cardFixedCents: 30, cardMinCents: 195 } as const
const fees = { ...FEES, cardMaxCents: 4995, echeckCents: 150 }
const database = await testDatabase()
const portal = await testPortal({ database })
afterAll(definePayable(permits))
let provider: ProviderModel
let company: CompanyId
let used = 0

beforeAll(async () => {
  company = await openTestTown(portal, mapleGrove)
  await liftLimits(portal.owner)
  await makePermitTables(portal.owner)
  await addPermits(portal.owner, company, 0, 100, 40_00)
  const head =
    'account_number,customer_name,service_address,city,state,zip,bill_number,bill_date,due_date,period_start,period_end,service_1,amount_1'
  const lines = Array.from(
    { length: 100 },
    (_, n) =>
      `5${n},Ada Quill,${n} Elm Street,Maple Grove,PA,17011,P${n},2026-11-01,2026-12-01,2026-10-01,2026-10-31,Water,100.00`,
  )
  const { db, clock, house } = portal
  await importBills({ db, clock, log: house.log }, 'maplegrove', Readable.from([[head, ...lines].join('\n')]))
})

beforeEach(async () => {
  provider = new ProviderModel()
  provideInstead(portal.config, provider)
  await portal.owner.query(`UPDATE payment_settings SET provider_account = 'acct_test'`)
})

type Ref = { kind: string; id: number }

/** An account and a permit that nobody else has. */
async function things(): Promise<{ account: Ref; permit: Ref; number: string }> {
  const id = used++
  const { rows } = await portal.owner.query('SELECT id FROM utility_account WHERE account_number = $1', [`5${id}`])
  return { account: { kind: 'utility', id: rows[0].id }, permit: { kind: permits.kind, id }, number: `5${id}` }
}

async function checkoutOf(...refs: Ref[]) {
  const { house } = portal
  const token = await house.inCompany(company, (tx) => openCheckout(tx, house, company, refs))
  const look = async () => (await portal.post(TOWN, 'return/guest/checkout', { token })).body
  const pay = (billCents: number, { payType = 1, scenario = 'ok' as Scenario } = {}) => {
    const method = scenario.startsWith('echeck') ? 2 : 1
    return portal.post(
      TOWN,
      'pay/guest/bill',
      {
        token,
        payType,
        method,
        billCents,
        expectedTotalCents: quoteOf(fees, method, billCents).totalCents,
        email: 'ada@example.com',
        methodToken: provider.token(scenario),
      },
      { headers: { 'idempotency-key': randomUUID() } },
    )
  }
  /** The lines of its newest order. */
  const lines = async () => {
    const { rows } = await portal.owner.query(
      `SELECT l.kind, l.amount_cents AS amount, l.settled_cents AS settled, l.gl_account AS gl, l.fee_program AS program
       FROM payment_order_line l WHERE l.order_id = (SELECT max(id) FROM payment_order) ORDER BY line_no`,
    )
    return rows as { kind: string; amount: number; settled: number; gl: string; program: string }[]
  }
  return { token, look, pay, lines, settled: async () => (await lines()).map(({ settled }) => settled) }
}

const paidOf = async ({ id }: Ref) =>
  (await portal.owner.query('SELECT paid_cents FROM test_permit WHERE id = $1', [id])).rows[0].paid_cents

/** Everything that the provider tells is applied, twice each. */
async function listen() {
  for (const event of provider.events.splice(0)) {
    await applyEvent(portal.house, event)
    await applyEvent(portal.house, event)
  }
}

test('a bill and a permit are one payment with one fee: each is paid, and the receipt names both', async () => {
  const { account, permit, number } = await things()
  const checkout = await checkoutOf(account, permit)
  expect(await checkout.look()).toMatchObject({
    payableCents: 140_00,
    payables: [
      { title: 'Utility bill', owedCents: 100_00 },
      { title: 'Permit', owedCents: 40_00 },
    ],
  })
  const { body } = await checkout.pay(140_00)
  expect(body).toMatchObject({
    state: 'paid',
    receipt: {
      quote: quoteOf(fees, 1, 140_00),
      lines: [
        { title: 'Utility bill payment', amountCents: 100_00, items: [{ text: 'Water', amountCents: 100_00 }] },
        { title: 'Permit', amountCents: 40_00, facts: [{ name: 'reference', value: `T-${permit.id}` }], items: [] },
      ],
      leftCents: 0,
    },
  })
  expect(await checkout.lines()).toEqual([
    { kind: 'utility', amount: 100_00, settled: 100_00, gl: 'UTILITIES', program: 'convenience' },
    { kind: 'test_permit', amount: 40_00, settled: 40_00, gl: 'PERMITS', program: 'convenience' },
  ])
  expect(await paidOf(permit)).toBe(40_00)
  expect(await checkout.look()).toMatchObject({ payableCents: 0, payables: [{ owedCents: 0 }, { owedCents: 0 }] })
  const staff = await portal.signIn(TOWN, 'staff@maplegrove.example')
  const question = { filters: {}, search: `t-${permit.id} ${number}` }
  const report = await portal.post(TOWN, 'muni/return/payment/transactions', question, { token: staff })
  expect(report.body.rows).toMatchObject([{ type: 'Utility, Permit', accountNumber: `${number}, T-${permit.id}` }])
  const paymentId = report.body.rows[0].id
  const details = await portal.post(TOWN, 'muni/return/payment/details', { paymentId }, { token: staff })
  expect(details.body.lines).toMatchObject([{ amountCents: 100_00 }, { amountCents: 40_00 }])
  const [mail] = (await portal.mails()).slice(-1)
  expect(mail?.text_body ?? JSON.stringify(mail)).toContain(`Account ${number}`)
  const pdf = await portal.get(TOWN, `/guest/payment/${checkout.token}/receipt.pdf`)
  expect(pdf.status).toBe(200)
})

test('a part goes to the lines in their order, and more than all of it to what takes a credit', async () => {
  const { account, permit } = await things()
  const part = await checkoutOf(permit, account)
  expect((await part.pay(60_00, { payType: 2 })).body.state).toBe('paid')
  expect((await part.lines()).map(({ kind, amount }) => [kind, amount])).toEqual([
    ['test_permit', 40_00],
    ['utility', 20_00],
  ])
  const over = await checkoutOf(permit, account)
  expect((await over.pay(90_00, { payType: 3 })).body).toMatchObject({ state: 'paid', receipt: { leftCents: -10_00 } })
  expect((await over.lines()).map(({ kind, amount }) => [kind, amount])).toEqual([['utility', 90_00]])
})

test('what takes no credit is not paid more than it costs', async () => {
  const { permit } = await things()
  const checkout = await checkoutOf(permit)
  expect(await checkout.look()).toMatchObject({ limits: { maxCents: 40_00 } })
  const { status, body } = await checkout.pay(50_00, { payType: 3 })
  expect([status, body.message]).toEqual([422, 'The largest amount is $40.00.'])
  expect((await checkout.pay(40_00)).body.state).toBe('paid')
  expect((await (await checkoutOf(permit)).pay(40_00)).status).toBe(422)
})

test('what goes back is taken from the last line first, and a refund that fails is given again', async () => {
  const { account, permit } = await things()
  const checkout = await checkoutOf(account, permit)
  await checkout.pay(140_00)
  provider.refund(0, 33)
  await listen()
  // A third of $144.15 went back: of the fee its part, the rest of the bill.
  const back = Math.floor((144_15 * 33) / 100)
  const bill = 140_00 - back + Math.floor((4_15 * back) / 144_15)
  expect(await checkout.settled()).toEqual([bill, 0])
  expect(await paidOf(permit)).toBe(0)
  provider.failRefund(0)
  await listen()
  expect(await checkout.settled()).toEqual([100_00, 40_00])
  expect(await paidOf(permit)).toBe(40_00)
})

test('a return and a lost dispute give all lines back; one that is won gives nothing', async () => {
  const { account, permit } = await things()
  const echeck = await checkoutOf(permit, account)
  await echeck.pay(140_00, { scenario: 'echeck_R10' })
  while (provider.unfinished) {
    provider.advance(0)
    await listen()
  }
  expect(await echeck.settled()).toEqual([0, 0])
  expect(await paidOf(permit)).toBe(0)
  for (const [decided, settled] of [
    ['won', [40_00, 100_00]],
    ['lost', [0, 0]],
  ] as const) {
    const fresh = await things()
    const card = await checkoutOf(fresh.permit, fresh.account)
    provider.charges.clear()
    provider.disputes.clear()
    await card.pay(140_00)
    provider.dispute(0)
    await listen()
    expect(await card.settled(), 'what is set aside is not given back yet').toEqual([40_00, 100_00])
    provider.decide(0, decided)
    await listen()
    expect(await card.settled()).toEqual(settled)
    expect(await paidOf(fresh.permit)).toBe(settled[0])
  }
})

test('whoever pays the same things in another order at the same moment waits for nobody in a ring, and one pays', async () => {
  const { account, permit } = await things()
  const checkouts = await Promise.all(
    Array.from({ length: 8 }, (_, n) => checkoutOf(...(n % 2 ? [account, permit] : [permit, account]))),
  )
  const answers = await Promise.all(checkouts.map(({ pay }) => pay(140_00)))
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
  expect(statuses[0]).toBe(200)
  for (const status of statuses.slice(1)) expect([409, 422]).toContain(status)
  expect(await paidOf(permit)).toBe(40_00)
})

test('news of a payment are applied while its payer tries another card: nobody waits for the other in a ring', async () => {
  for (let n = 0; n < 12; n++) {
    const { permit } = await things()
    const checkout = await checkoutOf(permit)
    provider = new ProviderModel()
    provideInstead(portal.config, provider)
    await checkout.pay(40_00, { scenario: 'challenge' })
    provider.advance(0)
    const [event] = provider.events.splice(0)
    if (!event) throw new Error('the provider tells of what it charged')
    const applied = applyEvent(portal.house, event)
    const answers = await Promise.all([checkout.pay(40_00), checkout.pay(40_00), checkout.pay(40_00)])
    await applied
    for (const { status } of answers) expect([409, 422]).toContain(status)
    expect(await paidOf(permit)).toBe(40_00)
  }
})

test('a declined order is tried again as itself, and as another one when a line of it changed', async () => {
  const { account, permit } = await things()
  const checkout = await checkoutOf(account, permit)
  const declined = await checkout.pay(30_00, { payType: 2, scenario: 'declined' })
  const again = await checkout.pay(30_00, { payType: 2, scenario: 'declined' })
  expect(again.body.reference).toBe(declined.body.reference)
  // Somebody else pays a part of the first meanwhile: what the receipt would say was owed is another figure.
  await (await checkoutOf(account)).pay(20_00, { payType: 2 })
  const other = await checkout.pay(30_00, { payType: 2 })
  expect(other.body.state).toBe('paid')
  expect(other.body.reference).not.toBe(declined.body.reference)
})

test('a stored method pays without a page: once for its key, no more than is owed, and its payer hears of it', async () => {
  const { house } = portal
  const { account, permit } = await things()
  const [town, key] = [await house.hosts.byId(company), randomUUID()]
  if (!town) throw new Error('the town is there')
  const through = await throughOf(house, town, await house.inCompany(company, (tx) => settingsOf(tx, company)))
  const begin = (accountCents: number, its = key) =>
    house.inCompany(company, (tx) =>
      beginPayment(
        tx,
        house,
        town,
        {
          pays: [
            { ...account, amountCents: accountCents },
            { ...permit, amountCents: 40_00 },
          ],
          method: 1,
          location: 6,
          payer: {
            who: {
              as: 'system',
              doer: { session: null, requestId: '', kind: 'system' },
              clock: house.clock,
              known: { id: null, name: 'Autopay' },
            },
            person: null,
            email: 'ada@example.com',
          },
          key: its,
        },
        through,
      ),
    )
  await expect(begin(100_01)).rejects.toMatchObject({ status: 409, code: 'amount_changed' })
  const attempt = await begin(60_00)
  expect(await begin(60_00)).toEqual(attempt)
  const stored = provider.store('ok')
  await driveAttempt(house, town, attempt.id, { stored }, '')
  await driveAttempt(house, town, attempt.id, { stored }, '')
  const { rows } = await portal.owner.query(
    'SELECT status, location, checkout_id, pay_type, bill_cents FROM payment_order WHERE id = $1',
    [attempt.order_id],
  )
  expect(rows).toEqual([{ status: 1, location: 6, checkout_id: null, pay_type: 2, bill_cents: 100_00 }])
  expect(provider.movements.map(({ amountCents }) => amountCents)).toEqual([quoteOf(fees, 1, 100_00).totalCents])
  expect(await paidOf(permit)).toBe(40_00)
  expect(JSON.stringify((await portal.mails()).slice(-1))).toContain('ada@example.com')
  const left = await house.inCompany(company, (tx) => utilityBills.owed(tx, company, account.id))
  expect(left).toEqual({ owedCents: 40_00, pendingCents: 0 })
})

test('all of this holds when the ledger is looked through, and what is planted is found', async () => {
  const wrong = async () =>
    (await verifyLedger(database.urls.platform)).findings
      .filter((finding) => finding.wrong > 0)
      .map(({ holds }) => holds)
  expect(await wrong()).toEqual([])
  const { rows } = await portal.owner.query(
    'UPDATE test_permit_receipt SET cents = cents + 1 WHERE id = 1 RETURNING id',
  )
  expect(rows).toHaveLength(1)
  expect(await wrong()).toEqual(['what is settled of a line is what the thing that it pays says of it'])
})

const amounts = fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 6 })

test('shares of lines add up to the cent, and a cent less takes one cent of one line', () => {
  fc.assert(
    fc.property(amounts, fc.nat(), (cents, seed) => {
      const lines = cents.map((amount_cents) => ({ amount_cents }))
      const all = cents.reduce((sum, amount) => sum + amount, 0)
      const kept = seed % (all + 1)
      const settled = settledOf(lines, kept)
      expect(settled.reduce((sum, part) => sum + part, 0)).toBe(kept)
      for (const [n, part] of settled.entries()) expect(part >= 0 && part <= (cents[n] ?? 0)).toBe(true)
      const less = settledOf(lines, Math.max(0, kept - 1))
      const changed = settled.map((part, n) => part - (less[n] ?? 0)).filter((change) => change !== 0)
      expect(changed).toEqual(kept === 0 ? [] : [1])
    }),
  )
})

test('an amount is spread over what is owed, to the cent, and more than is owed goes to a credit alone', () => {
  const owing = fc.array(fc.record({ owedCents: fc.integer({ min: -5000, max: 9000 }), takesCredit: fc.boolean() }), {
    minLength: 1,
    maxLength: 5,
  })
  fc.assert(
    fc.property(owing, fc.integer({ min: 1, max: 30_000 }), (things, amount) => {
      const shares = spread(amount, things)
      const credit = things.some(({ takesCredit }) => takesCredit)
      const owed = Math.max(0, owedInAll(things))
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(credit ? amount : Math.min(amount, owed))
      for (const [n, { owedCents, takesCredit }] of things.entries())
        if (!takesCredit) expect(shares[n]).toBeLessThanOrEqual(Math.max(0, owedCents))
      const { maxCents } = limitsFor({ minCents: 500, maxCents: 150_000 }, things)
      expect(maxCents).toBe(credit ? 150_000 : Math.max(500, owed))
    }),
  )
})
