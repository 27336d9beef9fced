import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiResponse, type TestPortal, testPortal } from '../../test/harness.ts'
import type { Prefill } from './rules.ts'
import { prefilledUrl, prefillIn } from './rules.ts'

const MAPLE = 'maplegrove.localhost'
const HARBOR = 'harborcity.localhost'
const OFFLINE = 'oldmill.localhost'
const ADMIN = 'admin.localhost'
const MINUTES = 60_000
const DAY = 86_400_000

let portal: TestPortal
const tokens: Record<string, string> = {}
const ids: Record<string, number> = {}

beforeAll(async () => {
  portal = await testPortal({ demo: true })
  for (const role of ['super', 'support', 'callcenter'])
    tokens[role] = await portal.signIn(ADMIN, `${role}@mainstreet.example`)
  tokens['resident'] = await portal.signIn(MAPLE, 'resident@maplegrove.example')
  tokens['clerk'] = await portal.signIn(MAPLE, 'admin@maplegrove.example')
  const { rows: companies } = await portal.owner.query('SELECT id, subdomain FROM company')
  for (const { id, subdomain } of companies) ids[subdomain] = id
  const { rows: people } = await portal.owner.query(
    `SELECT id, email FROM platform_person UNION ALL SELECT id, email FROM person WHERE email IN ('resident@maplegrove.example', 'admin@maplegrove.example')`,
  )
  for (const { id, email } of people) ids[email.split('@')[0]] = Number(id)
}, 120_000)

// Resets all rate limits before each test.
beforeEach(() => portal.owner.query('DELETE FROM failed_guess'))

const form = {
  ...{ name: 'Dot Abernathy', email: 'dot@example.org', phone: '717-555-0121', category: 'paying' },
  message: 'The button under my bill does nothing when I press it.',
}
const send = (more: object = {}, host = MAPLE, token = '', key = randomUUID()): Promise<ApiResponse> =>
  portal.post(
    host,
    'send/support/request',
    { ...form, ...more },
    {
      headers: { 'idempotency-key': key },
      ...(token && { token }),
    },
  )
/** Sends a request as a guest and returns its id. */
const sent = async (more: object = {}, host = MAPLE, token = ''): Promise<number> => {
  const { status, body } = await send(more, host, token)
  expect(status, body.message).toBe(200)
  return Number(body.number.slice(1))
}
const stored = async (id: number) =>
  (await portal.owner.query('SELECT * FROM support_request WHERE id = $1', [id])).rows[0]
const platform = (path: string, body: object, role = 'support') =>
  portal.post(ADMIN, `admin/${path}`, body, { token: tokens[role] ?? '' })
const at = (id: number, company = 'maplegrove') => ({ companyId: ids[company], subjectId: id })
const loadRequest = async (id: number, role?: string) => (await platform('return/support/request', at(id), role)).body
const reply = async (id: number, message: string, more: object = {}, role?: string) => {
  const { lastMessageId: seen } = await loadRequest(id, role)
  return platform('reply/support/request', { ...at(id), message, seen, ...more }, role)
}
const step = (id: number, event: string, more: object = {}, role?: string) =>
  platform('change/support/status', { ...at(id), event, ...more }, role)
const assign = (id: number, personId: number | null | undefined, role?: string) =>
  platform('assign/support/request', { ...at(id), personId }, role)
const emailsTo = async (email: string) => (await portal.emails()).filter(({ to_address }) => to_address === email)
const linkOf = async (email: string): Promise<string> => {
  const text = (await emailsTo(email)).at(-1)?.text_body ?? ''
  return /\/support\/([\w-]{43})/.exec(text)?.[1] ?? ''
}
const read = (token: string, host = MAPLE) => portal.post(host, 'return/support/messages', { token })
const write = (token: string, message: string, host = MAPLE) =>
  portal.post(host, 'send/support/message', { token, message }, { headers: { 'idempotency-key': randomUUID() } })
const audited = async (subject: string) =>
  (
    await portal.owner.query(
      'SELECT action, actor_kind, actor_id, company_id FROM audit_event WHERE subject = $1 ORDER BY id',
      [subject],
    )
  ).rows

