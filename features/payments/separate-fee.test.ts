import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { liftLimits } from '../../test/databases.ts'
import { testDatabase, testPortal } from '../../test/harness.ts'
import { type CallFate, fateful, ProviderModel, type Scenario } from '../../test/provider-model.ts'
import { readPdf } from '../../test/read-pdf.ts'
import { openAccounts, openTestCompany, sendBills } from '../../test/company.ts'
import { provideInstead } from './server/providers/providers.ts'
import { reconcile } from './server/attempts/reconcile.ts'
import { sendPendingRefunds } from '../refunds/server/send-refund.ts'
import { verifyLedger } from './server/ledger/verify-ledger.ts'

/**
 * Tests a separate service fee. The fee is charged once, after the bill. If the charge is declined, the payer still
 * owes the fee.
 */

const HOST = 'maplegrove.localhost'
const [BILL, FEE] = [100_00, 3_05]
const database = await testDatabase()
const portal = await testPortal({ database })
let provider: ProviderModel
let fates: CallFate[] = []
let [manager, admin] = ['', '']
let accounts = 0

beforeAll(async () => {
  await openTestCompany(portal, mapleGrove)
  await liftLimits(portal.owner)
  await sendBills(
    portal,
    Array.from({ length: 20 }, (_, n) => ({ account: `9${n}`, bill: `L${n}` })),
  )
  await portal.owner.query(`UPDATE fee_rule SET program = 'service', mode = 'two_transactions' WHERE method = 1`)
  manager = await portal.signIn(HOST, 'manager@maplegrove.example')
  admin = await portal.signIn(HOST, 'admin@maplegrove.example')
})
beforeEach(async () => {
  provider = new ProviderModel()
  fates = []
  const next = () => fates.shift() ?? 'fine'
  provideInstead(
    portal.config,
    fateful(
      provider,
      next,
      () => {},
      async () => {},
    ),
  )
  await openAccounts(portal)
})

const staff = (path: string, body: object, token = manager) =>
  portal.post(HOST, `muni/${path}`, body, { token, headers: { 'idempotency-key': randomUUID() } })

/** Pays a bill of $100.00 by card, with its fee. */
async function pay(scenario: Scenario = 'ok', method = 1) {
  const { token } = (await portal.post(HOST, 'find/guest/bill', { accountNumber: `9${accounts++}`, zip: '17011' })).body
  const body = {
    ...{ token, payType: 1, method, billCents: BILL, email: 'ada@example.com' },
    ...{ expectedTotalCents: method === 1 ? BILL + FEE : BILL + 1_50, methodToken: provider.token(scenario) },
  }
  const response = await portal.post(HOST, 'pay/guest/bill', body, { headers: { 'idempotency-key': randomUUID() } })
  const { rows } = await portal.owner.query<{ id: number }>('SELECT max(id)::int AS id FROM payment_order')
  const id = rows[0]?.id ?? 0
  const details = async () => (await staff('return/payment/details', { paymentId: id })).body
  const readPayment = async () => (await portal.post(HOST, 'return/guest/checkout', { token })).body.payment
  const readReceipt = async () => {
    const url = `/guest/payment/${token}/receipt.pdf`
    return readPdf((await portal.app.inject({ url, headers: { host: HOST } })).rawPayload).text
  }
  return { response, id, details, loadPayment: readPayment, issuedDocument: readReceipt }
}

const charges = () => [...provider.charges.values()].map(({ intent }) => [intent.amountCents, intent.status])
const revenue = async (id: number) => {
  const { rows } = await portal.owner.query(
    'SELECT net_bill_cents::int AS bill, net_fee_cents::int AS fee, refunded_cents::int AS refunded, status FROM payment_order WHERE id = $1',
    [id],
  )
  return rows[0]
}
const lastEmail = async () =>
  (await portal.owner.query('SELECT subject, text_body AS body FROM email_outbox ORDER BY id DESC LIMIT 1')).rows[0]
const totals = async () => (await staff('return/payment/transactions', { filters: {} })).body.totals

