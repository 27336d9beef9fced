import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { liftLimits } from '../../test/databases.ts'
import { type ApiResponse, testClock, testPortal } from '../../test/harness.ts'
import { hasDescription, errorsByDescription, errorsByTypes } from '../../test/stripe/expect-valid.ts'
import { recordedStripe } from '../../test/stripe/recorded-stripe.ts'
import { addTestPlatformStaff, openTestCompany, sendBills, setPaymentSettings } from '../../test/company.ts'
import { recheckPending } from './server/learn.ts'
import { owedBy, requirementOf, sentencesOf, statusOf } from './rules.ts'
import { nightly } from '../../test/nightly.ts'

/** Tests the onboarding of companies over HTTP with recorded responses from Stripe. */

const HOST = 'maplegrove.localhost'
const ADMIN = 'admin.localhost'
const clock = testClock()
const stripe = await recordedStripe(() => clock.now())
const portal = await testPortal({ clock, env: stripe.env })
let maple = 0
let harbor = 0
const image = await sharp({ create: { width: 600, height: 800, channels: 3, background: '#8a1c3c' } })
  .jpeg()
  .toBuffer()

beforeAll(async () => {
  maple = await openTestCompany(portal, mapleGrove)
  harbor = await openTestCompany(portal, harborCity)
  await addTestPlatformStaff(portal)
  await liftLimits(portal.owner)
  await sendBills(portal, [{ account: '91', bill: 'L1' }])
})
afterAll(() => stripe.close())
beforeEach(async () => {
  clock.advance(60_000)
  stripe.faults.length = 0
  // The sessions have also expired, because they use this clock.
  tokens.clear()
  // Each test's company has its own provider account.
  stripe.forgetKeys()
  await portal.owner.query('TRUNCATE provider_onboarding, onboarding_document, provider_account')
  await portal.owner.query("DELETE FROM status_history WHERE machine IN ('provider_onboarding', 'onboarding_document')")
  await setPaymentSettings(portal, { processor_id: 2 })
})

const rows = async (text: string) => (await portal.owner.query(text)).rows
type TestRole = 'town' | 'harbor' | 'staff' | 'resident' | 'super' | 'callcenter'
const people: Record<TestRole, readonly [string, string]> = {
  town: [HOST, 'admin@maplegrove.example'],
  staff: [HOST, 'staff@maplegrove.example'],
  resident: [HOST, 'resident@maplegrove.example'],
  harbor: ['harborcity.localhost', 'admin@harborcity.example'],
  super: [ADMIN, 'super@mainstreet.example'],
  callcenter: [ADMIN, 'callcenter@mainstreet.example'],
}
const tokens = new Map<TestRole, Promise<string>>()
const tokenOf = (role: TestRole) => {
  const token = tokens.get(role) ?? portal.signIn(...people[role])
  tokens.set(role, token)
  return token
}
const callApi = async (role: TestRole, path: string, body: object = {}): Promise<ApiResponse> =>
  portal.post(people[role][0], path, body, {
    token: await tokenOf(role),
    headers: { 'idempotency-key': randomUUID() },
  })
const of = (role: TestRole, more: object = {}) => (people[role][0] === ADMIN ? { companyId: maple, ...more } : more)

async function sendFile(role: TestRole, fields: Record<string, string>): Promise<ApiResponse> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(image)]), 'agreement.jpg')
  const sent = new Response(form)
  const response = await portal.app.inject({
    ...{ method: 'POST', url: '/api/v2/muni/send/onboarding/document' },
    payload: Buffer.from(await sent.arrayBuffer()),
    headers: {
      ...{ host: people[role][0], 'content-type': sent.headers.get('content-type') ?? '' },
      authorization: `Bearer ${await tokenOf(role)}`,
    },
  })
  return { status: response.statusCode, body: response.json(), headers: response.headers }
}

const readOnboarding = async (role: TestRole = 'town') =>
  (await callApi(role, 'muni/return/onboardings', of(role))).body.onboardings[0]