describe('a request', () => {
  test('sends a guest a number and a link without repeating their text', async () => {
    const email = 'ann.lee@example.org'
    const { body } = await send({ email, message: '<b>Pay me</b> at evil.example, or call!' })
    expect(body.message).toBe(`Request ${body.number} was received. We emailed ${email} a link to the request.`)
    const id = Number(body.number.slice(1))
    expect(id).toBeGreaterThanOrEqual(1001)
    expect(await stored(id)).toMatchObject({
      status: 0,
      email,
      phone: '7175550121',
      person_id: null,
      assigned_to: null,
    })
    const [emailMessage, ...others] = await emailsTo(email)
    expect(others).toEqual([])
    expect(emailMessage).toMatchObject({
      company_id: ids['maplegrove'],
      subject: `Your support request ${body.number}`,
    })
    expect(emailMessage?.text_body).toContain('http://maplegrove.localhost:3000/support/')
    for (const word of ['evil', 'Pay me', 'Dot']) expect(JSON.stringify(emailMessage)).not.toContain(word)
    expect(await audited(body.number)).toMatchObject([{ action: 'support.requested', actor_kind: 'guest' }])
  })

  test('assigns the request to the signed-in person, whatever the body says', async () => {
    const forged = {
      userid: ids['super'],
      userId: 1,
      person_id: 1,
      WhoSendsBill: 'Harbor City',
      company_id: ids['harborcity'],
      status: 2,
      assigned_to: 1,
    }
    const id = await sent(forged, MAPLE, tokens['resident'])
    const expected = { person_id: String(ids['resident']), company_id: ids['maplegrove'], status: 0, assigned_to: null }
    const row = await stored(id)
    expect({ ...row, person_id: String(row.person_id) }).toMatchObject(expected)
    const guest = await stored(await sent({ ...forged, email: 'other@example.org' }))
    expect(guest).toMatchObject({ person_id: null, company_id: ids['maplegrove'] })
    expect(await stored(await sent({ email: 'clerk@example.org' }, MAPLE, tokens['clerk']))).toMatchObject({
      status: 0,
    })
  })

  test.each([
    ['the message', { message: 'My card 4242 4242 4242 4242 was declined twice today.' }, 'message'],
    ['the message, with dashes', { message: 'I paid by 3782-822463-10005 and nothing came.' }, 'message'],
    ['the account number', { accountNumber: '4000000000000002' }, 'accountNumber'],
    ['the address', { address: '5555 5555 5555 4444 Main Street' }, 'address'],
  ])('with a card number in %s is refused and not stored', async (_where, typed, field) => {
    const { status, body } = await send({ email: 'card@example.org', ...typed })
    expect([status, body.details.fields]).toEqual([
      400,
      { [field]: 'This looks like a card number. Remove it. We never need it and must not store it.' },
    ])
    const { rows } = await portal.owner.query("SELECT FROM support_request WHERE email = 'card@example.org'")
    expect(rows).toEqual([])
  })

  test('with other long numbers is accepted', async () => {
    const message = 'Account 100001, meter 88120094471635, call 717 555 0121 or +1 717 555 0122, paid 2026-11-20 15:00.'
    expect(await stored(await sent({ email: 'numbers@example.org', message }))).toMatchObject({ message })
  })

  test('reports all missing fields together', async () => {
    const { body } = await send({ name: '', email: '', phone: '', message: '', category: '' })
    expect(Object.keys(body.details.fields).toSorted()).toEqual(['category', 'email', 'message', 'name'])
    expect(body.details.fields.email).toBe('Enter an email address or a phone number, so that we can reply.')
  })

  test('stores phone numbers without country code and refuses unknown states', async () => {
    expect(await stored(await sent({ phone: '+1 717 555 0121' }))).toMatchObject({ phone: '7175550121' })
    const { status, body } = await send({ state: 'PE' })
    expect([status, body.details.fields.state]).toEqual([
      400,
      'No US state or territory has this code. Enter a two-letter code, such as OH.',
    ])
  })

  test('belongs to the company of the host, even if it is offline', async () => {
    expect((await send({ companyId: ids['harborcity'] })).status).toBe(404)
    expect((await send({}, 'nowhere.localhost')).status).toBe(404)
    expect(await stored(await sent({}, OFFLINE))).toMatchObject({ company_id: ids['oldmill'] })
  })

  test('is stored once for repeated sends with one key', async () => {
    const key = randomUUID()
    const first = await send({ email: 'twice@example.org' }, MAPLE, '', key)
    const again = await send({ email: 'twice@example.org' }, MAPLE, '', key)
    expect(again.body).toEqual(first.body)
    expect(await emailsTo('twice@example.org')).toHaveLength(1)
  })

  test.each([
    [{ name: '' }, 'name', 'Enter your name.'],
    [{ email: '', phone: '' }, 'email', 'Enter an email address or a phone number, so that we can reply.'],
    [
      { email: 'a@example.org\nBcc: b@example.org' },
      'email',
      expect.stringContaining('Enter an email address, such as name@example.com.'),
    ],
    [{ phone: '12345' }, 'phone', expect.stringContaining('10-digit')],
    [{ category: 'gossip' }, 'category', 'Choose a subject.'],
    [{ message: 'too short' }, 'message', 'Describe what happened in at least 10 characters.'],
    [{ message: 'x'.repeat(4001) }, 'message', 'Please use no more than 4,000 characters.'],
    [{ leaveEmpty: 'http://spam.example' }, 'leaveEmpty', expect.stringContaining('Leave the last field empty')],
  ])('with %o is refused', async (invalid, field, message) => {
    const { rows: before } = await portal.owner.query('SELECT count(*) FROM support_request')
    const { status, body } = await send(invalid)
    expect([status, body.details.fields[field]]).toEqual([400, message])
    const { rows: after } = await portal.owner.query('SELECT count(*) FROM support_request')
    expect(after).toEqual(before)
  })

  test('without an email is answered by phone and sends no email', async () => {
    const emails = (await portal.emails()).length
    const { body } = await send({ email: '' })
    expect(body.message).toBe(`Request ${body.number} was received. We will call you.`)
    const id = Number(body.number.slice(1))
    const response = await reply(id, 'I called and told her.')
    expect(response.body.message).toBe(
      'Your reply was saved. Dot Abernathy has no email address, so call (717) 555-0121.',
    )
    expect((await portal.emails()).length).toBe(emails)
    expect(await stored(id)).toMatchObject({ status: 1, first_reply_at: portal.clock.now() })
  })

  test('is limited per address and per mailbox', async () => {
    for (let n = 0; n < 4; n++) await sent({ email: 'flood@example.org' })
    const fifth = await send({ email: 'Flood@example.org' })
    expect([fifth.status, fifth.body.message]).toEqual([429, expect.stringMatching(/^Too many attempts\. Please wait/)])
    for (let n = 0; n < 26; n++) await sent({ email: `flood${n}@example.org` })
    expect((await send({ email: 'one.more@example.org' })).status).toBe(429)
    // The rate limit counts requests by IP address, so it also applies on another company's host.
    expect((await send({ email: 'one.more@example.org' }, HARBOR)).status).toBe(429)
    portal.clock.advance(16 * MINUTES)
    await sent({ email: 'one.more@example.org' })
  })
})

