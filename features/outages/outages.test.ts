import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { liftLimits } from '../../test/databases.ts'
import { testDatabase, testPortal } from '../../test/harness.ts'
import { addTestPlatformStaff, openTestCompany } from '../../test/company.ts'
import { runDeferredPayments } from './server/run-deferred-payments.ts'
import { watchProviders } from './server/watch.ts'
import { provideInstead, providerNamed } from '../payments/server/providers/providers.ts'
import { reconcile } from '../payments/server/attempts/reconcile.ts'
import { sandboxProvider } from '../payments/server/providers/sandbox/sandbox.ts'
import { verifyLedger } from '../payments/server/ledger/verify-ledger.ts'
import { verifyProvider } from '../payments/server/ledger/verify-provider.ts'

/**
 * Simulates half an hour without sandbox payments, around the midnight when tickets get a late fee. The test sets the
 * clock. Checks the banner, the records, the deferred payments, late fees and double charges.
 */

const HOST = 'maplegrove.localhost'
const FINE = 2500
const TOTAL = FINE + 195
const MINUTE = 60_000
const database = await testDatabase()
const portal = await testPortal({ database, gateway: true, env: { GATEWAY_FAULT_HOLD_MS: '300' } })
// Replaces the sandbox provider with one that has a shorter timeout.
provideInstead(portal.config, sandboxProvider({ ...portal.config.gateway, timeoutMs: 700 }))
const { url, apiKey } = portal.config.gateway
let company = 0
let staff = ''
let resident = ''

const gateway = (path: string, body?: object, method = 'POST') =>
  fetch(`${url}/v1/test/${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
/** Sets the clocks of the portal and the sandbox provider. */
async function clockAt(instant: string) {
  portal.clock.set(instant)
  await gateway('clock', { now: instant })
}
const rows = async (text: string, values: unknown[] = []) => (await portal.owner.query(text, values)).rows
const callApi = (path: string, body: object, token = '') =>
  portal.post(HOST, path, body, { token, headers: { 'idempotency-key': randomUUID() } })

beforeAll(async () => {
  company = await openTestCompany(portal, mapleGrove)
  await addTestPlatformStaff(portal)
  await liftLimits(portal.owner)
  await clockAt('2026-11-20T15:00:00.000Z')
  await signIn()
  await callApi(
    'muni/save/parking/violation',
    { violationId: null, code: '10', description: 'Expired meter', amountCents: FINE, active: true },
    staff,
  )
  const { settings } = (await callApi('muni/return/parking/settings', {}, staff)).body
  const steps = [{ day: 15, feeCents: 1000, notifies: false }]
  expect((await callApi('muni/save/parking/settings', { ...settings, steps }, staff)).status).toBe(200)
})
async function signIn() {
  staff = await portal.signIn(HOST, 'admin@maplegrove.example')
  resident = await portal.signIn(HOST, 'resident@maplegrove.example')
}

let numbers = 100
/** Issues a ticket and opens its checkout. */
async function ticket() {
  const citation = `OUT-${(numbers += 1)}`
  const ticketLocation = { text: 'Main Street 12', addressId: null, lat: null, lon: null, metres: null }
  const { body } = await callApi(
    'muni/enter/parking/ticket',
    {
      ...{
        citation,
        violation: '10',
        plate: 'klm-4821',
        plateState: 'pa',
        vehicle: '',
        officer: 'Ada Finch',
        location: ticketLocation,
      },
      ...{ issuedDate: '2026-11-20', issuedTime: '09:30', notes: '', email: '' },
    },
    staff,
  )
  expect(body.message).toContain(citation)
  return { id: body.ticketId as number, citation, token: await pageOf(citation) }
}
type Ticket = Awaited<ReturnType<typeof ticket>>
const pageOf = async (citation: string) => (await callApi('open/parking/payment', { citation })).body.token as string
const checkout = async ({ token }: Pick<Ticket, 'token'>) => (await callApi('return/guest/checkout', { token })).body
const lateOf = async ({ id }: Ticket) =>
  (await callApi('muni/return/parking/ticket', { ticketId: id }, staff)).body.lateCents as number

async function typed(account: string): Promise<string> {
  const response = await fetch(`${url}/fields/tokens?account=${account}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'card', number: '4242424242424242', month: 8, year: 2031, cvc: '123' }),
  })
  return ((await response.json()) as { token: string }).token
}
const requestFor = (of: Pick<Ticket, 'token'>) => ({
  ...{ token: of.token, payType: 1, method: 1, billCents: FINE, expectedTotalCents: TOTAL, email: 'ada@example.com' },
})
const pay = async (of: Pick<Ticket, 'token'>, methodToken: string) =>
  (await callApi('pay/guest/bill', { ...requestFor(of), methodToken })).body
