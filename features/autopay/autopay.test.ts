import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { beforeAll, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { liftLimits } from '../../test/databases.ts'
import { testPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/company.ts'
import { addDays } from '../../shared/dates.ts'
import { formatCents } from '../../shared/money.ts'
import { provideInstead } from '../payments/server/providers/providers.ts'
import { reconcile } from '../payments/server/attempts/reconcile.ts'
import { sandboxProvider } from '../payments/server/providers/sandbox/sandbox.ts'
import { quoteOf } from '../payments/rules-fees.ts'
import { importBills } from '../utility-accounts/server/import-bills.ts'
import { runAutopay } from './server/run.ts'

const MAPLE = 'maplegrove.localhost'
const RESIDENT = 'resident@maplegrove.example'
const ADMIN = 'admin@maplegrove.example'
const DUE = '2026-12-11'
const AMOUNT = 10_000

const portal = await testPortal({ gateway: true })
// Sandbox provider with a shorter timeout.
provideInstead(portal.config, sandboxProvider({ ...portal.config.gateway, timeoutMs: 1000 }))
let resident = ''
let staff = ''

const as = (token: string) => ({ token, headers: { 'idempotency-key': randomUUID() } })
const callApi = (path: string, body: object = {}, token = resident) => portal.post(MAPLE, path, body, as(token))
const gateway = (path: string, body: object = {}) =>
  fetch(`${portal.config.gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${portal.config.gateway.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const rowsOf = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await portal.owner.query<T>(text, values)).rows

/** Creates bills of $100.00 with one due date, one for each account. All accounts are linked to the resident. */
async function bill(numbers: readonly string[], dueDate = DUE, name = 'A'): Promise<void> {
  const head =
    'account_number,customer_name,service_address,city,state,zip,bill_number,bill_date,due_date,period_start,period_end,service_1,amount_1'
  const lines = numbers.map(
    (number, n) =>
      `${number},Naomi Whitaker,${n} Elm Street,Maple Grove,PA,17011,${name}${number},${addDays(dueDate, -21)},${dueDate},2026-10-01,2026-10-31,Water,100.00`,
  )
  await importBills(
    { db: portal.db, clock: portal.clock, log: { info: () => {} } },
    'maplegrove',
    Readable.from([[head, ...lines].join('\n')]),
  )
  await portal.owner.query(
    `INSERT INTO linked_account (company_id, person_id, account_id, linked_at)
     SELECT p.company_id, p.id, a.id, now() FROM person p JOIN utility_account a ON a.company_id = p.company_id
     WHERE p.email = $1 ON CONFLICT DO NOTHING`,
    [RESIDENT],
  )
}

/** Returns the token that the gateway's hosted fields create for a published test number. */
async function tokenOf(number: string): Promise<string> {
  const { gateway: fields } = (await callApi('return/payment/methods')).body
  const body =
    number.length === 12
      ? { type: 'echeck', routing: '110000000', number, holder: 'Naomi Whitaker', account_type: 2 }
      : { type: 'card', number, month: 8, year: 2031, cvc: '123' }
  const response = await fetch(`${portal.config.gateway.url}/fields/tokens?account=${fields.account}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return ((await response.json()) as { token: string }).token
}

const add = async (number: string) =>
  callApi('add/payment/method', {
    method: number.length === 12 ? 2 : 1,
    agree: true,
    methodToken: await tokenOf(number),
  })
const storeMethod = async (number: string): Promise<number> => (await add(number)).body.id

const usual = { timing: 'due', daysBefore: 0, dayOfMonth: 0, limited: false, capCents: null, agree: true }
const loadAutopay = async () => (await callApi('return/autopay')).body
const itemOf = async (reference: string) =>
  (await loadAutopay()).items.find((one: { reference: string }) => one.reference === reference)
const save = async (reference: string, form: object) =>
  callApi('save/autopay', {
    kind: 'utility',
    itemId: (await itemOf(reference)).id,
    mandate: (await loadAutopay()).mandate.version,
    form: { ...usual, ...form },
  })

/** Sets the clocks of the portal and the bank to 7 am on that day, then runs AutoPay. */
async function morning(day: string): Promise<void> {
  portal.clock.set(`${day}T12:00:00.000Z`)
  await gateway('/v1/test/clock', { now: portal.clock.now().toISOString() })
  await gateway('/v1/test/flush')
  await reconcile(portal.context)
  await runAutopay(portal.context)
}

/** Returns the orders of an account with their days, oldest first, then the state of each enrollment. */
async function historyOf(reference: string): Promise<string[]> {
  const orders = await rowsOf<{ day: string; status: number; code: string | null; total: number; location: number }>(
    `SELECT to_char(created_at AT TIME ZONE 'America/New_York', 'MM-DD') AS day, status, location, return_code AS code,
       bill_cents::int AS total FROM payment_order WHERE reference = $1 ORDER BY id`,
    [reference],
  )
  const ends = await rowsOf<{ state: string; end_reason: string; end_code: string }>(
    'SELECT state, end_reason, end_code FROM autopay WHERE reference = $1 ORDER BY id',
    [reference],
  )
  expect(orders.every(({ total, location }) => total === AMOUNT && location === 6)).toBe(true)
  return [
    ...orders.map(({ day, status, code }) => `${day} ${status === 1 ? 'paid' : `declined${code ? ` ${code}` : ''}`}`),
    ...ends.map(({ state, end_reason, end_code }) => [state, end_reason, end_code].filter(Boolean).join(' ')),
  ]
}

const emailsTo = async (subjectPattern: RegExp) =>
  (await portal.emails()).filter(({ subject }) => subjectPattern.test(subject))

/** Signs in the resident and the staff member again, because their sessions expire when the clock advances. */
async function signInBoth(): Promise<void> {
  resident = await portal.signIn(MAPLE, RESIDENT)
  staff = await portal.signIn(MAPLE, ADMIN)
}

beforeAll(async () => {
  await openTestCompany(portal, mapleGrove)
  await liftLimits(portal.owner)
  await signInBoth()
  await gateway('/v1/test/clock', { now: portal.clock.now().toISOString() })
})

describe('payment methods', () => {
  test('stores the last digits only, and no method that the bank refuses', async () => {
    const card = await storeMethod('4242424242424242')
    const bank = await storeMethod('000123456789')
    const { methods, mandate } = (await callApi('return/payment/methods')).body
    expect(methods).toMatchObject([
      { id: card, methodLabel: 'Visa ending 4242', expiresOn: '2031-08-31', isDefault: true, pays: [] },
      {
        id: bank,
        methodLabel: 'Checking account ending 6789',
        bankName: 'TEST BANK',
        expiresOn: null,
        isDefault: false,
      },
    ])
    const [storedMethod] = await rowsOf<Record<string, string>>('SELECT * FROM stored_method WHERE id = $1', [bank])
    expect(storedMethod).toMatchObject({ mandate_text: mandate, mandate_address: '127.0.0.1' })
    expect(await add('4000000000000002')).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('The card was declined.') },
    })
    const [{ text } = { text: '' }] = await rowsOf<{ text: string }>(
      `SELECT (SELECT string_agg(s::text, '') FROM stored_method s) || (SELECT string_agg(a::text, '') FROM audit_event a) AS text`,
    )
    expect(text).not.toMatch(/4242424242424242|000123456789/)
    expect((await callApi('default/payment/method', { id: bank })).status).toBe(200)
    expect((await callApi('remove/payment/method', { id: card })).status).toBe(200)
    await portal.runJobs()
    expect((await callApi('return/payment/methods')).body.methods).toMatchObject([{ id: bank, isDefault: true }])
    expect((await callApi('default/payment/method', { id: card })).status).toBe(404)
    expect((await callApi('remove/payment/method', { id: bank })).status).toBe(200)
  })

  test('saves one method if a lost answer is requested again', async () => {
    const token = await tokenOf('4242424242424242')
    const key = as(resident)
    const send = () => portal.post(MAPLE, 'add/payment/method', { method: 1, agree: true, methodToken: token }, key)
    await gateway('/v1/test/faults', { fault: 'timeout-after', path: '/confirm' })
    expect((await send()).status).toBe(503)
    expect((await send()).status).toBe(200)
    expect((await callApi('return/payment/methods')).body.methods).toHaveLength(1)
  })
})