describe('the initial form values', () => {
  const prefill = (token: string, body: object = {}) => portal.post(MAPLE, 'return/support/prefill', body, { token })

  test('contain the signed-in person’s data and first account', async () => {
    const { body } = await prefill(tokens['resident'] ?? '', { userid: 1, userId: 1 })
    expect(body).toMatchObject({
      ...{ firstName: 'Naomi', lastName: 'Whitaker', email: 'resident@maplegrove.example', accountNumber: '100014' },
      ...{ address: '38 Linden Avenue', city: 'Maple Grove', state: 'PA', zipcode: '17011' },
    })
    expect((await prefill(tokens['clerk'] ?? '')).body).toMatchObject({ firstName: 'Judith', accountNumber: '' })
    expect((await prefill('')).status).toBe(401)
  })

  test('follow the parameters of the specification, also for an outside form', () => {
    const person: Prefill & { company: string; userId: string } = {
      ...{
        firstName: 'Ann',
        lastName: 'O’Lee & Co',
        email: 'ann@example.org',
        phone: '7175550100',
        accountNumber: '100014',
      },
      ...{
        address: '1 Main Street',
        city: 'Maple Grove',
        state: 'PA',
        zipcode: '17011',
        company: 'Maple Grove',
        userId: '7',
      },
    }
    const url = new URL(prefilledUrl('https://forms.example/support?theme=1', person))
    expect([...url.searchParams.keys()].sort()).toEqual(
      [
        ...[
          'WhoSendsBill',
          'customerAccountNumber',
          'customer_email',
          'customer_name[0]',
          'customer_name[1]',
          'phoneNumber',
        ],
        ...[0, 1, 2, 3, 4].map((n) => `service_address[${n}]`),
        ...['theme', 'userid'],
      ].sort(),
    )
    expect(url.searchParams.get('service_address[1]')).toBe('')
    const { company: _company, userId: _id, ...expected } = person
    expect(prefillIn(url.search)).toEqual(expected)
    expect(prefillIn('?userid=1&WhoSendsBill=Elsewhere&role=909')).toEqual({})
  })
})