const startOnboarding = async () => {
  const { id } = await readOnboarding()
  const { body } = await callApi('town', 'muni/start/onboarding/page', { id })
  const account = [...stripe.world.accounts.values()].at(-1)
  if (!account) throw new Error('there is no account')
  return { id, url: String(body.url), account }
}
const emailsTo = async (address: string) =>
  (await portal.emails()).filter(({ to_address }) => to_address === address).map(({ subject }) => subject)

async function sendEvent(
  account: string,
  event: string = randomUUID(),
  { at = clock.now(), change = (text: string) => text } = {},
) {
  const payload = stripe.accountEvent(account, `evt_${event}`)
  const headers = { host: HOST, 'content-type': 'application/json', 'stripe-signature': stripe.sign(payload, at) }
  return (await portal.app.inject({ method: 'POST', url: '/webhooks/stripe', payload: change(payload), headers }))
    .statusCode
}
const status = async () =>
  (await rows(`SELECT status FROM provider_onboarding WHERE company_id = ${maple} AND provider = 'stripe'`))[0]?.status

describe('onboarding of a company', () => {
  test('shows missing information after the provider’s page, and becomes ready', async () => {
    expect(await readOnboarding()).toMatchObject({
      status: 'not_started',
      owedBy: 'company',
      provider: 'stripe',
      mayCharge: false,
    })
    const { id, url, account } = await startOnboarding()
    expect(url).toContain(account.id)
    const link = stripe.requests.findLast(({ route }) => route === 'POST /v1/account_links')
    const sent = new URLSearchParams(link?.body)
    expect(sent.get('return_url')).toContain(`/municipality/processor/onboarding?onboarding=${id}&from=return`)
    expect(sent.get('refresh_url')).toContain('from=refresh')
    expect(await readOnboarding()).toMatchObject({ status: 'in_progress', owedBy: 'company' })

    Object.assign(account, { submitted: true, deadline: clock.now().getTime() / 1000 + 864_000 })
    expect(await sendEvent(account.id)).toBe(200)
    await expect.poll(status).toBe('missing')
    expect(await readOnboarding()).toMatchObject({
      missing: ['company.tax_id'],
      owedBy: 'company',
      dueAt: expect.stringMatching(/^2026-11-30/),
    })
    expect(await emailsTo('admin@maplegrove.example')).toContain('Stripe needs information from you')

    Object.assign(account, { due: [], pending: ['company.tax_id'], disabled: 'requirements.pending_verification' })
    expect((await callApi('town', 'muni/check/onboarding', { id })).status).toBe(200)
    expect(await readOnboarding()).toMatchObject({ status: 'in_review', owedBy: 'provider' })

    Object.assign(account, { pending: [], disabled: null })
    await sendEvent(account.id)
    await expect.poll(status).toBe('ready')
    expect(await readOnboarding()).toMatchObject({ owedBy: 'none', mayCharge: true, isPaidOut: true })
    expect(await emailsTo('admin@maplegrove.example')).toContain('Stripe now accepts payments for you')
    await portal.runJobs()
    expect(await rows('SELECT to_address, subject FROM platform_email')).toEqual([
      { to_address: 'super@mainstreet.example', subject: 'Maple Grove completed onboarding with Stripe' },
    ])
    expect((await readOnboarding()).history.map(({ label }: { label: string }) => label)).toEqual([
      ...['Not started', 'In progress', 'Information missing', 'In review', 'Success'],
    ])
  })

  test('is checked again by a job in case an event gets lost', async () => {
    const { account } = await startOnboarding()
    Object.assign(account, { submitted: true, due: [] })
    expect(await status()).toBe('in_progress')
    expect(await recheckPending(portal.context)).toBe(0)
    clock.advance(11 * 60_000)
    expect(await recheckPending(portal.context)).toBe(1)
    expect(await status()).toBe('ready')
    // If the status request fails, the account keeps its state and the next run checks it again.
    account.disabled = 'rejected.fraud'
    clock.advance(7 * 3_600_000)
    stripe.faults.push(500)
    await recheckPending(portal.context)
    expect(await status()).toBe('ready')
    clock.advance(11 * 60_000)
    await recheckPending(portal.context)
    tokens.clear()
    expect(await readOnboarding()).toMatchObject({
      status: 'on_hold',
      owedBy: 'platform',
      why: 'rejected.fraud',
      mayCharge: false,
    })
  })

  test('blocks new payments with a message while the provider accepts none', async () => {
    const { account } = await startOnboarding()
    const { body } = await portal.post(HOST, 'find/guest/bill', { accountNumber: '91', zip: '17011' })
    const pay = () =>
      portal.post(
        HOST,
        'pay/guest/bill',
        {
          ...{ token: body.token, payType: 1, method: 1, billCents: 100_00, email: 'ada@example.com' },
          ...{ methodToken: 'pm_card_visa', expectedTotalCents: 103_05 },
        },
        { headers: { 'idempotency-key': randomUUID() } },
      )
    expect(await pay()).toMatchObject({ status: 503, body: { code: 'payments_stopped' } })
    expect((await pay()).body.message).toContain('Nothing was charged')
    expect(await rows('SELECT id FROM payment_order')).toEqual([])
    Object.assign(account, { submitted: true, due: [] })
    await sendEvent(account.id)
    await expect.poll(status).toBe('ready')
    const { id } = await readOnboarding()
    await callApi('super', 'admin/transition/onboarding', {
      companyId: maple,
      id,
      event: 'hold',
      reason: 'The bank called us.',
    })
    expect(await pay()).toMatchObject({ status: 503, body: { code: 'payments_stopped' } })
    await callApi('super', 'admin/transition/onboarding', {
      companyId: maple,
      id,
      event: 'resume',
      reason: 'It was a mistake.',
    })
    expect((await pay()).body.state).toBe('paid')
  })
})

