import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import type { Call } from '../../server/call.ts'
import type { CompanyId, Tx } from '../../server/tenancy.ts'
import { liftLimits } from '../../test/databases.ts'
import { testDatabase, testPortal } from '../../test/harness.ts'
import { addPermits, makePermitTables, permits } from '../../test/permits.ts'
import { ProviderModel, type Scenario } from '../../test/provider-model.ts'
import { openAccounts, openTestCompany, sendBills } from '../../test/company.ts'
import { utilityBills } from '../utility-accounts/server/payable.ts'
import { quoteOf, quoteOfLines } from '../../test/fees.ts'
import { addQuotes, limitsFor, owedInAll, type AmountDue, sharesOf, spread } from './rules.ts'
import { applyEvent } from './server/providers/apply-event.ts'
import { startPayment } from './server/attempts/start-payment.ts'
import { addToCheckout, putIntoCart } from './server/orders/cart.ts'
import { openCheckout } from './server/orders/checkout.ts'
import { driveAttempt } from './server/attempts/drive-attempt.ts'
import { definePayable } from './server/orders/payable.ts'
import { provideInstead } from './server/providers/providers.ts'
import { settingsOf, ensureProviderRoute } from './server/settings.ts'
import { verifyLedger } from './server/ledger/verify-ledger.ts'

/** Tests payments for several items of two kinds: utility accounts with $100.00 due and permits for $40.00. */

const HOST = 'maplegrove.localhost'
const FEES = { program: 'convenience', absorb: 0, cardBps: 275, cardFixedCents: 30, cardMinCents: 195 } as const
const fees = { ...FEES, cardMaxCents: 4995, echeckCents: 150 }
const database = await testDatabase()
const portal = await testPortal({ database })
afterAll(definePayable(permits))
let provider: ProviderModel
let company: CompanyId
let used = 0

beforeAll(async () => {
  company = await openTestCompany(portal, mapleGrove)
  await liftLimits(portal.owner)
  await makePermitTables(portal.owner)
  await addPermits(portal.owner, company, 0, 100, 40_00)
  await sendBills(
    portal,
    Array.from({ length: 100 }, (_, n) => ({ account: `5${n}`, bill: `P${n}` })),
  )
})

beforeEach(async () => {
  provider = new ProviderModel()
  provideInstead(portal.config, provider)
  await openAccounts(portal)
})

type Ref = { kind: string; id: number }
type Lines = { no: number; payType: number; billCents: number }[] | null

/** Returns an account and a permit that no other test uses. */
async function createPayables(): Promise<{ account: Ref; permit: Ref; number: string }> {
  const id = used++
  const { rows } = await portal.owner.query('SELECT id FROM utility_account WHERE account_number = $1', [`5${id}`])
  return { account: { kind: 'utility', id: rows[0].id }, permit: { kind: permits.kind, id }, number: `5${id}` }
}

async function checkoutOf(...refs: Ref[]) {
  const { context } = portal
  return openedAs(await context.inCompany(company, (tx) => openCheckout(tx, context, company, refs)))
}

async function openedAs(token: string) {
  const readCheckout = async () => (await portal.post(HOST, 'return/guest/checkout', { token })).body
  const readAmountsDue = async (): Promise<AmountDue[]> =>
    (await readCheckout()).payables.map(
      ({ payableCents: owedCents, takesCredit }: { payableCents: number; takesCredit: boolean }) => ({
        owedCents,
        takesCredit,
      }),
    )
  /**
   * Pays a total amount, or an amount for each line. A total is distributed over the amounts that the checkout shows as
   * due.
   */
  const pay = async (billCents: number, { payType = 1, scenario = 'ok' as Scenario, lines = null as Lines } = {}) => {
    const method = scenario.startsWith('echeck') ? 2 : 1
    const amounts = lines?.map((line) => line.billCents) ?? spread(billCents, await readAmountsDue())
    return portal.post(
      HOST,
      'pay/guest/bill',
      {
        token,
        payType,
        method,
        billCents,
        ...(lines && { lines }),
        expectedTotalCents: quoteOfLines(fees, method, amounts).totalCents,
        email: 'ada@example.com',
        methodToken: provider.token(scenario),
      },
      { headers: { 'idempotency-key': randomUUID() } },
    )
  }
  /** Returns the lines of the checkout's newest order. */
  const lines = async () => {
    const { rows } = await portal.owner.query(
      `SELECT l.kind, l.amount_cents AS amount, l.settled_cents AS settled, l.gl_account AS gl, l.fee_program AS program
       FROM payment_order_line l WHERE l.order_id = (SELECT max(id) FROM payment_order) ORDER BY line_no`,
    )
    return rows as { kind: string; amount: number; settled: number; gl: string; program: string }[]
  }
  return { token, load: readCheckout, pay, lines, settled: async () => (await lines()).map(({ settled }) => settled) }
}

