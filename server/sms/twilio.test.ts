import { existsSync, readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { testFolder, testPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/company.ts'
import { ACCOUNT, type TwilioRequest, listenAsTwilio, TOKEN } from '../../test/twilio.ts'
import { SmsRefused } from './provider.ts'
import { freePort } from '../ports.ts'
import { signatureOf } from './signature.ts'
import { twilio } from './twilio.ts'

const server = await listenAsTwilio()
const environment = (from: string) => ({
  ...{ DEMO: '0', PUBLIC_URL: 'https://localhost', SMS_PROVIDER: 'twilio' },
  ...{ TWILIO_API_URL: server.url, TWILIO_FROM: from, TWILIO_ACCOUNT_SID: ACCOUNT, TWILIO_AUTH_TOKEN: TOKEN },
})
const config = (from: string) => readConfig({ DATA_DIR: testFolder(), ...environment(from) }, 'test').sms
const provider = twilio(config('+17175550100'))
const text = {
  ...{ to: '+17175550142', from: '+17175550100', body: 'Maple Grove: hello & welcome.', key: 'localhost/101/5' },
  statusUrl: 'https://localhost/webhooks/sms/status?company=101&text=5',
}
beforeEach(() => {
  server.refuse = null
  server.messages.length = server.query.length = 0
})

test('sends a text message from a number or a messaging service', async () => {
  const sid = await provider.send(text)
  expect(server.messages).toMatchObject([{ sid, to: text.to, body: text.body }])
  const { to, from, body, statusUrl } = text
  expect(server.query[0]?.form).toEqual({ To: to, From: from, Body: body, StatusCallback: statusUrl })
  const service = `MG${'c'.repeat(32)}`
  await provider.send({ ...text, from: service })
  expect(server.query[1]?.form).toMatchObject({ MessagingServiceSid: service })
  expect(server.query[1]?.form).not.toHaveProperty('From')
})

test.each([
  [400, { code: 21211, message: 'Invalid To' }, '21211', false],
  [400, { code: 21610, message: 'unsubscribed' }, '21610', false],
  [401, {}, '401', false],
  [429, { code: 20429 }, '429', true],
])('refuses the message if Twilio answers %i', async (status, body, code, isOnlyNow) => {
  server.refuse = { status, body }
  const refusal = await provider.send(text).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(SmsRefused)
  expect(refusal).toMatchObject({ code, isOnlyNow })
})

test('leaves the result open if Twilio answers with a server error', async () => {
  server.refuse = { status: 503, body: {} }
  const failure = await provider.send(text).catch((error: unknown) => error)
  expect(failure).not.toBeInstanceOf(SmsRefused)
})

test('finds a text message by words, phone and request time', async () => {
  const sid = await provider.send(text)
  await provider.send({ ...text, body: 'Another.' })
  await provider.send({ ...text, to: '+17175550143' })
  const { to, body } = text
  expect(await provider.find({ to, body }, new Date(Date.now() - 60_000))).toEqual([sid])
  expect(await provider.find({ to, body }, new Date(Date.now() + 60_000))).toEqual([])
})

test('records STOP, which Twilio answers, and answers other words itself', async () => {
  const portal = await testPortal({ env: environment('+17175550100') })
  const company = await openTestCompany(portal, mapleGrove)
  const phone = '+17175550142'
  await portal.owner.query(
    `INSERT INTO sms_message (company_id, event, kind, phone, person_id, body, segments, created_at, send_after)
     VALUES ($1, 'texts.code', 'account', $2, 1, '', 1, now(), now())`,
    [company, phone],
  )
  const write = async (Body: string, MessageSid: string) => {
    const form = new URLSearchParams({ MessageSid, From: phone, To: '+17175550100', Body, NumMedia: '0' })
    const url = '/webhooks/sms/incoming'
    const { body } = await portal.app.inject({
      ...{ method: 'POST', url, payload: form.toString() },
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        // Signs the public URL that Twilio calls. A proxy may have changed the URL of the request.
        'x-twilio-signature': signatureOf(TOKEN, `https://localhost${url}`, form),
      },
    })
    return body
  }
  expect(await write('Stop', 'SM1')).toContain('<Response></Response>')
  const { rows } = await portal.owner.query('SELECT company_id, phone FROM sms_opt_out')
  expect(rows).toEqual([{ company_id: company, phone }])
  expect(await write('HELP', 'SM2')).toContain('<Response></Response>')
  expect(await write('Is the office open?', 'SM3')).toContain('No one reads texts sent to this number')
})

describe('a text message with a lost answer', () => {
  const setUp = async () => {
    const portal = await testPortal({ env: environment('+17175550100') })
    const { owner, context } = portal
    const company = await openTestCompany(portal, mapleGrove)
    const staff = await portal.signIn('maplegrove.localhost', 'admin@maplegrove.example')
    const { rows } = await owner.query(
      `INSERT INTO sms_message (company_id, event, kind, phone, person_id, body, segments, created_at, send_after)
       VALUES ($1, 'texts.code', 'account', $2, 1, 'hello', 1, now(), now()) RETURNING id`,
      [company, '+17175550142'],
    )
    const { id } = rows[0]
    const tryIt = () => context.jobs.runNow('sms.send', { company, id }).catch(() => {})
    const state = async () => (await owner.query('SELECT state FROM sms_message WHERE id = $1', [id])).rows[0].state
    const again = () => portal.post('maplegrove.localhost', 'muni/resend/notice', { noticeId: id }, { token: staff })
    return { portal, tryIt, state, again, company, id }
  }

  test('is listed as unclear if not found, and resent only by staff', async () => {
    const { portal, tryIt, state, again } = await setUp()
    expect((await again()).status).toBe(409)
    server.refuse = { status: 503, body: {} }
    await tryIt()
    server.refuse = null
    await tryIt()
    expect([await state(), server.messages.length]).toEqual(['unclear', 0])
    await portal.runJobs()
    await tryIt()
    expect([await state(), server.messages.length]).toEqual(['unclear', 0])
    expect((await again()).body.message).toMatch(/is being sent again/)
    await portal.runJobs()
    expect([await state(), server.messages.length]).toEqual(['sent', 1])
    expect((await again()).status).toBe(409)
  })

  test('becomes known by Twilio’s callback, however late', async () => {
    const { portal, tryIt, state, company, id } = await setUp()
    server.refuse = { status: 503, body: {} }
    await tryIt()
    server.refuse = null
    await tryIt()
    expect(await state()).toBe('unclear')
    const form = new URLSearchParams({ MessageSid: 'SM9', MessageStatus: 'delivered' })
    const url = `/webhooks/sms/status?company=${company}&text=${id}`
    await portal.app.inject({
      ...{ method: 'POST', url, payload: form.toString() },
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': signatureOf(TOKEN, `https://localhost${url}`, form),
      },
    })
    expect(await state()).toBe('delivered')
  })

  test('is retried if the connection failed before sending', async () => {
    const nobody = twilio({ ...config('+17175550100'), apiUrl: `http://127.0.0.1:${await freePort()}` })
    expect(await nobody.send(text).catch((error: unknown) => error)).toMatchObject({ isOnlyNow: true })
  })
})

