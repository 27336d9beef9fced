import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import {
  BANKFILE_KEY,
  BANKFILE_SECRET,
  type Bankfile,
  bankFile,
  bankingDay,
  entriesOf,
  openBankfile,
} from '../../test/bank.ts'
import { liftLimits } from '../../test/databases.ts'
import { testDatabase, testPortal } from '../../test/harness.ts'
import { type CallFate, fateful } from '../../test/provider-model.ts'
import { openAccounts, openTestCompany, sendBills, setPaymentSettings } from '../../test/company.ts'
import { bankfileProvider } from './server/providers/bankfile.ts'
import { type Provider, ProviderRefused } from './server/providers/provider.ts'
import { provideInstead } from './server/providers/providers.ts'
import { reconcile } from './server/attempts/reconcile.ts'

/** Tests a company that debits bank accounts itself. The portal and the bank-file provider communicate over HTTP. */

const HOST = 'maplegrove.localhost'
const TOTAL = 101_50
const DAY_MS = 86_400_000

const database = await testDatabase()
const portal = await testPortal({ database })
let bank: Bankfile
let provider: Provider
let account: string
/** Provider calls of one payment, in order. */
const CALLS = ['createIntent', 'confirmIntent']
/** Planned outcomes of the next provider calls. */
let fates: CallFate[] = []
let accounts = 0
/** Current time of the bank. The portal's clock follows it. */
let today = Date.parse('2027-03-01T15:00:00Z')

beforeAll(async () => {
  await openTestCompany(portal, mapleGrove)
  await liftLimits(portal.owner)
  await sendBills(
    portal,
    Array.from({ length: 24 }, (_, n) => ({ account: `8${n}`, bill: `B${n}` })),
  )
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  const address = portal.app.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  bank = await openBankfile(database, `http://127.0.0.1:${port}/webhooks/bankfile`)
  const settings = { url: bank.url, publicOrigin: bank.url, apiKey: BANKFILE_KEY, webhookSecret: BANKFILE_SECRET }
  provider = bankfileProvider({ ...settings, live: false })
  provideInstead(
    portal.config,
    fateful(
      provider,
      // Calls for late events of an earlier payment must not use up an outcome that is planned for this payment.
      (call) => (CALLS.includes(call) ? (fates.shift() ?? 'fine') : 'fine'),
      () => {},
      async () => {},
    ),
  )
  await moveTo(today)
  account = await provider.ensureAccount('maplegrove', 'Maple Grove')
  await setPaymentSettings(portal, { processor_id: 3 })
  await openAccounts(portal, { provider: 'bankfile', account })
})
afterAll(() => bank.close())
beforeEach(() => void (fates = []))

async function moveTo(at: number): Promise<void> {
  today = at
  portal.clock.set(new Date(at).toISOString())
  await bank.moveTo(new Date(at).toISOString())
}

/**
 * Advances the clocks by some days, to the end of a banking day after the cutoff. The portal then reads the new
 * movements.
 */
async function passDays(days: number): Promise<void> {
  const day = new Date(today + days * DAY_MS).toISOString().slice(0, 10)
  await moveTo(Date.parse(`${bankingDay(day)}T21:30:00Z`))
  await reconcile(portal.context)
}