/** Sends the cardholder's response to the bank. */
const respondToBank = (url: string, response: 'approve' | 'refuse') =>
  fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `response=${response}`,
  })

describe('card that its bank challenges', () => {
  const CHALLENGE = '4000002760003184'

  test('is saved after approval, even without a return, but not after refusal', async () => {
    const [came, left, refused] = [await add(CHALLENGE), await add(CHALLENGE), await add(CHALLENGE)].map(
      ({ body }) => body as { id: number; actionUrl: string },
    )
    if (!came || !left || !refused) throw new Error('three were added')
    expect(came).toMatchObject({ id: 0, actionUrl: expect.stringContaining('/challenge/seti_') })
    const setups = (await rowsOf<{ key: string }>('SELECT setup_key AS key FROM method_setup ORDER BY created_at')).map(
      ({ key }) => key,
    )
    const finish = async (n: number) => callApi('finish/payment/method', { setup: setups[n] })
    const challengeMethods = async () => (await callApi('return/payment/methods')).body.methods.filter(isChallenge)
    const isChallenge = ({ methodLabel }: { methodLabel: string }) => methodLabel === 'Visa ending 3184'
    expect(await finish(0)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('has not confirmed this card') },
    })
    const back = await respondToBank(came.actionUrl, 'approve')
    expect(back.headers.get('location')).toContain(`/profile/payment-methods?setup=${setups[0]}`)
    const { body } = await finish(0)
    expect(body).toMatchObject({ message: 'Visa ending 3184 was saved for your payments.', actionUrl: null })
    expect((await finish(0)).body.id).toBe(body.id)
    await respondToBank(refused.actionUrl, 'refuse')
    expect(await finish(2)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('The payment method was not saved') },
    })
    expect(await challengeMethods()).toHaveLength(1)
    // Another person can't finish the setup. A return URL that was used before does not restore a removed method.
    const other = await portal.signIn(MAPLE, 'newcomer@maplegrove.example')
    expect((await callApi('finish/payment/method', { setup: setups[0] }, other)).status).toBe(404)
    await callApi('remove/payment/method', { id: body.id })
    expect((await finish(0)).status).toBe(422)
    await respondToBank(left.actionUrl, 'approve')
    portal.clock.set(new Date(portal.clock.now().getTime() + 21 * 60_000).toISOString())
    await portal.runJobs()
    expect(await challengeMethods()).toHaveLength(1)
    for (const { id } of await challengeMethods()) await callApi('remove/payment/method', { id })
  })
})