describe('provider event', () => {
  test('is refused if altered, old or from the future', async () => {
    const { account } = await startOnboarding()
    Object.assign(account, { submitted: true, due: [] })
    expect(await sendEvent(account.id, 'a', { change: (text) => text.replace('"id"', '"Id"') })).toBe(400)
    expect(await sendEvent(account.id, 'b', { at: new Date(clock.now().getTime() - 301_000) })).toBe(400)
    expect(await sendEvent(account.id, 'c', { at: new Date(clock.now().getTime() + 301_000) })).toBe(400)
    expect(await status()).toBe('in_progress')
  })

  test('is applied once, and the current state counts', async () => {
    const { account } = await startOnboarding()
    Object.assign(account, { submitted: true })
    const old = stripe.accountEvent(account.id, 'evt_old')
    account.due = []
    await sendEvent(account.id, 'new')
    await expect.poll(status).toBe('ready')
    const headers = {
      host: HOST,
      'content-type': 'application/json',
      'stripe-signature': stripe.sign(old, clock.now()),
    }
    for (let n = 0; n < 3; n++)
      await portal.app.inject({ method: 'POST', url: '/webhooks/stripe', payload: old, headers })
    await expect
      .poll(async () =>
        rows("SELECT event_id FROM provider_event WHERE event_id = 'evt_old' AND applied_at IS NOT NULL"),
      )
      .toHaveLength(1)
    expect(await status()).toBe('ready')
    expect(await emailsTo('admin@maplegrove.example')).not.toContain('Something')
  })

  test('for an unknown account is accepted without effect', async () => {
    expect(await sendEvent('acct_nobodys', 'nobodys')).toBe(200)
    await expect
      .poll(async () =>
        rows("SELECT event_id FROM provider_event WHERE event_id = 'evt_nobodys' AND applied_at IS NOT NULL"),
      )
      .toHaveLength(1)
    expect(await rows('SELECT id FROM provider_onboarding')).toEqual([])
  })
})

