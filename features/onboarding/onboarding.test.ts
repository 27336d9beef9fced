import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { liftLimits } from '../../test/databases.ts'
import { type ApiResponse, testClock, testPortal } from '../../test/harness.ts'
import { hasDescription, wrongByDescription, wrongByTypes } from '../../test/stripe/expect-valid.ts'
import { recordedStripe } from '../../test/stripe/recorded-stripe.ts'
import { addTestPlatformStaff, openTestTown, sendBills, setPaymentSettings } from '../../test/town.ts'
import { askAgain } from './server/learn.ts'
import { owedBy, sentenceOf, sentencesOf, statusOf } from './rules.ts'
import { nightly } from '../../test/nightly.ts'

/** How towns get ready with their payment providers, through the portal's front door and with a recorded Stripe. */

const TOWN = 'maplegrove.localhost'
const ADMIN = 'admin.localhost'
const clock = testClock()
const stripe = await recordedStripe(() => clock.now())
const portal = await testPortal({ clock, env: stripe.env })
let maple = 0
let harbor = 0
const picture = await sharp({ create: { width: 600, height: 800, channels: 3, background: '#8a1c3c' } })
  .jpeg()
  .toBuffer()

beforeAll(async () => {
  maple = await openTestTown(portal, mapleGrove)
  harbor = await openTestTown(portal, harborCity)
  await addTestPlatformStaff(portal)
  await liftLimits(portal.owner)
  await sendBills(portal, [{ account: '91', bill: 'L1' }])
})
afterAll(() => stripe.close())
beforeEach(async () => {
  clock.advance(60_000)
  stripe.faults.length = 0
  // A session ends by the clock, too.
  tokens.clear()
  // Each test's town has an account of its own.
  stripe.forgetKeys()
  await portal.owner.query('TRUNCATE provider_onboarding, onboarding_document, provider_account')
  await portal.owner.query("DELETE FROM status_history WHERE machine IN ('provider_onboarding', 'onboarding_document')")
  await setPaymentSettings(portal, { processor_id: 2 })
})

const rows = async (text: string) => (await portal.owner.query(text)).rows
type TestRole = 'town' | 'harbor' | 'staff' | 'resident' | 'super' | 'callcenter'
const people: Record<TestRole, readonly [string, string]> = {
  town: [TOWN, 'admin@maplegrove.example'],
  staff: [TOWN, 'staff@maplegrove.example'],
  resident: [TOWN, 'resident@maplegrove.example'],
  harbor: ['harborcity.localhost', 'admin@harborcity.example'],
  super: [ADMIN, 'super@mainstreet.example'],
  callcenter: [ADMIN, 'callcenter@mainstreet.example'],
}
const tokens = new Map<TestRole, Promise<string>>()
const tokenOf = (who: TestRole) => {
  const token = tokens.get(who) ?? portal.signIn(...people[who])
  tokens.set(who, token)
  return token
}
const ask = async (who: TestRole, path: string, body: object = {}): Promise<ApiResponse> =>
  portal.post(people[who][0], path, body, {
    token: await tokenOf(who),
    headers: { 'idempotency-key': randomUUID() },
  })
const of = (who: TestRole, more: object = {}) => (people[who][0] === ADMIN ? { companyId: maple, ...more } : more)

async function sendFile(who: TestRole, fields: Record<string, string>): Promise<ApiResponse> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(picture)]), 'agreement.jpg')
  const sent = new Response(form)
  const answer = await portal.app.inject({
    ...{ method: 'POST', url: '/api/v2/muni/send/onboarding/document' },
    payload: Buffer.from(await sent.arrayBuffer()),
    headers: {
      ...{ host: people[who][0], 'content-type': sent.headers.get('content-type') ?? '' },
      authorization: `Bearer ${await tokenOf(who)}`,
    },
  })
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers }
}

const shown = async (who: TestRole = 'town') => (await ask(who, 'muni/return/onboardings', of(who))).body.onboardings[0]
const begin = async () => {
  const { id } = await shown()
  const { body } = await ask('town', 'muni/begin/onboarding/page', { id })
  const account = [...stripe.world.accounts.values()].at(-1)
  if (!account) throw new Error('there is no account')
  return { id, url: String(body.url), account }
}
const mailsTo = async (address: string) =>
  (await portal.mails()).filter(({ to_address }) => to_address === address).map(({ subject }) => subject)