describe('payment with a saved method', () => {
  /** Opens a checkout for an account with $100.00 due. Returns functions for the calls of its page. */
  async function checkoutOf(number: string) {
    await bill([number], DUE, 'C')
    const [{ id } = { id: 0 }] = await rowsOf<{ id: number }>(
      'SELECT id::int FROM utility_account WHERE account_number = $1',
      [number],
    )
    const { token } = (await callApi('open/utility/payment', { accountIds: [id] })).body
    const loadCheckout = async (session = resident) => (await callApi('return/guest/checkout', { token }, session)).body
    const pay = async (by: object, { session = resident, method = 1 as 1 | 2 } = {}) => {
      const { fees } = await loadCheckout()
      const body = {
        token,
        payType: 1,
        method,
        billCents: AMOUNT,
        lines: [{ no: 1, payType: 1, billCents: AMOUNT }],
        expectedTotalCents: quoteOf(fees.rules, { ...fees, kind: 'utility', method }, AMOUNT).totalCents,
        email: RESIDENT,
      }
      return callApi('pay/guest/bill', { ...body, ...by }, session)
    }
    return { token, load: loadCheckout, pay }
  }

  test('accepts only the payer’s own methods that are still saved', async () => {
    const [storedId, gone] = [await storeMethod('4242424242424242'), await storeMethod('5555555555554444')]
    const { load, pay } = await checkoutOf('9001')
    const offered = (await load()).storedMethods.filter(({ id }: { id: number }) => [storedId, gone].includes(id))
    expect(offered).toMatchObject([
      { id: storedId, methodLabel: 'Visa ending 4242', expiresOn: '2031-08-31', isGood: true },
      { id: gone, methodLabel: 'Mastercard ending 4444' },
    ])
    expect((await load('')).storedMethods).toEqual([])
    const newcomer = await portal.signIn(MAPLE, 'newcomer@maplegrove.example')
    const gate = { status: 409, body: { code: 'method_gone' } }
    expect(await pay({ storedMethodId: storedId }, { session: newcomer })).toMatchObject(gate)
    expect((await pay({ storedMethodId: storedId }, { session: '' })).status).toBe(422)
    expect((await pay({})).status).toBe(422)
    expect((await pay({ storedMethodId: storedId, methodToken: await tokenOf('4242424242424242') })).status).toBe(422)
    expect(await pay({ storedMethodId: storedId }, { method: 2 })).toMatchObject(gate)
    await callApi('remove/payment/method', { id: gone })
    expect(await pay({ storedMethodId: gone })).toMatchObject(gate)
    expect(await rowsOf('SELECT 1 FROM payment_order WHERE reference = $1', ['9001'])).toHaveLength(0)
    expect((await pay({ storedMethodId: storedId })).body).toMatchObject({
      state: 'paid',
      receipt: { methodLabel: 'Visa ending 4242' },
    })
    await callApi('remove/payment/method', { id: storedId })
  })

  test('returns the payer to the payment after their bank’s challenge', async () => {
    const { token, load, pay } = await checkoutOf('9002')
    const methodToken = await tokenOf('4000002760003184')
    const { actionUrl } = (
      await callApi('add/payment/method', { method: 1, agree: true, methodToken, checkout: token })
    ).body
    const back = (await respondToBank(actionUrl, 'approve')).headers.get('location') ?? ''
    expect(new URL(back).pathname).toBe(`/guest/payment/${token}`)
    const { body: storedCard } = await callApi('finish/payment/method', {
      setup: new URL(back).searchParams.get('setup'),
    })
    const { body } = await pay({ storedMethodId: storedCard.id })
    expect(body).toMatchObject({ state: 'challenge', actionUrl: expect.stringContaining('/challenge/pi_') })
    await respondToBank(body.actionUrl, 'approve')
    await reconcile(portal.context)
    portal.clock.set(new Date(portal.clock.now().getTime() + 60_000).toISOString())
    expect((await load()).payment.state).toBe('paid')
    await callApi('remove/payment/method', { id: storedCard.id })
  })
})

