import { beforeAll, describe, expect, test, vi } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { isGsm } from '../../shared/gsm.ts'
import { testPortal } from '../../test/harness.ts'
import { addTestPlatformStaff, openTestCompany } from '../../test/company.ts'
import type { Company } from '../hosts.ts'
import { defineNotice } from '../notices/notice.ts'
import { notify } from '../notices/notify.ts'
import { freePort } from '../ports.ts'
import type { CompanyId } from '../tenancy.ts'
import { meaningOf } from './keywords.ts'
import { endOfQuiet } from './quiet-hours.ts'
import { SmsRefused } from './provider.ts'
import { queueMany } from './queue.ts'
import { textFromPhone } from './sandbox.ts'
import { sendMany } from './send-many.ts'
import { usualSmsSettings } from './settings.ts'
import { isSigned, signatureOf } from './signature.ts'
import { readyToSend } from './texts.ts'

const HOST = 'maplegrove.localhost'
const SENDER = '+17175550100'
const portal = await testPortal({
  env: { PORT: String(await freePort()), SESSION_HOURS: '720', SESSION_IDLE_HOURS: '720' },
})
const { context, clock, owner } = portal
let maple: Company
let harbor: Company
const tokens = { resident: '', staff: '', platform: '' }

/** Creates two companies. Each person has an account in both companies, with the same phone number. */
beforeAll(async () => {
  const companies: CompanyId[] = [await openTestCompany(portal, mapleGrove), await openTestCompany(portal, harborCity)]
  ;[maple, harbor] = (await Promise.all(companies.map((id) => context.hosts.byId(id)))) as [Company, Company]
  await addTestPlatformStaff(portal)
  tokens.resident = await portal.signIn(HOST, 'resident@maplegrove.example')
  tokens.staff = await portal.signIn(HOST, 'staff@maplegrove.example')
  tokens.platform = await portal.signIn('admin.localhost', 'super@mainstreet.example')
  await portal.app.listen({ port: portal.config.port, host: portal.config.host })
})

const ripe = defineNotice<{ fruit: string }>({
  event: 'tests.ripe',
  required: true,
  why: () => 'You have a tree.',
  content: ({ fruit }) => ({ subject: `The ${fruit} is ripe`, paragraphs: ['Pick it.'] }),
  text: { kind: 'payments', content: ({ fruit }) => `the ${fruit} is ripe – pick it.` },
})

let people = 0
/** Creates a resident of a company who agreed to text messages at this phone. */
async function person(phone: string, at = maple): Promise<number> {
  const { rows } = await owner.query(
    `INSERT INTO person (company_id, email, role_id, first_name, last_name) VALUES ($1, $2, 1, 'Ida', 'Moss') RETURNING id`,
    [at.id, `p${(people += 1)}@example.org`],
  )
  await owner.query(
    `INSERT INTO sms_number (company_id, person_id, phone, agreed_at, agreed_to, confirmed_at) VALUES ($1, $2, $3, now(), '', now())`,
    [at.id, rows[0].id, phone],
  )
  return rows[0].id
}
const notifyPerson = (id: number, fruit = 'pear', at = maple) =>
  context.inCompany(at.id, (tx) =>
    notify(tx, context, { at, to: 'ida@example.org', person: id, notice: ripe, data: { fruit } }),
  )
const messages = async (phone: string) =>
  (await owner.query('SELECT * FROM sms_message WHERE phone = $1 ORDER BY id', [phone])).rows
const states = async (phone: string) => (await messages(phone)).map(({ state, reason }) => [state, reason])
const inbox = async (phone: string): Promise<string[]> =>
  (await owner.query('SELECT body FROM sandbox_sms WHERE to_number = $1 ORDER BY id', [phone])).rows.map(
    ({ body }) => body,
  )
const write = async (phone: string, body: string) => {
  await textFromPhone(context, phone, SENDER, body)
  await portal.runJobs()
}

