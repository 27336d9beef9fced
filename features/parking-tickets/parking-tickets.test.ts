import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import { expectAppliedEvents } from '../../test/applied-events.ts'
import { type ApiResponse, type TestPortal, testClock, testDatabase, testPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/company.ts'
import { verifyLedger } from '../payments/server/ledger/verify-ledger.ts'
import { parkingTickets } from './server/payable.ts'

const MAPLE = 'maplegrove.localhost'
const HARBOR = 'harborcity.localhost'
const DAY = 86_400_000
const CONCURRENCY = process.env['NIGHTLY'] ? 200 : 20

let portal: TestPortal
let platformUrl = ''
let maple: CompanyId
const tokens: Record<string, string> = {}
let guests = 0

beforeAll(async () => {
  const clock = testClock()
  const database = await testDatabase()
  platformUrl = database.urls.platform
  portal = await testPortal({ database, gateway: true, clock, env: { TRUST_PROXY: 'loopback' } })
  await setGateway()
  maple = await openTestCompany(portal, mapleGrove)
  await openTestCompany(portal, harborCity)
  await signIn()
  for (const [code, description, amountCents] of [
    ['10', 'Expired meter', 2500],
    ['22B', 'Fire lane', 10_000],
  ] as const)
    expect(
      (await muni('save/parking/violation', { violationId: null, code, description, amountCents, active: true }))
        .status,
    ).toBe(200)
})
beforeEach(() => portal.owner.query('DELETE FROM failed_guess'))

/**
 * Sets the provider's clock to the portal's time. Otherwise the portal would refuse signed events as too old or too
 * early.
 */
async function setGateway() {
  await fetch(`${portal.config.gateway.url}/v1/test/clock`, {
    method: 'POST',
    headers: { authorization: `Bearer ${portal.config.gateway.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ now: portal.clock.now().toISOString() }),
  })
}
async function advance(days: number) {
  portal.clock.advance(days * DAY)
  await setGateway()
  await signIn()
}
/** Signs in again, because sessions expire within weeks. */
async function signIn() {
  for (const role of ['admin', 'staff']) tokens[role] = await portal.signIn(MAPLE, `${role}@maplegrove.example`)
}

const muni = (path: string, body: object, role = 'admin') =>
  portal.post(MAPLE, `muni/${path}`, body, { token: tokens[role] ?? '' })
/** Makes a guest call, each time from a new IP address. */
const guest = (path: string, body: object, host = MAPLE): Promise<ApiResponse> =>
  portal.post(host, path, body, {
    headers: { 'x-forwarded-for': `10.9.${(guests += 1) >> 8}.${guests & 255}`, 'idempotency-key': randomUUID() },
  })

const noLocation = { text: 'Main Street 12', addressId: null, lat: null, lon: null, metres: null }
const ticketForm = {
  ...{ plate: 'klm-4821', plateState: 'pa', vehicle: 'Blue Civic', officer: 'Ada Finch', location: noLocation },
  ...{ issuedDate: '2026-11-19', issuedTime: '09:30', notes: 'Meter 4', email: '' },
}
let numbers = 1000
/** Issues a ticket with a new citation number. */
async function written(more: object = {}): Promise<{ id: number; citation: string }> {
  const citation = `MG-${(numbers += 1)}`
  const { status, body } = await muni('enter/parking/ticket', { ...ticketForm, citation, violation: '10', ...more })
  expect(status, body.message).toBe(200)
  return { id: body.ticketId, citation }
}
const loadTicket = async ({ id }: { id: number }) => (await muni('return/parking/ticket', { ticketId: id })).body
const find = (query: object, host?: string) => guest('find/parking/tickets', query, host)
const both = (citation: string) => ({ citation, plate: 'KLM4821', plateState: 'PA' })
const contest = (citation: string, more: object = {}) =>
  guest('send/parking/contest', {
    ...{ ...both(citation), name: 'Ann Reese', email: `ann.${citation.toLowerCase()}@example.org` },
    ...{ grounds: 'The meter took my coins and showed nothing.', files: [], ...more },
  })

/** Card with a bank challenge. The payment is pending until the payer completes the challenge. */
const CHALLENGE_CARD = '4000002760003184'

async function cardToken(token: string, number = '4242424242424242'): Promise<string> {
  const { body } = await guest('return/guest/checkout', { token })
  if (!body.gateway) throw new Error(JSON.stringify(body))
  const { gateway } = body
  const response = await fetch(`${portal.config.gateway.url}/fields/tokens?account=${gateway.account}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'card', number, month: 8, year: 2029, cvc: '123' }),
  })
  return ((await response.json()) as { token: string }).token
}
const feeOf = (cents: number) => Math.max(195, Math.floor((cents * 275 + 5000) / 10_000) + 30)
const payWith = (token: string, methodToken: string, billCents: number) =>
  guest('pay/guest/bill', {
    ...{ token, payType: 1, method: 1, billCents, expectedTotalCents: billCents + feeOf(billCents) },
    ...{ email: 'dot@example.com', methodToken },
  })