const paidOf = async ({ id }: Ref) =>
  (await portal.owner.query('SELECT paid_cents FROM test_permit WHERE id = $1', [id])).rows[0].paid_cents

/** Applies each event of the provider twice. */
async function listen() {
  for (const event of provider.events.splice(0)) {
    await applyEvent(portal.context, event)
    await applyEvent(portal.context, event)
  }
}

test('pays a bill and a permit together, each with its own fee', async () => {
  const { account, permit, number } = await createPayables()
  const checkout = await checkoutOf(account, permit)
  expect(await checkout.load()).toMatchObject({
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
      quote: addQuotes([quoteOf(fees, 1, 100_00), quoteOf(fees, 1, 40_00)]),
      lines: [
        { title: 'Utility bill payment', amountCents: 100_00, items: [{ text: 'Water', amountCents: 100_00 }] },
        { title: 'Permit', amountCents: 40_00, details: [{ name: 'reference', value: `T-${permit.id}` }], items: [] },
      ],
      leftCents: 0,
    },
  })
  expect(await checkout.lines()).toEqual([
    { kind: 'utility', amount: 100_00, settled: 100_00, gl: 'UTILITIES', program: 'convenience' },
    { kind: 'test_permit', amount: 40_00, settled: 40_00, gl: 'PERMITS', program: 'convenience' },
  ])
  expect(await paidOf(permit)).toBe(40_00)
  expect(await checkout.load()).toMatchObject({ payableCents: 0, payables: [{ owedCents: 0 }, { owedCents: 0 }] })
  const staff = await portal.signIn(HOST, 'staff@maplegrove.example')
  const question = { filters: {}, search: `t-${permit.id} ${number}` }
  const report = await portal.post(HOST, 'muni/return/payment/transactions', question, { token: staff })
  expect(report.body.rows).toMatchObject([{ type: 'Utility, Permit', accountNumber: `${number}, T-${permit.id}` }])
  const paymentId = report.body.rows[0].id
  const details = await portal.post(HOST, 'muni/return/payment/details', { paymentId }, { token: staff })
  expect(details.body.lines).toMatchObject([{ amountCents: 100_00 }, { amountCents: 40_00 }])
  const [emailMessage] = (await portal.emails()).slice(-1)
  expect(emailMessage?.text_body ?? JSON.stringify(emailMessage)).toContain(`Account ${number}`)
  const pdf = await portal.get(HOST, `/guest/payment/${checkout.token}/receipt.pdf`)
  expect(pdf.status).toBe(200)
})

test('fills lines in order and puts an overpayment on a creditable item', async () => {
  const { account, permit } = await createPayables()
  const part = await checkoutOf(permit, account)
  expect((await part.pay(60_00, { payType: 2 })).body.state).toBe('paid')
  expect((await part.lines()).map(({ kind, amount }) => [kind, amount])).toEqual([
    ['test_permit', 40_00],
    ['utility', 20_00],
  ])
  const overpaid = await checkoutOf(permit, account)
  expect((await overpaid.pay(90_00, { payType: 3 })).body).toMatchObject({
    state: 'paid',
    receipt: { leftCents: -10_00 },
  })
  expect((await overpaid.lines()).map(({ kind, amount }) => [kind, amount])).toEqual([['utility', 90_00]])
})