describe('text of a message', () => {
  test.each([
    ['“Maple Grove” – it’s done…', '"Maple Grove" - it\'s done...', 1],
    [`Más ${'x'.repeat(86)}`, `Más ${'x'.repeat(86)}`, 2],
    [`Mas ${'x'.repeat(156)}`, `Mas ${'x'.repeat(156)}`, 1],
    ['x'.repeat(161), 'x'.repeat(161), 2],
    ['Señor Núñez, é à ü', 'Señor Núñez, é à ü', 1],
    [`${'[]'.repeat(40)}x`, `${'[]'.repeat(40)}x`, 2],
  ])('%s', (text, body, segments) => expect(readyToSend(text)).toEqual({ body, segments }))

  test('cuts text beyond the readable length', () => {
    const { body, segments } = readyToSend('Ä long tale. '.repeat(100))
    expect([segments, body.endsWith('...'), body.length]).toEqual([3, true, expect.closeTo(455, -1)])
  })

  test('includes Ñ in the SMS alphabet, but not á', () => expect([isGsm('Ñ'), isGsm('á')]).toEqual([true, false]))
})

test.each([
  // New York is four hours behind UTC in summer, five in winter.
  ['2026-07-10T00:59:00Z', '21:00', '08:00', null],
  ['2026-07-10T01:00:00Z', '21:00', '08:00', '2026-07-10T12:00:00.000Z'],
  ['2026-11-20T11:59:59Z', '21:00', '08:00', '2026-11-20T13:00:00.000Z'],
  ['2026-11-20T13:00:00Z', '21:00', '08:00', null],
  // Nights with a clock change.
  ['2026-11-01T02:00:00Z', '21:00', '08:00', '2026-11-01T13:00:00.000Z'],
  ['2026-03-08T03:00:00Z', '21:00', '08:00', '2026-03-08T12:00:00.000Z'],
  ['2026-03-08T06:30:00Z', '01:00', '02:30', '2026-03-08T07:30:00.000Z'],
  ['2026-11-20T18:00:00Z', '12:00', '14:00', '2026-11-20T19:00:00.000Z'],
  ['2026-11-20T18:00:00Z', '00:00', '00:00', null],
])('at %s ends quiet hours from %s to %s at %s', (now, from, to, end) =>
  expect(endOfQuiet(new Date(now), 'America/New_York', { from, to })?.toISOString() ?? null).toBe(end),
)

test.each([
  ['stop', null, 'stop'],
  [' Unsubscribe. ', null, 'stop'],
  ['STOPALL', null, 'stop'],
  ['Yes', null, 'start'],
  ['INFO', null, 'help'],
  ['please stop', null, 'stop'],
  ['whatever', 'STOP', 'stop'],
])('reads %s (%s) as %s', (body, detected, meaning) => expect(meaningOf(body, detected)).toBe(meaning))

test('matches Twilio’s documented signature and no other', () => {
  const url = 'https://mycompany.com/myapp.php?foo=1&bar=2'
  const form = { CallSid: 'CA1234567890ABCDE', Caller: '+14158675309', Digits: '1234', From: '+14158675309' }
  const params = new URLSearchParams({ ...form, To: '+18005551212' })
  const signature = 'RSOYDt4T1cUTdK1PDd93/VVr8B8='
  expect(signatureOf('12345', url, params)).toBe(signature)
  expect(isSigned('12345', url, params, signature)).toBe(true)
  expect(isSigned('12345', `${url}&more=1`, params, signature)).toBe(false)
  for (const invalid of [undefined, '', 'x', ['a'], signature.toLowerCase()])
    expect(isSigned('12345', url, params, invalid)).toBe(false)
})