async function tell(
  account: string,
  event: string = randomUUID(),
  { at = clock.now(), change = (text: string) => text } = {},
) {
  const payload = stripe.accountEvent(account, `evt_${event}`)
  const headers = { host: TOWN, 'content-type': 'application/json', 'stripe-signature': stripe.sign(payload, at) }
  return (await portal.app.inject({ method: 'POST', url: '/webhooks/stripe', payload: change(payload), headers }))
    .statusCode
}
const status = async () =>
  (await rows(`SELECT status FROM provider_onboarding WHERE company_id = ${maple} AND provider = 'stripe'`))[0]?.status

describe('a town', () => {
  test('goes to the provider’s page, is told what is missing, and is ready in the end', async () => {
    expect(await shown()).toMatchObject({ status: 'not_started', owedBy: 'town', provider: 'stripe', mayCharge: false })
    const { id, url, account } = await begin()
    expect(url).toContain(account.id)
    const link = stripe.requests.findLast(({ route }) => route === 'POST /v1/account_links')
    const sent = new URLSearchParams(link?.body)
    expect(sent.get('return_url')).toContain(`/municipality/processor/onboarding?onboarding=${id}&from=return`)
    expect(sent.get('refresh_url')).toContain('from=refresh')
    expect(await shown()).toMatchObject({ status: 'in_progress', owedBy: 'town' })

    Object.assign(account, { submitted: true, deadline: clock.now().getTime() / 1000 + 864_000 })
    expect(await tell(account.id)).toBe(200)
    await expect.poll(status).toBe('missing')
    expect(await shown()).toMatchObject({
      missing: ['company.tax_id'],
      owedBy: 'town',
      dueAt: expect.stringMatching(/^2026-11-30/),
    })
    expect(await mailsTo('admin@maplegrove.example')).toContain('Stripe needs something of you')

    Object.assign(account, { due: [], pending: ['company.tax_id'], disabled: 'requirements.pending_verification' })
    expect((await ask('town', 'muni/ask/onboarding', { id })).status).toBe(200)
    expect(await shown()).toMatchObject({ status: 'in_review', owedBy: 'provider' })

    Object.assign(account, { pending: [], disabled: null })
    await tell(account.id)
    await expect.poll(status).toBe('ready')
    expect(await shown()).toMatchObject({ owedBy: 'nobody', mayCharge: true, isPaidOut: true })
    expect(await mailsTo('admin@maplegrove.example')).toContain('Stripe takes your payments')
    await portal.runJobs()
    expect(await rows('SELECT to_address, subject FROM platform_mail')).toEqual([
      { to_address: 'super@mainstreet.example', subject: 'Maple Grove is ready with Stripe' },
    ])
    expect((await shown()).history.map(({ label }: { label: string }) => label)).toEqual([
      ...['Not started', 'In progress', 'Information missing', 'In review', 'Success'],
    ])
  })

  test('is asked about again by a job, so that an event that was lost makes no difference', async () => {
    const { account } = await begin()
    Object.assign(account, { submitted: true, due: [] })
    expect(await status()).toBe('in_progress')
    expect(await askAgain(portal.context)).toBe(0)
    clock.advance(11 * 60_000)
    expect(await askAgain(portal.context)).toBe(1)
    expect(await status()).toBe('ready')
    // One that does not answer keeps its state, and is asked again.
    account.disabled = 'rejected.fraud'
    clock.advance(7 * 3_600_000)
    stripe.faults.push(500)
    await askAgain(portal.context)
    expect(await status()).toBe('ready')
    clock.advance(11 * 60_000)
    await askAgain(portal.context)
    tokens.clear()
    expect(await shown()).toMatchObject({
      status: 'on_hold',
      owedBy: 'platform',
      why: 'rejected.fraud',
      mayCharge: false,
    })
  })

  test('takes no new payment while its provider takes none, and is told so in a sentence', async () => {
    const { account } = await begin()
    const { body } = await portal.post(TOWN, 'find/guest/bill', { accountNumber: '91', zip: '17011' })
    const pay = () =>
      portal.post(
        TOWN,
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
    await tell(account.id)
    await expect.poll(status).toBe('ready')
    const { id } = await shown()
    await ask('super', 'admin/move/onboarding', { companyId: maple, id, event: 'hold', reason: 'The bank called us.' })
    expect(await pay()).toMatchObject({ status: 503, body: { code: 'payments_stopped' } })
    await ask('super', 'admin/move/onboarding', { companyId: maple, id, event: 'resume', reason: 'It was a mistake.' })
    expect((await pay()).body.state).toBe('paid')
  })
})

describe('an event', () => {
  test('that was tampered with, is old or of a time to come is refused', async () => {
    const { account } = await begin()
    Object.assign(account, { submitted: true, due: [] })
    expect(await tell(account.id, 'a', { change: (text) => text.replace('"id"', '"Id"') })).toBe(400)
    expect(await tell(account.id, 'b', { at: new Date(clock.now().getTime() - 301_000) })).toBe(400)
    expect(await tell(account.id, 'c', { at: new Date(clock.now().getTime() + 301_000) })).toBe(400)
    expect(await status()).toBe('in_progress')
  })

  test('counts once however often it comes, and says what holds now whatever it said then', async () => {
    const { account } = await begin()
    Object.assign(account, { submitted: true })
    const old = stripe.accountEvent(account.id, 'evt_old')
    account.due = []
    await tell(account.id, 'new')
    await expect.poll(status).toBe('ready')
    const headers = {
      host: TOWN,
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
    expect(await mailsTo('admin@maplegrove.example')).not.toContain('Something')
  })

  test('of an account that no town has is taken and changes nothing', async () => {
    expect(await tell('acct_nobodys', 'nobodys')).toBe(200)
    await expect
      .poll(async () =>
        rows("SELECT event_id FROM provider_event WHERE event_id = 'evt_nobodys' AND applied_at IS NOT NULL"),
      )
      .toHaveLength(1)
    expect(await rows('SELECT id FROM provider_onboarding')).toEqual([])
  })
})

describe('the platform', () => {
  test('puts an onboarding on hold with a reason, which no news of the provider ends, and lets it go on', async () => {
    const { id, account } = await begin()
    const press = (event: string, reason?: string) =>
      ask('super', 'admin/move/onboarding', { companyId: maple, id, event, ...(reason && { reason }) })
    expect((await press('hold')).status).toBe(422)
    expect((await press('hold', 'The council has not decided.')).status).toBe(200)
    expect(await shown()).toMatchObject({ status: 'held', owedBy: 'platform', why: 'The council has not decided.' })
    expect(await mailsTo('admin@maplegrove.example')).toContain('Your onboarding with Stripe is on hold')
    expect((await ask('town', 'muni/begin/onboarding/page', { id })).status).toBe(409)
    expect((await press('hold', 'Once more.')).status).toBe(409)
    Object.assign(account, { submitted: true, due: [] })
    await ask('town', 'muni/ask/onboarding', { id })
    expect(await shown()).toMatchObject({ status: 'held', mayCharge: false })
    expect((await press('resume', 'It has decided.')).status).toBe(200)
    expect(await shown()).toMatchObject({ status: 'ready', mayCharge: true })
  })

  test('judges what a bank-file town sends, of which its state follows', async () => {
    const added = await ask('super', 'admin/add/onboarding', { companyId: maple, provider: 'bankfile' })
    expect(added.status).toBe(200)
    expect((await ask('super', 'admin/add/onboarding', { companyId: maple, provider: 'bankfile' })).status).toBe(409)
    const find = async () =>
      (await ask('town', 'muni/return/onboardings')).body.onboardings.find(
        (one: { provider: string }) => one.provider === 'bankfile',
      )
    const { id, missingDocuments } = await find()
    expect(missingDocuments).toEqual(['bank_agreement'])
    await portal.owner.query(
      "UPDATE provider_onboarding SET told_state = 'ready', takes_payments = true WHERE id = $1",
      [id],
    )
    const send = () => sendFile('town', { id: String(id), kind: 'bank_agreement' })
    expect((await send()).status).toBe(200)
    expect(await find()).toMatchObject({ status: 'in_review', owedBy: 'platform', missingDocuments: [] })
    const [document] = (await find()).documents
    expect(document).toMatchObject({ status: 'sent', name: 'agreement.jpg', can: { accept: false } })
    const judge = (event: string, reason?: string) =>
      ask('super', 'admin/move/onboarding/document', {
        companyId: maple,
        id: document.id,
        event,
        ...(reason && { reason }),
      })
    expect((await judge('refuse', 'A page is missing.')).status).toBe(200)
    expect(await find()).toMatchObject({ status: 'missing', missingDocuments: ['bank_agreement'] })
    expect((await send()).status).toBe(200)
    const [second] = (await find()).documents
    expect(second.id).not.toBe(document.id)
    expect((await judge('accept')).status).toBe(409)
    const accepted = { companyId: maple, id: second.id, event: 'accept' }
    expect((await ask('super', 'admin/move/onboarding/document', accepted)).status).toBe(200)
    expect(await find()).toMatchObject({ status: 'ready' })
    const ticket = await ask('town', 'muni/download/onboarding/document', { id: second.id })
    expect(ticket.status).toBe(200)
  })

  test('lists towns by provider, state, whose turn it is, days and name', async () => {
    const { account } = await begin()
    Object.assign(account, { submitted: true, due: ['company.tax_id', 'a.code.of.tomorrow'] })
    await ask('town', 'muni/ask/onboarding', { id: (await shown()).id })
    await ask('super', 'admin/add/onboarding', { companyId: harbor, provider: 'sandbox' })
    const list = async (filters: object = {}, search = '') =>
      (await ask('super', 'admin/return/onboardings', { filters, search })).body
    expect((await list()).count).toBe(2)
    expect((await list({ provider: 'stripe' })).rows).toMatchObject([
      { company: 'Maple Grove', status: 'missing', owedBy: 'town', mayCharge: false },
    ])
    expect((await list({ provider: 'stripe' })).rows[0].missingLine).toContain('And 1 more.')
    expect((await list({ status: 'not_started' })).rows).toMatchObject([{ company: 'Harbor City' }])
    expect((await list({ owedBy: 'provider' })).count).toBe(0)
    expect((await list({}, 'harb')).rows).toMatchObject([{ company: 'Harbor City' }])
    expect((await list({ fromDate: '2026-01-01', toDate: '2026-01-31' })).count).toBe(0)
  })
})

describe('rights', () => {
  test('the platform’s steps are the platform’s, and a town sees itself alone', async () => {
    const { id } = await begin()
    const hold = { companyId: maple, id, event: 'hold', reason: 'Because I can.' }
    for (const who of ['town', 'harbor', 'resident'] as const)
      expect((await ask(who, 'admin/move/onboarding', hold)).status, who).toBe(403)
    expect((await ask('callcenter', 'admin/move/onboarding', hold)).status).toBe(403)
    expect((await ask('town', 'admin/return/onboardings')).status).toBe(403)
    expect((await shown()).can.steps).toEqual({ hold: false, resume: false })
    for (const path of ['muni/return/onboarding', 'muni/begin/onboarding/page', 'muni/ask/onboarding']) {
      expect((await ask('harbor', path, { id })).status, path).toBe(404)
      expect([403, 404], path).toContain((await ask('harbor', path, { companyId: maple, id })).status)
      expect((await ask('resident', path, { id })).status, path).toBe(403)
    }
    expect((await sendFile('harbor', { id: String(id), kind: 'tax_form' })).status).toBe(404)
    expect((await sendFile('resident', { id: String(id), kind: 'tax_form' })).status).toBe(403)
    expect((await ask('staff', 'muni/begin/onboarding/page', { id })).status).toBe(403)
  })
})

describe('rules', () => {
  test('codes are sentences, and an unknown one keeps its code', () => {
    expect(sentenceOf('person_1AbC.verification.document').says).toContain('photo of the ID')
    expect(sentenceOf('external_account')).toMatchObject({ code: null })
    expect(sentenceOf('company.verification.document').says).toContain('document')
    expect(sentenceOf('person_9.dob.day').says).toBe(sentenceOf('representative.dob.year').says)
    expect(sentenceOf('interest_rate.of.tomorrow')).toMatchObject({ code: 'interest_rate.of.tomorrow' })
    expect(sentencesOf(['representative.dob.day', 'representative.dob.year', 'x.one', 'x.two'])).toHaveLength(3)
  })

  test('the state follows from what is known', () => {
    const known = { provider: 'bankfile', begun: true, told: 'ready', missing: [], why: '', documents: [] } as const
    expect(statusOf({ ...known, begun: false })).toBe('not_started')
    expect(statusOf(known)).toBe('missing')
    expect(statusOf({ ...known, provider: 'stripe' })).toBe('ready')
    expect(statusOf({ ...known, documents: [{ kind: 'bank_agreement', status: 'sent' }] })).toBe('in_review')
    expect(statusOf({ ...known, documents: [{ kind: 'bank_agreement', status: 'accepted' }] })).toBe('ready')
    expect(statusOf({ ...known, told: 'on_hold' })).toBe('on_hold')
    expect(owedBy('on_hold', { ...known, why: 'listed' })).toBe('provider')
  })
})

describe('what was sent to Stripe', () => {
  nightly('is what the SDK’s own types allow', () => expect(wrongByTypes(stripe.requests)).toEqual([]))
  test.runIf(hasDescription && process.env['NIGHTLY'])('is what Stripe’s own description allows', async () =>
    expect(await wrongByDescription(stripe.requests)).toEqual([]),
  )
})