test('refuses an overpayment of an item without credit', async () => {
  const { permit } = await createPayables()
  const checkout = await checkoutOf(permit)
  expect(await checkout.load()).toMatchObject({ limits: { maxCents: 40_00 } })
  const { status, body } = await checkout.pay(50_00, { payType: 3 })
  expect([status, body.message]).toEqual([422, 'The maximum amount is $40.00.'])
  expect((await checkout.pay(40_00)).body.state).toBe('paid')
  expect((await (await checkoutOf(permit)).pay(40_00)).status).toBe(422)
})

test('refunds the last line first and repeats a failed refund', async () => {
  const { account, permit } = await createPayables()
  const checkout = await checkoutOf(account, permit)
  await checkout.pay(140_00)
  provider.refund(0, 33)
  await listen()
  // One third of the payment was refunded: the whole permit with its fee, then part of the bill with part of its fee.
  const [account$, permit$] = [quoteOf(fees, 1, 100_00), quoteOf(fees, 1, 40_00)]
  const refunded = Math.floor(((account$.totalCents + permit$.totalCents) * 33) / 100) - permit$.totalCents
  const bill = 100_00 - refunded + Math.floor((account$.feeCents * refunded) / account$.totalCents)
  expect(await checkout.settled()).toEqual([bill, 0])
  expect(await paidOf(permit)).toBe(0)
  provider.failRefund(0)
  await listen()
  expect(await checkout.settled()).toEqual([100_00, 40_00])
  expect(await paidOf(permit)).toBe(40_00)
})