describe('enrollment', () => {
  test('saves the authorization, plans the bill and sends an email', async () => {
    await bill(['2001'])
    const methodId = await storeMethod('4242424242424242')
    expect(await save('2001', { methodId, agree: false })).toMatchObject({ status: 400 })
    expect(
      (
        await callApi('save/autopay', {
          kind: 'utility',
          itemId: (await itemOf('2001')).id,
          mandate: 7,
          form: { ...usual, methodId },
        })
      ).body.code,
    ).toBe('mandate_changed')
    expect(await save('2001', { methodId, limited: true, capCents: 20_000 })).toMatchObject({ status: 200 })
    expect((await itemOf('2001')).autopay).toMatchObject({
      state: 'active',
      terms: 'Visa ending 4242, on each due date, up to $200.00 per payment',
      next: { on: DUE, cents: AMOUNT, state: 'planned' },
      last: null,
    })
    const [agreed] = await rowsOf(
      `SELECT g.address, g.terms, m.text, m.version FROM autopay_agreement g
       JOIN autopay_mandate m ON m.company_id = g.company_id AND m.version = g.mandate_version`,
    )
    expect(agreed).toMatchObject({
      address: '127.0.0.1',
      version: 1,
      text: expect.stringContaining('I authorize Maple Grove'),
    })
    const [emailMessage] = await emailsTo(/^AutoPay is on for account 2001$/)
    expect(emailMessage?.text_body).toContain('I authorize Maple Grove')
    expect(emailMessage?.text_body).toContain('We will charge $100.00 to Visa ending 4242 on December 11, 2026')
    // The resident can change the terms. AutoPay refuses a bill above the new limit and shows the reason.
    await save('2001', { methodId, limited: true, capCents: 9999 })
    expect((await itemOf('2001')).autopay).toMatchObject({ next: null, last: { state: 'refused' } })
    // AutoPay does not charge an amount that was paid elsewhere. Both the resident's screen and the staff report show
    // the lower amount.
    await save('2001', { methodId })
    const elsewhere = (cents: number) =>
      portal.owner.query(`UPDATE utility_bill SET paid_elsewhere_cents = $1 WHERE bill_number = 'A2001'`, [cents])
    const reported = async () => (await callApi('muni/return/autopay', { search: '2001' }, staff)).body.rows[0]
    expect(await reported()).toMatchObject({ nextOn: DUE, nextCents: AMOUNT })
    await elsewhere(3000)
    expect((await itemOf('2001')).autopay.next).toMatchObject({ cents: 7000 })
    expect(await reported()).toMatchObject({ nextOn: DUE, nextCents: 7000 })
    // The payment page shows the planned charge only to its payer.
    const { token } = (await callApi('find/guest/bill', { accountNumber: '2001', zip: '17011' })).body
    const onPage = async (session: string) =>
      (await callApi('return/guest/checkout', { token }, session)).body.payables[0].autopay
    expect(await onPage(resident)).toEqual({ on: DUE, cents: 7000 })
    expect(await onPage(staff)).toBeNull()
    expect(await onPage('')).toBeNull()
    await elsewhere(AMOUNT)
    expect((await itemOf('2001')).autopay.next).toMatchObject({ cents: 0 })
    expect(await reported()).toMatchObject({ nextOn: '', nextCents: null })
    await elsewhere(0)
    // The fee shown before the authorization equals the fee that AutoPay charges.
    const [rules] = await rowsOf<{ bps: number; fixed: number; echeck: number }>(
      `SELECT c.bps, c.fixed_cents AS fixed, e.fixed_cents AS echeck FROM fee_rule c JOIN fee_rule e USING (company_id)
       WHERE c.method = 1 AND e.method = 2 ORDER BY c.valid_from DESC, e.valid_from DESC LIMIT 1`,
    )
    const { bps, fixed, echeck } = rules ?? { bps: 0, fixed: 0, echeck: 0 }
    expect((await itemOf('2001')).fee).toEqual({
      ofCents: AMOUNT,
      cardCents: (AMOUNT * bps) / 10_000 + fixed,
      echeckCents: echeck,
    })
    await save('2001', { methodId, timing: 'before', daysBefore: 3 })
    expect((await itemOf('2001')).autopay.next).toMatchObject({ on: '2026-12-08', state: 'planned' })
    expect(await rowsOf('SELECT FROM autopay_agreement')).toHaveLength(4)
  })

  test('is limited to the account’s residents and to companies with AutoPay', async () => {
    const { methodId, id } = (await itemOf('2001')).autopay
    const newcomer = await portal.signIn(MAPLE, 'newcomer@maplegrove.example')
    expect((await callApi('return/autopay', {}, newcomer)).body.items).toEqual([])
    for (const [path, body] of [
      ['transition/autopay', { id, event: 'end' }],
      ['skip/autopay', { id, skip: true }],
      ['remove/payment/method', { id: methodId }],
      [
        'save/autopay',
        { kind: 'utility', itemId: (await itemOf('2001')).id, mandate: 1, form: { ...usual, methodId } },
      ],
    ] as const)
      expect((await callApi(path, body, newcomer)).status, path).toBe(404)
    await portal.owner.query('UPDATE payment_settings SET autopay_enabled = 0')
    expect((await save('2001', { methodId })).body.code).toBe('no_autopay')
    await portal.owner.query('UPDATE payment_settings SET autopay_enabled = 1')
  })

  test('pauses, skips and restores charges, and removes methods with AutoPay', async () => {
    const { id, methodId } = (await itemOf('2001')).autopay
    const state = async () => (await itemOf('2001')).autopay?.state
    await callApi('transition/autopay', { id, event: 'pause' })
    expect(await state()).toBe('paused')
    expect((await callApi('transition/autopay', { id, event: 'pause' })).status).toBe(409)
    await callApi('transition/autopay', { id, event: 'resume' })
    await callApi('skip/autopay', { id, skip: true })
    expect((await itemOf('2001')).autopay).toMatchObject({ next: null, last: { state: 'skipped' } })
    await callApi('skip/autopay', { id, skip: false })
    expect((await itemOf('2001')).autopay.next).toMatchObject({ state: 'planned' })
    expect((await callApi('remove/payment/method', { id: methodId })).body.code).toBe('used_by_autopay')
    expect((await callApi('remove/payment/method', { id: methodId, endAutopay: true })).status).toBe(200)
    expect(await state()).toBeUndefined()
    expect(await historyOf('2001')).toEqual(['ended method_removed'])
  })
})