/**
 * Path of Twilio's own OpenAPI description, which is not part of the project. Without it, the tests that need it are
 * skipped.
 */
const DESCRIPTION = process.env['TWILIO_OPENAPI'] ?? ''

describe.skipIf(!existsSync(DESCRIPTION))('Twilio’s OpenAPI description (TWILIO_OPENAPI)', () => {
  const described = existsSync(DESCRIPTION) ? JSON.parse(readFileSync(DESCRIPTION, 'utf8')) : {}
  const ajv = new Ajv({ strict: false, coerceTypes: true })
  formats.default(ajv)
  const path = '/2010-04-01/Accounts/{AccountSid}/Messages.json'
  // The schema refers to other parts of the description, so the validator needs the whole description.
  const validator = (schema: object): ValidateFunction =>
    ajv.compile({ ...schema, components: described.components, additionalProperties: false })

  test('matches requests and answers to the description exactly', async () => {
    await provider.send(text)
    await provider.find(text, new Date())
    const [sent, lookup] = server.query as [TwilioRequest, TwilioRequest]
    const { post, get } = described.paths[path]
    const form = validator(post.requestBody.content['application/x-www-form-urlencoded'].schema)
    expect([form(sent.form), form.errors]).toEqual([true, null])
    expect(form({ ...sent.form, Sender: 'x' })).toBe(false)
    const queryParameters = get.parameters.filter(({ in: location }: { in: string }) => location === 'query')
    const query = validator({
      type: 'object',
      properties: Object.fromEntries(
        queryParameters.map(({ name, schema }: { name: string; schema: object }) => [name, schema]),
      ),
    })
    expect([query(Object.fromEntries(lookup.url.searchParams)), query.errors]).toEqual([true, null])
    const account = get.parameters.find(({ name }: { name: string }) => name === 'AccountSid')
    expect(new RegExp(account.schema.pattern).test(ACCOUNT)).toBe(true)
  })

  test('lists exactly the message states that a callback may report', () => {
    const states = described.components.schemas.message_enum_status.enum
    expect(states).toEqual(
      expect.arrayContaining(['queued', 'sent', 'delivered', 'undelivered', 'failed', 'canceled', 'read']),
    )
    expect(described.components.schemas['api.v2010.account.message'].properties.sid.pattern).toBe(
      '^(SM|MM)[0-9a-fA-F]{32}$',
    )
  })
})