test('reverses all lines for a return or a lost dispute only', async () => {
  const { account, permit } = await createPayables()
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
    const fresh = await createPayables()
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

test('avoids a deadlock of payers with different item orders, and one pays', async () => {
  const { account, permit } = await createPayables()
  const checkouts = await Promise.all(
    Array.from({ length: 8 }, (_, n) => checkoutOf(...(n % 2 ? [account, permit] : [permit, account]))),
  )
  const responses = await Promise.all(checkouts.map(({ pay }) => pay(140_00)))
  const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b)
  expect(statuses[0]).toBe(200)
  for (const status of statuses.slice(1)) expect([409, 422]).toContain(status)
  expect(await paidOf(permit)).toBe(40_00)
})

test('avoids a deadlock of payment events with a new attempt', async () => {
  for (let n = 0; n < 12; n++) {
    const { permit } = await createPayables()
    const checkout = await checkoutOf(permit)
    provider = new ProviderModel()
    provideInstead(portal.config, provider)
    await checkout.pay(40_00, { scenario: 'challenge' })
    provider.advance(0)
    const [event] = provider.events.splice(0)
    if (!event) throw new Error('the provider tells of what it charged')
    const applied = applyEvent(portal.context, event)
    const responses = await Promise.all([checkout.pay(40_00), checkout.pay(40_00), checkout.pay(40_00)])
    await applied
    for (const { status } of responses) expect([409, 422]).toContain(status)
    expect(await paidOf(permit)).toBe(40_00)
  }
})

test('retries a declined order, or creates another if a line changed', async () => {
  const { account, permit } = await createPayables()
  const checkout = await checkoutOf(account, permit)
  const declined = await checkout.pay(30_00, { payType: 2, scenario: 'declined' })
  const again = await checkout.pay(30_00, { payType: 2, scenario: 'declined' })
  expect(again.body.reference).toBe(declined.body.reference)
  // Another payer pays part of the first item. The amount due is now different from the amount on the receipt.
  await (await checkoutOf(account)).pay(20_00, { payType: 2 })
  const other = await checkout.pay(30_00, { payType: 2 })
  expect(other.body.state).toBe('paid')
  expect(other.body.reference).not.toBe(declined.body.reference)
})

const find = async (number: string, cart?: string) =>
  (await portal.post(HOST, 'find/guest/bill', { accountNumber: number, zip: '17011', ...(cart && { cart }) })).body
    .token as string
const remove = (token: string, no: number) => portal.post(HOST, 'remove/from/cart', { token, no })
const add = (token: string, ref: Ref) =>
  portal.context.inCompany(company, (tx) => addToCheckout(tx, portal.context, company, token, [ref]))
const numbersIn = async (readView: () => Promise<{ payables: { no: number }[] }>) =>
  (await readView()).payables.map(({ no }) => no)

test('fills a cart by bill search and never charges removed items', async () => {
  const [first, second] = [await createPayables(), await createPayables()]
  const token = await find(first.number)
  expect(await find(second.number, token)).toBe(token)
  expect(await find(second.number, token), 'what is in it already stays once').toBe(token)
  expect(await add(token, second.permit)).toBe(token)
  const cart = await openedAs(token)
  expect(await numbersIn(cart.load)).toEqual([1, 2, 3])
  expect((await remove(token, 2)).status).toBe(200)
  expect((await remove(token, 2)).status).toBe(404)
  await add(token, second.account)
  expect(await numbersIn(cart.load), 'a number is never another thing’s').toEqual([1, 3, 4])
  await remove(token, 4)
  const lines = [
    { no: 1, payType: 2, billCents: 60_00 },
    { no: 3, payType: 1, billCents: 40_00 },
  ]
  const { body } = await cart.pay(100_00, { payType: 2, lines })
  expect(body).toMatchObject({
    state: 'paid',
    receipt: {
      lines: [
        { amountCents: 60_00, feeCents: 1_95 },
        { amountCents: 40_00, feeCents: 1_95 },
      ],
      quote: { billCents: 100_00, feeCents: 3_90, totalCents: 103_90 },
    },
  })
  const owedOn = async ({ id }: Ref) =>
    (await portal.context.inCompany(company, (tx) => utilityBills.owed(tx, company, id))).owedCents
  expect([await owedOn(first.account), await owedOn(second.account)]).toEqual([40_00, 100_00])
  expect(await paidOf(second.permit)).toBe(40_00)
  expect(await remove(token, 1)).toMatchObject({ status: 409, body: { code: 'already_paid' } })
  const next = await find(second.number, token)
  expect(next, 'what is paid is followed by another cart').not.toBe(token)
  expect(await numbersIn((await openedAs(next)).load)).toEqual([1])
})

test('locks the cart while its payment is pending', async () => {
  const { account, permit } = await createPayables()
  const cart = await checkoutOf(account)
  await cart.pay(100_00, { scenario: 'challenge' })
  await expect(add(cart.token, permit)).rejects.toMatchObject({ status: 409, code: 'payment_in_progress' })
  expect(await remove(cart.token, 1)).toMatchObject({ status: 409, body: { code: 'payment_in_progress' } })
  await portal.post(HOST, 'drop/guest/payment', { token: cart.token })
  await add(cart.token, permit)
  expect((await cart.pay(140_00)).body.state).toBe('paid')
})

test('refuses a changed cart or amount until the payer reviews it', async () => {
  const { account, permit } = await createPayables()
  const cart = await checkoutOf(account)
  const seen = [{ no: 1, payType: 1, billCents: 100_00 }]
  await add(cart.token, permit)
  const changed = { status: 409, body: { code: 'amount_changed' } }
  expect(await cart.pay(100_00, { lines: seen }), 'added in another tab').toMatchObject(changed)
  const both = [...seen, { no: 2, payType: 1, billCents: 40_00 }]
  const twice = [...both, { no: 2, payType: 1, billCents: 40_00 }]
  expect(await cart.pay(180_00, { lines: twice })).toMatchObject(changed)
  await (await checkoutOf(account)).pay(20_00, { payType: 2 })
  expect(await cart.pay(140_00, { lines: both }), 'paid in part elsewhere').toMatchObject(changed)
  const more = [
    { no: 1, payType: 3, billCents: 1490_00 },
    { no: 2, payType: 1, billCents: 40_00 },
  ]
  const refused = await cart.pay(1530_00, { lines: more })
  expect([refused.status, refused.body.message]).toEqual([
    422,
    'One payment is limited to $1,500.00, and the total is $1,530.00. Remove an item, or pay part of it.',
  ])
  const overpaid = [
    { no: 1, payType: 1, billCents: 80_00 },
    { no: 2, payType: 3, billCents: 41_00 },
  ]
  expect((await cart.pay(121_00, { payType: 3, lines: overpaid })).body.message).toMatch(
    /^You can pay up to \$40\.00, the amount due\./,
  )
  expect(
    provider.movements.map(({ amountCents }) => amountCents),
    'of all these only the part was charged',
  ).toEqual([quoteOf(fees, 1, 20_00).totalCents])
})

test('explains items that can no longer be paid and pays the rest', async () => {
  const { account } = await createPayables()
  const forget = definePayable({
    ...permits,
    kind: 'test_voided',
    lock: async () => true,
    owed: async () => ({ owedCents: 55_00, pendingCents: 0 }),
    describe: async (...of) => {
      const existing = await permits.describe(...of)
      return { ...existing, publicView: { ...existing.publicView, closed: 'It was voided.' } }
    },
  })
  try {
    const cart = await checkoutOf({ kind: 'test_voided', id: 1 }, account)
    expect(await cart.load()).toMatchObject({
      payableCents: 100_00,
      payables: [
        { closed: 'It was voided.', payableCents: 0 },
        { closed: null, payableCents: 100_00 },
      ],
    })
    expect((await cart.pay(100_00, { lines: [{ no: 2, payType: 1, billCents: 100_00 }] })).body.state).toBe('paid')
    expect((await cart.lines()).map(({ kind }) => kind)).toEqual(['utility'])
  } finally {
    forget()
  }
})

test('gives a person one open cart across devices, and another after payment', async () => {
  const [first, second] = [await createPayables(), await createPayables()]
  const { context } = portal
  const companyRecord = await context.hosts.byId(company)
  const { rows } = await portal.owner.query('SELECT id FROM person WHERE company_id = $1 ORDER BY id LIMIT 1', [
    company,
  ])
  const call = {
    context,
    company: companyRecord,
    session: { personId: rows[0].id, companyId: company, kind: 'citizen' },
    inCompany: (work: (tx: Tx) => Promise<unknown>) => context.inCompany(company, work),
  } as unknown as Call
  const addOwn = (ref: Ref, to = call) => context.inCompany(company, (tx) => putIntoCart(tx, to, [ref], 'mine'))
  const tokens = await Promise.all([addOwn(first.account), addOwn(second.account)])
  const [one, other] = [await openedAs(tokens[0]), await openedAs(tokens[1])]
  expect((await one.load()).payableCents).toBe(200_00)
  expect((await other.load()).payables).toHaveLength(2)
  expect((await one.pay(200_00)).body.state).toBe('paid')
  const next = await openedAs(await addOwn(first.permit))
  expect((await next.load()).payables).toMatchObject([{ title: 'Permit' }])
  const guest = await addOwn(second.permit, { ...call, session: null } as Call)
  expect((await (await openedAs(guest)).load()).payables).toHaveLength(1)
})

/** Tests a resident's cart through the calls that the resident's screens make. */
test('restores a resident’s cart, reports changes and pays the rest', async () => {
  const [first, second, third] = [await createPayables(), await createPayables(), await createPayables()]
  const [residentToken, another] = [
    await portal.signIn(HOST, 'resident@maplegrove.example'),
    await portal.signIn(HOST, 'resident@maplegrove.example'),
  ]
  const callApi = async (path: string, body: object = {}, token = residentToken) =>
    (await portal.post(HOST, path, body, token ? { token } : {})).body
  const find = (number: string, more: object, token = residentToken) =>
    callApi('find/guest/bill', { accountNumber: number, zip: '17011', ...more }, token)
  await portal.owner.query(
    `INSERT INTO linked_account (company_id, person_id, account_id, linked_at)
     SELECT company_id, id, $1, now() FROM person WHERE email = 'resident@maplegrove.example'`,
    [third.account.id],
  )
  // Opening a bill does not add it to a cart. If a payer adds an item to the bill's checkout, that checkout becomes the
  // cart.
  expect((await callApi('open/cart')).token).toBeNull()
  await find(first.number, {})
  const seen = await find(first.number, {})
  expect(await callApi('return/cart')).toEqual({ count: 0 })
  const { token } = await find(first.number, { cart: seen.token })
  expect(token).toBe(seen.token)
  expect(await callApi('return/cart')).toEqual({ count: 1 })
  const alone = await openedAs((await find(second.number, {})).token)
  expect((await alone.load()).payables).toHaveLength(1)
  expect(await callApi('return/cart', {}, another)).toEqual({ count: 1 })
  await find(second.number, { cart: 'mine' }, another)
  const again = await openedAs((await callApi('open/cart', {}, another)).token)
  expect((await again.load()).payables).toHaveLength(2)

  const { paths, own } = await callApi('return/cart/choices', { token })
  expect(paths).toContainEqual({ path: '/guest-utility-payment', title: 'Utility bill', note: 'By account number' })
  // The Pay Bills screen links to the pages that find items by a number.
  expect((await callApi('return/general/payment/types')).paths).toContainEqual(paths[0])
  expect(own).toMatchObject([{ kind: 'utility', id: third.account.id, owedCents: 100_00 }])
  expect((await callApi('return/cart/choices', { token }, '')).own).toEqual([])
  const add = (id: number, session = residentToken) =>
    portal.post(HOST, 'add/to/cart', { token, kind: 'utility', id }, { token: session })
  expect((await add(third.account.id)).status).toBe(200)
  expect((await add(second.account.id)).status).toBe(404)
  expect(
    (await portal.post(HOST, 'add/to/cart', { token, kind: 'none', id: 1 }, { token: residentToken })).status,
  ).toBe(404)
  expect(await callApi('return/cart')).toEqual({ count: 3 })

  // Other checkouts pay part of the first item and all of the second.
  const elsewhere = [await checkoutOf(first.account), await checkoutOf(second.account)]
  await elsewhere[0]?.pay(60_00, { payType: 2 })
  await elsewhere[1]?.pay(100_00)
  expect((await again.load()).payables).toMatchObject([
    { payableCents: 40_00, beforeCents: 100_00 },
    { payableCents: 0, beforeCents: 100_00 },
    { payableCents: 100_00, beforeCents: null },
  ])
  expect(await callApi('return/cart')).toEqual({ count: 2 })
  const rest = [
    { no: 1, payType: 1, billCents: 40_00 },
    { no: 3, payType: 1, billCents: 100_00 },
  ]
  expect((await again.pay(140_00, { lines: rest })).body.state).toBe('paid')
  expect(await callApi('return/cart')).toEqual({ count: 0 })
  expect((await callApi('open/cart')).token).toBeNull()
})

test('moves a guest’s items to their account, never another person’s cart', async () => {
  const [guestPayables, other] = [await createPayables(), await createPayables()]
  const newcomerToken = await portal.signIn(HOST, 'newcomer@maplegrove.example')
  const otherToken = await portal.signIn(HOST, 'resident@maplegrove.example')
  const storeCart = async (token: string, session: string) =>
    (await portal.post(HOST, 'save/cart', { token }, session ? { token: session } : {})).body
  const cart = await checkoutOf(guestPayables.account)
  expect(await storeCart(cart.token, '')).toEqual({ count: 0 })
  expect(await storeCart(cart.token, newcomerToken)).toEqual({ count: 1 })
  const { token } = (await portal.post(HOST, 'open/cart', {}, { token: newcomerToken })).body
  expect(await storeCart(token, otherToken)).toEqual({ count: 0 })
  const paid = await checkoutOf(other.account)
  await paid.pay(100_00)
  expect(await storeCart(paid.token, newcomerToken)).toEqual({ count: 1 })
})

test('limits a cart to 20 items', async () => {
  const { permit } = await createPayables()
  const cart = await checkoutOf(permit)
  const many = Array.from({ length: 19 }, (_, n) => ({ kind: permits.kind, id: 40 + n }))
  const { context } = portal
  const addAll = (refs: Ref[]) =>
    context.inCompany(company, (tx) => addToCheckout(tx, context, company, cart.token, refs))
  await addAll(many)
  await expect(addAll([{ kind: permits.kind, id: 70 }])).rejects.toMatchObject({ status: 422 })
  expect((await cart.load()).payables).toHaveLength(20)
})

test('charges a saved method once per key and notifies its payer', async () => {
  const { context } = portal
  const { account, permit } = await createPayables()
  const [companyRecord, key] = [await context.hosts.byId(company), randomUUID()]
  if (!companyRecord) throw new Error('the town is there')
  const through = await ensureProviderRoute(
    context,
    companyRecord,
    await context.inCompany(company, (tx) => settingsOf(tx, company)),
  )
  const startOrder = (accountCents: number, its = key) =>
    context.inCompany(company, (tx) =>
      startPayment(
        tx,
        context,
        companyRecord,
        {
          pays: [
            { ...account, amountCents: accountCents },
            { ...permit, amountCents: 40_00 },
          ],
          method: 1,
          location: 6,
          payer: {
            actor: {
              as: 'system',
              caller: { session: null, requestId: '', kind: 'system' },
              clock: context.clock,
              person: { id: null, name: 'Autopay' },
            },
            person: null,
            email: 'ada@example.com',
          },
          key: its,
        },
        through,
      ),
    )
  await expect(startOrder(100_01)).rejects.toMatchObject({ status: 409, code: 'amount_changed' })
  const attempt = await startOrder(60_00)
  expect(await startOrder(60_00)).toEqual(attempt)
  const stored = provider.store('ok')
  await driveAttempt(context, companyRecord, attempt.id, { stored }, '')
  await driveAttempt(context, companyRecord, attempt.id, { stored }, '')
  const { rows } = await portal.owner.query(
    'SELECT status, location, checkout_id, pay_type, bill_cents FROM payment_order WHERE id = $1',
    [attempt.order_id],
  )
  expect(rows).toEqual([{ status: 1, location: 6, checkout_id: null, pay_type: 2, bill_cents: 100_00 }])
  const { totalCents } = quoteOfLines(fees, 1, [60_00, 40_00])
  expect(provider.movements.map(({ amountCents }) => amountCents)).toEqual([totalCents])
  expect(await paidOf(permit)).toBe(40_00)
  expect(JSON.stringify((await portal.emails()).slice(-1))).toContain('ada@example.com')
  const left = await context.inCompany(company, (tx) => utilityBills.owed(tx, company, account.id))
  expect(left).toEqual({ owedCents: 40_00, pendingCents: 0 })
})

test('passes the ledger checks, which find planted errors', async () => {
  const failedChecks = async () =>
    (await verifyLedger(database.urls.platform)).findings
      .filter((finding) => finding.violations > 0)
      .map(({ holds }) => holds)
  expect(await failedChecks()).toEqual([])
  const { rows } = await portal.owner.query(
    'UPDATE test_permit_receipt SET cents = cents + 1 WHERE id = 1 RETURNING id',
  )
  expect(rows).toHaveLength(1)
  expect(await failedChecks()).toEqual(['the settled amount of each line matches the item that it pays'])
})

const amounts = fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 6 })