describe('the emailed link', () => {
  test('shows the request without internal notes for 90 days', async () => {
    const email = 'link@example.org'
    const id = await sent({ email })
    const secret = await linkOf(email)
    const { rows } = await portal.owner.query('SELECT token_hash FROM case_link WHERE subject_id = $1', [id])
    expect(rows[0].token_hash.toString('utf8')).not.toContain(secret)
    await platform('note/support/request', { ...at(id), message: 'Looks like the usual trouble.' })
    await reply(id, 'Please reload the page.')
    const { body } = await read(secret)
    expect(body).toMatchObject({ number: `S${id}`, state: { label: 'In Progress' }, can: { write: true } })
    expect(body.entries).toMatchObject([
      { kind: 'message', isOwn: true, by: 'Dot Abernathy', text: form.message },
      { kind: 'reply', isOwn: false, by: 'Sylvia', text: 'Please reload the page.' },
    ])
    expect(JSON.stringify(body)).not.toMatch(/usual trouble|Tran|dot@|717/)
    expect((await read(secret, HARBOR)).status).toBe(404)
    expect((await read('A'.repeat(43))).body.message).toBe(
      'This link is not valid or has expired. Please enter a new support request.',
    )
    portal.clock.advance(90 * DAY)
    expect((await read(secret)).status).toBe(404)
    // The staff sessions have also expired, so staff sign in again.
    for (const role of ['super', 'support', 'callcenter'])
      tokens[role] = await portal.signIn(ADMIN, `${role}@mainstreet.example`)
    tokens['resident'] = await portal.signIn(MAPLE, 'resident@maplegrove.example')
  })

  test('accepts another message, which reopens a completed request', async () => {
    const email = 'again@example.org'
    const id = await sent({ email })
    await reply(id, 'It is mended.', { complete: true })
    expect(await stored(id)).toMatchObject({ status: 2, closed_at: portal.clock.now() })
    const secret = await linkOf(email)
    const { body } = await write(secret, 'It is not, here.')
    expect(body.message).toBe(`Your message was sent. Your request S${id} is open again.`)
    expect(await stored(id)).toMatchObject({ status: 3, closed_at: null, last_from: 'person' })
    expect((await loadRequest(id)).request.replyStatus).toBe('wrote again')
    expect((await write(secret, 'And another thing.')).body.message).toBe(
      'Your message was sent. We will reply by email.',
    )
    expect((await read(secret)).body.entries).toHaveLength(4)
  })

  test('refuses empty messages, too many messages and invalid requests', async () => {
    const email = 'closed@example.org'
    const id = await sent({ email })
    const secret = await linkOf(email)
    expect((await write(secret, '  ')).status).toBe(400)
    for (let n = 0; n < 10; n++) expect((await write(secret, `Message ${n}`)).status).toBe(200)
    expect((await write(secret, 'One too many')).status).toBe(429)
    portal.clock.advance(20 * MINUTES)
    await step(id, 'invalidate', { reason: 'Not for us.' })
    expect((await write(secret, 'Still there?')).status).toBe(409)
    expect((await read(secret)).body.can).toEqual({ write: false })
    expect((await emailsTo(email)).length).toBe(1)
    expect(JSON.stringify((await read(secret)).body)).not.toContain('Not for us')
  })
})