/** Advances the clock by a minute, then runs the reconciler and the refund job. */
async function later() {
  portal.clock.advance(61_000)
  await reconcile(portal.context)
  await sendPendingRefunds(portal.context)
}

test('charges bill and fee separately to one card as one payment', async () => {
  const { response, id, details, loadPayment } = await pay()
  expect(response.body).toMatchObject({
    state: 'paid',
    receipt: { paidCents: BILL + FEE, separateFee: { status: 'charged' } },
  })
  expect(charges()).toEqual([
    [BILL, 'succeeded'],
    [FEE, 'succeeded'],
  ])
  expect(await revenue(id)).toEqual({ bill: BILL, fee: FEE, refunded: 0, status: 1 })
  const { attempts, separateFee } = await details()
  expect(attempts.map(({ part, step }: Record<string, string>) => [part, step])).toEqual([
    ['bill', 'succeeded'],
    ['fee', 'succeeded'],
  ])
  expect(separateFee).toMatchObject({ status: 'charged', cents: FEE, can: { again: false, waive: false } })
  expect((await loadPayment()).receipt.quote.totalCents).toBe(BILL + FEE)
})

test('charges no fee if the bill is declined', async () => {
  expect((await pay('declined')).response.body.state).toBe('declined')
  expect(charges()).toEqual([[BILL, 'failed']])
})

test('includes the fee of an eCheck in one debit', async () => {
  await pay('echeck', 2)
  expect(charges()).toEqual([[BILL + 1_50, 'processing']])
})

test('marks a refused fee as owed and notifies payer and staff', async () => {
  const before = await totals()
  const { response, id, details, issuedDocument: readReceipt } = await pay('ok_once')
  expect(response.body).toMatchObject({
    state: 'paid',
    receipt: { paidCents: BILL, separateFee: { status: 'owed', cents: FEE } },
  })
  expect(response.body.message).toContain('was declined, so it is still owed')
  expect(await revenue(id)).toEqual({ bill: BILL, fee: 0, refunded: 0, status: 1 })
  expect((await details()).alerts).toEqual([
    { at: expect.any(String), message: expect.stringContaining('Charge the fee again, or waive it') },
  ])
  const [listed] = (await staff('return/payment/transactions', { filters: { fee: 'owed' } })).body.rows
  expect(listed).toMatchObject({ id, note: 'Service fee owed', feeCents: FEE, separateFee: 'owed' })
  expect((await portal.post(HOST, 'muni/return/pending/work', {}, { token: manager })).body).toMatchObject({
    awaitingStaff: expect.arrayContaining([expect.objectContaining({ label: 'Unpaid service fees', count: 1 })]),
  })
  const emailMessage = await lastEmail()
  expect(emailMessage.subject).toContain('could not be charged')
  expect(emailMessage.body).toContain('$3.05')
  const text = await readReceipt()
  expect(text).toContain('$100.00')
  expect(text).toContain('Service fee $3.05, owed because its charge was declined')
  const after = await totals()
  expect(after.owed.feeCents - before.owed.feeCents, 'what is owed stands as owed').toBe(FEE)
  expect(after.unpaid).toEqual(before.unpaid)
  expect(after.other).toEqual(before.other)
  const bySearch = (await staff('return/payment/transactions', { search: `P${id}` })).body.totals
  expect(bySearch).toMatchObject({
    amountCents: BILL,
    feeCents: 0,
    owed: { feeCents: FEE },
    unpaid: { totalCents: 0 },
    other: { totalCents: 0 },
  })
})

test('charges an owed fee once when staff retry with a good card', async () => {
  const { id, details } = await pay('ok_once')
  const refused = await staff('charge/fee', { paymentId: id })
  expect(refused.body.message).toContain('declined again')
  expect((await details()).separateFee.status).toBe('owed')
  const [[, bill] = []] = [...provider.charges]
  if (bill) bill.scenario = 'ok'
  const body = { paymentId: id }
  const headers = { 'idempotency-key': randomUUID() }
  const again = () => portal.post(HOST, 'muni/charge/fee', body, { token: manager, headers })
  expect((await again()).body.message).toBe(`The fee for P${id} was charged.`)
  expect((await again()).body.message, 'the same key gets the same answer').toBe(`The fee for P${id} was charged.`)
  expect((await staff('charge/fee', { paymentId: id })).body).toMatchObject({ code: 'wrong_status' })
  expect(charges().filter(([cents, status]) => cents === FEE && status === 'succeeded')).toHaveLength(1)
  expect(await revenue(id)).toMatchObject({ bill: BILL, fee: FEE })
  expect((await lastEmail()).subject).toContain('was charged')
})