test('splits amounts over lines exactly to the cent, down to zero', () => {
  fc.assert(
    fc.property(
      amounts,
      fc.nat(),
      fc.constantFrom(0 as const, 1 as const),
      fc.constantFrom(1 as const, 2 as const),
      (cents, seed, absorb, method) => {
        const lines = cents.map((amount) => quoteOf({ ...fees, absorb }, method, amount))
        const { totalCents } = addQuotes(lines)
        const retainedCents = seed % (totalCents + 1)
        const partsOf = (net: number) =>
          sharesOf(lines, net).lines.map(({ billCents, feeCents }) => ({
            billCents,
            feeCents,
            both: billCents + feeCents,
          }))
        const parts = partsOf(retainedCents)
        expect(parts.reduce((sum, { both }) => sum + both, 0)).toBe(retainedCents)
        for (const [n, { billCents, feeCents }] of parts.entries()) {
          expect(billCents >= 0 && billCents <= (cents[n] ?? 0)).toBe(true)
          expect(feeCents >= 0 && feeCents <= (lines[n]?.feeCents ?? 0)).toBe(true)
        }
        const less = partsOf(Math.max(0, retainedCents - 1))
        const changes = parts.flatMap(({ billCents, feeCents }, n) => [
          billCents - (less[n]?.billCents ?? 0),
          feeCents - (less[n]?.feeCents ?? 0),
        ])
        expect(changes.filter((change) => change !== 0)).toEqual(retainedCents === 0 ? [] : [1])
        for (const share of sharesOf(lines, 0).lines)
          expect(share).toEqual({ billCents: 0, feeCents: 0, absorbedFeeCents: 0 })
        expect(sharesOf(lines, totalCents).lines.map((share) => share.absorbedFeeCents)).toEqual(
          lines.map((line) => line.absorbedFeeCents),
        )
      },
    ),
  )
})

