import { existsSync, readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { beforeEach, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { testFolder, testPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/company.ts'
import { ACCOUNT, type TwilioRequest, listenAsTwilio, TOKEN } from '../../test/twilio.ts'
import { readConfig } from '../config.ts'
import type { Company } from '../hosts.ts'
import { signatureOf } from '../sms/signature.ts'
import { usualSmsSettings } from '../sms/settings.ts'
import { freePort } from '../ports.ts'
import { VoiceRefused } from './provider.ts'
import { queueCalls, repeatCall } from './queue.ts'
import { twilioVoice } from './twilio.ts'
import { twimlOf } from './twiml.ts'
import { readyToSay } from './texts.ts'

const server = await listenAsTwilio()
const FROM = '+17175550100'
const environment = {
  ...{ DEMO: '0', PUBLIC_URL: 'https://localhost', SMS_PROVIDER: 'twilio', TWILIO_FROM: FROM },
  ...{ TWILIO_API_URL: server.url, TWILIO_ACCOUNT_SID: ACCOUNT, TWILIO_AUTH_TOKEN: TOKEN },
}
const provider = twilioVoice(readConfig({ DATA_DIR: testFolder(), ...environment }, 'test').sms)
const KEYS_URL = 'https://localhost/webhooks/calls/keys?company=101&call=5'
const say = [{ language: 'es' as const, text: 'El río & el puente están cerrados.' }]
const call = {
  ...{ key: 'k-1', to: '+17175550142', from: FROM, say, keysUrl: KEYS_URL },
  twiml: twimlOf(say, 'Maple Grove', KEYS_URL),
  statusUrl: 'https://localhost/webhooks/calls/status?company=101&call=5&try=1',
}
beforeEach(() => {
  server.refuse = server.onCall = null
  server.calls.length = server.query.length = 0
})

test('says its words twice, asks for a key and awaits the tone', async () => {
  const sid = await provider.call(call)
  expect(server.calls).toMatchObject([{ sid, to: call.to, from: FROM }])
  const [request] = server.query as [TwilioRequest]
  expect(request.fields.getAll('StatusCallbackEvent')).toEqual(['initiated', 'ringing', 'answered', 'completed'])
  expect(request.form).toMatchObject({
    MachineDetection: 'DetectMessageEnd',
    StatusCallback: call.statusUrl,
    Timeout: '30',
  })
  const twiml = request.form['Twiml'] ?? ''
  expect(twiml.match(/<Say language="es-US">El río &amp; el puente están cerrados\.<\/Say>/g)).toHaveLength(2)
  expect(twiml).toContain('action="https://localhost/webhooks/calls/keys?company=101&amp;call=5"')
  expect(twiml).toContain('Pulse 9')
})

test('asks for no key and detects no machine for a code', async () => {
  await provider.call({ ...call, keysUrl: '', twiml: twimlOf(say, 'Maple Grove', '') })
  const [request] = server.query as [TwilioRequest]
  expect(request.form).not.toHaveProperty('MachineDetection')
  expect(request.form['Twiml']).not.toContain('Gather')
})

test('fits the longest words into the 4,000 characters of a call', () => {
  for (const message of ['&'.repeat(3000), 'Stay inside, "now". '.repeat(200), `${'x'.repeat(1600)} end`]) {
    const text = readyToSay(message)
    expect(
      twimlOf([{ language: 'es', text }], 'A town with a name of forty letters, yes', KEYS_URL).length,
    ).toBeLessThan(4000)
  }
})

test.each([
  [400, { code: 21211 }, '21211', false],
  [401, {}, '401', false],
  [429, { code: 20429 }, '429', true],
])('refuses the call if Twilio answers %i', async (status, body, code, isOnlyNow) => {
  server.refuse = { status, body }
  const refusal = await provider.call(call).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(VoiceRefused)
  expect(refusal).toMatchObject({ code, isOnlyNow })
})

test('leaves the result open after a server error, not without connection', async () => {
  server.refuse = { status: 503, body: {} }
  expect(await provider.call(call).catch((error: unknown) => error)).not.toBeInstanceOf(VoiceRefused)
  const nowhere = twilioVoice(
    // The configuration uses a port that no server listens on.
    readConfig(
      { DATA_DIR: testFolder(), ...environment, TWILIO_API_URL: `http://127.0.0.1:${await freePort()}` },
      'test',
    ).sms,
  )
  expect(await nowhere.call(call).catch((error: unknown) => error)).toMatchObject({
    code: 'unreached',
    isOnlyNow: true,
  })
})

test('finds a call by both numbers and its time, or by id', async () => {
  const sid = await provider.call(call)
  await provider.call({ ...call, to: '+17175550143' })
  await provider.call({ ...call, from: '+17175550109' })
  expect(await provider.find(call, new Date(Date.now() - 60_000))).toEqual([sid])
  expect(await provider.find(call, new Date(Date.now() + 60_000))).toEqual([])
  Object.assign(server.calls[0] ?? {}, { status: 'completed', answered_by: 'human', duration: '71' })
  expect(await provider.fetchCall(sid)).toEqual({
    id: sid,
    status: 'completed',
    answeredBy: 'human',
    seconds: 71,
    code: '',
  })
  expect(await provider.fetchCall(`CA${'0'.repeat(32)}`)).toBeNull()
})

describe('a call by Twilio', async () => {
  const portal = await testPortal({ env: environment })
  const { context, owner } = portal
  // Twilio's callbacks contain the real time, so the test uses the real time too.
  portal.clock.set(new Date().toISOString())
  const id = await openTestCompany(portal, mapleGrove)
  const company = (await context.hosts.byId(id)) as Company
  let phones = 200
  const queue = async () => {
    const phone = `+17175550${(phones += 1)}`
    const { rows } = await owner.query(
      `INSERT INTO person (company_id, email, role_id, first_name, last_name) VALUES ($1, $2, 1, 'Ida', 'Moss') RETURNING id`,
      [id, `p${phones}@example.org`],
    )
    await owner.query(
      `INSERT INTO voice_number (company_id, person_id, phone, agreed_at, agreed_to, confirmed_at) VALUES ($1, $2, $3, now(), '', now())`,
      [id, rows[0].id, phone],
    )
    const called = { person: rows[0].id as number, phone, content: say }
    const [queued = 0] = await context.inCompany(id, (tx) =>
      queueCalls(tx, context, { company, event: 'alert.sent', kind: 'emergencies' }, [called], usualSmsSettings),
    )
    return { queued, phone }
  }
  const row = async (queued: number) => (await owner.query('SELECT * FROM voice_call WHERE id = $1', [queued])).rows[0]
  const notifyStatus = (queued: number, tried: number, form: Record<string, string>, token = TOKEN) => {
    const url = `/webhooks/calls/status?company=${id}&call=${queued}&try=${tried}`
    const params = new URLSearchParams(form)
    const signature = signatureOf(token, `https://localhost${url}`, params)
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature }
    return portal.app.inject({ method: 'POST', url, payload: params.toString(), headers })
  }
  const later = (ms: number) => portal.clock.advance(ms)

  test('is requested once and only moves forward with Twilio’s status reports', async () => {
    const { queued } = await queue()
    await portal.runJobs()
    const CallSid = server.calls[0]?.sid ?? ''
    expect(await row(queued)).toMatchObject({ state: 'sent', provider_id: CallSid, tries: 1 })
    const done = { CallSid, CallStatus: 'completed', CallDuration: '61', AnsweredBy: 'machine_end_beep' }
    for (const form of [done, { CallSid, CallStatus: 'ringing' }, done])
      expect((await notifyStatus(queued, 1, form)).statusCode).toBe(204)
    expect(await row(queued)).toMatchObject({ state: 'delivered', reason: 'machine', minutes: 2 })
    await portal.runJobs()
    expect(server.calls).toHaveLength(1)
  })

  test('rejects callbacks without a signature by the account’s token', async () => {
    const { queued } = await queue()
    await portal.runJobs()
    const form = { CallSid: server.calls[0]?.sid ?? '', CallStatus: 'completed' }
    expect((await notifyStatus(queued, 1, form, 'c'.repeat(32))).statusCode).toBe(403)
    expect(await row(queued)).toMatchObject({ state: 'sent' })
  })

  test('with a lost answer is found at Twilio and not requested again', async () => {
    const { queued } = await queue()
    server.onCall = () => Promise.reject(new Error('the answer is lost'))
    await portal.runJobs()
    server.onCall = null
    expect(await row(queued)).toMatchObject({ state: 'waiting', reason: 'no answer', provider_id: null })
    later(61_000)
    await context.jobs.runNow('voice.refresh')
    expect(await row(queued)).toMatchObject({ state: 'sent', provider_id: server.calls[0]?.sid, tries: 1 })
    expect(server.calls).toHaveLength(1)
  })

  test('with an unknown result is repeated only once, by staff', async () => {
    const { queued } = await queue()
    server.refuse = { status: 503, body: {} }
    await portal.runJobs()
    server.refuse = null
    for (let times = 0; times < 3; times += 1) {
      later(61_000)
      await context.jobs.runNow('voice.refresh')
    }
    expect([await row(queued), server.calls.length]).toMatchObject([{ state: 'unclear', reason: 'no answer' }, 0])
    const repeat = () => context.inCompany(id, (tx) => repeatCall(tx, context, id, queued))
    expect([await repeat(), await repeat()]).toEqual([expect.stringContaining('***'), null])
    await portal.runJobs()
    expect([await row(queued), server.calls.length]).toMatchObject([{ state: 'sent', tries: 2 }, 1])
  })

  test('becomes clear when Twilio reports its status', async () => {
    const { queued } = await queue()
    server.refuse = { status: 503, body: {} }
    await portal.runJobs()
    server.refuse = null
    later(61_000)
    await context.jobs.runNow('voice.refresh')
    expect(await row(queued)).toMatchObject({ state: 'unclear' })
    await notifyStatus(queued, 1, { CallSid: `CA${'d'.repeat(32)}`, CallStatus: 'completed', CallDuration: '20' })
    expect(await row(queued)).toMatchObject({ state: 'delivered', minutes: 1 })
  })

  test('becomes unclear if the portal stopped before requesting it', async () => {
    const { queued } = await queue()
    const { now } = portal.clock
    await owner.query(`UPDATE voice_call SET requested_at = $2, held_until = $2, tries = 1 WHERE id = $1`, [
      queued,
      now(),
    ])
    later(1000)
    await portal.runJobs()
    expect([await row(queued), server.calls.length]).toMatchObject([{ state: 'unclear', tries: 1 }, 0])
  })

  test('is checked at Twilio if it rings too long', async () => {
    const { queued } = await queue()
    await portal.runJobs()
    Object.assign(server.calls[0] ?? {}, { status: 'completed', answered_by: 'human', duration: '30' })
    later(16 * 60_000)
    await context.jobs.runNow('voice.refresh')
    expect(await row(queued)).toMatchObject({ state: 'delivered', minutes: 1 })
  })

  test('is not repeated to an unknown number, which rests for calls only', async () => {
    const { queued, phone } = await queue()
    await portal.runJobs()
    await notifyStatus(queued, 1, { CallSid: server.calls[0]?.sid ?? '', CallStatus: 'failed', SipResponseCode: '404' })
    expect(await row(queued)).toMatchObject({ state: 'failed', reason: '404' })
    const { rows } = await owner.query('SELECT address FROM refused_address WHERE company_id = $1', [id])
    expect(rows.map(({ address }) => address)).toEqual([`tel:${phone}`])
  })
})

/** Path of Twilio's own OpenAPI description. It is not part of the project. */
const DESCRIPTION = process.env['TWILIO_OPENAPI'] ?? ''

describe.skipIf(!existsSync(DESCRIPTION))('Twilio’s OpenAPI description (TWILIO_OPENAPI)', () => {
  const described = existsSync(DESCRIPTION) ? JSON.parse(readFileSync(DESCRIPTION, 'utf8')) : {}
  const ajv = new Ajv({ strict: false, coerceTypes: 'array' })
  formats.default(ajv)
  const { post, get } = described.paths?.['/2010-04-01/Accounts/{AccountSid}/Calls.json'] ?? {}
  const validator = (schema: object): ValidateFunction =>
    ajv.compile({ ...schema, components: described.components, additionalProperties: false })

  test('matches requests to the description exactly', async () => {
    await provider.call(call)
    await provider.find(call, new Date())
    const [made, lookup] = server.query as [TwilioRequest, TwilioRequest]
    const form = validator(post.requestBody.content['application/x-www-form-urlencoded'].schema)
    const fields = { ...made.form, StatusCallbackEvent: made.fields.getAll('StatusCallbackEvent') }
    expect([form(fields), form.errors]).toEqual([true, null])
    expect(form({ ...fields, Key: 'x' })).toBe(false)
    const queryParameters = get.parameters.filter(({ in: location }: { in: string }) => location === 'query')
    const query = validator({
      type: 'object',
      properties: Object.fromEntries(
        queryParameters.map(({ name, schema }: { name: string; schema: object }) => [name, schema]),
      ),
    })
    expect([query(Object.fromEntries(lookup.url.searchParams)), query.errors]).toEqual([true, null])
  })

  test('lists exactly the call states that a callback may report', () => {
    const { enum: states } = described.components.schemas.call_enum_status
    expect(new Set(states)).toEqual(
      new Set(['queued', 'ringing', 'in-progress', 'completed', 'busy', 'failed', 'no-answer', 'canceled']),
    )
    const { properties } = described.components.schemas['api.v2010.account.call']
    expect(properties.sid.pattern).toBe('^CA[0-9a-fA-F]{32}$')
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining(['answered_by', 'duration', 'date_created', 'status']),
    )
  })
})