/** Opens the checkout of a $100.00 bill for a guest who pays by bank account. */
async function guest() {
  const number = `8${accounts++}`
  const { body } = await portal.post(HOST, 'find/guest/bill', { accountNumber: number, zip: '17011' })
  const pay = async (method: 1 | 2 = 2) =>
    portal.post(
      HOST,
      'pay/guest/bill',
      {
        ...{
          token: body.token,
          payType: 1,
          method,
          billCents: 100_00,
          expectedTotalCents: method === 2 ? TOTAL : 103_05,
        },
        ...{ email: 'ada@example.com', methodToken: (await bank.token(account))['token'] },
      },
      { headers: { 'idempotency-key': randomUUID() } },
    )
  const order = async () => {
    const { rows } = await portal.owner.query(
      `SELECT o.id, o.status, o.return_code, o.refunded_cents, (SELECT coalesce(sum(CASE WHEN debit_account = 'gateway_clearing' THEN amount_cents ELSE -amount_cents END), 0)::int
         FROM ledger_transfer t WHERE t.order_id = o.id AND 'gateway_clearing' IN (debit_account, credit_account)) AS clearing
       FROM payment_order o WHERE o.reference = $1 ORDER BY id DESC LIMIT 1`,
      [number],
    )
    return rows[0]
  }
  const intent = async (): Promise<string> => {
    const { rows } = await portal.owner.query(
      'SELECT intent_id FROM payment_attempt a JOIN payment_order o ON o.id = a.order_id WHERE o.reference = $1 ORDER BY a.id DESC LIMIT 1',
      [number],
    )
    return String(rows[0]?.intent_id)
  }
  return { pay, order, intent }
}

const lastEntries = async () => {
  const [file] = await bank.files(account)
  return file ? entriesOf(await bank.content(account, file['id'])) : []
}

test('marks an eCheck as paid only after the bank settles it', async () => {
  const { pay, order } = await guest()
  expect((await pay()).body.state).toBe('processing')
  await passDays(0)
  expect(await lastEntries()).toMatchObject([{ transactionCode: '27', cents: TOTAL, account: '000123456789' }])
  expect(await order()).toMatchObject({ status: 0, clearing: 0 })
  await passDays(3)
  expect(await order()).toMatchObject({ status: 1, clearing: TOTAL })
})

test('refuses a card with a message and creates nothing', async () => {
  await expect(
    provider.createIntent(
      account,
      { amountCents: 1, feeCents: 0, method: 'card', description: '', companyId: 1 },
      randomUUID(),
    ),
  ).rejects.toThrow('bank accounts only')
  const { pay, order } = await guest()
  expect((await pay(1)).body.state).toBe('declined')
  expect(await order()).toMatchObject({ status: 2 })
  expect(provider.terminal).toBeUndefined()
})

test('declines a debit returned before settlement, with the return code', async () => {
  const { pay, order } = await guest()
  await pay()
  await passDays(1)
  const [entry] = await lastEntries()
  await bank.give(bankFile([{ entry: entry as NonNullable<typeof entry>, code: 'R01' }]))
  await expect.poll(order).toMatchObject({ status: 2, return_code: 'R01', clearing: 0 })
})

test('reopens the bill once if a settled debit is returned', async () => {
  const { pay, order } = await guest()
  await pay()
  await passDays(7)
  expect(await order()).toMatchObject({ status: 1 })
  const [entry] = await lastEntries()
  await bank.control('webhooks', { mode: { duplicate: 1, reorder: 1, seed: 3 } })
  await bank.give(bankFile([{ entry: entry as NonNullable<typeof entry>, code: 'R10' }]))
  await bank.control('flush', {})
  await expect.poll(order).toMatchObject({ status: 2, return_code: 'R10', clearing: 0 })
  await bank.control('webhooks', { mode: 'clean' })
  await reconcile(portal.context)
  expect(await order()).toMatchObject({ status: 2, clearing: 0 })
})

test('recovers a lost event from the provider’s movements', async () => {
  await bank.control('webhooks', { mode: { drop: 1 } })
  const { pay, order } = await guest()
  await pay()
  await passDays(7)
  expect(await order()).toMatchObject({ status: 1, clearing: TOTAL })
  await bank.control('webhooks', { mode: 'clean' })
})

test('refuses an event with a wrong signature or time', () => {
  const body = JSON.stringify({ id: 'evt_1' })
  expect(() => provider.readEvent(body, `t=1,v1=${'0'.repeat(64)}`, new Date())).toThrow(ProviderRefused)
  expect(() => provider.readEvent(body, undefined, new Date())).toThrow(ProviderRefused)
})