test('requires the refund privilege and a reason to waive an owed fee', async () => {
  const { id, details } = await pay('ok_once')
  expect((await staff('waive/fee', { paymentId: id, reason: '' })).status).toBe(400)
  const staffToken = await portal.signIn(HOST, 'staff@maplegrove.example')
  expect((await staff('waive/fee', { paymentId: id, reason: 'No.' }, staffToken)).status).toBe(403)
  expect((await staff('waive/fee', { paymentId: id, reason: 'Not worth a call.' }, admin)).status).toBe(200)
  expect((await details()).separateFee).toMatchObject({ status: 'waived', can: { again: false, waive: false } })
  expect((await lastEmail()).subject).toContain('was waived')
  const { rows } = await portal.owner.query(
    `SELECT detail->>'reason' AS why FROM audit_event WHERE action = 'payment.fee_waived' AND subject = $1`,
    [`P${id}`],
  )
  expect(rows).toEqual([{ why: 'Not worth a call.' }])
})

test('refunds the fee in proportion to its bill, up to both completely', async () => {
  const { id, details } = await pay()
  expect((await staff('refund/payment', { paymentId: id, amountCents: 50_00, reason: 'Half of it' })).status).toBe(200)
  await later()
  expect(await revenue(id)).toMatchObject({ bill: 50_00, fee: FEE - 1_52, refunded: 51_52, status: 1 })
  expect((await details()).leftCents, 'of the bill').toBe(50_00)
  expect((await staff('refund/payment', { paymentId: id, amountCents: 50_00, reason: 'The rest' })).status).toBe(200)
  await later()
  expect(await revenue(id)).toEqual({ bill: 0, fee: 0, refunded: BILL + FEE, status: 3 })
})

test('refunds the fee after a void and after the provider’s own refund', async () => {
  const voided = await pay()
  expect((await staff('void/payment', { paymentId: voided.id, reason: 'Twice' })).status).toBe(200)
  const elsewhere = await pay()
  // Among the charges that are not void, index 1 is the bill of the other payment.
  provider.refund(1, 100)
  await later()
  await later()
  expect(await revenue(voided.id)).toMatchObject({ bill: 0, fee: 0, status: 5 })
  expect(await revenue(elsewhere.id)).toEqual({ bill: 0, fee: 0, refunded: BILL + FEE, status: 3 })
})

test('drops an owed fee after its bill was refunded', async () => {
  const { id, details } = await pay('ok_once')
  await staff('refund/payment', { paymentId: id, amountCents: BILL, reason: 'All of it' })
  expect((await details()).separateFee.status).toBe('dropped')
})

test.each<[string, CallFate[]]>([
  ['is not made', ['fine', 'fine', 'silent before']],
  ['was made, and its answer got lost', ['fine', 'fine', 'silent after']],
  ['was not confirmed', ['fine', 'fine', 'fine', 'silent before', 'silent before']],
  ['was confirmed, and nobody heard', ['fine', 'fine', 'fine', 'silent after', 'silent before']],
])('charges the fee once in the sweep if its charge %s', async (_what, befalls) => {
  fates = befalls
  const { response, id } = await pay()
  expect(response.body).toMatchObject({
    state: 'paid',
    receipt: { paidCents: BILL, separateFee: { status: 'waiting' } },
  })
  await later()
  expect(charges()).toEqual([
    [BILL, 'succeeded'],
    [FEE, 'succeeded'],
  ])
  expect(await revenue(id)).toMatchObject({ bill: BILL, fee: FEE })
})

test('passes all ledger checks', async () => {
  const { findings } = await verifyLedger(database.urls.platform)
  expect(findings.filter(({ violations }) => violations > 0)).toEqual([])
})