const deferred = (of: Pick<Ticket, 'token'>, action: 'note' | 'charge' | 'remind', more: object = {}, token = '') =>
  callApi('defer/payment', { ...requestFor(of), action, ...more }, token)
const banner = async () => (await callApi('return/current/alerts', {})).body.notices
const emailsTo = async (address: string) =>
  (await portal.emails()).filter(({ to_address }) => to_address === address).map(({ subject }) => subject)
const stateOf = async ({ citation }: Ticket) =>
  (await rows('SELECT status FROM deferred_payment WHERE reference = $1', [citation])).map(({ status }) => status)
const captures = async ({ citation }: Ticket) =>
  Number(
    (
      await rows(
        `SELECT count(DISTINCT t.source_ref) AS n FROM ledger_transfer t JOIN payment_order o ON o.company_id = t.company_id AND o.id = t.order_id
         WHERE o.reference = $1 AND t.kind = 'capture.bill'`,
        [citation],
      )
    )[0]?.n,
  )

test('survives half an hour of outage without late fees or double charges', async () => {
  const [unclear, refused, noted, charged, linked, withdrawn, voided, untouched] = (await Promise.all(
    Array.from({ length: 8 }, () => ticket()),
  )) as [Ticket, Ticket, Ticket, Ticket, Ticket, Ticket, Ticket, Ticket]
  const [never, dearer] = [await ticket(), await ticket()]
  // Before the outage, a resident saves a card.
  const { gateway: fields } = (await callApi('return/payment/methods', {}, resident)).body
  const storedMethodId = (
    await callApi('add/payment/method', { method: 1, agree: true, methodToken: await typed(fields.account) }, resident)
  ).body.id as number
  expect(storedMethodId).toBeGreaterThan(0)
  expect(await banner()).toEqual([])

  // It is 23:40 in the company's time zone. The provider captures one payment, but its response is lost. After that,
  // the provider responds to no call.
  await clockAt('2026-12-05T04:40:00.000Z')
  await signIn()
  const tokens = await Promise.all([unclear, refused].map(() => typed(fields.account)))
  await gateway('faults', { fault: 'timeout-after', path: '/confirm', count: 1 })
  await gateway('faults', { fault: '500', path: '/v1/intents/', count: 100_000 })
  expect((await pay(unclear, tokens[0] ?? '')).state).toBe('working')
  // Makes all provider paths fail, except the `/v1/test` paths that control the sandbox.
  for (const path of ['/v1/intents', '/v1/balance_transactions', '/v1/accounts', '/v1/payouts'])
    await gateway('faults', { fault: '500', path, count: 100_000 })
  portal.clock.advance(50_000)
  // Runs the watch job, which each unanswered call queued.
  await portal.runJobs()
  expect(await banner()).toMatchObject([{ path: '/payment-status' }])
  const since = (await callApi('return/payment/status', {})).body.since
  expect(since).toBe('2026-12-05T04:40:00.000Z')
  expect((await callApi('muni/return/payment/outage', {}, staff)).body.outage).toMatchObject({
    provider: 'Sandbox',
    second: null,
    tried: 1,
  })
  expect((await rows(`SELECT detail FROM audit_event WHERE action = 'payment.outage_began'`)).length).toBe(1)

  // A payer who presses Pay is refused without a call to the provider. The attempt is recorded with its time.
  const failed = await pay(refused, tokens[1] ?? '')
  expect(failed).toMatchObject({ state: 'declined' })
  expect(failed.message).toContain('Nothing was charged. We recorded the time of your attempt.')
  const [attempt] = await rows(
    `SELECT a.created_at, a.error_code FROM payment_attempt a JOIN payment_order o ON o.company_id = a.company_id AND o.id = a.order_id WHERE o.reference = $1`,
    [refused.citation],
  )
  expect(attempt).toEqual({ created_at: new Date('2026-12-05T04:40:50.000Z'), error_code: 'provider_unreachable' })

  // The payer sees alternatives. A payment with an unclear result blocks other payments until its state is known.
  portal.clock.advance(5 * MINUTE)
  expect((await deferred(unclear, 'remind')).body.code).toBe('payment_in_progress')
  const again = { token: await pageOf(unclear.citation) }
  expect((await deferred(again, 'remind')).status).toBe(422)
  expect((await deferred(noted, 'note')).status).toBe(200)
  expect((await deferred(linked, 'remind')).status).toBe(200)
  expect((await deferred(linked, 'remind')).body.code).toBe('deferred')
  expect((await deferred(charged, 'charge', { storedMethodId })).status).toBe(422)
  for (const one of [charged, withdrawn, voided, dearer, never])
    expect((await deferred(one, 'charge', { storedMethodId }, resident)).status).toBe(200)
  expect((await checkout(charged)).outage).toMatchObject({
    since,
    deferred: { status: 'waiting', methodLabel: 'Visa ending 4242' },
  })
  expect((await callApi('withdraw/deferred/payment', { token: withdrawn.token })).body.message).toContain('Withdrawn')
  expect((await callApi('return/payment/status', {}, resident)).body.deferred).toHaveLength(5)
  // Deferred payments do not run while the outage lasts.
  await runDeferredPayments(portal.context)
  expect(await stateOf(charged)).toEqual(['waiting'])

  // After midnight, the late fee applies only to people who did not try to pay.
  await clockAt('2026-12-05T05:05:00.000Z')
  await signIn()
  await portal.runJobs('parking.steps')
  expect(await Promise.all([untouched, unclear, refused, noted, charged, linked].map(lateOf))).toEqual([
    1000, 0, 0, 0, 0, 0,
  ])
  await callApi(
    'muni/change/parking/ticket/status',
    { ticketId: voided.id, event: 'void', reason: 'Wrong car.' },
    staff,
  )
  await rows('UPDATE deferred_payment SET total_cents = 2600 WHERE reference = $1', [dearer.citation])
  await rows(`UPDATE stored_method SET unusable = '' WHERE company_id = $1`, [company])

  // The provider responds again 30 minutes after the start. One response is not enough to end the outage.
  await clockAt('2026-12-05T05:10:00.000Z')
  await gateway('faults', undefined, 'DELETE')
  await watchProviders(portal.context)
  expect(await banner()).toHaveLength(1)
  await clockAt('2026-12-05T05:11:00.000Z')
  await watchProviders(portal.context)
  expect(await banner()).toEqual([])
  expect(await rows('SELECT since, until, relapses, is_company_only FROM payment_outage')).toEqual([
    { since: new Date(since), until: new Date('2026-12-05T05:10:00.000Z'), relapses: 0, is_company_only: false },
  ])
  expect(
    (await emailsTo('admin@maplegrove.example')).filter((subject) => subject.startsWith('Payments by card')),
  ).toEqual([
    'Payments by card and bank account are not working',
    'Payments by card and bank account are working again',
  ])

  // Reconciliation finds the payment states. Each deferred payment runs only once, although the job runs repeatedly and
  // in parallel.
  await reconcile(portal.context)
  await Promise.all([runDeferredPayments(portal.context), runDeferredPayments(portal.context)])
  await runDeferredPayments(portal.context)
  expect(await captures(unclear)).toBe(1)
  expect((await checkout(unclear)).payment.state).toBe('paid')
  expect([await captures(charged), await stateOf(charged)]).toEqual([1, ['paid']])
  expect((await checkout(charged)).payment).toMatchObject({ state: 'paid' })
  expect([await captures(withdrawn), await stateOf(withdrawn)]).toEqual([0, ['withdrawn']])
  expect([await captures(voided), await stateOf(voided)]).toEqual([0, ['not_owed']])
  expect([await captures(dearer), await stateOf(dearer)]).toEqual([0, ['changed']])
  expect(await stateOf(linked)).toEqual(['reminded'])
  expect(await emailsTo('ada@example.com')).toEqual(
    expect.arrayContaining([
      `We recorded your payment attempt (reference ${noted.citation})`,
      `You can pay now (reference ${linked.citation})`,
      `Nothing was charged: no amount is due (reference ${voided.citation})`,
      `Nothing was charged: review your payment (reference ${dearer.citation})`,
    ]),
  )

  // On the last day of grace, the payer pays through the emailed link, without a late fee.
  await clockAt('2026-12-08T20:00:00.000Z')
  await signIn()
  await portal.runJobs('parking.steps')
  expect((await pay(linked, await typed(fields.account))).state).toBe('paid')
  await runDeferredPayments(portal.context)
  expect(await stateOf(linked)).toEqual(['paid'])
  expect(await Promise.all([refused, noted].map(lateOf))).toEqual([0, 0])
  const { tries, count, graceUntil } = (
    await callApi(
      'muni/return/payment/outage/tries',
      { id: (await rows('SELECT id FROM payment_outage'))[0].id },
      staff,
    )
  ).body
  expect([count, tries.length, graceUntil]).toEqual([8, 8, '2026-12-08'])
  const list = (await callApi('muni/return/payment/outages', {}, staff)).body
  expect(list.rows).toMatchObject([{ provider: 'Sandbox', tried: 8, deferred: 6, paidLater: 3, unkept: 1 }])
  // People who tried to pay but did not pay within the grace period get the late fee.
  await clockAt('2026-12-09T20:00:00.000Z')
  await portal.runJobs('parking.steps')
  await signIn()
  expect(await Promise.all([refused, noted].map(lateOf))).toEqual([1000, 1000])

  const { finding } = await verifyProvider(providerNamed(portal.config, 'sandbox'), database.urls.platform)
  expect(finding.first).toEqual([])
  expect((await verifyLedger(database.urls.platform)).findings.flatMap(({ first }) => first)).toEqual([])
}, 120_000)
