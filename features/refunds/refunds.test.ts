import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import { liftLimits } from '../../test/databases.ts'
import { testDatabase, testPortal } from '../../test/harness.ts'
import { fateful, ProviderModel } from '../../test/provider-model.ts'
import { openAccounts, openTestCompany, sendBills, setPaymentSettings } from '../../test/company.ts'
import { methods } from '../payments/rules.ts'
import { applyEvent } from '../payments/server/providers/apply-event.ts'
import { startPayment } from '../payments/server/attempts/start-payment.ts'
import { driveAttempt } from '../payments/server/attempts/drive-attempt.ts'
import { ProviderRefused } from '../payments/server/providers/provider.ts'
import { provideInstead } from '../payments/server/providers/providers.ts'
import { sendPendingRefunds } from './server/send-refund.ts'
import { settingsOf, ensureProviderRoute } from '../payments/server/settings.ts'
import { verifyLedger } from '../payments/server/ledger/verify-ledger.ts'

/** Tests refunds and voids by staff: in part, in full, after a lost response, and above the approval limit. */

const HOST = 'maplegrove.localhost'
const database = await testDatabase()
const portal = await testPortal({ database })
let provider: ProviderModel
let company: CompanyId
let [manager, admin, staff] = ['', '', '']
let used = 0

beforeAll(async () => {
  company = await openTestCompany(portal, mapleGrove)
  await liftLimits(portal.owner)
  await sendBills(
    portal,
    Array.from({ length: 16 }, (_, n) => ({ account: `5${n}`, bill: `P${n}` })),
  )
  manager = await portal.signIn(HOST, 'manager@maplegrove.example')
  admin = await portal.signIn(HOST, 'admin@maplegrove.example')
  staff = await portal.signIn(HOST, 'staff@maplegrove.example')
})

beforeEach(async () => {
  provider = new ProviderModel()
  provideInstead(portal.config, provider)
  await openAccounts(portal)
  await setPaymentSettings(portal, { refund_limit_cents: 10000 })
})

/** Pays the bills of one or more accounts in one order, each with its fee. Returns the order id. */
async function paid(lines = 1): Promise<number> {
  const { context } = portal
  const companyRecord = await context.hosts.byId(company)
  if (!companyRecord) throw new Error('the town is there')
  const { rows } = await portal.owner.query('SELECT id FROM utility_account ORDER BY id LIMIT $1 OFFSET $2', [
    lines,
    used,
  ])
  used += lines
  const through = await ensureProviderRoute(
    context,
    companyRecord,
    await context.inCompany(company, (tx) => settingsOf(tx, company)),
  )
  const attempt = await context.inCompany(company, async (tx) =>
    startPayment(
      tx,
      context,
      companyRecord,
      {
        pays: rows.map(({ id }) => ({ kind: 'utility', id, amountCents: 100_00 })),
        method: methods.card,
        location: 1,
        payer: {
          actor: {
            as: 'system',
            caller: { session: null, requestId: '' },
            clock: context.clock,
            person: { id: null, name: 'A test' },
          },
          person: null,
          email: 'ada@example.com',
        },
        key: randomUUID(),
      },
      through,
    ),
  )
  await driveAttempt(context, companyRecord, attempt.id, { token: provider.token('ok') }, '')
  return attempt.order_id
}

const post = (path: string, body: object, token = manager, key: string = randomUUID()) =>
  portal.post(HOST, `muni/${path}`, body, { token, headers: { 'idempotency-key': key } })
const refund = (
  paymentId: number,
  amountCents: number,
  { by = manager, key = randomUUID() as string, line = null as number | null } = {},
) => post('refund/payment', { paymentId, amountCents, line, reason: 'Paid twice' }, by, key)
const readDetails = async (paymentId: number, by = manager) =>
  (await post('return/payment/details', { paymentId }, by)).body
const statusOf = async (id: number) =>
  (await portal.owner.query('SELECT status, refunded_cents AS refunded FROM payment_order WHERE id = $1', [id])).rows[0]
const refundedCents = () => [...provider.refunds.values()].map(({ amountCents }) => amountCents)

async function expectSound() {
  const { findings } = await verifyLedger(database.urls.platform)
  expect(findings.filter(({ violations }) => violations > 0)).toEqual([])
}