describe('text messages', () => {
  test('accompany the email of people who agreed, with delivery status', async () => {
    const phone = '+17175550150'
    await notifyPerson(await person(phone))
    await portal.runJobs()
    expect(await inbox(phone)).toEqual(['Maple Grove: the pear is ripe - pick it.'])
    expect(await messages(phone)).toMatchObject([{ state: 'delivered', segments: 1, event: 'tests.ripe', attempts: 1 }])
    expect((await portal.emails()).filter(({ subject }) => subject === 'The pear is ripe')).toHaveLength(1)
  })

  test('combine identical waiting texts, at night until the morning', async () => {
    const phone = '+17175550151'
    const id = await person(phone)
    clock.set('2026-11-21T03:00:00Z')
    for (const fruit of ['plum', 'plum', 'fig']) await notifyPerson(id, fruit)
    await portal.runJobs()
    expect(await states(phone)).toEqual([
      ['waiting', ''],
      ['waiting', ''],
    ])
    clock.set('2026-11-21T12:59:00Z')
    await portal.runJobs()
    expect(await inbox(phone)).toEqual([])
    clock.set('2026-11-21T13:00:30Z')
    await portal.runJobs()
    await portal.runJobs()
    expect((await inbox(phone)).toSorted()).toEqual(
      ['fig', 'plum'].map((fruit) => `Maple Grove: the ${fruit} is ripe - pick it.`),
    )
  })

  test('follow the company’s settings for kinds, name and number', async () => {
    const phone = '+17175550152'
    const id = await person(phone, harbor)
    const set = (payments: number) =>
      owner.query(
        `INSERT INTO sms_settings (company_id, payments, conversations, quiet_from, quiet_to, sms_name, sms_number)
         VALUES ($1, $2, 1, '00:00', '00:00', 'Harbor', '7175550199') ON CONFLICT (company_id) DO UPDATE SET payments = $2`,
        [harbor.id, payments],
      )
    await set(0)
    await notifyPerson(id, 'lime', harbor)
    expect(await messages(phone)).toEqual([])
    await set(1)
    await notifyPerson(id, 'lime', harbor)
    await portal.runJobs()
    const { rows } = await owner.query('SELECT * FROM sandbox_sms WHERE to_number = $1 ORDER BY id', [phone])
    expect(rows[0]).toMatchObject({ body: 'Harbor: the lime is ripe - pick it.', from_number: '+17175550199' })
    // The portal does not send a queued text message if the company has since disabled that kind of message.
    await notifyPerson(id, 'kiwi', harbor)
    await set(0)
    await portal.runJobs()
    expect((await states(phone)).at(-1)).toEqual(['stopped', 'off'])
    await set(1)
  })

  test('are sent once by parallel jobs', async () => {
    const phone = '+17175550153'
    await notifyPerson(await person(phone))
    const [{ id }] = await messages(phone)
    const job = () => context.jobs.runNow('sms.send', { company: maple.id, id })
    await Promise.allSettled([job(), job(), job(), job()])
    await portal.runJobs()
    expect(await inbox(phone)).toHaveLength(1)
    expect((await messages(phone))[0]).toMatchObject({ attempts: 1 })
  })
})

describe('sandbox numbers', () => {
  test('fail immediately or later, then pause until staff release them', async () => {
    for (const phone of ['+17175550191', '+17175550192']) {
      const id = await person(phone)
      await notifyPerson(id)
      await portal.runJobs()
      await notifyPerson(id, 'quince')
      await portal.runJobs()
      const code = phone.endsWith('1') ? '21211' : '30003'
      expect([phone, await states(phone)]).toEqual([
        phone,
        [
          ['failed', code],
          ['resting', 'rests'],
        ],
      ])
      const list = () => portal.post(HOST, 'muni/return/notices', { search: phone }, { token: tokens.staff })
      const { rows } = (await list()).body
      expect(rows).toMatchObject([
        { to: `(***) ***-${phone.slice(-4)}`, channel: 'text', state: 'resting', can: { release: true } },
        { state: 'failed', segments: 1 },
      ])
      expect(rows[0].reason).toMatch(
        /^This email address or phone number rejected an earlier message, .* Sending will resume on November 22, 2026/,
      )
      const release = () =>
        portal.post(HOST, 'muni/release/notice/address', { noticeId: rows[0].id }, { token: tokens.staff })
      expect((await release()).body.message).toContain('have resumed')
      expect((await release()).status).toBe(409)
      await notifyPerson(id, 'peach')
      await portal.runJobs()
      expect((await states(phone)).at(-1)?.[0]).toBe('failed')
    }
  })

  test('get a text late and reply STOP', async () => {
    await notifyPerson(await person('+17175550193'))
    await portal.runJobs()
    expect((await states('+17175550193'))[0]?.[0]).toBe('sent')
    clock.advance(61_000)
    await portal.runJobs()
    expect((await states('+17175550193'))[0]?.[0]).toBe('delivered')
    const phone = '+17175550194'
    const id = await person(phone)
    await notifyPerson(id)
    await portal.runJobs()
    await notifyPerson(id, 'grape')
    await portal.runJobs()
    expect(await states(phone)).toEqual([
      ['delivered', ''],
      ['stopped', '21610'],
    ])
    expect((await inbox(phone)).at(-1)).toBe(
      'Maple Grove: You opted out and will get no further texts from us. Reply START to get them again.',
    )
  })
})