// Simulated failures of each provider call. The call has no effect, or an effect without a response, or the portal
// crashes before or after the call.
const moments = (['silent before', 'silent after', 'crash before', 'crash after'] as const).flatMap((fate) =>
  CALLS.map((call, at) => [call, fate, at] as const),
)
test.each(moments)('sends the bank at most one debit: %s, %s', async (_call, fate, at) => {
  const { pay, order, intent } = await guest()
  fates = [...Array.from({ length: at }, (): CallFate => 'fine'), fate]
  const payment = pay()
  if (fate.startsWith('silent')) await payment
  else await expect.poll(() => fates.length).toBe(0)
  if (fate === 'crash after' && at === 1)
    await expect.poll(async () => (await provider.getIntent(account, await intent())).status).toBe('processing')
  await passDays(0)
  await passDays(8)
  const { status, clearing } = await order()
  const { rows } = await portal.owner.query(
    `SELECT count(*)::int AS sent FROM bankfile.entry WHERE intent = $1 AND kind = 'debit' AND status = 'settled'`,
    [await intent()],
  )
  expect([status, clearing]).toEqual(rows[0].sent === 1 ? [1, TOTAL] : [2, 0])
  const { balance_cents: heldCents } = (
    await bank.send('GET', '/v1/balance', undefined, { 'gateway-account': account })
  ).body
  const { rows: books } = await portal.owner.query(
    `SELECT coalesce(sum(CASE WHEN debit_account = 'gateway_clearing' THEN amount_cents ELSE -amount_cents END), 0)::int AS cents
     FROM ledger_transfer WHERE 'gateway_clearing' IN (debit_account, credit_account) AND source = 'bankfile' AND kind NOT LIKE 'payout%'`,
  )
  expect(books[0].cents).toBe(heldCents)
})

test('returns an identical result if a lost call is repeated', async () => {
  const intentRequest = { amountCents: 500, feeCents: 0, method: 'echeck', description: '', companyId: 1 } as const
  const key = randomUUID()
  await bank.control('faults', { fault: 'timeout-after', path: '/v1/intents', count: 1 })
  await expect(provider.createIntent(account, intentRequest, key)).rejects.toThrow('did not answer')
  const first = await provider.createIntent(account, intentRequest, key)
  expect(await provider.createIntent(account, intentRequest, key)).toEqual(first)
})

test('credits a refund in the next file and reverses it if returned', async () => {
  const { pay, order, intent } = await guest()
  await pay()
  await passDays(7)
  const key = randomUUID()
  const refundRequest = { amountCents: 1000, line: null, reason: 'Overpaid' }
  const refund = await provider.createRefund(account, await intent(), refundRequest, key)
  expect(refund).toMatchObject({ status: 'pending', amountCents: 1000 })
  expect(await provider.createRefund(account, await intent(), refundRequest, key)).toEqual(refund)
  expect(await order()).toMatchObject({ refunded_cents: 0 })
  await passDays(1)
  const entry = (await lastEntries()).find(({ transactionCode }) => transactionCode === '22')
  expect(entry).toMatchObject({ cents: 1000, secCode: 'PPD' })
  await expect.poll(order).toMatchObject({ refunded_cents: 1000, clearing: TOTAL - 1000 })
  await bank.give(bankFile([{ entry: entry as NonNullable<typeof entry>, code: 'R02' }]))
  await expect.poll(order).toMatchObject({ refunded_cents: 0, clearing: TOTAL, status: 1 })
})

test('cancels a charge only before its file is created', async () => {
  const { pay, order, intent } = await guest()
  await pay()
  expect(await provider.voidIntent(account, await intent(), randomUUID())).toMatchObject({ status: 'canceled' })
  await expect.poll(order).toMatchObject({ status: 2, clearing: 0 })
  const second = await guest()
  await second.pay()
  await passDays(1)
  await expect(provider.cancelIntent(account, await second.intent(), randomUUID())).rejects.toThrow('in a file')
})