test('refunds a part and the rest once per key, with proportional fees', async () => {
  const id = await paid()
  const { payment, leftCents, can } = await readDetails(id)
  expect([leftCents, can]).toEqual([payment.totalCents, { refund: true, void: true, respondToDispute: false }])
  expect((await readDetails(id, staff)).can).toEqual({ refund: false, void: false, respondToDispute: false })
  expect((await refund(id, 1, { by: staff })).status).toBe(403)
  const key = randomUUID()
  const first = await refund(id, 40_00, { key })
  expect(first.body).toMatchObject({ success: true, status: 'done' })
  expect((await refund(id, 40_00, { key })).body).toEqual(first.body)
  expect(refundedCents()).toEqual([40_00])
  expect(await statusOf(id)).toEqual({ status: 1, refunded: 40_00 })
  const tooMuch = await refund(id, payment.totalCents)
  expect([tooMuch.status, tooMuch.body.message]).toEqual([422, 'You can refund up to $63.05 of this payment.'])
  expect((await refund(id, 63_05)).body.status).toBe('done')
  expect(await statusOf(id)).toEqual({ status: 3, refunded: payment.totalCents })
  expect((await refund(id, 1)).status).toBe(409)
  const { rows } = await portal.owner.query(
    `SELECT sum(CASE kind WHEN 'credit' THEN amount_cents ELSE -amount_cents END)::int AS held FROM remittance WHERE order_id = $1`,
    [id],
  )
  expect(rows[0].held).toBe(0)
  const emails = (await portal.emails())
    .map((emailMessage) => JSON.stringify(emailMessage))
    .filter((emailMessage) => emailMessage.includes('was refunded'))
  expect(emails.length).toBeGreaterThanOrEqual(2)
  await expectSound()
})

test('repeats a lost call under its key and books each refund once', async () => {
  const [silent, notified] = [await paid(), await paid()]
  const fates = ['silent after' as const]
  const stand = () => Promise.resolve()
  provideInstead(
    portal.config,
    fateful(
      provider,
      () => fates.shift() ?? 'fine',
      () => {},
      stand,
    ),
  )
  expect((await refund(silent, 50_00)).body).toMatchObject({ status: 'sending' })
  expect((await readDetails(silent)).leftCents).toBe(53_05)
  // Runs the job twice, in parallel with the processing of the refund's event.
  portal.clock.advance(60_000)
  const events = provider.events.splice(0).filter(({ object }) => object === 'refund')
  await Promise.all([
    sendPendingRefunds(portal.context),
    ...events.map((event) => applyEvent(portal.context, event)),
    sendPendingRefunds(portal.context),
  ])
  expect((await readDetails(silent)).refunds).toMatchObject([{ status: 'done', amountCents: 50_00 }])
  fates.push('silent after')
  await refund(notified, 20_00)
  for (const event of provider.events.splice(0)) await applyEvent(portal.context, event)
  expect(await statusOf(notified)).toEqual({ status: 1, refunded: 20_00 })
  portal.clock.advance(60_000)
  await sendPendingRefunds(portal.context)
  expect(await statusOf(notified)).toEqual({ status: 1, refunded: 20_00 })
  expect(refundedCents()).toEqual([50_00, 20_00])
  await expectSound()
})

test('requires approval above the limit by someone other than the requester', async () => {
  const [id, other] = [await paid(), await paid()]
  expect((await refund(id, 100_01)).body).toMatchObject({ status: 'waiting' })
  expect(refundedCents()).toEqual([])
  const [{ id: refundId }] = (await readDetails(id)).refunds
  expect((await readDetails(id)).refunds[0].can).toEqual({ approve: false, decline: true })
  const own = await post('decide/refund', { refundId, event: 'approve' })
  expect([own.status, own.body.message]).toEqual([403, 'You requested this refund, so another person must approve it.'])
  expect((await post('decide/refund', { refundId, event: 'approve' }, staff)).status).toBe(403)
  expect(refundedCents()).toEqual([])
  const both = await Promise.all([1, 2].map(() => post('decide/refund', { refundId, event: 'approve' }, admin)))
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(refundedCents()).toEqual([100_01])
  await refund(other, 102_00)
  const [{ id: declined }] = (await readDetails(other)).refunds
  expect((await post('decide/refund', { refundId: declined, event: 'decline' }, admin)).status).toBe(422)
  const no = await post('decide/refund', { refundId: declined, event: 'decline', reason: 'It was paid once' }, admin)
  expect(no.body).toMatchObject({ status: 'declined' })
  expect((await readDetails(other)).leftCents).toBe(103_05)
  const list = await post('return/refunds', { filters: { status: 'declined' } }, staff)
  expect(list.body.rows).toMatchObject([{ receipt: `P${other}`, amountCents: 102_00, decidedBy: 'Judith Sawyer' }])
  await expectSound()
})