describe('STOP, START and HELP', () => {
  test('apply to a company and number, for any account, with one reply', async () => {
    const phone = '+17175550160'
    const id = await person(phone)
    const elsewhere = await person(phone, harbor)
    await notifyPerson(id)
    await write(phone, 'Quit')
    await write(phone, 'STOP')
    expect((await inbox(phone)).slice(1)).toEqual([
      'Maple Grove: You opted out and will get no further texts from us. Reply START to get them again.',
    ])
    // Deletes the phone number from the account. A new account then uses the same number.
    await owner.query('DELETE FROM sms_number WHERE company_id = $1 AND person_id = $2', [maple.id, id])
    await notifyPerson(await person(phone), 'olive')
    // The other company stores the number separately, so it is not affected.
    await notifyPerson(elsewhere, 'olive', harbor)
    await portal.runJobs()
    expect((await states(phone)).map(([state]) => state)).toEqual(['delivered', 'stopped', 'delivered'])
    await write(phone, 'help')
    expect((await inbox(phone)).at(-1)).toMatch(
      /^Maple Grove: For help, visit http\S+ or call \(717\) .*Msg & data rates may apply\. Reply STOP to end\.$/,
    )
    await write(phone, 'unstop')
    expect((await inbox(phone)).at(-1)).toContain('You will get texts from us again')
    await write(phone, 'Who are you?')
    await write(phone, 'Hello?')
    expect((await inbox(phone)).filter((body) => body.includes('No one reads texts sent to this number'))).toHaveLength(
      1,
    )
    const { rows } = await owner.query(
      `SELECT action FROM audit_event WHERE action LIKE 'texts.%' AND detail->>'to' = $1`,
      [phone],
    )
    expect(rows.map(({ action }) => action)).toEqual(['texts.opted_out', 'texts.resumed'])
  })

  test('require a signed callback and count each one once', async () => {
    const phone = '+17175550161'
    await notifyPerson(await person(phone))
    await portal.runJobs()
    const [sent] = await messages(phone)
    const call = async (path: string, form: Record<string, string>, sign = true) => {
      const payload = new URLSearchParams(form)
      const url = `http://localhost:${portal.config.port}${path}`
      const signature = sign ? signatureOf(context.config.sms.authToken, url, payload) : 'x'
      return portal.app.inject({
        ...{ method: 'POST', url: path, payload: payload.toString() },
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature },
      })
    }
    const optOutText = { MessageSid: 'SMone', From: phone, To: SENDER, Body: 'STOP' }
    expect((await call('/webhooks/sms/incoming', optOutText, false)).statusCode).toBe(403)
    expect((await call('/webhooks/sms/incoming', optOutText)).body).toContain(
      '<Message>Maple Grove: You opted out and will get no further texts',
    )
    expect((await call('/webhooks/sms/incoming', optOutText)).body).toContain('<Response></Response>')
    expect((await call('/webhooks/sms/incoming', { ...optOutText, From: 'nobody' })).statusCode).toBe(200)
    const status = `/webhooks/sms/status?company=${maple.id}&text=${sent.id}`
    const failed = { MessageSid: sent.provider_id, MessageStatus: 'failed', ErrorCode: '30005' }
    expect((await call(status, failed, false)).statusCode).toBe(403)
    // A failure that is reported later does not change a delivered text message.
    expect((await call(status, failed)).statusCode).toBe(204)
    expect(await states(phone)).toEqual([['delivered', '']])
    expect((await call('/webhooks/sms/status?company=0&text=1', failed)).statusCode).toBe(404)
    expect((await call('/webhooks/sms/status?company=1e9&text=x', failed)).statusCode).toBe(404)
    // Sends callbacks that arrive before the response to the portal's request. One of them has the id of another
    // message.
    await owner.query(`UPDATE sms_message SET state = 'waiting', provider_id = NULL WHERE id = $1`, [sent.id])
    await call(status, { MessageSid: 'SMours', MessageStatus: 'sent' })
    await call(status, { MessageSid: 'SMother', MessageStatus: 'delivered' })
    await call(status, { MessageSid: 'SMours', MessageStatus: 'queued' })
    expect(await messages(phone)).toMatchObject([{ state: 'sent', provider_id: 'SMours' }])
  })
})