describe('month of AutoPay runs', () => {
  const numbers = {
    '2101': '4242424242424242',
    '2102': '4242424242424242',
    '2103': '4000000000000341',
    '2104': '4000000000009987',
    '2105': '000123456789',
    '2106': '000111111116',
    '2107': '000222222227',
    '2108': '000111111113',
    '2109': '000333333335',
    '2110': '4242424242424242',
    '2111': '4242424242424242',
    '2112': '4242424242424242',
  }

  beforeAll(async () => {
    await bill(Object.keys(numbers))
    const methodIds = new Map<string, number>()
    for (const [reference, number] of Object.entries(numbers)) {
      const methodId = methodIds.get(number) ?? (await storeMethod(number))
      methodIds.set(number, methodId)
      const more =
        reference === '2102'
          ? { timing: 'day', dayOfMonth: 8 }
          : reference === '2110'
            ? { limited: true, capCents: 5000 }
            : {}
      expect((await save(reference, { methodId, ...more })).status).toBe(200)
    }
    await callApi('skip/autopay', { id: (await itemOf('2111')).autopay.id, skip: true })
    await callApi('transition/autopay', { id: (await itemOf('2112')).autopay.id, event: 'pause' })
    const days = [8, 11, 12, 13, 14, 16, 17, 18, 23, 24, 27]
    for (const day of days) await morning(`2026-12-${String(day).padStart(2, '0')}`)
  })

  test.each([
    ['2101', ['12-11 paid', 'active']],
    ['2102', ['12-08 paid', 'active']],
    // A soft decline: three more attempts over a week.
    ['2103', [...['11', '12', '14', '18'].map((day) => `12-${day} declined`), 'removed card_declined card_declined']],
    // A hard decline: no further attempt.
    ['2104', ['12-11 declined', 'removed card_refused lost_card']],
    ['2105', ['12-11 paid', 'active']],
    ['2106', [...['11', '16', '23'].map((day) => `12-${day} declined R01`), 'removed no_funds R01']],
    // Paid, then returned by the bank days later.
    ['2107', ['12-11 declined R10', 'removed not_authorized R10']],
    ['2108', ['12-11 declined R02', 'removed bank_details R02']],
    ['2109', ['12-11 declined R07', 'removed not_authorized R07']],
    ['2110', ['active']],
    ['2111', ['active']],
    ['2112', ['paused']],
  ])('%s: %j', async (reference, expectedHistory) => expect(await historyOf(reference)).toEqual(expectedHistory))

  test('notified each payer before and after the charge', async () => {
    expect(await emailsTo(/^AutoPay: a payment for account 2103 did not go through$/)).toHaveLength(3)
    const [off] = await emailsTo(/^AutoPay is off for account 2108$/)
    expect(off?.text_body).toContain('The bank account could not be debited (R02)')
    expect(off?.text_body).toContain(`We could not charge ${formatCents(AMOUNT)} to Checking account ending 1113`)
    expect(await emailsTo(/^AutoPay will not pay this bill for account 2110$/)).toHaveLength(1)
    const unusable = await rowsOf<{ method_label: string; unusable: string }>(
      `SELECT method_label, unusable FROM stored_method WHERE unusable <> '' ORDER BY method_label`,
    )
    expect(unusable.map(({ method_label, unusable: why }) => `${method_label} ${why}`)).toEqual([
      'Checking account ending 1113 details',
      'Checking account ending 2227 revoked',
      'Checking account ending 3335 revoked',
      'Visa ending 9987 details',
    ])
    expect(await rowsOf(`SELECT FROM autopay_charge WHERE state IN ('planned', 'charging')`)).toEqual([])
  })

  test('announces the next bill days ahead, and ends enrollments of unlinked accounts', async () => {
    await bill(['2101', '2105', '2112'], '2027-01-20', 'B')
    await portal.owner.query(
      `DELETE FROM linked_account l USING utility_account a WHERE a.company_id = l.company_id AND a.id = l.account_id AND a.account_number = '2105'`,
    )
    await morning('2026-12-30')
    expect(await emailsTo(/^AutoPay: \$100\.00 on January 20, 2027 for account 2101$/)).toHaveLength(1)
    await morning('2027-01-20')
    expect(await historyOf('2101')).toEqual(['12-11 paid', '01-20 paid', 'active'])
    expect(await historyOf('2105')).toEqual(['12-11 paid', 'ended unlinked'])
  })

  test('retries later if the provider does not answer, without a double charge', async () => {
    await bill(['2102'], '2027-02-10', 'C')
    await morning('2027-01-25')
    // During a known outage, AutoPay makes no charge. The due charge waits, and the portal records one deferred
    // payment.
    await portal.owner.query(
      `INSERT INTO payment_outage (company_id, provider, since, noticed_at) SELECT id, 'sandbox', $1, $1 FROM company`,
      ['2027-02-08T11:00:00.000Z'],
    )
    await morning('2027-02-08')
    await runAutopay(portal.context)
    expect(await historyOf('2102')).toEqual(['12-08 paid', 'active'])
    expect(await rowsOf(`SELECT reference, action, status, bill_cents FROM deferred_payment`)).toEqual([
      { reference: '2102', action: 'autopay', status: 'noted', bill_cents: AMOUNT },
    ])
    await portal.owner.query(`UPDATE payment_outage SET until = '2027-02-08T12:00:00.000Z'`)
    await gateway('/v1/test/faults', { fault: '500', path: '/v1/intents', count: 1 })
    await morning('2027-02-08')
    portal.clock.advance(5 * 60_000)
    await runAutopay(portal.context)
    expect(await historyOf('2102')).toEqual(['12-08 paid', '02-08 declined', 'active'])
    portal.clock.advance(10 * 60_000)
    await runAutopay(portal.context)
    expect(await historyOf('2102')).toEqual(['12-08 paid', '02-08 declined', '02-08 paid', 'active'])
  })

  test('is included in the staff reports', async () => {
    await signInBoth()
    const { body: report } = await callApi('muni/return/autopay', { search: '210' }, staff)
    expect(
      report.rows
        .map((row: Record<string, string>) => `${row['reference']} ${row['methodLabel']} ${row['lastResult']}`)
        .sort(),
    ).toEqual(['2101 Visa ending 4242 paid', '2102 Visa ending 4242 paid'])
    const { body: removals } = await callApi(
      'muni/return/autopay/removals',
      { filters: { reason: 'not_authorized' } },
      staff,
    )
    expect(removals.rows).toMatchObject([
      { reference: expect.stringMatching(/^210[79]$/), name: 'Naomi Whitaker', lastCents: AMOUNT },
      { reference: expect.stringMatching(/^210[79]$/) },
    ])
    expect((await callApi('muni/return/autopay', {})).status).toBe(403)
  })

  test('lets staff pause and end an enrollment with a reason', async () => {
    await signInBoth()
    const { body: report } = await callApi('muni/return/autopay', { search: '2102' }, staff)
    const [{ id, can }] = report.rows
    expect(can).toMatchObject({ halt: true, stop: true, pause: false, resume: false, end: false })
    const sendEvent = (event: string, reason: string, token = staff) =>
      callApi('muni/transition/autopay', { id, event, reason }, token)
    expect((await sendEvent('halt', 'A dispute', resident)).status).toBe(403)
    expect((await sendEvent('halt', ' ')).status).toBe(400)
    expect((await sendEvent('resume', 'It goes on')).status).toBe(400)
    expect((await sendEvent('halt', 'The meter is being looked at')).body.success).toBe(true)
    expect((await sendEvent('halt', 'The meter is being looked at')).status).toBe(409)
    const { body: paused } = await callApi('muni/return/autopay', { search: '2102' }, staff)
    expect(paused.rows).toMatchObject([
      { status: 'paused', pausedBy: 'Judith Sawyer', pauseReason: 'The meter is being looked at' },
    ])
    expect(await emailsTo(/^AutoPay is paused for account 2102$/)).toHaveLength(1)
    expect((await itemOf('2102')).autopay).toMatchObject({ state: 'paused', halted: 'The meter is being looked at' })
    const linked = async () =>
      (await callApi('return/utility/accounts')).body.accounts.find(
        ({ number }: { number: string }) => number === '2102',
      )
    expect((await linked()).autopay).toMatchObject({ state: 'paused' })
    expect((await sendEvent('stop', 'The account is closed')).body.success).toBe(true)
    expect((await linked()).autopay).toMatchObject({ state: 'ended' })
    const { body: removals } = await callApi('muni/return/autopay/removals', { filters: { reason: 'staff' } }, staff)
    expect(removals.rows).toMatchObject([
      { reference: '2102', endedBy: 'Judith Sawyer', note: 'The account is closed' },
    ])
    const [emailMessage] = await emailsTo(/^AutoPay is off for account 2102$/)
    expect(JSON.stringify(emailMessage)).toContain('The account is closed')
  })

  test('notifies once of an expiring card, a month ahead', async () => {
    await signInBoth()
    await storeMethod('5555555555554444')
    await portal.owner.query(`UPDATE stored_method SET expires_on = '2027-03-31' WHERE method_label LIKE 'Mastercard%'`)
    await morning('2027-02-20')
    expect(await emailsTo(/^Your card expires/)).toEqual([])
    for (const day of ['2027-03-01', '2027-03-02']) await morning(day)
    expect(await emailsTo(/^Your card expires soon: Mastercard ending 4444$/)).toHaveLength(1)
  })
})