test('reduces the refunded lines and changes one line per cent', () => {
  const line = fc.record({ cents: fc.integer({ min: 1, max: 9000 }), refunded: fc.integer({ min: 0, max: 9500 }) })
  const moved = fc.record({ lines: fc.array(line, { minLength: 1, maxLength: 5 }), net: fc.nat(60_000), at: fc.nat(4) })
  fc.assert(
    fc.property(moved, ({ lines, net, at }) => {
      const quotes = lines.map(({ cents }) => quoteOf(fees, 1, cents))
      const { totalCents } = addQuotes(quotes)
      const refunded = lines.map(({ refunded: cents }) => cents)
      const retainedOf = (cents: number, named: readonly number[]) => {
        const shares = sharesOf(quotes, cents, named)
        return [...shares.lines.map(({ billCents, feeCents }) => billCents + feeCents), shares.payerCents]
      }
      const retained = retainedOf(net, refunded)
      expect(retained.reduce((sum, cents) => sum + cents, 0)).toBe(net)
      const named = at % lines.length
      const more = retainedOf(
        net - 1,
        refunded.map((cents, n) => (n === named ? cents + 1 : cents)),
      )
      expect(retained.map((cents, n) => cents - (more[n] ?? 0)).filter((change) => change !== 0)).toEqual([1])
      // If the only refund names a line, the refund reduces that line, and the other lines keep their full amounts.
      const only = Math.min(refunded[named] ?? 0, quotes[named]?.totalCents ?? 0)
      const left = retainedOf(
        totalCents - only,
        quotes.map((_, n) => (n === named ? only : 0)),
      )
      expect(left).toEqual([...quotes.map((quote, n) => quote.totalCents - (n === named ? only : 0)), 0])
      expect(retainedOf(0, refunded)).toEqual([...quotes.map(() => 0), 0])
    }),
  )
})

test('spreads an amount over the amounts due and credits only the rest', () => {
  const amountsDue = fc.array(
    fc.record({ owedCents: fc.integer({ min: -5000, max: 9000 }), takesCredit: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  fc.assert(
    fc.property(amountsDue, fc.integer({ min: 1, max: 30_000 }), (items, amount) => {
      const shares = spread(amount, items)
      const credit = items.some(({ takesCredit }) => takesCredit)
      const owed = Math.max(0, owedInAll(items))
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(credit ? amount : Math.min(amount, owed))
      for (const [n, { owedCents, takesCredit }] of items.entries())
        if (!takesCredit) expect(shares[n]).toBeLessThanOrEqual(Math.max(0, owedCents))
      const { maxCents } = limitsFor({ minCents: 500, maxCents: 150_000 }, items)
      expect(maxCents).toBe(credit ? 150_000 : Math.max(500, owed))
    }),
  )
})