describe("a resident's settings", () => {
  const callApi = (path: string, body: object = {}) => portal.post(HOST, path, body, { token: tokens.resident })
  const phone = '+17175550170'
  const code = async () => /code is (\d{6})/.exec((await inbox(phone)).at(-1) ?? '')?.[1] ?? ''

  test('turn texts on with a code from the phone, and off again', async () => {
    expect((await callApi('return/profile/texts')).body).toMatchObject({ offered: true, state: 'off', optedOut: false })
    const input = { phone: '717-555-0170', agree: true }
    expect((await callApi('start/profile/texts', { ...input, agree: false })).body.details.fields.agree).toBe(
      'To receive texts, you must agree.',
    )
    expect((await callApi('start/profile/texts', { ...input, phone: '12' })).status).toBe(400)
    // The portal sends this text message even at night, because the person just requested it.
    clock.set('2026-11-22T04:00:00Z')
    expect((await callApi('start/profile/texts', input)).body.message).toBe('We sent a code to (717) 555-0170.')
    await portal.runJobs()
    const invalidCode = (await code()) === '000000' ? '111111' : '000000'
    expect((await callApi('confirm/profile/texts', { code: invalidCode })).status).toBe(422)
    const first = await code()
    clock.advance(11 * 60_000)
    expect((await callApi('confirm/profile/texts', { code: first })).body.message).toContain(
      'Codes are valid for 10 minutes',
    )
    await callApi('start/profile/texts', input)
    await portal.runJobs()
    expect((await callApi('confirm/profile/texts', { code: first })).status).toBe(422)
    expect((await callApi('confirm/profile/texts', { code: await code() })).body.message).toBe('Texts are on.')
    await portal.runJobs()
    expect((await inbox(phone)).at(-1)).toContain('Msg & data rates may apply. Reply STOP to end, HELP for help.')
    expect((await callApi('return/profile/texts')).body).toMatchObject({ state: 'on', phone: '(717) 555-0170' })
    clock.set('2026-11-22T15:00:00Z')
  })

  test('sends support replies by text, at most once a minute', async () => {
    const request = { name: 'Naomi', email: 'naomi@example.org', phone: '', category: 'site', message: 'It is slow.' }
    const { number } = (
      await portal.post(HOST, 'send/support/request', request, {
        token: tokens.resident,
        headers: { 'idempotency-key': crypto.randomUUID() },
      })
    ).body
    const { rows } = await owner.query('SELECT id FROM support_request')
    for (const seen of [0, 1]) {
      const { rows: now } = await owner.query('SELECT last_message_id FROM support_request')
      const response = { companyId: maple.id, subjectId: rows[0].id, message: 'We look.', complete: false }
      const { status } = await portal.post(
        'admin.localhost',
        'admin/reply/support/request',
        { ...response, seen: Number(now[0].last_message_id) },
        { token: tokens.platform, headers: { 'idempotency-key': crypto.randomUUID() } },
      )
      expect([seen, status]).toEqual([seen, 200])
    }
    clock.advance(60_000)
    await portal.runJobs()
    expect((await inbox(phone)).filter((body) => body.includes('replied'))).toEqual([
      `Maple Grove: we replied to your request ${number}. The reply is in your email.`,
    ])
  })

  test('report that the phone replied STOP, and send it no texts', async () => {
    await write(phone, 'STOP')
    expect((await callApi('return/profile/texts')).body).toMatchObject({ state: 'on', optedOut: true })
    expect((await callApi('stop/profile/texts')).status).toBe(200)
    expect((await callApi('start/profile/texts', { phone: '717-555-0170', agree: true })).status).toBe(409)
    await write(phone, 'START')
    expect((await callApi('start/profile/texts', { phone: '717-555-0170', agree: true })).status).toBe(200)
    await callApi('stop/profile/texts')
    expect((await callApi('return/profile/texts')).body.state).toBe('off')
  })
})

test('shows staff the company’s masked notices by email and text', async () => {
  const { status, body } = await portal.post(HOST, 'muni/return/notices', { pageSize: 100 }, { token: tokens.staff })
  expect(status).toBe(200)
  const text = JSON.stringify(body)
  expect(text).not.toMatch(/ida@example|\+1717|naomi@/)
  expect(new Set(body.rows.map(({ channel }: { channel: string }) => channel))).toEqual(new Set(['email', 'text']))
  expect(body.rows).toContainEqual(
    expect.objectContaining({ to: 'i***@example.org', channel: 'email', state: 'waiting' }),
  )
  expect((await portal.post(HOST, 'muni/return/notices', {}, { token: tokens.resident })).status).toBe(403)
})