describe('AutoPay next to a payment arrangement', () => {
  const installments = { firstCents: null, count: 2, every: 'month' as const, agree: true }
  const startSetup = async (reference: string, firstOn: string) =>
    callApi('request/arrangement', {
      kind: 'utility',
      itemId: (await itemOf(reference)).id,
      termsVersion: (await callApi('return/arrangements')).body.currentTerms.version,
      form: { ...installments, totalCents: AMOUNT, firstOn },
    })
  const charged = (reference: string) =>
    rowsOf<{ bill_cents: number; status: number }>(
      `SELECT bill_cents::int, status FROM payment_order WHERE reference = $1 ORDER BY id`,
      [reference],
    )

  test('charges the installment due today, and shows this before and after enrollment', async () => {
    await morning('2026-12-14')
    await signInBoth()
    await bill(['I1'], '2026-12-28', 'I')
    const methodId = await storeMethod('4242424242424242')
    expect((await startSetup('I1', '2026-12-14')).body.success).toBe(true)
    expect((await itemOf('I1')).coming).toEqual([{ isInstallment: true, cents: 50_00, dueOn: '2026-12-14' }])
    const { message } = (await save('I1', { methodId })).body
    expect(message).toContain('$50.00')
    expect(message).toContain('December 14, 2026')
    expect(message).not.toContain('$100.00')
    expect((await itemOf('I1')).autopay).toMatchObject({ next: { cents: 50_00, on: '2026-12-14' } })
    await runAutopay(portal.context)
    expect(await charged('I1')).toEqual([{ bill_cents: 50_00, status: 1 }])
    const { plan } = (await callApi('return/arrangements')).body.items.find(
      (one: { reference: string }) => one.reference === 'I1',
    )
    expect(plan).toMatchObject({ state: 'active', paidCents: 50_00, overdueCents: 0 })
  })

  test('charges installments of an arrangement that starts later', async () => {
    await bill(['I2'], '2026-12-28', 'I')
    const methodId = (await itemOf('I1')).autopay.methodId
    await save('I2', { methodId })
    expect((await callApi('return/arrangements')).body.items).toContainEqual(
      expect.objectContaining({ reference: 'I2', autopay: true, plan: null }),
    )
    const started = await startSetup('I2', '2026-12-14')
    expect(started.body.message).toContain('We will charge $50.00')
    await runAutopay(portal.context)
    expect(await charged('I2')).toEqual([{ bill_cents: 50_00, status: 1 }])
    // The charge that was planned for the whole bill is not made, because the rest of the bill is the second
    // installment.
    await morning('2026-12-28')
    expect(await charged('I2')).toHaveLength(1)
  })

  test('keeps a chosen day of the month from making an installment late', async () => {
    await signInBoth()
    await bill(['I3'], '2027-01-18', 'I')
    const methodId = (await itemOf('I1')).autopay.methodId
    await startSetup('I3', '2026-12-28')
    await save('I3', { methodId, timing: 'day', dayOfMonth: 20 })
    expect((await itemOf('I3')).autopay.next).toMatchObject({ cents: 50_00, on: '2026-12-28' })
  })
})