test('voids a whole payment today, and refunds an older one', async () => {
  await portal.owner.query('UPDATE payment_settings SET refund_limit_cents = 100000')
  const [today, older] = [await paid(), await paid()]
  const reason = 'Wrong account'
  expect((await post('void/payment', { paymentId: today, reason })).body).toMatchObject({ status: 'done' })
  expect(await statusOf(today)).toEqual({ status: 5, refunded: 0 })
  for (const event of provider.events.splice(0)) await applyEvent(portal.context, event)
  expect(await statusOf(today)).toEqual({ status: 5, refunded: 0 })
  expect((await post('void/payment', { paymentId: today, reason })).status).toBe(409)
  portal.clock.advance(25 * 3_600_000)
  manager = await portal.signIn(HOST, 'manager@maplegrove.example')
  expect((await readDetails(older)).can).toEqual({ refund: true, void: false, respondToDispute: false })
  const late = await post('void/payment', { paymentId: older, reason })
  expect([late.status, late.body.code]).toEqual([409, 'settled'])
  await expectSound()
})

test('refunds payments of another provider by check from the company’s bank', async () => {
  const id = await paid()
  await portal.owner.query(`UPDATE payment_attempt SET provider = 'sandbox-history' WHERE order_id = $1`, [id])
  await portal.owner.query(`UPDATE ledger_transfer SET source = 'sandbox-history' WHERE order_id = $1`, [id])
  await portal.owner.query(
    `UPDATE held_movement SET source = 'sandbox-history'
     WHERE source_ref IN (SELECT source_ref FROM ledger_transfer WHERE order_id = $1)`,
    [id],
  )
  await portal.owner.query('DELETE FROM payment_day')
  await portal.owner.query('INSERT INTO payment_day SELECT * FROM ledger_day')
  expect((await refund(id, 10_00)).body).toMatchObject({ status: 'done' })
  const { rows } = await portal.owner.query(
    `SELECT credit_account FROM ledger_transfer WHERE order_id = $1 AND kind = 'refund.bill'`,
    [id],
  )
  expect(rows).toEqual([{ credit_account: 'bank' }])
  expect(refundedCents()).toEqual([])
  await expectSound()
})