describe('platform staff', () => {
  test('hold an onboarding with a reason until they release it', async () => {
    const { id, account } = await startOnboarding()
    const moveOnboarding = (event: string, reason?: string) =>
      callApi('super', 'admin/transition/onboarding', { companyId: maple, id, event, ...(reason && { reason }) })
    expect((await moveOnboarding('hold')).status).toBe(422)
    expect((await moveOnboarding('hold', 'The council has not decided.')).status).toBe(200)
    expect(await readOnboarding()).toMatchObject({
      status: 'held',
      owedBy: 'platform',
      why: 'The council has not decided.',
    })
    expect(await emailsTo('admin@maplegrove.example')).toContain('Your onboarding with Stripe is on hold')
    expect((await callApi('town', 'muni/start/onboarding/page', { id })).status).toBe(409)
    expect((await moveOnboarding('hold', 'Once more.')).status).toBe(409)
    Object.assign(account, { submitted: true, due: [] })
    await callApi('town', 'muni/check/onboarding', { id })
    expect(await readOnboarding()).toMatchObject({ status: 'held', mayCharge: false })
    expect((await moveOnboarding('resume', 'It has decided.')).status).toBe(200)
    expect(await readOnboarding()).toMatchObject({ status: 'ready', mayCharge: true })
  })

  test('review a bank-file company’s documents, which decide its state', async () => {
    const added = await callApi('super', 'admin/add/onboarding', { companyId: maple, provider: 'bankfile' })
    expect(added.status).toBe(200)
    expect((await callApi('super', 'admin/add/onboarding', { companyId: maple, provider: 'bankfile' })).status).toBe(
      409,
    )
    const find = async () =>
      (await callApi('town', 'muni/return/onboardings')).body.onboardings.find(
        (one: { provider: string }) => one.provider === 'bankfile',
      )
    const { id, missingDocuments } = await find()
    expect(missingDocuments).toEqual(['bank_agreement'])
    await portal.owner.query(
      "UPDATE provider_onboarding SET provider_state = 'ready', takes_payments = true WHERE id = $1",
      [id],
    )
    const send = () => sendFile('town', { id: String(id), kind: 'bank_agreement' })
    expect((await send()).status).toBe(200)
    expect(await find()).toMatchObject({ status: 'in_review', owedBy: 'platform', missingDocuments: [] })
    const [document] = (await find()).documents
    expect(document).toMatchObject({ status: 'sent', name: 'agreement.jpg', can: { accept: false } })
    const reviewDocument = (event: string, reason?: string) =>
      callApi('super', 'admin/transition/onboarding/document', {
        companyId: maple,
        id: document.id,
        event,
        ...(reason && { reason }),
      })
    expect((await reviewDocument('request_replacement', 'A page is missing.')).status).toBe(200)
    expect(await find()).toMatchObject({ status: 'missing', missingDocuments: ['bank_agreement'] })
    expect((await send()).status).toBe(200)
    const [second] = (await find()).documents
    expect(second.id).not.toBe(document.id)
    expect((await reviewDocument('accept')).status).toBe(409)
    const accepted = { companyId: maple, id: second.id, event: 'accept' }
    expect((await callApi('super', 'admin/transition/onboarding/document', accepted)).status).toBe(200)
    expect(await find()).toMatchObject({ status: 'ready' })
    const ticket = await callApi('town', 'muni/download/onboarding/document', { id: second.id })
    expect(ticket.status).toBe(200)
  })

  test('list companies by provider, state, waiting party, days and name', async () => {
    const { account } = await startOnboarding()
    Object.assign(account, { submitted: true, due: ['company.tax_id', 'a.code.of.tomorrow'] })
    await callApi('town', 'muni/check/onboarding', { id: (await readOnboarding()).id })
    await callApi('super', 'admin/add/onboarding', { companyId: harbor, provider: 'sandbox' })
    const list = async (filters: object = {}, search = '') =>
      (await callApi('super', 'admin/return/onboardings', { filters, search })).body
    expect((await list()).count).toBe(2)
    expect((await list({ provider: 'stripe' })).rows).toMatchObject([
      { company: 'Maple Grove', status: 'missing', owedBy: 'company', mayCharge: false },
    ])
    expect((await list({ provider: 'stripe' })).rows[0].missingLine).toContain('And 1 more.')
    expect((await list({ status: 'not_started' })).rows).toMatchObject([{ company: 'Harbor City' }])
    expect((await list({ owedBy: 'provider' })).count).toBe(0)
    expect((await list({}, 'harb')).rows).toMatchObject([{ company: 'Harbor City' }])
    expect((await list({ fromDate: '2026-01-01', toDate: '2026-01-31' })).count).toBe(0)
  })
})

