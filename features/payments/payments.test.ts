import { randomUUID } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '../../shared/dates.ts'
import { expectAppliedEvents } from '../../test/applied-events.ts'
import { type TestPortal, testClock, testDatabase, testPortal } from '../../test/harness.ts'
import { providerNamed } from './server/providers/providers.ts'
import { reconcile } from './server/attempts/reconcile.ts'
import { isSound } from '../../server/verify.ts'
import { verifyLedger } from './server/ledger/verify-ledger.ts'
import { describeBalances, verifyProvider } from './server/ledger/verify-provider.ts'

const HOST = 'maplegrove.localhost'

/** Opens a bill as a guest. Returns functions for the guest's actions. */
async function guestOf(portal: TestPortal, accountNumber: string) {
  const ownAccount = { account: accountNumber }
  const { rows } = await portal.owner.query<{ zipcode: string }>(
    'SELECT zipcode FROM utility_account WHERE account_number = $1',
    [accountNumber],
  )
  const { body } = await portal.post(HOST, 'find/guest/bill', { accountNumber, zip: rows[0]?.zipcode })
  const token: string = body.token
  const readCheckout = async () => {
    const { body: seen } = await portal.post(HOST, 'return/guest/checkout', { token })
    return { ...seen.payables[0], ...seen }
  }
  const fields = async (number: string) => {
    const { gateway } = await readCheckout()
    const card = { type: 'card', number, month: 8, year: 2029, cvc: '123' }
    const bank = { type: 'echeck', routing: '110000000', number, holder: 'Dot Abernathy', account_type: 2 }
    const response = await fetch(`${portal.config.gateway.url}/fields/tokens?account=${gateway.account}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(number.length === 12 ? bank : card),
    })
    return ((await response.json()) as { token: string }).token
  }
  const pay = async (
    number: string,
    { key = randomUUID(), as, ...more }: Record<string, unknown> & { key?: string; as?: string } = {},
  ) => {
    const { owedCents, pendingCents } = await readCheckout()
    const method = number.length === 12 ? 2 : 1
    const billCents = (more['billCents'] as number | undefined) ?? owedCents - pendingCents
    const fee = method === 2 ? 150 : Math.max(195, Math.floor((billCents * 275 + 5000) / 10_000) + 30)
    const methodToken = (more['methodToken'] as string | undefined) ?? (await fields(number))
    const body = {
      token,
      payType: 1,
      method,
      billCents,
      expectedTotalCents: billCents + fee,
      email: 'dot@example.com',
      methodToken,
      ...more,
    }
    return portal.post(HOST, 'pay/guest/bill', body, { headers: { 'idempotency-key': key }, ...(as && { token: as }) })
  }
  return {
    ...ownAccount,
    token,
    load: readCheckout,
    pay,
    fields,
    ledger: () => ledgerOf(portal, accountNumber),
    orders: () => ordersOf(portal, accountNumber),
  }
}

const gatewayOf =
  (portal: TestPortal) =>
  async (path: string, body: unknown, method = 'POST', headers: Record<string, string> = {}) => {
    const response = await fetch(portal.config.gateway.url + path, {
      method,
      headers: {
        ...{ authorization: `Bearer ${portal.config.gateway.apiKey}`, 'content-type': 'application/json' },
        ...headers,
      },
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    })
    return (await response.json()) as Record<string, unknown>
  }

/** All tests share one portal and gateway. Each test uses its own account. */
const portalReady = Promise.withResolvers<Awaited<ReturnType<typeof openPortal>>>()
beforeAll(async () => portalReady.resolve(await openPortal()))
const portalWithGateway = () => portalReady.promise

/**
 * Opens the portal and its sandbox provider. Both clocks show the same time, so that signed events are neither too old
 * nor too early.
 */
async function openPortal() {
  const clock = testClock()
  const database = await testDatabase({ demo: true })
  const portal = await testPortal({ database, gateway: true, clock })
  const callGateway = gatewayOf(portal)
  await callGateway('/v1/test/clock', { now: clock.now().toISOString() })
  const advance = async (seconds: number) => {
    clock.advance(seconds * 1000)
    await callGateway('/v1/test/clock', { now: clock.now().toISOString() })
  }
  const verify = async () => {
    // Reads new payouts of the provider, as a job does every ten minutes.
    await portal.context.jobs.runNow('reconciliation.payouts')
    const { finding, companies } = await verifyProvider(providerNamed(portal.config, 'sandbox'), database.urls.platform)
    const [maple] = companies
    return { ...finding, maple, printed: describeBalances(companies).join() }
  }
  return { portal, database, callAs: callGateway, advance, verify }
}

/** Returns the ledger sums of an account's payments through the payment provider. */
async function ledgerOf(portal: TestPortal, accountNumber: string) {
  const { rows } = await portal.owner.query<{ account: string; cents: string }>(
    `
    SELECT account, sum(cents) AS cents FROM (
      SELECT debit_account AS account, amount_cents AS cents, order_id FROM ledger_transfer WHERE source = 'sandbox'
      UNION ALL SELECT credit_account, -amount_cents, order_id FROM ledger_transfer WHERE source = 'sandbox') legs
    JOIN payment_order o ON o.id = legs.order_id AND o.reference = $1 GROUP BY account ORDER BY account`,
    [accountNumber],
  )
  return Object.fromEntries(rows.map((row) => [row.account, Number(row.cents)]).filter(([, cents]) => cents !== 0))
}

const ordersOf = async (portal: TestPortal, accountNumber: string) => {
  const { rows } = await portal.owner.query(
    `SELECT o.* FROM payment_order o WHERE o.checkout_id IS NOT NULL AND o.reference = $1 ORDER BY id`,
    [accountNumber],
  )
  return rows
}

const MONTHS = Array.from(
  { length: 12 },
  (_, n) => `${n === 0 ? 2025 : 2026}-${String(n === 0 ? 12 : n).padStart(2, '0')}-01`,
)

/** Returns the rows of an export of the Payment Transaction Report. */
async function exported(portal: TestPortal, question: object): Promise<Record<string, string>[]> {
  const token = await portal.signIn(HOST, 'staff@maplegrove.example')
  const { body } = await portal.post(HOST, 'muni/export/payment/transactions', { filters: {}, ...question }, { token })
  return parse(String((await portal.get(HOST, body.url)).body), { columns: true })
}

/** Returns the net change of Maple Grove's bank, provider and counter accounts on these days. */
async function bankedBetween(portal: TestPortal, fromDate: string, toDate: string): Promise<number> {
  const { rows } = await portal.owner.query<{ cents: number }>(
    `SELECT coalesce(sum(cents), 0)::float8 AS cents FROM (
       SELECT t.company_id, t.at, a.kind, CASE WHEN t.debit_account = a.code THEN amount_cents ELSE -amount_cents END AS cents
       FROM ledger_transfer t JOIN ledger_account a ON a.company_id = t.company_id AND a.code IN (t.debit_account, t.credit_account)
       WHERE t.source <> 'sandbox' AND t.order_id IS NOT NULL
       UNION ALL
       SELECT t.company_id, t.at, 'asset', CASE WHEN t.kind LIKE 'capture%' THEN i.amount_cents ELSE coalesce(-r.amount_cents, -i.amount_cents) END
       FROM (SELECT DISTINCT company_id, at, source_ref, split_part(kind, '.', 1) AS kind FROM ledger_transfer WHERE source = 'sandbox') t
       LEFT JOIN sandbox_gateway.refund r ON r.id = t.source_ref
       JOIN sandbox_gateway.intent i ON i.id = coalesce(r.intent, t.source_ref)) moved
     JOIN company c ON c.id = company_id AND c.subdomain = 'maplegrove'
     WHERE kind = 'asset' AND (at AT TIME ZONE 'America/New_York')::date BETWEEN $1 AND $2`,
    [fromDate, toDate],
  )
  return Number(rows[0]?.cents)
}

let lastGuest = 0

/** Opens the next account of Maple Grove that has an amount due and no pending payments. */
async function nextGuest(portal: TestPortal) {
  const { rows } = await portal.owner.query<{ id: number; account_number: string }>(
    `SELECT a.id, a.account_number FROM utility_account a JOIN company c ON c.id = a.company_id
     WHERE c.subdomain = 'maplegrove' AND NOT EXISTS (
       SELECT FROM payment_order_line l JOIN payment_order o ON o.company_id = l.company_id AND o.id = l.order_id
       WHERE l.company_id = a.company_id AND l.kind = 'utility' AND l.payable_id = a.id AND o.status = 0)
       AND (SELECT sum(b.amount_cents - b.paid_elsewhere_cents) FROM utility_bill b WHERE b.account_id = a.id AND b.company_id = a.company_id)
         - coalesce((SELECT sum(CASE kind WHEN 'credit' THEN amount_cents ELSE -amount_cents END) FROM remittance r WHERE r.account_id = a.id AND r.company_id = a.company_id), 0) BETWEEN 3000 AND 100000
     AND a.id > $1 AND a.account_number <> '100001'
     ORDER BY a.id LIMIT 1`,
    [lastGuest],
  )
  lastGuest = rows[0]?.id ?? 0
  const guest = await guestOf(portal, rows[0]?.account_number ?? '')
  const { owedCents } = await guest.load()
  return {
    ...guest,
    owed: owedCents as number,
    withFee: owedCents + Math.max(195, Math.floor((owedCents * 275 + 5000) / 10_000) + 30),
  }
}

describe('bill payment by a guest', () => {
  test('charges a card once, with ledger, remittance and receipts', async () => {
    const { portal } = await portalWithGateway()
    const guest = await guestOf(portal, '100001')
    const before = await guest.load()
    expect(before).toMatchObject({
      owedCents: 14931,
      details: expect.arrayContaining([{ name: 'customer', value: 'D. Abernathy' }]),
    })
    const key = randomUUID()
    const methodToken = await guest.fields('4242424242424242')
    const paid = await guest.pay('4242424242424242', { key, methodToken })
    expect(paid).toMatchObject({
      status: 200,
      body: { state: 'paid', receipt: { methodLabel: 'Visa ending 4242', quote: { totalCents: 15372 } } },
    })
    const again = await guest.pay('4242424242424242', { key, methodToken, billCents: 14931 })
    expect(again.body).toEqual(paid.body)
    expect(await guest.ledger()).toEqual({ gateway_clearing: 15372, payable_municipality: -14931, fee_revenue: -441 })
    expect((await guest.load()).owedCents).toBe(0)
    const emailMessage = (await portal.emails()).at(-1)
    expect(emailMessage).toMatchObject({ to_address: 'dot@example.com', subject: expect.stringContaining('$153.72') })
    expect(emailMessage?.attachments[0]?.filename).toMatch(/^receipt-P\d+\.pdf$/)
    const pdf = await portal.get(HOST, `/guest/payment/${guest.token}/receipt.pdf`)
    expect(pdf).toMatchObject({ status: 200, headers: { 'content-type': 'application/pdf' } })
  })

  test('refuses a reused key with another body', async () => {
    const { portal } = await portalWithGateway()
    const guest = await nextGuest(portal)
    const key = randomUUID()
    await guest.pay('4000000000000002', { key })
    expect(await guest.pay('4242424242424242', { key })).toMatchObject({ status: 422 })
  })

  test('keeps one order with two attempts after a decline and a capture', async () => {
    const { portal } = await portalWithGateway()
    const guest = await nextGuest(portal)
    const declined = await guest.pay('4000000000000002')
    expect(declined.body).toMatchObject({ state: 'declined', message: expect.stringContaining('Nothing was charged') })
    expect(await guest.ledger()).toEqual({})
    const paid = await guest.pay('4242424242424242')
    expect(paid.body).toMatchObject({ state: 'paid', reference: declined.body.reference })
    expect(await guest.orders()).toHaveLength(1)
    const { rows } = await portal.owner.query(
      `SELECT event FROM status_history WHERE machine = 'order' AND subject_id = $1 ORDER BY seq`,
      [Number(paid.body.reference.slice(1))],
    )
    expect(rows.map((row) => row.event)).toEqual(['created', 'declined', 'new_attempt', 'captured'])
  })

  test.each([
    ['4000000000009995', 'does not have enough funds'],
    ['4000000000000069', 'expired'],
    ['4000000000000127', 'security code'],
    ['4000000000000119', 'could not be reached'],
  ])('declines card %s with its own message', async (number, messagePart) => {
    const { portal } = await portalWithGateway()
    const { body } = await (await nextGuest(portal)).pay(number)
    expect(body).toMatchObject({ state: 'declined', message: expect.stringContaining(messagePart) })
    expect(body.message).toContain('Nothing was charged')
  })

  test('charges once from two tabs of one checkout at the same moment', async () => {
    const { portal } = await portalWithGateway()
    const guest = await nextGuest(portal)
    const tokens = await Promise.all([guest.fields('4242424242424242'), guest.fields('4242424242424242')])
    const responses = await Promise.all(
      tokens.map((methodToken) => guest.pay('4242424242424242', { methodToken, billCents: guest.owed })),
    )
    expect(responses.map((response) => response.status).sort()).toEqual([200, 409])
    expect(await guest.ledger()).toMatchObject({ gateway_clearing: guest.withFee })
  })

  test('charges once from two checkouts and reports the changed amount', async () => {
    const { portal } = await portalWithGateway()
    const guest = await nextGuest(portal)
    const other = await guestOf(portal, guest.account)
    const responses = await Promise.all(
      [guest, other].map((each) => each.pay('4242424242424242', { billCents: guest.owed })),
    )
    expect(responses.map((response) => response.status).sort()).not.toEqual([200, 200])
    expect(await guest.ledger()).toMatchObject({ gateway_clearing: guest.withFee })
  })

  test('waits for a slow card until the provider confirms it', async () => {
    const { portal, callAs, advance } = await portalWithGateway()
    const guest = await nextGuest(portal)
    expect((await guest.pay('4000000000000077')).body).toMatchObject({
      state: 'working',
      message: expect.stringContaining('Do not pay again'),
    })
    expect((await guest.pay('4242424242424242', { billCents: guest.owed })).body).toMatchObject({
      code: 'payment_in_progress',
    })
    // The provider's clock has moved on since the last synchronization, so the test sets both clocks again.
    await advance(300)
    await callAs('/v1/test/flush', {})
    await expect.poll(async () => (await guest.load()).payment.state).toBe('paid')
  })

  test('waits for the payer to approve a challenge', async () => {
    const { portal } = await portalWithGateway()
    const guest = await nextGuest(portal)
    const { body } = await guest.pay('4000002760003184')
    expect(body).toMatchObject({ state: 'challenge', actionUrl: expect.stringContaining('/challenge/') })
    const bankResponse = await fetch(body.actionUrl.replace('localhost', '127.0.0.1'), {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'response=approve',
    })
    expect(bankResponse.status).toBe(303)
    expect(bankResponse.headers.get('location')).toContain(`/guest/payment/${guest.token}`)
    portal.clock.advance(5000)
    await expect.poll(async () => (await guest.load()).payment.state).toBe('paid')
  })
})

describe('payment by a signed-in person', () => {
  const activityOf = async (portal: TestPortal, token: string) => {
    const { body } = await portal.post(HOST, 'return/activity/log', { filters: { kind: 'payment' } }, { token })
    return (body.entries as { what: string }[]).map(({ what }) => what)
  }

  test('creates the person’s order and an entry in their activity log', async () => {
    const { portal } = await portalWithGateway()
    const guest = await nextGuest(portal)
    const [ownAttempt, other] = [
      await portal.signIn(HOST, 'newcomer@maplegrove.example'),
      await portal.signIn(HOST, 'staff@maplegrove.example'),
    ]
    const before = await activityOf(portal, other)
    expect((await guest.pay('4000000000000002', { as: ownAttempt })).body.state).toBe('declined')
    expect((await guest.pay('4242424242424242', { as: ownAttempt })).body.state).toBe('paid')
    const { rows } = await portal.owner.query("SELECT id FROM person WHERE email = 'newcomer@maplegrove.example'")
    expect(await guest.orders()).toMatchObject([{ person_id: rows[0].id, location: 1 }])
    expect(await activityOf(portal, ownAttempt)).toEqual([
      'Payment received',
      'New payment attempt started',
      'Payment declined',
      'Payment started',
    ])
    expect(await activityOf(portal, other)).toEqual(before)
  })

  test('adopts orders declined before sign-in, but not guest payments', async () => {
    const { portal } = await portalWithGateway()
    const guest = await nextGuest(portal)
    await guest.pay('4000000000000002')
    expect(await guest.orders()).toMatchObject([{ person_id: null, location: 4 }])
    await guest.pay('4242424242424242', { as: await portal.signIn(HOST, 'newcomer@maplegrove.example') })
    expect(await guest.orders()).toMatchObject([{ person_id: expect.anything(), location: 1, status: 1 }])
  })
})

describe('receipt', () => {
  test('names the location, the bill, and the remaining amount or credit', async () => {
    const { portal } = await portalWithGateway()
    const guest = await nextGuest(portal)
    const { rows } = await portal.owner.query(
      `SELECT a.service_address, (SELECT bill_number FROM utility_bill b WHERE b.account_id = a.id AND b.company_id = a.company_id
         ORDER BY bill_date DESC LIMIT 1) AS bill FROM utility_account a WHERE account_number = $1`,
      [guest.account],
    )
    const part = await guest.pay('4242424242424242', { payType: 2, billCents: 1000 })
    expect(part.body.receipt).toMatchObject({
      lines: [
        {
          title: 'Utility bill payment',
          details: [
            { name: 'account', value: guest.account },
            { name: 'address', value: expect.stringContaining(rows[0].service_address) },
            { name: 'bill', value: rows[0].bill },
          ],
          amountCents: 1000,
          items: [],
        },
      ],
      leftCents: guest.owed - 1000,
    })
    const rest = await guestOf(portal, guest.account)
    const overpayment = await rest.pay('4242424242424242', { payType: 3, billCents: guest.owed })
    expect(overpayment.body.receipt).toMatchObject({ lines: [{ amountCents: guest.owed }], leftCents: -1000 })
    // Later payments do not change a receipt.
    expect((await guest.load()).payment.receipt).toEqual(part.body.receipt)
  })
})

describe('eCheck', () => {
  test('is acknowledged, then paid after settlement', async () => {
    const { portal, advance } = await portalWithGateway()
    const guest = await nextGuest(portal)
    expect((await guest.pay('000123456789')).body).toMatchObject({
      state: 'processing',
      receipt: { methodLabel: 'Checking account ending 6789' },
    })
    const emailMessage = (await portal.emails()).at(-1)
    expect(emailMessage?.subject).toContain('is processing')
    const [link, token] =
      /http:\/\/maplegrove\.localhost:\d+\/guest\/payment\/([\w-]{43})/.exec(emailMessage?.text_body ?? '') ?? []
    expect(link, 'a link in the mail').toBeDefined()
    expect((await portal.post(HOST, 'return/guest/checkout', { token })).body.payment).toMatchObject({
      state: 'processing',
      reference: expect.stringMatching(/^P\d+$/),
    })
    expect((await portal.post('harborcity.localhost', 'return/guest/checkout', { token })).status).toBe(404)
    expect(await guest.load()).toMatchObject({ owedCents: guest.owed, pendingCents: guest.owed })
    await advance(3 * 86_400)
    await expect
      .poll(async () => (await guest.load()).payment)
      .toMatchObject({ state: 'paid', receipt: { methodLabel: 'Checking account ending 6789' } })
    expect(await guest.ledger()).toEqual({
      gateway_clearing: guest.owed + 150,
      payable_municipality: -guest.owed,
      fee_revenue: -150,
    })
  })

  test('moves no money if the bank refuses it (R01)', async () => {
    const { portal, advance } = await portalWithGateway()
    const guest = await nextGuest(portal)
    await guest.pay('000111111116')
    await advance(2 * 86_400)
    await expect
      .poll(async () => (await guest.load()).payment)
      .toMatchObject({ state: 'declined', message: expect.stringContaining('R01') })
    expect(await guest.ledger()).toEqual({})
  })

  test('is due again and fully reversed if returned later (R10)', async () => {
    const { portal, advance } = await portalWithGateway()
    const guest = await nextGuest(portal)
    await guest.pay('000222222227')
    await advance(3 * 86_400)
    await expect.poll(async () => (await guest.load()).payment.state).toBe('paid')
    await advance(4 * 86_400)
    await reconcile(portal.context)
    // The reconciler treats the attempt as final, but the return event reopens it.
    const callGateway = gatewayOf(portal)
    await callGateway('/v1/test/flush', {})
    await expect.poll(async () => (await guest.load()).payment.state).toBe('returned')
    expect(await guest.ledger()).toEqual({})
    expect(await guest.load()).toMatchObject({ owedCents: guest.owed })
    expect((await portal.emails()).at(-1)?.subject).toContain('returned')
  })
})

describe('silent payment provider', () => {
  test('charges once after a confirmation with a lost answer', async () => {
    const { portal, callAs } = await portalWithGateway()
    const guest = await nextGuest(portal)
    await callAs('/v1/test/faults', { fault: '500', path: 'confirm', count: 1 })
    expect((await guest.pay('4242424242424242')).body).toMatchObject({ state: 'paid' })
    expect(await guest.ledger()).toMatchObject({ gateway_clearing: guest.withFee })
  })

  test('charges nothing if the intent fails, and allows a retry', async () => {
    const { portal, callAs } = await portalWithGateway()
    const guest = await nextGuest(portal)
    await callAs('/v1/test/faults', { fault: '500', path: '/v1/intents', count: 1 })
    expect((await guest.pay('4242424242424242')).body).toMatchObject({
      state: 'declined',
      message: expect.stringContaining('Nothing was charged'),
    })
    expect((await guest.pay('4242424242424242')).body).toMatchObject({ state: 'paid' })
    expect(await guest.ledger()).toMatchObject({ gateway_clearing: guest.withFee })
  })

  test('cancels an unconfirmed attempt at the provider before it counts as declined', async () => {
    const { portal, callAs } = await portalWithGateway()
    const guest = await nextGuest(portal)
    // Both confirmations fail without effect and the status call fails, so the state is unknown.
    await callAs('/v1/test/faults', { fault: '500', path: 'confirm', count: 2 })
    expect((await guest.pay('4242424242424242')).body).toMatchObject({ state: 'working' })
    portal.clock.advance(60_000)
    await reconcile(portal.context)
    expect((await guest.load()).payment).toMatchObject({
      state: 'declined',
      message: expect.stringContaining('Nothing was charged'),
    })
    expect((await guest.pay('4242424242424242')).body).toMatchObject({ state: 'paid' })
    expect(await guest.ledger()).toMatchObject({ gateway_clearing: guest.withFee })
  })
})

describe('lost provider events', () => {
  test('finds missing events in the provider’s account', async () => {
    const { portal, database, callAs, advance, verify } = await portalWithGateway()
    await reconcile(portal.context)
    expect(await verify()).toMatchObject({ violations: 0 })
    await callAs('/v1/test/webhooks', { mode: { drop: 1 } })
    const guest = await nextGuest(portal)
    const { gateway } = await guest.load()
    await guest.pay('000222222227')
    await advance(3 * 86_400)
    await expect.poll(async () => (await guest.load()).payment.state).toBe('paid')
    const before = await verify()
    expect(before).toMatchObject({ violations: 0 })

    const [order] = await guest.orders()
    const { rows } = await portal.owner.query('SELECT intent_id FROM payment_attempt WHERE order_id = $1', [order.id])
    const refund = { intent: rows[0].intent_id, amount_cents: order.total_cents }
    const headers = { 'gateway-account': gateway.account, 'idempotency-key': randomUUID() }
    const { id } = await callAs('/v1/refunds', refund, 'POST', headers)
    await advance(4 * 86_400)
    const lost = await verify()
    expect(lost).toMatchObject({ violations: 2 })
    expect(lost.first.join()).toContain(`of ${String(id)} the provider moved -`)

    await reconcile(portal.context)
    const after = await verify()
    expect(after).toMatchObject({ violations: 0 })
    await expectAppliedEvents(database.owner)
    expect(isSound(await verifyLedger(database.urls.platform))).toBe(true)
    expect(after.printed).toMatch(/^Maple Grove: the provider holds (-?\$[\d,.]+), by the ledger \1$/)
    expect(await guest.ledger()).toEqual({
      gateway_clearing: -order.total_cents,
      returns_receivable: order.total_cents,
    })
    expect(await guest.load()).toMatchObject({ owedCents: guest.owed, payment: { state: 'returned' } })
    const token = await portal.signIn(HOST, 'staff@maplegrove.example')
    const { body } = await portal.post(HOST, 'muni/return/payment/details', { paymentId: order.id }, { token })
    expect(body.alerts).toMatchObject([{ message: expect.stringContaining('Ask for it.') }])
    await callAs('/v1/test/webhooks', { mode: 'clean' })
  })
})

describe('payment amounts', () => {
  test.each([
    [2, 499, 'The minimum amount is $5.00.'],
    [2, 140_000, 'A partial amount must be less than the $'],
    [3, 150_001, 'The maximum amount is $1,500.00.'],
    [3, 499, 'The minimum amount is $5.00.'],
  ])('refuses pay type %i of %i cents and charges nothing', async (payType, billCents, messagePart) => {
    const { portal } = await portalWithGateway()
    const guest = await nextGuest(portal)
    const response = await guest.pay('4242424242424242', { payType, billCents })
    expect(response).toMatchObject({ status: 422, body: { message: expect.stringContaining(messagePart) } })
    expect(await guest.orders()).toEqual([])
  })

  test('accepts an overpayment as Other and credits it', async () => {
    const { portal } = await portalWithGateway()
    const guest = await nextGuest(portal)
    expect((await guest.pay('4242424242424242', { payType: 3, billCents: 20_000 })).body).toMatchObject({
      state: 'paid',
    })
    expect((await guest.load()).owedCents).toBe(guest.owed - 20_000)
  })

  test('charges nothing if the total differs from the screen', async () => {
    const { portal } = await portalWithGateway()
    const guest = await nextGuest(portal)
    expect(await guest.pay('4242424242424242', { expectedTotalCents: guest.owed })).toMatchObject({
      status: 409,
      body: { code: 'amount_changed' },
    })
    expect(await guest.orders()).toEqual([])
  })
})

describe('bill search', () => {
  test('hides the reason of a mismatch and limits guessing', async () => {
    const { portal } = await portalWithGateway()
    const find = (accountNumber: string, zip: string) => portal.post(HOST, 'find/guest/bill', { accountNumber, zip })
    const invalidZip = await find('100001', '99999')
    const unknown = await find('555555', '17011')
    expect(invalidZip).toMatchObject({ status: 404, body: { code: 'no_bill' } })
    expect(invalidZip.body).toEqual(unknown.body)
    for (let i = 0; i < 7; i++) await find('100001', '99999')
    expect(await find('100001', '17011')).toMatchObject({
      status: 429,
      body: { message: expect.stringContaining('wait a minute') },
    })
    portal.clock.advance(61_000)
    expect(await find('100001', '17011')).toMatchObject({ status: 200 })
  })

  test('shows strangers only the data needed to recognize the bill', async () => {
    const { portal } = await portalWithGateway()
    const { token } = (await portal.post(HOST, 'find/guest/bill', { accountNumber: '100001', zip: '17011' })).body
    const { body } = await portal.post(HOST, 'return/guest/checkout', { token })
    const { rows } = await portal.owner.query(
      `SELECT a.service_address, a.customer_name, b.bill_number FROM utility_account a JOIN utility_bill b ON b.account_id = a.id
       WHERE a.account_number = '100001' ORDER BY b.bill_date DESC LIMIT 1`,
    )
    const [{ service_address, customer_name, bill_number }] = rows
    expect(body).toMatchObject({
      payables: [
        {
          title: 'Utility bill',
          details: [
            { name: 'account', value: '100001' },
            { name: 'customer', value: 'D. Abernathy' },
            { name: 'street', value: service_address.replace(/^\S+ /, '') },
          ],
          owedCents: expect.any(Number),
          nothingYet: null,
        },
      ],
    })
    for (const secret of [service_address, customer_name, bill_number, '17011', 'quantity', 'periodStart'])
      expect(JSON.stringify(body)).not.toContain(secret)
  })

  test('requires the last name or last bill amount if configured', async () => {
    const { portal } = await portalWithGateway()
    portal.clock.advance(3_600_000)
    const setGuestFact = (fact: string) => portal.owner.query('UPDATE payment_settings SET guest_proof = $1', [fact])
    const { rows } = await portal.owner.query(
      `SELECT account_number, a.zipcode, customer_name, amount_cents / 100.0 AS amount
       FROM utility_account a JOIN utility_bill b ON b.account_id = a.id
         JOIN company c ON c.id = a.company_id AND c.subdomain = 'maplegrove'
       WHERE customer_name ~ '^[A-Z][a-z]+ [A-Z][a-z]+$' ORDER BY bill_date DESC, a.id LIMIT 1`,
    )
    const [{ account_number: accountNumber, zipcode: zip, customer_name, amount }] = rows
    const [first, last] = customer_name.split(' ')
    const find = async (fact?: string) =>
      (await portal.post(HOST, 'find/guest/bill', { accountNumber, zip, fact })).status
    await setGuestFact('last_name')
    const names = [await find(), await find('Nobody'), await find(first), await find(` ${last.toUpperCase()} `)]
    portal.clock.advance(16 * 60_000)
    await setGuestFact('last_bill')
    const amounts = [await find('0.01'), await find('one'), await find(`$${Number(amount).toFixed(2)}`)]
    await setGuestFact('none')
    expect([names, amounts]).toEqual([
      [404, 404, 404, 200],
      [404, 404, 200],
    ])
    const page = await portal.get(HOST, '/guest-utility-payment')
    expect(page.body).toContain('"guestFact":"none"')
  })

  test('does not find accounts of another company', async () => {
    const { portal } = await portalWithGateway()
    expect(
      await portal.post('harborcity.localhost', 'find/guest/bill', { accountNumber: '100001', zip: '17011' }),
    ).toMatchObject({ status: 404 })
  })
})

describe('Payment Transaction Report', () => {
  test('pages through all payments both ways with the ledger’s totals', async () => {
    const { portal } = await portalWithGateway()
    const guest = await nextGuest(portal)
    const paid = await guest.pay('4242424242424242')
    const token = await portal.signIn(HOST, 'staff@maplegrove.example')
    const page = (more: object) =>
      portal
        .post(HOST, 'muni/return/payment/transactions', { filters: {}, pageSize: 100, ...more }, { token })
        .then((response) => response.body)
    const first = await page({})
    expect(first.rows[0]).toMatchObject({
      receipt: paid.body.reference,
      paymentStatus: 'Successful',
      can: { printReceipt: true },
    })
    expect(first.count).toBe(1000)
    const second = await page({ cursor: first.next })
    const back = await page({ cursor: second.previous })
    expect(back.rows).toEqual(first.rows)
    const dates = [...first.rows, ...second.rows].map((row: { date: string }) => row.date)
    expect(dates).toEqual(dates.toSorted().toReversed())
    const result = await page({ search: paid.body.reference.toLowerCase() })
    expect(result).toMatchObject({
      count: 1,
      totals: { amountCents: paid.body.quote.billCents, feeCents: paid.body.quote.feeCents },
    })
  })

  const queryReport = async (portal: TestPortal, question: object) => {
    const token = await portal.signIn(HOST, 'staff@maplegrove.example')
    const body = { filters: {}, ...question }
    const response = await portal.post(HOST, 'muni/return/payment/transactions', body, { token })
    expect(response.status, JSON.stringify(response.body)).toBe(200)
    return response.body
  }

  test.each([
    ['every receipt', 'p1', {}],
    ['every receipt of a month', 'p1', { fromDate: '2025-12-01', toDate: '2025-12-31' }],
    ['the cards of a month', 'p1', { fromDate: '2026-03-01', toDate: '2026-03-31', method: 1 }],
    ['what was declined', 'example', { status: 2 }],
  ])('sums and exports all matching payments: %s', async (_what, search, filters: Record<string, string | number>) => {
    const { portal } = await portalWithGateway()
    const { rows } = await portal.owner.query<{ n: number; amount: number; fee: number }>(
      `SELECT count(DISTINCT o.id)::int AS n,
         coalesce(sum(CASE 'payable_municipality' WHEN credit_account THEN amount_cents WHEN debit_account THEN -amount_cents END), 0)::float8 AS amount,
         coalesce(sum(CASE 'fee_revenue' WHEN credit_account THEN amount_cents WHEN debit_account THEN -amount_cents END), 0)::float8 AS fee
       FROM payment_order o JOIN company c ON c.id = o.company_id AND c.subdomain = 'maplegrove'
       LEFT JOIN ledger_transfer t ON t.company_id = o.company_id AND t.order_id = o.id
       WHERE position($1 IN o.search_text) > 0 AND o.status = coalesce($2, o.status) AND o.method = coalesce($3, o.method)
         AND (o.created_at AT TIME ZONE 'America/New_York')::date BETWEEN coalesce($4::date, '-infinity') AND coalesce($5::date, 'infinity')`,
      [search, filters['status'], filters['method'], filters['fromDate'], filters['toDate']],
    )
    const { n, amount, fee } = rows[0] ?? { n: 0, amount: 0, fee: 0 }
    expect(n).toBeGreaterThan(20)
    const { count, totals } = await queryReport(portal, { search, filters, totals: 'all' })
    expect({ count, ...totals }).toMatchObject({ count: Math.min(n, 1000), amountCents: amount, feeCents: fee })
    expect(await exported(portal, { search, filters })).toHaveLength(n)
  })

  test('finds a payment by its words in any order', async () => {
    const { portal } = await portalWithGateway()
    const [row] = (await queryReport(portal, { pageSize: 1 })).rows
    const search = [row.receipt, ...row.payer.split(' ')].toReversed().join('  ')
    expect((await queryReport(portal, { search })).rows).toMatchObject([{ receipt: row.receipt }])
  })

  test('matches the CSV, the Convenience Fee Report and the bank each month', async () => {
    const { portal } = await portalWithGateway()
    const admin = await portal.signIn('admin.localhost', 'super@mainstreet.example')
    const feesOf = async (filters: object) => {
      const response = await portal.post('admin.localhost', 'admin/return/fee/report', { filters }, { token: admin })
      const { amountCents, totalCents } = response.body.rows.find(
        ({ name }: { name: string }) => name === 'Maple Grove',
      )
      return { amountCents, feeCents: totalCents - amountCents, totalCents }
    }
    let explained = 0
    for (const [n, fromDate] of MONTHS.entries()) {
      const toDate = addDays(MONTHS[n + 1] ?? '2026-12-01', -1)
      const { totals } = await queryReport(portal, { filters: { fromDate, toDate } })
      const { amountCents, feeCents, totalCents, refunded, returned, voided, unpaid, owed, other } = totals
      const expectedTotals = { amountCents, feeCents, totalCents }
      const rows = await exported(portal, { filters: { fromDate, toDate } })
      const sum = (of: string, only: (row: Record<string, string>) => boolean = () => true) =>
        rows.reduce((cents, row) => cents + (only(row) ? Math.round(Number(row[of]) * 100) : 0), 0)
      expect(expectedTotals, 'what was kept, row by row').toEqual({
        ...{ amountCents: sum('Retained amount'), feeCents: sum('Retained fee') },
        totalCents: sum('Retained amount') + sum('Retained fee'),
      })
      expect([refunded.amountCents, refunded.feeCents]).toEqual([sum('Refunded amount'), sum('Refunded fee')])
      expect(refunded.totalCents).toBe(sum('Refunded'))
      expect(returned.totalCents + unpaid.totalCents).toBe(
        sum('Total', (row) => row['Status'] === 'Declined' || row['Status'] === 'Pending'),
      )
      expect(voided.totalCents).toBe(sum('Total', (row) => row['Status'] === 'Void'))
      for (const name of ['amountCents', 'feeCents', 'totalCents'] as const)
        expect(
          [totals, refunded, returned, voided, unpaid, owed, other].reduce((cents, part) => cents + part[name], 0),
          'kept and not kept are all that was asked for',
        ).toBe(sum({ amountCents: 'Amount', feeCents: 'Fee', totalCents: 'Total' }[name]))
      expect(await feesOf({ fromDate, toDate }), 'the fee report').toEqual(expectedTotals)
      explained += refunded.totalCents + returned.totalCents + voided.totalCents
      const { totalCents: moved } = await feesOf({ fromDate, toDate, countedBy: 'money' })
      expect(await bankedBetween(portal, fromDate, toDate), `the bank, ${fromDate}`).toBe(moved)
    }
    expect(explained).toBeGreaterThan(0)
  })

  test('shows staff only their own company, and residents nothing', async () => {
    const { portal } = await portalWithGateway()
    const harbor = await portal.signIn('harborcity.localhost', 'admin@harborcity.example')
    expect(
      await portal.post(HOST, 'muni/return/payment/transactions', { filters: {} }, { token: harbor }),
    ).toMatchObject({ status: 401 })
    const resident = await portal.signIn(HOST, 'resident@maplegrove.example')
    expect(
      await portal.post(HOST, 'muni/return/payment/transactions', { filters: {} }, { token: resident }),
    ).toMatchObject({ status: 403 })
  })

  test('exports the filtered payments as CSV with a single-use download token', async () => {
    const { portal } = await portalWithGateway()
    const token = await portal.signIn(HOST, 'staff@maplegrove.example')
    const filters = { fromDate: '2026-10-01', toDate: '2026-10-31', status: 1 }
    const { body } = await portal.post(HOST, 'muni/export/payment/transactions', { filters }, { token })
    const csv = await portal.get(HOST, body.url)
    expect(csv.headers['content-type']).toContain('text/csv')
    const lines = String(csv.body).trim().split('\n')
    expect(lines[0]).toBe(
      'Receipt,Date,Payer,Email,Account,Method,Paid with,Location,Status,Return code,Amount,Fee,Total,Refunded,Refunded amount,Refunded fee,Retained amount,Retained fee',
    )
    expect(lines.length).toBeGreaterThan(100)
    expect(lines.slice(1).every((line) => /^P\d+,2026-10-\d\d /.test(line) && line.includes('Successful'))).toBe(true)
    expect(await portal.get(HOST, body.url)).toMatchObject({ status: 404 })
  })
})