test('refunds the named line with its fee, whichever source reports first', async () => {
  await portal.owner.query('UPDATE payment_settings SET refund_limit_cents = 100000')
  const id = await paid(3)
  const linesOf = async () => {
    const { rows } = await portal.owner.query(
      `SELECT l.settled_cents::int AS bill, (SELECT coalesce(sum(CASE WHEN t.credit_account = 'fee_revenue' THEN t.amount_cents ELSE -t.amount_cents END), 0)::int
         FROM ledger_transfer t WHERE t.order_id = l.order_id AND t.line_no = l.line_no AND t.kind LIKE '%.fee') AS fee,
        (SELECT sum(CASE r.kind WHEN 'credit' THEN r.amount_cents ELSE -r.amount_cents END)::int FROM remittance r
         WHERE r.order_id = l.order_id AND r.line_no = l.line_no) AS remitted
       FROM payment_order_line l WHERE l.order_id = $1 ORDER BY l.line_no`,
      [id],
    )
    return rows.map(({ bill, fee, remitted }) => [bill, fee, remitted === bill])
  }
  const whole = [100_00, 3_05, true]
  expect(await linesOf()).toEqual([whole, whole, whole])
  const tooMuch = await refund(id, 103_06, { line: 1 })
  expect([tooMuch.status, tooMuch.body.message]).toEqual([422, 'You can refund up to $103.05 of this line item.'])
  expect((await refund(id, 1, { line: 4 })).status).toBe(422)
  // The provider makes the refund, but its response is lost. The portal therefore learns of the refund from the event.
  const fates = ['silent after' as const]
  const stand = () => Promise.resolve()
  provideInstead(
    portal.config,
    fateful(
      provider,
      () => fates.shift() ?? 'fine',
      () => {},
      stand,
    ),
  )
  expect((await refund(id, 50_00, { line: 1 })).body).toMatchObject({ status: 'sending' })
  expect((await readDetails(id)).leftOfLines.map(({ leftCents }: { leftCents: number }) => leftCents)).toEqual([
    53_05, 103_05, 103_05,
  ])
  for (const event of provider.events.splice(0)) await applyEvent(portal.context, event)
  expect(await linesOf()).toEqual([[51_47, 1_58, true], whole, whole])
  portal.clock.advance(60_000)
  await sendPendingRefunds(portal.context)
  expect((await refund(id, 53_05, { line: 1 })).body.status).toBe('done')
  expect(await linesOf()).toEqual([[0, 0, true], whole, whole])
  expect((await refund(id, 1, { line: 1 })).status).toBe(422)
  // A partial refund must name its line. A refund of the full remainder need not.
  const unnamed = await refund(id, 103_05)
  expect([unnamed.status, Object.keys(unnamed.body.details.fields)]).toEqual([422, ['line']])
  expect((await refund(id, 103_05, { line: 3 })).body.status).toBe('done')
  expect(await linesOf()).toEqual([[0, 0, true], whole, [0, 0, true]])
  expect((await refund(id, 10_00, { line: 2 })).body.status).toBe('done')
  // The bank rejects the refund of the first line. That amount can then be refunded again.
  provider.failRefund(0)
  for (const event of provider.events.splice(0)) await applyEvent(portal.context, event)
  expect((await linesOf()).map(([bill]) => bill)).toEqual([48_52, 90_29, 0])
  expect((await readDetails(id)).refunds.map(({ line }: { line: number | null }) => line)).toEqual([1, 1, 3, 2])
  const emails = (await portal.emails()).map((emailMessage) => JSON.stringify(emailMessage))
  expect(emails.some((emailMessage) => emailMessage.includes('The refund is for: '))).toBe(true)
  await expectSound()
})

test('shows the approver the first refund before they decide', async () => {
  await portal.owner.query('UPDATE payment_settings SET refund_limit_cents = 100000')
  admin = await portal.signIn(HOST, 'admin@maplegrove.example')
  const id = await paid()
  const seen = (await readDetails(id)).leftCents
  const request = { paymentId: id, amountCents: 20_00, reason: 'Paid too much', basis: { leftCents: seen } }
  const both = await Promise.all([post('refund/payment', request), post('refund/payment', request, admin)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const refused = both.find(({ status }) => status === 409)?.body
  expect(refused).toMatchObject({ code: 'seen_otherwise', details: { now: { leftCents: seen - 20_00 } } })
  expect(refused.message).toContain('requested a refund of $20.00. $83.05 can still be refunded.')
  const late = await post('void/payment', { paymentId: id, reason: 'All of it', basis: { leftCents: seen } })
  expect([late.status, late.body.code]).toEqual([409, 'seen_otherwise'])
  expect((await readDetails(id)).leftCents).toBe(seen - 20_00)
  const again = { ...request, basis: { leftCents: seen - 20_00 } }
  expect((await post('refund/payment', again, admin)).body.status).toBe('done')
  expect(refundedCents()).toEqual([20_00, 20_00])
  await expectSound()
})

test('refuses a void or refund that the provider refused, with its record', async () => {
  await portal.owner.query('UPDATE payment_settings SET refund_limit_cents = 100000')
  const id = await paid()
  provider.voidIntent = () => Promise.reject(new ProviderRefused('already_settled'))
  const late = await post('void/payment', { paymentId: id, reason: 'Wrong account' })
  expect([late.status, late.body.success, late.body.code]).toEqual([409, false, 'not_refunded'])
  expect((await readDetails(id)).refunds).toMatchObject([{ kind: 'void', status: 'failed' }])
  expect(await statusOf(id)).toEqual({ status: 1, refunded: 0 })
  await expectSound()
})