describe('many texts together', () => {
  const many = async (phones: string[], kind: 'alerts' | 'emergencies' = 'emergencies') => {
    const texts: { person: number; phone: string; body: string }[] = []
    for (const phone of phones) texts.push({ person: await person(phone), phone, body: 'the river rises.' })
    return context.inCompany(maple.id, async (tx) => [
      ...(
        await queueMany(tx, context, { company: maple, event: 'tests.many', kind, texts }, usualSmsSettings)
      ).values(),
    ])
  }

  test('are each sent once, for any number of senders', async () => {
    const phones = Array.from({ length: 60 }, (_, n) => `+1717555${6000 + n}`)
    const ids = await many(phones)
    await Promise.all([sendMany(context, maple.id, ids), sendMany(context, maple.id, ids)])
    await portal.runJobs()
    expect((await Promise.all(phones.map(inbox))).every((texts) => texts.length === 1)).toBe(true)
    expect((await messages(phones[0] ?? ''))[0]).toMatchObject({ state: 'delivered', attempts: 1 })
  })

  test('leave out opted-out and paused numbers, with the reason', async () => {
    const [optedOut, rests, dead, fine] = ['+17175556101', '+17175556102', '+17175550191', '+17175556103'] as const
    await owner.query('INSERT INTO sms_opt_out (company_id, phone, at) VALUES ($1, $2, now())', [maple.id, optedOut])
    await owner.query(
      `INSERT INTO refused_address (company_id, address, code, refused_at, rests_until) VALUES ($1, $2, '30003', now(), '2027-01-01')`,
      [maple.id, rests],
    )
    await sendMany(context, maple.id, await many([optedOut, rests, dead, fine]))
    await portal.runJobs()
    const last = await Promise.all([optedOut, rests, dead, fine].map(async (phone) => (await states(phone)).at(-1)))
    expect(last).toEqual([
      ['stopped', '21610'],
      ['resting', 'rests'],
      ['failed', '21211'],
      ['delivered', ''],
    ])
    expect(await inbox(optedOut)).toEqual([])
  })

  test('continue as jobs with the same key after a crash', async () => {
    const phones = ['+17175556201', '+17175556202', '+17175556203']
    const ids = await many(phones)
    const send = context.sms.send.bind(context.sms)
    let requests = 0
    const lost = vi.spyOn(context.sms, 'send').mockImplementation(async (text) => {
      requests += 1
      // The first message arrives, but its response is lost, as if the process died before it saved the result.
      if (requests === 1) await send(text)
      return new Promise(() => {})
    })
    void sendMany(context, maple.id, ids)
    await expect.poll(() => requests).toBe(3)
    lost.mockRestore()
    clock.set(new Date(clock.now().getTime() + 180_000).toISOString())
    await sendMany(context, maple.id, ids)
    await portal.runJobs()
    for (const phone of phones) expect(await inbox(phone)).toHaveLength(1)
    expect(await states(phones[0] ?? '')).toEqual([['delivered', '']])
  })

  test('wait for provider limits and quiet hours', async () => {
    const phones = Array.from({ length: 30 }, (_, n) => `+1717555${6300 + n}`)
    const ids = await many(phones)
    const send = context.sms.send.bind(context.sms)
    let accepted = 0
    const full = vi.spyOn(context.sms, 'send').mockImplementation(async (text) => {
      if (accepted >= 10) throw new SmsRefused('429')
      accepted += 1
      return send(text)
    })
    await sendMany(context, maple.id, ids)
    full.mockRestore()
    const open = async () => (await Promise.all(phones.map(states))).filter(([one]) => one?.[0] === 'waiting').length
    expect(await open()).toBe(20)
    clock.set(new Date(clock.now().getTime() + 5000).toISOString())
    await sendMany(context, maple.id, ids)
    expect(await open()).toBe(0)
    clock.set('2026-11-22T04:00:00Z')
    const [night = 0] = await many(['+17175556401'], 'alerts')
    await sendMany(context, maple.id, [night])
    expect(await states('+17175556401')).toEqual([['waiting', '']])
    clock.set('2026-11-22T14:00:00Z')
    await sendMany(context, maple.id, [night])
    expect(await inbox('+17175556401')).toHaveLength(1)
  })
})