describe('permissions', () => {
  test('allow only the platform to change states, and companies to see themselves', async () => {
    const { id } = await startOnboarding()
    const hold = { companyId: maple, id, event: 'hold', reason: 'Because I can.' }
    for (const role of ['town', 'harbor', 'resident'] as const)
      expect((await callApi(role, 'admin/transition/onboarding', hold)).status, role).toBe(403)
    expect((await callApi('callcenter', 'admin/transition/onboarding', hold)).status).toBe(403)
    expect((await callApi('town', 'admin/return/onboardings')).status).toBe(403)
    expect((await readOnboarding()).can.steps).toEqual({ hold: false, resume: false })
    for (const path of ['muni/return/onboarding', 'muni/start/onboarding/page', 'muni/check/onboarding']) {
      expect((await callApi('harbor', path, { id })).status, path).toBe(404)
      expect([403, 404], path).toContain((await callApi('harbor', path, { companyId: maple, id })).status)
      expect((await callApi('resident', path, { id })).status, path).toBe(403)
    }
    expect((await sendFile('harbor', { id: String(id), kind: 'tax_form' })).status).toBe(404)
    expect((await sendFile('resident', { id: String(id), kind: 'tax_form' })).status).toBe(403)
    expect((await callApi('staff', 'muni/start/onboarding/page', { id })).status).toBe(403)
  })
})

describe('rules', () => {
  test('translate codes to sentences and keep unknown codes', () => {
    expect(requirementOf('person_1AbC.verification.document').text).toContain('photo ID for')
    expect(requirementOf('external_account')).toMatchObject({ code: null })
    expect(requirementOf('company.verification.document').text).toContain('document')
    expect(requirementOf('person_9.dob.day').text).toBe(requirementOf('representative.dob.year').text)
    expect(requirementOf('interest_rate.of.tomorrow')).toMatchObject({ code: 'interest_rate.of.tomorrow' })
    expect(sentencesOf(['representative.dob.day', 'representative.dob.year', 'x.one', 'x.two'])).toHaveLength(3)
  })

  test('derive the state from the known facts', () => {
    const input = {
      provider: 'bankfile',
      hasStarted: true,
      providerState: 'ready',
      missing: [],
      why: '',
      documents: [],
    } as const
    expect(statusOf({ ...input, hasStarted: false })).toBe('not_started')
    expect(statusOf(input)).toBe('missing')
    expect(statusOf({ ...input, provider: 'stripe' })).toBe('ready')
    expect(statusOf({ ...input, documents: [{ kind: 'bank_agreement', status: 'sent' }] })).toBe('in_review')
    expect(statusOf({ ...input, documents: [{ kind: 'bank_agreement', status: 'accepted' }] })).toBe('ready')
    expect(statusOf({ ...input, providerState: 'on_hold' })).toBe('on_hold')
    expect(owedBy('on_hold', { ...input, why: 'listed' })).toBe('provider')
  })
})

describe('requests sent to Stripe', () => {
  nightly('is what the SDK’s own types allow', () => expect(errorsByTypes(stripe.requests)).toEqual([]))
  test.runIf(hasDescription && process.env['NIGHTLY'])('conform to Stripe’s OpenAPI description', async () =>
    expect(await errorsByDescription(stripe.requests)).toEqual([]),
  )
})
