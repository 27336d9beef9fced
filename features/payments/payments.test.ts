import { randomUUID } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '../../shared/dates.ts'
import { expectAppliedEvents } from '../../test/applied-events.ts'
import { type TestPortal, testClock, testDatabase, testPortal } from '../../test/harness.ts'
import { providerNamed } from './server/providers.ts'
import { reconcile } from './server/reconcile.ts'
import { isSound } from '../../server/verify.ts'
import { verifyLedger } from './server/verify-ledger.ts'
import { describeHeld, verifyProvider } from './server/verify-provider.ts'

const TOWN = 'maplegrove.localhost'

/** A guest in front of a bill, and what they can do there. */
async function guestOf(portal: TestPortal, accountNumber: string) {
  const mine = { account: accountNumber }
  const { rows } = await portal.owner.query<{ zipcode: string }>(
    'SELECT zipcode FROM utility_account WHERE account_number = $1',
    [accountNumber],
  )
  const { body } = await portal.post(TOWN, 'find/guest/bill', { accountNumber, zip: rows[0]?.zipcode })
  const token: string = body.token
  const look = async () => {
    const { body: seen } = await portal.post(TOWN, 'return/guest/checkout', { token })
    return { ...seen.payables[0], ...seen }
  }
  const fields = async (number: string) => {
    const { gateway } = await look()
    const card = { type: 'card', number, month: 8, year: 2029, cvc: '123' }
    const bank = { type: 'echeck', routing: '110000000', number, holder: 'Dot Abernathy', account_type: 2 }
    const answer = await fetch(`${portal.config.gateway.url}/fields/tokens?account=${gateway.account}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(number.length === 12 ? bank : card),
    })
    return ((await answer.json()) as { token: string }).token
  }
  const pay = async (
    number: string,
    { key = randomUUID(), as, ...more }: Record<string, unknown> & { key?: string; as?: string } = {},
  ) => {
    const { owedCents, pendingCents } = await look()
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
    return portal.post(TOWN, 'pay/guest/bill', body, { headers: { 'idempotency-key': key }, ...(as && { token: as }) })
  }
  return {
    ...mine,
    token,
    look,
    pay,
    fields,
    ledger: () => ledgerOf(portal, accountNumber),
    orders: () => ordersOf(portal, accountNumber),
  }
}

const gatewayOf =
  (portal: TestPortal) =>
  async (path: string, body: unknown, method = 'POST', headers: Record<string, string> = {}) => {
    const answer = await fetch(portal.config.gateway.url + path, {
      method,
      headers: {
        ...{ authorization: `Bearer ${portal.config.gateway.apiKey}`, 'content-type': 'application/json' },
        ...headers,
      },
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    })
    return (await answer.json()) as Record<string, unknown>
  }

/** One portal and gateway for all tests; each test takes an account of its own. */
const standing = Promise.withResolvers<Awaited<ReturnType<typeof openPortal>>>()
beforeAll(async () => standing.resolve(await openPortal()))
const portalWithGateway = () => standing.promise

/** Both clocks at the same time, so that signed events are neither old nor early. */
async function openPortal() {
  const clock = testClock()
  const database = await testDatabase({ demo: true })
  const portal = await testPortal({ database, gateway: true, clock })
  const ask = gatewayOf(portal)
  await ask('/v1/test/clock', { now: clock.now().toISOString() })
  const advance = async (seconds: number) => {
    clock.advance(seconds * 1000)
    await ask('/v1/test/clock', { now: clock.now().toISOString() })
  }
  const verify = async () => {
    // What the provider paid out meanwhile is read, as it is every ten minutes.
    await portal.house.jobs.runNow('reconciliation.payouts')
    const { finding, towns } = await verifyProvider(providerNamed(portal.config, 'sandbox'), database.urls.platform)
    const [maple] = towns
    return { ...finding, maple, printed: describeHeld(towns).join() }
  }
  return { portal, database, ask, advance, verify }
}

/** What the ledger says of an account's payments through the gateway. */
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

/** The rows of an export of the Payment Transaction Report. */
async function exported(portal: TestPortal, question: object): Promise<Record<string, string>[]> {
  const token = await portal.signIn(TOWN, 'staff@maplegrove.example')
  const { body } = await portal.post(TOWN, 'muni/export/payment/transactions', { filters: {}, ...question }, { token })
  return parse(String((await portal.get(TOWN, body.url)).body), { columns: true })
}

/** What payments brought to Maple Grove's accounts at the bank, the gateway and the counter on these days, less what left them. */
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

/** A guest with the next account of Maple Grove that owes something and has nothing under way. */
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
  const { owedCents } = await guest.look()
  return {
    ...guest,
    owed: owedCents as number,
    withFee: owedCents + Math.max(195, Math.floor((owedCents * 275 + 5000) / 10_000) + 30),
  }
}

describe('a guest pays a bill', () => {
  test('by card: once, with ledger, remittance, receipt by mail and as PDF, and nothing owed after', async () => {
    const { portal } = await portalWithGateway()
    const guest = await guestOf(portal, '100001')
    const before = await guest.look()
    expect(before).toMatchObject({
      owedCents: 14931,
      facts: expect.arrayContaining([{ name: 'customer', value: 'D. Abernathy' }]),
    })
    const key = randomUUID()
    const methodToken = await guest.fields('4242424242424242')
    const paid = await guest.pay('4242424242424242', { key, methodToken })
    expect(paid).toMatchObject({
      status: 200,
      body: { state: 'paid', receipt: { means: 'Visa ending 4242', quote: { totalCents: 15372 } } },
    })
    const again = await guest.pay('4242424242424242', { key, methodToken, billCents: 14931 })
    expect(again.body).toEqual(paid.body)
    expect(await guest.ledger()).toEqual({ gateway_clearing: 15372, payable_municipality: -14931, fee_revenue: -441 })
    expect((await guest.look()).owedCents).toBe(0)
    const mail = (await portal.mails()).at(-1)
    expect(mail).toMatchObject({ to_address: 'dot@example.com', subject: expect.stringContaining('$153.72') })
    expect(mail?.attachments[0]?.filename).toMatch(/^receipt-P\d+\.pdf$/)
    const pdf = await portal.get(TOWN, `/guest/payment/${guest.token}/receipt.pdf`)
    expect(pdf).toMatchObject({ status: 200, headers: { 'content-type': 'application/pdf' } })
  })

  test('the same key with another body is refused', async () => {
    const { portal } = await portalWithGateway()
    const guest = await nextGuest(portal)
    const key = randomUUID()
    await guest.pay('4000000000000002', { key })
    expect(await guest.pay('4242424242424242', { key })).toMatchObject({ status: 422 })
  })

  test('declined, then paid: one order, two attempts, one capture', async () => {
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
    ['4000000000009995', 'too little money'],
    ['4000000000000069', 'expired'],
    ['4000000000000127', 'security code'],
    ['4000000000000119', 'could not be reached'],
  ])('card %s is declined with its own sentence', async (number, says) => {
    const { portal } = await portalWithGateway()
    const { body } = await (await nextGuest(portal)).pay(number)
    expect(body).toMatchObject({ state: 'declined', message: expect.stringContaining(says) })
    expect(body.message).toContain('Nothing was charged')
  })

  test('from two tabs of one page at the same moment: one charge', async () => {
    const { portal } = await portalWithGateway()
    const guest = await nextGuest(portal)
    const tokens = await Promise.all([guest.fields('4242424242424242'), guest.fields('4242424242424242')])
    const answers = await Promise.all(
      tokens.map((methodToken) => guest.pay('4242424242424242', { methodToken, billCents: guest.owed })),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409])
    expect(await guest.ledger()).toMatchObject({ gateway_clearing: guest.withFee })
  })

  test('from two checkouts of one account at the same moment: one charge, the other is told that the amount changed', async () => {
    const { portal } = await portalWithGateway()
    const guest = await nextGuest(portal)
    const other = await guestOf(portal, guest.account)
    const answers = await Promise.all(
      [guest, other].map((each) => each.pay('4242424242424242', { billCents: guest.owed })),
    )
    expect(answers.map((answer) => answer.status).sort()).not.toEqual([200, 200])
    expect(await guest.ledger()).toMatchObject({ gateway_clearing: guest.withFee })
  })

  test('a slow card is being worked on, then paid when the gateway says so', async () => {
    const { portal, ask, advance } = await portalWithGateway()
    const guest = await nextGuest(portal)
    expect((await guest.pay('4000000000000077')).body).toMatchObject({
      state: 'working',
      message: expect.stringContaining('Do not pay again'),
    })
    expect((await guest.pay('4242424242424242', { billCents: guest.owed })).body).toMatchObject({
      code: 'payment_in_progress',
    })
    // The gateway's clock ran on since the two were set alike.
    await advance(300)
    await ask('/v1/test/flush', {})
    await expect.poll(async () => (await guest.look()).payment.state).toBe('paid')
  })

  test('a challenge waits for the payer, who approves it', async () => {
    const { portal } = await portalWithGateway()
    const guest = await nextGuest(portal)
    const { body } = await guest.pay('4000002760003184')
    expect(body).toMatchObject({ state: 'challenge', actionUrl: expect.stringContaining('/challenge/') })
    const answered = await fetch(body.actionUrl.replace('localhost', '127.0.0.1'), {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'answer=approve',
    })
    expect(answered.status).toBe(303)
    expect(answered.headers.get('location')).toContain(`/guest/payment/${guest.token}`)
    portal.clock.advance(5000)
    await expect.poll(async () => (await guest.look()).payment.state).toBe('paid')
  })
})

describe('somebody who is signed in', () => {
  const activityOf = async (portal: TestPortal, token: string) => {
    const { body } = await portal.post(TOWN, 'return/activity/log', { filters: { kind: 'payment' } }, { token })
    return (body.entries as { what: string }[]).map(({ what }) => what)
  }

  test('pays as that person: the order is theirs, and their activity log lists it', async () => {
    const { portal } = await portalWithGateway()
    const guest = await nextGuest(portal)
    const [mine, other] = [
      await portal.signIn(TOWN, 'newcomer@maplegrove.example'),
      await portal.signIn(TOWN, 'staff@maplegrove.example'),
    ]
    const before = await activityOf(portal, other)
    expect((await guest.pay('4000000000000002', { as: mine })).body.state).toBe('declined')
    expect((await guest.pay('4242424242424242', { as: mine })).body.state).toBe('paid')
    const { rows } = await portal.owner.query("SELECT id FROM person WHERE email = 'newcomer@maplegrove.example'")
    expect(await guest.orders()).toMatchObject([{ person_id: rows[0].id, location: 1 }])
    expect(await activityOf(portal, mine)).toEqual([
      'A payment was taken',
      'A payment was tried again',
      'A payment was declined',
      'A payment was begun',
    ])
    expect(await activityOf(portal, other)).toEqual(before)
  })

  test('takes on what was declined before they signed in; a guest’s payment stays nobody’s', async () => {
    const { portal } = await portalWithGateway()
    const guest = await nextGuest(portal)
    await guest.pay('4000000000000002')
    expect(await guest.orders()).toMatchObject([{ person_id: null, location: 4 }])
    await guest.pay('4242424242424242', { as: await portal.signIn(TOWN, 'newcomer@maplegrove.example') })
    expect(await guest.orders()).toMatchObject([{ person_id: expect.anything(), location: 1, status: 1 }])
  })
})

describe('a receipt', () => {
  test('names the place, the bill, and what is left of it or stays as a credit', async () => {
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
          facts: [
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
    const over = await rest.pay('4242424242424242', { payType: 3, billCents: guest.owed })
    expect(over.body.receipt).toMatchObject({ lines: [{ amountCents: guest.owed }], leftCents: -1000 })
    // What is paid later changes nothing of a receipt.
    expect((await guest.look()).payment.receipt).toEqual(part.body.receipt)
  })
})

describe('an eCheck', () => {
  test('is acknowledged, then paid when the bank paid', async () => {
    const { portal, advance } = await portalWithGateway()
    const guest = await nextGuest(portal)
    expect((await guest.pay('000123456789')).body).toMatchObject({
      state: 'processing',
      receipt: { means: 'Checking account ending 6789' },
    })
    const mail = (await portal.mails()).at(-1)
    expect(mail?.subject).toContain('on its way')
    const [link, token] =
      /http:\/\/maplegrove\.localhost:\d+\/guest\/payment\/([\w-]{43})/.exec(mail?.text_body ?? '') ?? []
    expect(link, 'a link in the mail').toBeDefined()
    expect((await portal.post(TOWN, 'return/guest/checkout', { token })).body.payment).toMatchObject({
      state: 'processing',
      reference: expect.stringMatching(/^P\d+$/),
    })
    expect((await portal.post('harborcity.localhost', 'return/guest/checkout', { token })).status).toBe(404)
    expect(await guest.look()).toMatchObject({ owedCents: guest.owed, pendingCents: guest.owed })
    await advance(3 * 86_400)
    await expect
      .poll(async () => (await guest.look()).payment)
      .toMatchObject({ state: 'paid', receipt: { means: 'Checking account ending 6789' } })
    expect(await guest.ledger()).toEqual({
      gateway_clearing: guest.owed + 150,
      payable_municipality: -guest.owed,
      fee_revenue: -150,
    })
  })

  test('that the bank refuses (R01) takes no money', async () => {
    const { portal, advance } = await portalWithGateway()
    const guest = await nextGuest(portal)
    await guest.pay('000111111116')
    await advance(2 * 86_400)
    await expect
      .poll(async () => (await guest.look()).payment)
      .toMatchObject({ state: 'declined', message: expect.stringContaining('R01') })
    expect(await guest.ledger()).toEqual({})
  })

  test('that comes back later (R10) is owed again, and every transfer is undone', async () => {
    const { portal, advance } = await portalWithGateway()
    const guest = await nextGuest(portal)
    await guest.pay('000222222227')
    await advance(3 * 86_400)
    await expect.poll(async () => (await guest.look()).payment.state).toBe('paid')
    await advance(4 * 86_400)
    await reconcile(portal.house)
    // The attempt is final for the reconciler; the event of the return says that it is not.
    const ask = gatewayOf(portal)
    await ask('/v1/test/flush', {})
    await expect.poll(async () => (await guest.look()).payment.state).toBe('returned')
    expect(await guest.ledger()).toEqual({})
    expect(await guest.look()).toMatchObject({ owedCents: guest.owed })
    expect((await portal.mails()).at(-1)?.subject).toContain('returned')
  })
})

describe('when the gateway is silent', () => {
  test('a confirmation that was done but not answered is found out, and charged once', async () => {
    const { portal, ask } = await portalWithGateway()
    const guest = await nextGuest(portal)
    await ask('/v1/test/faults', { fault: '500', path: 'confirm', count: 1 })
    expect((await guest.pay('4242424242424242')).body).toMatchObject({ state: 'paid' })
    expect(await guest.ledger()).toMatchObject({ gateway_clearing: guest.withFee })
  })

  test('an intent that cannot be made charges nothing and can be tried again', async () => {
    const { portal, ask } = await portalWithGateway()
    const guest = await nextGuest(portal)
    await ask('/v1/test/faults', { fault: '500', path: '/v1/intents', count: 1 })
    expect((await guest.pay('4242424242424242')).body).toMatchObject({
      state: 'declined',
      message: expect.stringContaining('Nothing was charged'),
    })
    expect((await guest.pay('4242424242424242')).body).toMatchObject({ state: 'paid' })
    expect(await guest.ledger()).toMatchObject({ gateway_clearing: guest.withFee })
  })

  test('an attempt that nobody confirmed is cancelled at the gateway before it counts as declined', async () => {
    const { portal, ask } = await portalWithGateway()
    const guest = await nextGuest(portal)
    // Both confirmations fail without work, and so does asking about it: nobody knows.
    await ask('/v1/test/faults', { fault: '500', path: 'confirm', count: 2 })
    expect((await guest.pay('4242424242424242')).body).toMatchObject({ state: 'working' })
    portal.clock.advance(60_000)
    await reconcile(portal.house)
    expect((await guest.look()).payment).toMatchObject({
      state: 'declined',
      message: expect.stringContaining('Nothing was charged'),
    })
    expect((await guest.pay('4242424242424242')).body).toMatchObject({ state: 'paid' })
    expect(await guest.ledger()).toMatchObject({ gateway_clearing: guest.withFee })
  })
})

describe('when the gateway’s events are lost', () => {
  test('its own account tells of them: before that, only asking it finds what is missing', async () => {
    const { portal, database, ask, advance, verify } = await portalWithGateway()
    await reconcile(portal.house)
    expect(await verify()).toMatchObject({ wrong: 0 })
    await ask('/v1/test/webhooks', { mode: { drop: 1 } })
    const guest = await nextGuest(portal)
    const { gateway } = await guest.look()
    await guest.pay('000222222227')
    await advance(3 * 86_400)
    await expect.poll(async () => (await guest.look()).payment.state).toBe('paid')
    const before = await verify()
    expect(before).toMatchObject({ wrong: 0 })

    const [order] = await guest.orders()
    const { rows } = await portal.owner.query('SELECT intent_id FROM payment_attempt WHERE order_id = $1', [order.id])
    const refund = { intent: rows[0].intent_id, amount_cents: order.total_cents }
    const headers = { 'gateway-account': gateway.account, 'idempotency-key': randomUUID() }
    const { id } = await ask('/v1/refunds', refund, 'POST', headers)
    await advance(4 * 86_400)
    const lost = await verify()
    expect(lost).toMatchObject({ wrong: 2 })
    expect(lost.first.join()).toContain(`of ${String(id)} the provider moved -`)

    await reconcile(portal.house)
    const after = await verify()
    expect(after).toMatchObject({ wrong: 0 })
    await expectAppliedEvents(database.owner)
    expect(isSound(await verifyLedger(database.urls.platform))).toBe(true)
    expect(after.printed).toMatch(/^Maple Grove: the provider holds (-?\$[\d,.]+), by the ledger \1$/)
    expect(await guest.ledger()).toEqual({
      gateway_clearing: -order.total_cents,
      returns_receivable: order.total_cents,
    })
    expect(await guest.look()).toMatchObject({ owedCents: guest.owed, payment: { state: 'returned' } })
    const token = await portal.signIn(TOWN, 'staff@maplegrove.example')
    const { body } = await portal.post(TOWN, 'muni/return/payment/details', { paymentId: order.id }, { token })
    expect(body.alerts).toMatchObject([{ message: expect.stringContaining('Ask for it.') }])
    await ask('/v1/test/webhooks', { mode: 'clean' })
  })
})

describe('the rules of amounts', () => {
  test.each([
    [2, 499, 'The smallest amount is $5.00.'],
    [2, 140_000, 'A partial amount is less than the $'],
    [3, 150_001, 'The largest amount is $1,500.00.'],
    [3, 499, 'The smallest amount is $5.00.'],
  ])('pay type %i of %i cents is refused and nothing is charged', async (payType, billCents, says) => {
    const { portal } = await portalWithGateway()
    const guest = await nextGuest(portal)
    const answer = await guest.pay('4242424242424242', { payType, billCents })
    expect(answer).toMatchObject({ status: 422, body: { message: expect.stringContaining(says) } })
    expect(await guest.orders()).toEqual([])
  })

  test('more than owed is taken as Other, and becomes credit', async () => {
    const { portal } = await portalWithGateway()
    const guest = await nextGuest(portal)
    expect((await guest.pay('4242424242424242', { payType: 3, billCents: 20_000 })).body).toMatchObject({
      state: 'paid',
    })
    expect((await guest.look()).owedCents).toBe(guest.owed - 20_000)
  })

  test('a total that is not what the screen showed charges nothing', async () => {
    const { portal } = await portalWithGateway()
    const guest = await nextGuest(portal)
    expect(await guest.pay('4242424242424242', { expectedTotalCents: guest.owed })).toMatchObject({
      status: 409,
      body: { code: 'amount_changed' },
    })
    expect(await guest.orders()).toEqual([])
  })
})

describe('finding a bill', () => {
  test('a wrong pair says only that no bill matches, and guessing is slowed down', async () => {
    const { portal } = await portalWithGateway()
    const find = (accountNumber: string, zip: string) => portal.post(TOWN, 'find/guest/bill', { accountNumber, zip })
    const wrongZip = await find('100001', '99999')
    const unknown = await find('555555', '17011')
    expect(wrongZip).toMatchObject({ status: 404, body: { code: 'no_bill' } })
    expect(wrongZip.body).toEqual(unknown.body)
    for (let i = 0; i < 7; i++) await find('100001', '99999')
    expect(await find('100001', '17011')).toMatchObject({
      status: 429,
      body: { message: expect.stringContaining('wait a minute') },
    })
    portal.clock.advance(61_000)
    expect(await find('100001', '17011')).toMatchObject({ status: 200 })
  })

  test('shows a stranger what a payer needs to know the bill by, and nothing else of the account', async () => {
    const { portal } = await portalWithGateway()
    const { token } = (await portal.post(TOWN, 'find/guest/bill', { accountNumber: '100001', zip: '17011' })).body
    const { body } = await portal.post(TOWN, 'return/guest/checkout', { token })
    const { rows } = await portal.owner.query(
      `SELECT a.service_address, a.customer_name, b.bill_number FROM utility_account a JOIN utility_bill b ON b.account_id = a.id
       WHERE a.account_number = '100001' ORDER BY b.bill_date DESC LIMIT 1`,
    )
    const [{ service_address, customer_name, bill_number }] = rows
    expect(body).toMatchObject({
      payables: [
        {
          title: 'Utility bill',
          facts: [
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

  test('asks for a second fact where the town wants one: the last name, or the amount of the last bill', async () => {
    const { portal } = await portalWithGateway()
    portal.clock.advance(3_600_000)
    const ask = (fact: string) => portal.owner.query('UPDATE payment_settings SET guest_fact = $1', [fact])
    const { rows } = await portal.owner.query(
      `SELECT account_number, a.zipcode, customer_name, amount_cents / 100.0 AS amount
       FROM utility_account a JOIN utility_bill b ON b.account_id = a.id
         JOIN company c ON c.id = a.company_id AND c.subdomain = 'maplegrove'
       WHERE customer_name ~ '^[A-Z][a-z]+ [A-Z][a-z]+$' ORDER BY bill_date DESC, a.id LIMIT 1`,
    )
    const [{ account_number: accountNumber, zipcode: zip, customer_name, amount }] = rows
    const [first, last] = customer_name.split(' ')
    const find = async (fact?: string) =>
      (await portal.post(TOWN, 'find/guest/bill', { accountNumber, zip, fact })).status
    await ask('last_name')
    const names = [await find(), await find('Nobody'), await find(first), await find(` ${last.toUpperCase()} `)]
    portal.clock.advance(16 * 60_000)
    await ask('last_bill')
    const amounts = [await find('0.01'), await find('one'), await find(`$${Number(amount).toFixed(2)}`)]
    await ask('none')
    expect([names, amounts]).toEqual([
      [404, 404, 404, 200],
      [404, 404, 200],
    ])
    const page = await portal.get(TOWN, '/guest-utility-payment')
    expect(page.body).toContain('"guestFact":"none"')
  })

  test('another town does not know the account', async () => {
    const { portal } = await portalWithGateway()
    expect(
      await portal.post('harborcity.localhost', 'find/guest/bill', { accountNumber: '100001', zip: '17011' }),
    ).toMatchObject({ status: 404 })
  })
})

describe('the Payment Transaction Report', () => {
  test('pages through all payments in order, forth and back, and its totals are those of the ledger', async () => {
    const { portal } = await portalWithGateway()
    const guest = await nextGuest(portal)
    const paid = await guest.pay('4242424242424242')
    const token = await portal.signIn(TOWN, 'staff@maplegrove.example')
    const page = (more: object) =>
      portal
        .post(TOWN, 'muni/return/payment/transactions', { filters: {}, pageSize: 100, ...more }, { token })
        .then((answer) => answer.body)
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
    const found = await page({ search: paid.body.reference.toLowerCase() })
    expect(found).toMatchObject({
      count: 1,
      totals: { amountCents: paid.body.quote.billCents, feeCents: paid.body.quote.feeCents },
    })
  })

  const ask = async (portal: TestPortal, question: object) => {
    const token = await portal.signIn(TOWN, 'staff@maplegrove.example')
    const body = { filters: {}, ...question }
    const answer = await portal.post(TOWN, 'muni/return/payment/transactions', body, { token })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body
  }

  test.each([
    ['every receipt', 'p1', {}],
    ['every receipt of a month', 'p1', { fromDate: '2025-12-01', toDate: '2025-12-31' }],
    ['the cards of a month', 'p1', { fromDate: '2026-03-01', toDate: '2026-03-31', method: 1 }],
    ['what was declined', 'example', { status: 2 }],
  ])(
    'sums and exports all that a search finds: %s',
    async (_what, search, filters: Record<string, string | number>) => {
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
      const { count, totals } = await ask(portal, { search, filters })
      expect({ count, ...totals }).toMatchObject({ count: Math.min(n, 1000), amountCents: amount, feeCents: fee })
      expect(await exported(portal, { search, filters })).toHaveLength(n)
    },
  )

  test('finds a payment by its words in any order', async () => {
    const { portal } = await portalWithGateway()
    const [row] = (await ask(portal, { pageSize: 1 })).rows
    const search = [row.receipt, ...row.payer.split(' ')].toReversed().join('  ')
    expect((await ask(portal, { search })).rows).toMatchObject([{ receipt: row.receipt }])
  })

  test('and its CSV, the Convenience Fee Report and the bank agree in each month of the year', async () => {
    const { portal } = await portalWithGateway()
    const admin = await portal.signIn('admin.localhost', 'super@mainstreet.example')
    const feesOf = async (filters: object) => {
      const answer = await portal.post('admin.localhost', 'admin/return/fee/report', { filters }, { token: admin })
      const { amountCents, totalCents } = answer.body.rows.find(({ name }: { name: string }) => name === 'Maple Grove')
      return { amountCents, feeCents: totalCents - amountCents, totalCents }
    }
    let explained = 0
    for (const [n, fromDate] of MONTHS.entries()) {
      const toDate = addDays(MONTHS[n + 1] ?? '2026-12-01', -1)
      const { totals } = await ask(portal, { filters: { fromDate, toDate } })
      const { amountCents, feeCents, totalCents, refunded, returned, voided, unpaid, owed, other } = totals
      const kept = { amountCents, feeCents, totalCents }
      const rows = await exported(portal, { filters: { fromDate, toDate } })
      const sum = (of: string, only: (row: Record<string, string>) => boolean = () => true) =>
        rows.reduce((cents, row) => cents + (only(row) ? Math.round(Number(row[of]) * 100) : 0), 0)
      expect(kept, 'what was kept, row by row').toEqual({
        ...{ amountCents: sum('Kept amount'), feeCents: sum('Kept fee') },
        totalCents: sum('Kept amount') + sum('Kept fee'),
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
      expect(await feesOf({ fromDate, toDate }), 'the fee report').toEqual(kept)
      explained += refunded.totalCents + returned.totalCents + voided.totalCents
      const { totalCents: moved } = await feesOf({ fromDate, toDate, countedBy: 'money' })
      expect(await bankedBetween(portal, fromDate, toDate), `the bank, ${fromDate}`).toBe(moved)
    }
    expect(explained).toBeGreaterThan(0)
  })

  test('staff see their own town alone, and residents nothing', async () => {
    const { portal } = await portalWithGateway()
    const harbor = await portal.signIn('harborcity.localhost', 'admin@harborcity.example')
    expect(
      await portal.post(TOWN, 'muni/return/payment/transactions', { filters: {} }, { token: harbor }),
    ).toMatchObject({ status: 401 })
    const resident = await portal.signIn(TOWN, 'resident@maplegrove.example')
    expect(
      await portal.post(TOWN, 'muni/return/payment/transactions', { filters: {} }, { token: resident }),
    ).toMatchObject({ status: 403 })
  })

  test('exports what the filters show as CSV through a ticket that works once', async () => {
    const { portal } = await portalWithGateway()
    const token = await portal.signIn(TOWN, 'staff@maplegrove.example')
    const filters = { fromDate: '2026-10-01', toDate: '2026-10-31', status: 1 }
    const { body } = await portal.post(TOWN, 'muni/export/payment/transactions', { filters }, { token })
    const csv = await portal.get(TOWN, body.url)
    expect(csv.headers['content-type']).toContain('text/csv')
    const lines = String(csv.body).trim().split('\n')
    expect(lines[0]).toBe(
      'Receipt,Date,Payer,Email,Account,Method,Paid with,Location,Status,Return code,Amount,Fee,Total,Refunded,Refunded amount,Refunded fee,Kept amount,Kept fee',
    )
    expect(lines.length).toBeGreaterThan(100)
    expect(lines.slice(1).every((line) => /^P\d+,2026-10-\d\d /.test(line) && line.includes('Successful'))).toBe(true)
    expect(await portal.get(TOWN, body.url)).toMatchObject({ status: 404 })
  })
})