describe('a reply', () => {
  test('is emailed with a new link, starts work and is audited', async () => {
    const email = 'reply@example.org'
    const id = await sent({ email })
    const text = 'First line <b>.\nSecond line & more.'
    expect((await reply(id, text)).body.message).toBe(`Your reply was sent to ${email}.`)
    const emails = await emailsTo(email)
    expect(emails.map(({ subject }) => subject)).toEqual([
      `Your support request S${id}`,
      `Reply to your support request S${id}`,
    ])
    expect(emails[1]?.text_body).toContain(text)
    expect((emails[1] as unknown as { html_body: string }).html_body).toContain(
      'First line &lt;b&gt;.<br>Second line &amp; more.',
    )
    expect((await read(await linkOf(email))).status).toBe(200)
    expect(await stored(id)).toMatchObject({ status: 1, first_reply_at: portal.clock.now(), last_from: 'staff' })
    expect(await audited(`S${id}`)).toMatchObject([
      { action: 'support.requested' },
      { action: 'support.status_changed' },
      { action: 'support.assigned' },
      { action: 'support.replied', actor_kind: 'platform', company_id: ids['maplegrove'] },
    ])
  })

  test('is refused if another message was added in the meantime', async () => {
    const email = 'both@example.org'
    const id = await sent({ email })
    const { lastMessageId: seen } = await loadRequest(id)
    const one = { ...at(id), message: 'An answer.', seen }
    const responses = await Promise.all([
      platform('reply/support/request', one),
      platform('reply/support/request', { ...one, message: 'Another answer.' }, 'super'),
    ])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(responses.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'newer_message',
      message: 'Someone wrote a new message. Read it, then send or change your reply.',
    })
    expect(await emailsTo(email)).toHaveLength(2)
    // Staff also get a 409 if the new message is from the requester. An internal note does not cause a 409.
    await write(await linkOf(email), 'Never mind.')
    expect(
      (await platform('reply/support/request', { ...one, seen: (await stored(id)).last_message_id - 1 })).status,
    ).toBe(409)
    await platform('note/support/request', { ...at(id), message: 'I take this.' }, 'super')
    expect((await reply(id, 'Good.')).status).toBe(200)
  })

  test('sets the first reply time only once', async () => {
    const id = await sent({ email: 'first@example.org' })
    await platform('note/support/request', { ...at(id), message: 'A note is no answer.' })
    expect(await stored(id)).toMatchObject({ status: 0, first_reply_at: null })
    await reply(id, 'An answer.')
    const first = portal.clock.now()
    portal.clock.advance(MINUTES)
    await reply(id, 'More.')
    expect(await stored(id)).toMatchObject({ first_reply_at: first })
  })
})

describe('the steps', () => {
  const events = { start: 1, complete: 2, reopen: 3, invalidate: 4 }
  const waits = 'Available actions: Start work, Complete, Mark as invalid.'
  const allowed: Record<number, { to: number[]; message: string }> = {
    0: { to: [1, 2, 4], message: `“New”, so you cannot do this. ${waits}` },
    1: { to: [2, 4], message: '“In Progress”, so you cannot do this. Available actions: Complete, Mark as invalid.' },
    2: { to: [3], message: '“Completed”, so you cannot do this. Available actions: Reopen.' },
    3: { to: [1, 2, 4], message: `“Reopen”, so you cannot do this. ${waits}` },
    4: { to: [], message: '“Invalid”, so you cannot do this.' },
  }
  const put = (id: number, status: number) =>
    portal.owner.query('UPDATE support_request SET status = $2, closed_at = $3 WHERE id = $1', [
      id,
      status,
      status === 2 || status === 4 ? portal.clock.now() : null,
    ])

  test('assign the request to the starter, and replies keep the assignee', async () => {
    const id = await sent({ email: 'started@example.org' })
    const assignee = async () => (await loadRequest(id)).holder.name || null
    await assign(id, ids['super'])
    const { body } = await step(id, 'start')
    expect(body.message).toMatch(/ is now In Progress and assigned to you\.$/)
    const ownAssignee = await assignee()
    expect(ownAssignee).not.toBeNull()
    expect(ownAssignee).not.toBe('Ruth Mercer')
    expect((await audited(`S${id}`)).map(({ action }: { action: string }) => action)).toContain('support.assigned')
    await put(id, 3)
    await reply(id, 'I look into it.', {}, 'super')
    expect(await assignee()).toBe(ownAssignee)
    await assign(id, null)
    await put(id, 3)
    await reply(id, 'I look into it again.', {}, 'super')
    expect(await assignee()).toBe('Ruth Mercer')
  })

  test.each([0, 1, 2, 3, 4])('from %i allow only the transitions of the machine', async (from) => {
    const id = await sent({ email: `step${from}@example.org` })
    for (const [event, to] of Object.entries(events)) {
      await put(id, from)
      const { can } = await loadRequest(id)
      const { status, body } = await step(id, event, { reason: 'Because.' })
      const may = allowed[from]?.to.includes(to) ?? false
      expect([event, status, can.steps[event]]).toEqual([event, may ? 200 : 409, may])
      if (!may) expect(body.message).toBe(`S${id} has the status ${allowed[from]?.message}`)
      const closed = (may ? to : from) === 2 || (may ? to : from) === 4
      expect((await stored(id)).closed_at !== null).toBe(closed)
    }
  })

  test('require a reason for Invalid and email only a completion', async () => {
    const email = 'told@example.org'
    const id = await sent({ email })
    expect(await step(id, 'invalidate')).toMatchObject({
      status: 422,
      body: { details: { fields: { reason: 'Enter a reason.' } } },
    })
    expect(await step(id, 'invalidate', { reason: 'x' })).toMatchObject({
      status: 400,
      body: { details: { fields: { reason: 'Enter a reason of 3 to 200 characters.' } } },
    })
    expect(await stored(id)).toMatchObject({ status: 0, closed_at: null })
    await step(id, 'start')
    expect(await emailsTo(email)).toHaveLength(1)
    await step(id, 'complete')
    expect((await emailsTo(email)).at(-1)?.subject).toBe(`Your support request S${id} has been completed`)
    await step(id, 'reopen')
    await step(id, 'invalidate', { reason: 'Answered elsewhere.' })
    expect(await emailsTo(email)).toHaveLength(2)
    const { entries } = await loadRequest(id)
    const steps = entries.filter(({ kind }: { kind: string }) => kind === 'step')
    expect(steps.map((entry: { label: string; text: string }) => [entry.label, entry.text])).toEqual([
      ...[
        ['In Progress', ''],
        ['Completed', ''],
        ['Reopen', ''],
      ],
      ['Invalid', 'Answered elsewhere.'],
    ])
  })
})