test('warns that a limit below the bill leaves it unpaid', async () => {
  await bill(['C1'], '2027-01-18', 'C')
  const methodId = (await itemOf('I1')).autopay.methodId
  expect((await itemOf('C1')).coming).toEqual([{ isInstallment: false, cents: AMOUNT, dueOn: '2027-01-18' }])
  const { message } = (await save('C1', { methodId, limited: true, capCents: 50_00 })).body
  expect(message).toContain(
    '$100.00 due on January 18, 2027 is above your limit of $50.00, so AutoPay will not pay it.',
  )
  expect(message).not.toContain('No payment is planned yet')
  const { next, last } = (await itemOf('C1')).autopay
  expect(next).toBeNull()
  expect(last).toMatchObject({ state: 'refused', on: '2026-12-28', dueDate: '2027-01-18' })
  const { rows } = (await callApi('muni/return/autopay', { search: 'C1' }, staff)).body
  expect(rows).toMatchObject([{ reference: 'C1', lastResult: 'refused', lastOn: '' }])
  const raised = (await save('C1', { methodId, limited: true, capCents: 150_00 })).body.message
  expect(raised).toContain('We will charge $100.00')
  // A skipped charge is not a payment either.
  await callApi('skip/autopay', { id: (await itemOf('C1')).autopay.id, skip: true })
  expect((await itemOf('C1')).autopay.last).toMatchObject({ state: 'skipped', on: '2026-12-28' })
})