const mandate = {
  text: 'I authorize',
  acceptedAt: new Date('2027-03-01T15:00:00Z'),
  address: '192.0.2.1',
  device: 'A browser',
}
const customer = { reference: 'person-1', name: 'Edna Meadows', email: 'edna@example.com' }
const charge = async (stored: string, amountCents: number) => {
  const intent = await provider.createIntent(
    account,
    { amountCents, feeCents: 0, method: 'echeck', description: '', companyId: 1, stored },
    randomUUID(),
  )
  return provider.confirmIntent(account, intent.id, { stored }, '', randomUUID())
}
const storeMethod = async (token?: unknown) => {
  const setupRequest = {
    customer,
    method: 'echeck',
    token: String(token ?? (await bank.token(account))['token']),
    mandate,
    returnUrl: '',
  } as const
  const setup = await provider.stored.setup(account, setupRequest, randomUUID())
  if (setup.status !== 'succeeded') throw new Error(setup.status)
  return setup
}

test('charges a saved account off-session until it is removed', async () => {
  const { stored, customer: customerId } = await storeMethod()
  expect(stored).toMatchObject({ method: 'echeck', methodLabel: 'Checking account ending 6789', expires: null })
  expect(await provider.stored.list(account, customerId)).toContainEqual(stored)
  expect(await charge(stored.id, 4100)).toMatchObject({ status: 'processing' })
  await passDays(3)
  expect((await lastEntries()).find(({ cents }) => cents === 4100)).toMatchObject({ discretionaryData: 'R' })
  await provider.stored.remove(account, stored.id, randomUUID())
  expect(await charge(stored.id, 4200)).toMatchObject({ status: 'failed', error: { code: 'payment_method_removed' } })
})

test.each([
  ['R01', 'processing'],
  ['R09', 'processing'],
  ['R02', 'failed'],
  ['R07', 'failed'],
  ['R08', 'failed'],
  ['R29', 'failed'],
])('after return %s, the next charge of a saved account is %s', async (code, status) => {
  const { stored } = await storeMethod()
  const first = await charge(stored.id, 5100)
  await passDays(3)
  const entry = (await lastEntries()).find(({ cents }) => cents === 5100)
  await bank.give(bankFile([{ entry: entry as NonNullable<typeof entry>, code }]))
  expect(await provider.getIntent(account, first.id)).toMatchObject({ status: 'failed', returnCode: code })
  expect(await charge(stored.id, 5200)).toMatchObject({ status, returnCode: status === 'failed' ? code : null })
})

test('uses the bank’s corrections in the next debit of a saved account', async () => {
  const { stored, customer: customerId } = await storeMethod()
  await charge(stored.id, 6100)
  await passDays(3)
  const entry = (await lastEntries()).find(({ cents }) => cents === 6100)
  await bank.give(bankFile([{ entry: entry as NonNullable<typeof entry>, code: 'C01', data: '000555000111' }]))
  expect(await provider.stored.list(account, customerId)).toContainEqual({
    ...stored,
    methodLabel: 'Checking account ending 0111',
  })
  await charge(stored.id, 6200)
  await passDays(3)
  expect((await lastEntries()).find(({ cents }) => cents === 6200)).toMatchObject({ account: '000555000111' })
})

test('matches payouts to their lines and to the provider’s balance', async () => {
  await passDays(10)
  const { payouts = [] } = (await provider.settlement?.listPayouts('', null, 500)) ?? {}
  let sum = 0
  for (const payout of payouts) {
    const { lines = [] } = (await provider.settlement?.listLines(payout.account, payout.id, null, 500)) ?? {}
    expect(lines.reduce((total, line) => total + line.amountCents, 0)).toBe(payout.amountCents)
    expect(lines).toHaveLength(payout.lines)
    sum += payout.amountCents
  }
  expect(payouts.length).toBeGreaterThan(3)
  const { balance_cents: heldCents } = (
    await bank.send('GET', '/v1/balance', undefined, { 'gateway-account': account })
  ).body
  expect(sum).toBe(heldCents)
})