describe('permissions', () => {
  test('let the call center read and reply but not assign', async () => {
    const id = await sent({ email: 'center@example.org' })
    expect((await loadRequest(id, 'callcenter')).can).toMatchObject({ reply: true, note: true, assign: false })
    expect((await reply(id, 'Hello.', {}, 'callcenter')).status).toBe(200)
    expect((await step(id, 'complete', {}, 'callcenter')).status).toBe(200)
    expect((await assign(id, ids['callcenter'], 'callcenter')).status).toBe(403)
    expect((await platform('return/support/items', { personId: ids['callcenter'] }, 'callcenter')).status).toBe(403)
    for (const role of ['support', 'super']) expect((await assign(id, ids[role], role)).status).toBe(200)
  })

  test('hide requests from company staff, residents and other companies', async () => {
    const id = await sent({ email: 'nobody@example.org' })
    const staffMember = await portal.signIn(MAPLE, 'admin@maplegrove.example')
    for (const token of [staffMember, tokens['resident'] ?? ''])
      for (const path of ['return/support/requests', 'return/support/request', 'reply/support/request'])
        expect((await portal.post(MAPLE, `admin/${path}`, at(id), { token })).status).toBe(403)
    expect((await portal.post(ADMIN, 'admin/return/support/requests', { filters: {} })).status).toBe(401)
    for (const path of [
      'return/support/request',
      'note/support/request',
      'change/support/status',
      'assign/support/request',
    ])
      expect(
        (await platform(path, { ...at(id, 'harborcity'), message: 'x', event: 'start', personId: null })).status,
        path,
      ).toBe(404)
  })

  test('record each view of the list and of a request', async () => {
    const id = await sent({ email: 'looked@example.org' })
    await loadRequest(id, 'super')
    await platform('return/support/requests', { filters: { status: 'open' }, search: 'looked@' }, 'super')
    const { rows } = await portal.owner.query(
      `SELECT subject FROM audit_event WHERE action = 'view.personal_data' UNION SELECT subject FROM platform_audit_event WHERE action = 'view.personal_data'`,
    )
    expect(rows.map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(['admin/return/support/request', 'admin/return/support/requests']),
    )
  })
})