async function pay({ citation }: { citation: string }, cents: number, number?: string): Promise<ApiResponse> {
  const { body } = await guest('open/parking/payment', { citation })
  return payWith(body.token, await cardToken(body.token, number), cents)
}

async function photoOf(ticketId: number, fields: Record<string, string> = {}): Promise<ApiResponse> {
  const content = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#336699' } })
    .jpeg()
    .toBuffer()
  const parts = Object.entries({ ticketId: String(ticketId), ...fields }).map(
    ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = `${parts.join('')}--x\r\nContent-Disposition: form-data; name="file"; filename="car.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`
  return sendParts(
    'muni/attach/parking/photo',
    Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--x--\r\n')]),
  )
}
async function importFile(csv: string, mode: 'preview' | 'import', invalidRows = 'refuse'): Promise<ApiResponse> {
  const field = (name: string, value: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const head = `${field('mode', mode)}${field('rowErrors', invalidRows)}--x\r\nContent-Disposition: form-data; name="file"; filename="t.csv"\r\n\r\n`
  return sendParts('muni/import/parking/tickets', Buffer.from(`${head}${csv}\r\n--x--\r\n`))
}
async function sendParts(path: string, payload: Buffer): Promise<ApiResponse> {
  const response = await portal.app.inject({
    ...{ method: 'POST', url: `/api/v2/${path}`, payload },
    headers: {
      ...{ host: MAPLE, 'content-type': 'multipart/form-data; boundary=x' },
      authorization: `Bearer ${tokens['admin']}`,
    },
  })
  return { status: response.statusCode, body: response.json(), headers: response.headers }
}

describe('ticket', () => {
  test('requires the privilege to issue, and costs the code’s current fine', async () => {
    const ticket = await written({ citation: 'mg 7' })
    const seen = await loadTicket(ticket)
    expect(seen).toMatchObject({
      ...{ citation: 'MG7', status: 'open', violationCode: '10', violationText: 'Expired meter', fineCents: 2500 },
      ...{ unpaidCents: 2500, dueOn: '2026-12-03', issuedAt: '2026-11-19T14:30:00.000Z', nextStep: null },
    })
    expect(seen.details).toMatchObject({
      plate: 'KLM4821',
      plateState: 'PA',
      issuedDate: '2026-11-19',
      issuedTime: '09:30',
    })
    expect(seen.history).toMatchObject([{ label: 'Open', by: 'Judith Sawyer' }])
    const { rows } = (await muni('return/parking/violations', {})).body
    const { id, code } = rows.find((row: { code: string }) => row.code === '10')
    const dearer = { violationId: id, code, description: 'Expired meter or none', amountCents: 4000, active: true }
    expect((await muni('save/parking/violation', dearer)).status).toBe(200)
    expect(await loadTicket(ticket)).toMatchObject({ fineCents: 2500, violationText: 'Expired meter' })
    expect(await loadTicket(await written())).toMatchObject({ fineCents: 4000 })
    await muni('save/parking/violation', { ...dearer, description: 'Expired meter', amountCents: 2500 })
    expect(
      (await muni('enter/parking/ticket', { ...ticketForm, citation: 'X-1', violation: '10' }, 'staff')).status,
    ).toBe(403)
  })

  test.each([
    [{ citation: 'MG7' }, 422, 'citation', 'A ticket with this number already exists.'],
    [{ citation: '' }, 400, 'citation', 'Enter a citation number of 3 to 20 letters, digits and hyphens.'],
    [{ plate: '' }, 400, 'plate', 'Enter a plate of up to 10 letters and digits.'],
    [
      { plateState: 'ZZ' },
      400,
      'plateState',
      'No US state or territory has this code. Enter a two-letter code, such as OH.',
    ],
    [{ violation: '99' }, 422, 'violation', 'Choose a violation.'],
    [
      { issuedDate: '2026-12-01' },
      422,
      'issuedDate',
      'The ticket time cannot be in the future. Check the day and the time.',
    ],
    [{ email: 'nobody' }, 400, 'email', 'Enter an email address, such as name@example.com.'],
  ])('refuses %j', async (more, status, field, errorText) => {
    const response = await muni('enter/parking/ticket', { ...ticketForm, citation: 'MG-9', violation: '10', ...more })
    expect({ status: response.status, text: response.body.details?.fields?.[field] ?? response.body.message }).toEqual({
      status,
      text: errorText,
    })
  })

  test('costs nothing and is closed if it is a warning', async () => {
    const ticket = await written({ warning: true })
    expect(await loadTicket(ticket)).toMatchObject({ status: 'warning', fineCents: 0, unpaidCents: 0 })
    expect((await find({ citation: ticket.citation })).body.tickets[0]).toMatchObject({
      status: 'warning',
      can: { pay: false, contest: false },
    })
    expect((await guest('open/parking/payment', { citation: ticket.citation })).status).toBe(404)
  })

  test('stays void after a void with a reason', async () => {
    const ticket = await written()
    const step = (more: object) => muni('change/parking/ticket/status', { ticketId: ticket.id, event: 'void', ...more })
    expect((await step({})).status).toBe(422)
    expect((await step({ reason: 'Wrong car.' })).body.message).toBe(`Ticket ${ticket.citation}: Void.`)
    expect((await step({ reason: 'Again.' })).status).toBe(409)
    expect((await pay(ticket, 2500)).status).toBe(422)
  })
})

describe('ticket search', () => {
  test('finds by citation or plate, and shows photos only with both', async () => {
    const ticket = await written({ plate: 'PHO 70S' })
    expect((await photoOf(ticket.id)).body).toMatchObject({ success: true, name: 'car.jpg' })
    const query = { citation: ticket.citation, plate: 'pho70s', plateState: 'PA' }
    const [byNumber] = (await find({ citation: ` ${ticket.citation.toLowerCase()} ` })).body.tickets
    expect(byNumber).toMatchObject({
      plate: 'PA ****0S',
      photos: [],
      can: { pay: true, contest: false, contestWithPlate: true },
    })
    const [byPlate] = (await find({ plate: 'pho70s', plateState: 'pa' })).body.tickets
    expect(byPlate).toMatchObject({ citation: ticket.citation, plate: 'PA PHO70S', photos: [] })
    const [byBoth] = (await find(query)).body.tickets
    expect(byBoth).toMatchObject({ photos: [{ name: 'car.jpg', state: 'clean' }], can: { contest: true } })
    const photoId = byBoth.photos[0].id
    const { body } = await guest('download/parking/photo', { ...query, photoId })
    expect((await portal.get(MAPLE, body.url)).headers['content-type']).toBe('image/jpeg')
    expect((await guest('download/parking/photo', { ...query, plate: 'OTHER', photoId })).status).toBe(404)
    expect((await muni('remove/parking/photo', { ticketId: ticket.id, photoId })).status).toBe(200)
    expect((await find(query)).body.tickets[0].photos).toEqual([])
  })

  test('hides the reason for no match and other companies’ tickets', async () => {
    const { citation } = await written()
    const invalidQueries = [
      { citation: 'NO-1' },
      { plate: 'NOBODY', plateState: 'PA' },
      { ...both(citation), plateState: 'NJ' },
    ]
    for (const query of invalidQueries)
      expect((await find(query)).body.message).toMatch(/^No ticket matches your entries\./)
    expect((await find({ citation }, HARBOR)).status).toBe(404)
    expect((await find({})).status).toBe(400)
    expect((await find({ plate: 'KLM4821' })).body.message).toBe('Enter the state that issued the license plate.')
  })
})

describe('payment', () => {
  test('closes the ticket named in the receipt and refuses a second payment', async () => {
    const ticket = await written()
    const paid = await pay(ticket, 2500)
    expect(paid.body.state, paid.body.message).toBe('paid')
    expect(paid.body.receipt.lines).toMatchObject([
      {
        title: 'Parking ticket',
        details: [
          { name: 'citation', value: ticket.citation },
          { name: 'plate', value: 'PA KLM4821' },
          { name: 'violation' },
        ],
        items: [{ text: 'Expired meter', amountCents: 2500 }],
      },
    ])
    expect(await loadTicket(ticket)).toMatchObject({
      status: 'paid',
      paidCents: 2500,
      unpaidCents: 0,
      payments: [{ cents: 2500 }],
    })
    expect((await pay(ticket, 2500)).status).toBe(422)
    expect((await find({ citation: ticket.citation })).body.tickets[0].can).toMatchObject({
      pay: false,
      contest: false,
    })
    expect((await contest(ticket.citation)).status).toBe(409)
  })

  test(`succeeds once when ${CONCURRENCY} people pay one ticket at the same time`, async () => {
    const ticket = await written()
    const opened: [token: string, card: string][] = []
    for (let n = 0; n < CONCURRENCY; n += 1) {
      const { token } = (await guest('open/parking/payment', { citation: ticket.citation })).body
      opened.push([token, await cardToken(token)])
    }
    const responses = await Promise.all(opened.map(([token, card]) => payWith(token, card, 2500)))
    const won = responses.filter(({ status }) => status === 200)
    expect(won.map(({ body }) => body.state)).toEqual(['paid'])
    for (const { status, body } of responses.filter((response) => response !== won[0])) {
      expect([409, 422]).toContain(status)
      expect(body.message).toMatch(/already|amount due/)
    }
    expect(await loadTicket(ticket)).toMatchObject({ status: 'paid', paidCents: 2500 })
    const { rows } = await portal.owner.query('SELECT FROM payment_order_line WHERE kind = $1 AND payable_id = $2', [
      'parking',
      ticket.id,
    ])
    expect(rows).toHaveLength(1)
  })

  test('passes npm run verify', async () => {
    await expectAppliedEvents(portal.owner)
    const { findings } = await verifyLedger(platformUrl)
    expect(findings.filter(({ violations }) => violations > 0)).toEqual([])
  })
})

describe('contest', () => {
  const linkOf = async (email: string) => {
    const emailMessage = (await portal.emails()).findLast(({ to_address }) => to_address === email)
    return {
      emailMessage,
      token: /\/parking-ticket-contest\/([\w-]{43})/.exec(emailMessage?.text_body ?? '')?.[1] ?? '',
    }
  }

  test('blocks payment, has a hearing, and when upheld renews the due date', async () => {
    const ticket = await written()
    const { body: before } = await guest('open/parking/payment', { citation: ticket.citation })
    const card = await cardToken(before.token)
    const filed = await contest(ticket.citation)
    expect(filed.body.message).toMatch(/^We received your contest request C\d+\. No payment is due until we decide\./)
    // A checkout opened before the contest can no longer be paid.
    expect((await payWith(before.token, card, 2500)).status).toBe(422)
    const [match] = (await find({ citation: ticket.citation })).body.tickets
    expect(match).toMatchObject({ status: 'contested', owedCents: 0, can: { pay: false, contest: false } })
    expect((await contest(ticket.citation)).body.message).toContain('is already contested')

    const seen = await loadTicket(ticket)
    const subject = { subjectId: seen.contest.id }
    expect((await muni('reply/parking/contest', { ...subject, message: 'Which meter was it?', seen: 0 })).status).toBe(
      200,
    )
    const email = `ann.${ticket.citation.toLowerCase()}@example.org`
    const { token } = await linkOf(email)
    expect((await guest('send/parking/contests/message', { token, message: 'The one at the corner.' })).status).toBe(
      200,
    )
    const hearing = { hearingDate: '2026-11-30', hearingTime: '10:00', hearingLocation: 'Town Hall, room 2' }
    expect(
      (await muni('set/parking/hearing', { ticketId: ticket.id, ...hearing, hearingDate: '2026-11-01' })).status,
    ).toBe(422)
    expect((await muni('set/parking/hearing', { ticketId: ticket.id, ...hearing })).body.message).toContain(
      'November 30, 2026, 10:00 AM',
    )
    const calendar = { selectedOption: 'calendar', fromDate: '2026-11-30', toDate: '2026-11-30' }
    const items = async () => (await muni('return/municipality/scheduled/items', calendar)).body.data
    expect(await items()).toMatchObject([{ title: `Hearing ${seen.contest.number}, ticket ${ticket.citation}` }])
    expect((await linkOf(email)).emailMessage?.text_body).toContain('Town Hall, room 2')

    const decide = { ticketId: ticket.id, event: 'uphold', reason: 'The meter worked that day.' }
    expect((await muni('change/parking/ticket/status', decide)).status).toBe(200)
    expect(await items()).toEqual([])
    expect(await loadTicket(ticket)).toMatchObject({
      status: 'open',
      unpaidCents: 2500,
      dueOn: '2026-12-04',
      contest: { decision: 'upheld' },
    })
    const { emailMessage, token: last } = await linkOf(email)
    expect(emailMessage?.text_body).toContain('The meter worked that day.')
    const { body } = await guest('return/parking/contests/messages', { token: last })
    expect(body).toMatchObject({ state: { label: 'Upheld' }, can: { write: false } })
    expect(body.entries.map(({ kind }: { kind: string }) => kind)).toEqual(
      expect.arrayContaining(['message', 'reply', 'step']),
    )
    expect((await contest(ticket.citation)).status).toBe(422)
    expect((await pay(ticket, 2500)).body.state).toBe('paid')
  })

  test('voids the ticket if dismissed, and needs the plate', async () => {
    const ticket = await written()
    expect((await contest(ticket.citation, { plate: 'OTHER' })).status).toBe(404)
    expect((await contest(ticket.citation)).status).toBe(200)
    const decide = { ticketId: ticket.id, event: 'dismiss', reason: 'The sign was gone.' }
    expect((await muni('change/parking/ticket/status', decide, 'staff')).status).toBe(403)
    expect((await muni('change/parking/ticket/status', decide)).body.message).toContain('No payment is due')
    expect(await loadTicket(ticket)).toMatchObject({
      status: 'void',
      unpaidCents: 0,
      contest: { decision: 'dismissed' },
    })
  })
})

describe('deadline to contest', () => {
  const LATE = { issuedDate: '2026-10-29' }
  const enteredContest = {
    name: 'Walt Ames',
    address: '4 Elm Street',
    phone: '',
    email: '',
    grounds: 'The sign was covered by snow.',
  }
  const enter = ({ id }: { id: number }, more: object = {}, role?: string) =>
    muni(
      'enter/parking/contest',
      { ticketId: id, ...enteredContest, receivedOn: '2026-11-19', files: [], ...more },
      role,
    )
  const extend = ({ id }: { id: number }, until: string, reason = 'Was in the hospital.', role?: string) =>
    muni('extend/parking/contest', { ticketId: id, until, reason }, role)

  test('is shown on the ticket and can be extended with a reason', async () => {
    const last = await written({ issuedDate: '2026-10-30' })
    expect((await find(both(last.citation))).body.tickets[0]).toMatchObject({
      contestUntil: '2026-11-20',
      can: { contest: true },
    })
    const lateTicket = await written(LATE)
    expect((await find(both(lateTicket.citation))).body.tickets[0]).toMatchObject({
      contestUntil: '2026-11-19',
      can: { contest: false, contestWithPlate: false, pay: true },
    })
    const refused = await contest(lateTicket.citation)
    expect(refused.status).toBe(422)
    expect(refused.body.message).toContain('was November 19, 2026')
    expect(await loadTicket(lateTicket)).toMatchObject({
      status: 'open',
      contest: null,
      can: { contest: false, extendContest: true },
    })
    expect((await extend(lateTicket, '2026-11-30', 'Was in the hospital.', 'staff')).status).toBe(403)
    expect((await extend(lateTicket, '2026-11-30', '')).status).toBe(400)
    expect((await extend(lateTicket, '2026-11-19')).body.details.fields.until).toContain(
      'Choose a day from November 20, 2026',
    )
    expect((await extend(lateTicket, '2026-11-30')).body.message).toContain('can be contested until November 30, 2026')
    expect((await contest(lateTicket.citation)).status).toBe(200)
    expect((await extend(lateTicket, '2026-12-30')).status).toBe(409)
    const { rows } = await portal.owner.query(
      `SELECT detail FROM audit_event WHERE action = 'parking.contest_extended' ORDER BY id`,
    )
    expect(rows).toEqual([{ detail: { before: '2026-11-19', until: '2026-11-30', reason: 'Was in the hospital.' } }])
  })

  test('accepts a contest on paper as a case with files, without email', async () => {
    const ticket = await written(LATE)
    expect((await enter(ticket, {}, 'staff')).status).toBe(403)
    expect((await enter(ticket, { address: '' })).body.message).toContain(
      'so that you can notify the person of the decision',
    )
    for (const receivedOn of ['2026-10-28', '2026-11-21'])
      expect((await enter(ticket, { receivedOn })).body.details.fields.receivedOn).toContain('October 29, 2026')
    expect((await enter(ticket, { receivedOn: '2026-11-20' })).body.message).toContain('Extend the deadline first')
    const scan = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#ffffff' } })
      .png()
      .toBuffer()
    const head =
      '--x\r\nContent-Disposition: form-data; name="file"; filename="letter.png"\r\nContent-Type: image/png\r\n\r\n'
    const { body: file } = await sendParts(
      'attach/parking/contests/file',
      Buffer.concat([Buffer.from(head), scan, Buffer.from('\r\n--x--\r\n')]),
    )
    const emails = (await portal.emails()).length
    const entered = await enter(ticket, { files: [file.file_id] })
    expect(entered.body.message).toMatch(
      /^Contest request C\d+ entered\. No email was provided\. Notify Walt Ames of the decision/,
    )
    const seen = await loadTicket(ticket)
    expect(seen).toMatchObject({
      status: 'contested',
      contest: { name: 'Walt Ames', address: '4 Elm Street', receivedOn: '2026-11-19' },
      can: { contest: false, extendContest: false },
    })
    const { body: messages } = await muni('return/parking/contest', { subjectId: seen.contest.id })
    expect(messages.entries[0]).toMatchObject({ text: enteredContest.grounds, files: [{ name: 'letter.png' }] })
    expect((await contest(ticket.citation)).status).toBe(409)
    const decide = { ticketId: ticket.id, event: 'uphold', reason: 'The sign was in plain view.' }
    expect((await muni('change/parking/ticket/status', decide)).status).toBe(200)
    expect(await loadTicket(ticket)).toMatchObject({ status: 'open', contestUntil: null, dueOn: '2026-12-04' })
    expect((await portal.emails()).length).toBe(emails)
  })
})

describe('unpaid ticket', () => {
  test('takes each late step once, unless contested or with a pending payment', async () => {
    const settings = (await muni('return/parking/settings', {})).body.settings
    const steps = [
      { day: 15, feeCents: 1000, notifies: true },
      { day: 30, feeCents: 2000, notifies: false },
    ]
    const saved = await muni('save/parking/settings', {
      ...{ ...settings, steps, bootTickets: 2, bootDays: 20, noticeRenews: true },
    })
    expect(saved.body.message).toBe('The settings were saved.')
    const late = await written({ issuedDate: '2026-11-20', plate: 'LATE1', email: 'late@example.org' })
    const second = await written({ issuedDate: '2026-11-20', plate: 'LATE1' })
    const contestedTicket = await written({ issuedDate: '2026-11-20' })
    await contest(contestedTicket.citation)
    const beingPaid = await written({ issuedDate: '2026-11-20' })
    await pay(beingPaid, 2500, CHALLENGE_CARD)
    expect((await contest(beingPaid.citation)).status).toBe(409)
    const run = () => portal.runJobs('parking.steps')
    await advance(14)
    await run()
    expect(await loadTicket(late)).toMatchObject({ lateCents: 0, nextStep: { on: '2026-12-05', feeCents: 1000 } })
    await advance(1)
    await Promise.all([run(), run()])
    await run()
    expect(await loadTicket(late)).toMatchObject({
      lateCents: 1000,
      unpaidCents: 3500,
      nextStep: { on: '2026-12-20', feeCents: 2000 },
      contestUntil: '2026-12-26',
    })
    // No late notice was sent for this ticket, so its last day to contest stays.
    expect(await loadTicket(second)).toMatchObject({ lateCents: 1000, contestUntil: '2026-12-11' })
    expect(await loadTicket(contestedTicket)).toMatchObject({ lateCents: 0, status: 'contested' })
    expect(await loadTicket(beingPaid)).toMatchObject({ lateCents: 0, status: 'open' })
    const emails = (await portal.emails()).filter(({ to_address }) => to_address === 'late@example.org')
    expect(emails.map(({ subject }) => subject)).toEqual([`Parking ticket ${late.citation} is unpaid`])
    expect(emails[0]?.text_body).toContain('$35.00')
    expect((await pay(late, 2500)).status).toBe(409)

    await advance(20)
    await run()
    expect(await loadTicket(late)).toMatchObject({ lateCents: 3000, unpaidCents: 5500, nextStep: null })
    const boot = async () => (await muni('return/parking/boot/list', {})).body
    expect((await boot()).rows.find(({ plate }: { plate: string }) => plate === 'PA LATE1')).toMatchObject({
      count: 2,
      unpaid: 11_000,
    })
    // After staff uphold the ticket, the days to the next late step are counted from the decision, and late steps
    // already taken are not repeated.
    await muni('change/parking/ticket/status', {
      ticketId: contestedTicket.id,
      event: 'uphold',
      reason: 'It was expired.',
    })
    expect(await loadTicket(contestedTicket)).toMatchObject({
      lateCents: 0,
      nextStep: { on: '2027-01-09', feeCents: 1000 },
    })
    expect((await pay(second, 5500)).body.state).toBe('paid')
    expect((await boot()).rows.map(({ plate }: { plate: string }) => plate)).not.toContain('PA LATE1')
  })
})

describe('import', () => {
  const head = 'Citation Number,Plate,State,Violation,Issued,Officer,Warning'
  const csv = (...lines: string[]) => [head, ...lines].join('\n')

  test('previews changes, names wrong rows, and changes nothing the second time', async () => {
    const good = ['IM-1,abc 123,PA,10,2026-11-18 08:15,Ada Finch,', 'IM-2,DEF456,NJ,22b,2026-11-18T19:05,,yes']
    const invalidCases = [
      'IM-3,XYZ,PA,77,2026-11-18 08:00,,',
      'IM-1,ABC123,PA,10,2026-11-18 08:15,,',
      'IM-4,XYZ,PA,10,yesterday,,',
    ]
    const tried = await importFile(csv(...good, ...invalidCases), 'preview')
    expect(tried.body).toMatchObject({ imported: false, read: 5, created: 2, errorCount: 3 })
    expect(tried.body.invalidRows).toEqual([
      { where: 'Line 4', reason: 'Violation code 77 does not exist. Add it first.' },
      { where: 'Line 5', reason: 'Ticket IM-1 appears earlier in the file: Line 2.' },
      { where: 'Line 6', reason: 'Enter the issue time as YYYY-MM-DD HH:mm.' },
    ])
    expect((await importFile(csv(...good, ...invalidCases), 'import')).body.imported).toBe(false)
    expect((await find({ citation: 'IM-1' })).status).toBe(404)
    expect((await importFile(csv(...good), 'import')).body).toMatchObject({ imported: true, created: 2, unchanged: 0 })
    expect((await importFile(csv(...good), 'import')).body).toMatchObject({
      imported: true,
      created: 0,
      changed: 0,
      unchanged: 2,
    })
    expect((await find({ citation: 'IM-2' })).body.tickets[0]).toMatchObject({
      status: 'warning',
      violation: 'Fire lane',
    })
    const corrected = csv('IM-1,ABC123,PA,10,2026-11-18 08:15,Bea Finch,')
    expect((await importFile(corrected, 'import')).body).toMatchObject({ changed: 1, unchanged: 0 })
    const other = await importFile(csv('IM-1,ABC123,PA,22B,2026-11-18 08:15,,'), 'import', 'leave out')
    expect(other.body).toMatchObject({ imported: true, errorCount: 1, changed: 0 })
  })

  test.each([
    ['', 'The file is empty.'],
    ['Plate,State\nA,PA', 'The first line must contain the column names. Missing: citation, violation, issued.'],
  ])('refuses a file with %j as a whole', async (file, errorText) => {
    const { status, body } = await importFile(file, 'import')
    expect(status).toBe(422)
    expect(body.message).toContain(errorText)
  })
})

test('reopens a paid ticket after a refund', async () => {
  const ticket = await written({ issuedDate: '2026-12-20' })
  await pay(ticket, 2500)
  const { rows } = await portal.owner.query('SELECT order_id, line_no FROM parking_receipt WHERE ticket_id = $1', [
    ticket.id,
  ])
  const [{ order_id, line_no }] = rows
  const reversal = { payableId: ticket.id, orderId: Number(order_id), lineNo: line_no, amountCents: 2500 }
  await portal.context.inCompany(maple, (tx) =>
    parkingTickets.onReversed(tx, maple, {
      ...reversal,
      source: 'test',
      sourceRef: 'return_1',
      at: portal.clock.now(),
    }),
  )
  expect(await loadTicket(ticket)).toMatchObject({ status: 'open', paidCents: 0, unpaidCents: 2500 })
  expect((await loadTicket(ticket)).history.map(({ label }: { label: string }) => label)).toEqual([
    'Open',
    'Paid',
    'Open',
  ])
})