describe('assigning', () => {
  const items = async (personId: number | undefined, role?: string) =>
    (await platform('return/support/items', { personId }, role)).body
  const save = (personId: number | undefined, give: number[], take: number[] = []) =>
    platform('assign/support/items', { personId, assign: give, unassign: take })
  const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id)

  test('assigns a request to active staff and unassigns it', async () => {
    const id = await sent({ email: 'mine@example.org' })
    expect((await assign(id, ids['support'])).body.message).toBe(`S${id} was assigned to Sylvia Tran.`)
    expect((await loadRequest(id)).holder).toMatchObject({
      personId: ids['support'],
      name: 'Sylvia Tran',
      active: true,
    })
    expect((await assign(id, null)).body.message).toBe(`S${id} was unassigned.`)
    expect(await audited(`S${id}`)).toMatchObject([{}, { action: 'support.assigned' }, { action: 'support.assigned' }])
    expect((await assign(id, 999_999)).status).toBe(404)
    expect((await assign(id, ids['resident'])).status).toBe(404)
  })

  test('refuses people who are inactive, locked or not permitted', async () => {
    const id = await sent({ email: 'nottothem@example.org' })
    const { body } = await assign(id, ids['former.support'])
    expect(body).toMatchObject({ code: 'rejected', message: 'Glen Ogden is inactive. Choose someone else.' })
    const { rows } = await portal.owner.query(
      `INSERT INTO platform_person (email, role_id, first_name, last_name, locked_at, privileges)
       VALUES ('locked@mainstreet.example', 907, 'Lo', 'Cked', now(), '{}'), ('blind@mainstreet.example', 907, 'Bli', 'Nd', NULL, '{"communication_management": 0}'),
         ('outside@mainstreet.example', 900, 'Out', 'Side', NULL, '{"communication_management": 31}') RETURNING id`,
    )
    const sentences = []
    for (const row of rows) sentences.push((await assign(id, Number(row.id))).body.message)
    expect(sentences).toEqual([
      'Lo Cked has a locked account. Choose someone else.',
      'Bli Nd cannot view support requests. Choose someone else.',
      'Out Side cannot view support requests. Choose someone else.',
    ])
    expect((await save(ids['former.support'], [id])).status).toBe(422)
    expect(await stored(id)).toMatchObject({ assigned_to: null })
  })

  test('saves several items completely or not at all', async () => {
    const [one, two, three] = [
      await sent({ email: 'one@example.org' }),
      await sent({ email: 'two@example.org' }, HARBOR),
      await sent({ email: 'three@example.org' }),
    ]
    expect(idsOf((await items(ids['support'])).unassigned)).toEqual(expect.arrayContaining([one, two, three]))
    expect((await save(ids['support'], [one, two])).body.message).toBe('Assignments for Sylvia Tran saved.')
    const { assigned } = await items(ids['support'])
    expect(assigned.find(({ id }: { id: number }) => id === two)).toMatchObject({
      company: 'Harbor City',
      number: `S${two}`,
    })
    // The third request is already assigned to someone else. The whole save fails, so the first request stays assigned.
    await assign(three, ids['super'])
    const late = await save(ids['support'], [three], [one])
    expect([late.status, late.body.message]).toEqual([
      409,
      `Support request S${three} has since been assigned to Ruth Mercer.`,
    ])
    expect(String((await stored(one)).assigned_to)).toBe(String(ids['support']))
    expect((await save(ids['support'], [], [one, two])).status).toBe(200)
    expect([(await stored(one)).assigned_to, (await stored(two)).assigned_to]).toEqual([null, null])
    expect((await save(ids['support'], [999_999_999])).status).toBe(404)
    await step(one, 'complete')
    expect((await save(ids['support'], [one])).body.message).toBe(`S${one}: Completed.`)
  })

  test('counts open requests, also for former staff', async () => {
    const count = async () => {
      const { people } = (await platform('return/support/assignees', {}, 'callcenter')).body
      return new Map<string, { open: number; active: boolean }>(people.map((p: { name: string }) => [p.name, p]))
    }
    const before = await count()
    expect(before.get('Glen Ogden')).toMatchObject({ active: false })
    expect(before.get('Calvin Brooks')).toMatchObject({ active: true })
    const id = await sent({ email: 'counted@example.org' })
    await assign(id, ids['support'])
    expect((await count()).get('Sylvia Tran')?.open).toBe((before.get('Sylvia Tran')?.open ?? 0) + 1)
    await step(id, 'complete')
    expect((await count()).get('Sylvia Tran')?.open).toBe(before.get('Sylvia Tran')?.open)
  })
})

describe('the list', () => {
  const list = async (filters: object = {}, more: object = {}, role?: string) =>
    (await platform('return/support/requests', { filters, ...more }, role)).body
  interface Row {
    id: number
    companyId: number
    status: number
    category: string
    at: string
    assigneeId: number | null
    assigneeActive: boolean
  }
  const all = async (filters: object, more: object = {}): Promise<Row[]> =>
    (await list(filters, { pageSize: 100, ...more })).rows

  test('covers all companies and supports each filter', async () => {
    const every = await all({})
    expect(new Set(every.map(({ companyId }) => companyId)).size).toBe(3)
    const open = await all({ status: 'open' })
    expect(open.length).toBeGreaterThan(5)
    expect(open.every(({ status }) => [0, 1, 3].includes(status))).toBe(true)
    expect((await all({ status: 4 })).every(({ status }) => status === 4)).toBe(true)
    expect(
      (await all({ companyId: ids['harborcity'] })).every(({ companyId }) => companyId === ids['harborcity']),
    ).toBe(true)
    expect((await all({ category: 'site' })).every(({ category }) => category === 'site')).toBe(true)
    expect((await all({ assignee: 'nobody' })).every(({ assigneeId }) => assigneeId === null)).toBe(true)
    const left = await all({ assignee: ids['former.support'], status: 'open' })
    expect(left.length).toBeGreaterThan(0)
    expect(left.every(({ assigneeActive }) => !assigneeActive)).toBe(true)
    const own = await all({ assignee: 'me' })
    expect(own.every(({ assigneeId }) => assigneeId === ids['support'])).toBe(true)
    const day = every[3]?.at.slice(0, 10)
    expect((await all({ fromDate: day, toDate: day })).every(({ at: when }) => when.startsWith(day ?? ''))).toBe(true)
  })

  test.each([
    ['at', 'asc'],
    ['at', 'desc'],
    ['updatedAt', 'asc'],
    ['updatedAt', 'desc'],
  ])('pages both ways by %s, %s, with each row once', async (sort, direction) => {
    const first = await list({}, { sort, direction, pageSize: 7 })
    const second = await list({}, { sort, direction, pageSize: 7, cursor: first.next })
    expect(new Set([...first.rows, ...second.rows].map(({ id }: Row) => id)).size).toBe(14)
    expect((await list({}, { sort, direction, pageSize: 7, cursor: second.previous })).rows).toEqual(first.rows)
    const keys = [...first.rows, ...second.rows].map((row) => (sort === 'at' ? row.at : row.updatedAt))
    expect(keys).toEqual([...keys].sort((a, b) => (direction === 'asc' ? 1 : -1) * (a < b ? -1 : a > b ? 1 : 0)))
  })

  test('searches by number, name, email, phone and text', async () => {
    const id = await sent({
      name: 'Zelda Quint',
      email: 'zq@example.org',
      phone: '717-555-7788',
      message: 'My gazebo is on the wrong bill, by 100%.',
    })
    for (const search of [
      `S${id}`,
      `s${id}`,
      `${id}`,
      'zelda',
      'ZQ@example',
      '5557788',
      'gazebo is',
      '100%',
      'bill  my gazebo',
      'quint z',
    ])
      expect(
        (await all({}, { search })).map((row) => row.id),
        search,
      ).toContain(id)
    for (const search of ['zz', '%%%', 'S1', 'no such words'])
      expect((await all({}, { search })).map((row) => row.id)).not.toContain(id)
    expect(await all({ status: 2 }, { search: 'gazebo' })).toEqual([])
  })

  test('refuses an invented cursor', async () => {
    const cursor = Buffer.from(JSON.stringify(['yesterday', 1, 0])).toString('base64url')
    expect((await platform('return/support/requests', { filters: {}, cursor })).status).toBe(400)
  })

  test('exports the filtered rows as CSV with formulas escaped', async () => {
    const id = await sent({ name: '=1+2', email: 'csv@example.org', message: 'Two lines,\nwith "quotes".' })
    const { body } = await platform('export/support/requests', {
      filters: { status: 'open' },
      search: 'csv@example.org',
    })
    const { body: csv, headers } = await portal.get(ADMIN, body.url)
    expect(headers['content-disposition']).toMatch(/support-requests-platform-.*\.csv/)
    const [head, line] = String(csv).trim().split('\n')
    expect(head).toBe(
      'Number,Company,Received,Status,About,Name,Email,Phone,Account Number,Service Address,Assigned to,First reply,Closed,Message',
    )
    expect(line).toMatch(new RegExp(`^S${id},Maple Grove,[^,]+,New,Paying a bill,'=1\\+2,csv@example.org,7175550121,`))
    const ownExport = await platform('export/support/requests', { filters: { assignee: 'me', status: 'open' } })
    expect((await portal.get(ADMIN, ownExport.body.url)).status).toBe(200)
  })
})
