import { Secret, TOTP } from 'otpauth'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DEMO_PASSWORD } from '../../identity/demo.ts'
import { TestPasskey } from '../../../test/passkey.ts'
import { type TestPortal, testPortal } from '../../../test/harness.ts'

const TOWN = 'maplegrove.localhost'
const HARBOR = 'harborcity.localhost'
const ADMIN = 'admin.localhost'
const PORT = ':3000'
const RESIDENT = 'resident@maplegrove.example'
const CLERK = 'staff@maplegrove.example'
const SUPER = 'super@mainstreet.example'
const password = DEMO_PASSWORD

let portal: TestPortal
beforeAll(async () => {
  portal = await testPortal({ demo: true })
})

/** Each test begins with nothing set up, nothing required, and nothing guessed wrong; a code's minute is over. */
beforeEach(async () => {
  portal.clock.advance(120_000)
  for (const table of ['authenticator', 'recovery_code', 'passkey', 'factor_step'])
    await portal.owner.query(`TRUNCATE ${table}, platform_${table}`)
  await portal.owner.query('TRUNCATE failed_guess')
  await portal.db.platform.query('UPDATE identity_settings SET require_second_factor = false')
  await portal.db.platform.query('UPDATE platform_identity_settings SET require_second_factor = false')
})

const login = (host: string, email: string, given = password) =>
  portal.post(host, host === ADMIN ? 'admin/login' : 'login', { email, password: given })

const codeOf = (secret: string, early = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: portal.clock.now().getTime() + early * 30_000 })

/** Sets an app up as its person does. A code counts once: the clock goes on by a minute. */
async function setUp(host: string, email: string) {
  const token = await portal.signIn(host, email)
  const begun = await portal.post(host, 'begin/profile/authenticator', { password }, { token })
  const { step, secret } = begun.body
  const confirmed = await portal.post(host, 'confirm/profile/authenticator', { step, code: codeOf(secret) }, { token })
  expect(confirmed.status, confirmed.body.message).toBe(200)
  portal.clock.advance(60_000)
  return { token, secret: secret as string, recoveryCodes: confirmed.body.recoveryCodes as string[] }
}

const ticketOf = async (host: string, email: string): Promise<string> => (await login(host, email)).body.second.ticket

const verify = (host: string, ticket: string, code: string) =>
  portal.post(host, 'verify/second/factor', { ticket, code })

describe('setting an authenticator app up', () => {
  it('asks for the password, and counts from its first code on', async () => {
    const token = await portal.signIn(TOWN, RESIDENT)
    const wrong = await portal.post(TOWN, 'begin/profile/authenticator', { password: 'Wrong-Word#1' }, { token })
    expect([wrong.status, Object.keys(wrong.body.details.fields)]).toEqual([422, ['password']])
    const { body } = await portal.post(TOWN, 'begin/profile/authenticator', { password }, { token })
    expect(body.uri).toMatch(/^otpauth:\/\/totp\/Maple%20Grove:resident%40maplegrove\.example\?issuer=Maple%20Grove/)
    expect((await login(TOWN, RESIDENT)).body.token).toBeDefined()
    const refused = await portal.post(
      ...([TOWN, 'confirm/profile/authenticator', { step: body.step, code: codeOf(body.secret, 5) }] as const),
      { token },
    )
    expect(refused.status).toBe(422)
    const { body: done } = await portal.post(
      ...([TOWN, 'confirm/profile/authenticator', { step: body.step, code: codeOf(body.secret) }] as const),
      { token },
    )
    expect(done.recoveryCodes).toHaveLength(10)
    const answer = await login(TOWN, RESIDENT)
    expect(answer.body).toEqual({
      success: true,
      message: expect.any(String),
      second: { ticket: expect.any(String), methods: ['totp', 'recovery'] },
    })
  })

  it('ends the other sessions, keeps this one, mails the person, and is written down', async () => {
    const other = await portal.signIn(TOWN, RESIDENT)
    const { token, secret, recoveryCodes } = await setUp(TOWN, RESIDENT)
    expect((await portal.post(TOWN, 'return/profile/factors', {}, { token: other })).status).toBe(401)
    const { body } = await portal.post(TOWN, 'return/profile/factors', {}, { token })
    expect(body).toMatchObject({ app: { recoveryCodesLeft: 10 }, passkeys: [], required: false })
    expect((await portal.mails()).at(-1)).toMatchObject({
      to_address: RESIDENT,
      subject: expect.stringMatching(/sign in/),
    })
    const { rows } = await portal.db.platform.query(
      "SELECT (SELECT secret_sealed FROM authenticator) AS sealed, (SELECT count(*)::int FROM audit_event WHERE action = 'second_factor.enabled') AS audited",
    )
    expect(rows[0].audited).toBeGreaterThan(0)
    expect(rows[0].sealed).not.toContain(secret)
    const { rows: codes } = await portal.db.platform.query('SELECT recovery_code::text AS row FROM recovery_code')
    for (const { row } of codes) for (const code of recoveryCodes) expect(row).not.toContain(code)
  })

  it('is another person’s step to nobody', async () => {
    const token = await portal.signIn(TOWN, RESIDENT)
    const stranger = await portal.signIn(TOWN, 'newcomer@maplegrove.example')
    const { body } = await portal.post(TOWN, 'begin/profile/authenticator', { password }, { token })
    const taken = { step: body.step, code: codeOf(body.secret) }
    const answer = await portal.post(TOWN, 'confirm/profile/authenticator', taken, { token: stranger })
    expect([answer.status, answer.body.code]).toEqual([409, 'step_over'])
    portal.clock.advance(5 * 60_000 + 1)
    const late = { step: body.step, code: codeOf(body.secret) }
    expect((await portal.post(TOWN, 'confirm/profile/authenticator', late, { token })).status).toBe(409)
  })
})

describe('the second step of signing in', () => {
  it('takes a code of now, or a step of 30 seconds beside it, once', async () => {
    const { secret } = await setUp(TOWN, RESIDENT)
    const [first, second] = [await ticketOf(TOWN, RESIDENT), await ticketOf(TOWN, RESIDENT)]
    const code = codeOf(secret)
    for (const far of [-2, 2]) expect((await verify(TOWN, first, codeOf(secret, far))).status).toBe(422)
    const { status, body } = await verify(TOWN, first, `${code.slice(0, 3)} ${code.slice(3)}`)
    expect([status, body.user.email, body.token.length]).toEqual([200, RESIDENT, 43])
    expect((await portal.post(TOWN, 'return/profile/user', {}, { token: body.token })).status).toBe(200)
    // The same code again, and an earlier one, with another ticket; and the ticket that was used.
    expect((await verify(TOWN, second, code)).status).toBe(422)
    expect((await verify(TOWN, second, codeOf(secret, -1))).status).toBe(422)
    expect((await verify(TOWN, second, codeOf(secret, 1))).status).toBe(200)
    expect((await verify(TOWN, first, codeOf(secret, 1))).body.code).toBe('ticket_over')
  })

  it('takes each recovery code once, however it is typed', async () => {
    const { recoveryCodes, token } = await setUp(TOWN, RESIDENT)
    const [one = '', two = ''] = recoveryCodes
    expect((await verify(TOWN, await ticketOf(TOWN, RESIDENT), one.toLowerCase().replace('-', ' '))).status).toBe(200)
    expect((await verify(TOWN, await ticketOf(TOWN, RESIDENT), one)).status).toBe(422)
    expect((await verify(TOWN, await ticketOf(TOWN, RESIDENT), two)).status).toBe(200)
    const { body } = await portal.post(TOWN, 'return/profile/factors', {}, { token })
    expect(body.app.recoveryCodesLeft).toBe(8)
  })

  it('sends back to the password after five wrong codes, and makes more guesses wait', async () => {
    const { secret } = await setUp(TOWN, RESIDENT)
    const ticket = await ticketOf(TOWN, RESIDENT)
    const answers = []
    for (let n = 0; n < 5; n += 1) answers.push(await verify(TOWN, ticket, '000000'))
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422, 409])
    expect(answers[3]?.body.message).toContain('one more try')
    // The right password does not forgive wrong codes.
    const fresh = await ticketOf(TOWN, RESIDENT)
    expect((await verify(TOWN, fresh, codeOf(secret))).status).toBe(429)
    portal.clock.advance(60_001)
    expect((await verify(TOWN, fresh, codeOf(secret))).status).toBe(200)
    expect((await verify(TOWN, ticket, codeOf(secret, 1))).status).toBe(409)
  })

  it('lets guesses that are sent at once try five times, too', async () => {
    await setUp(TOWN, RESIDENT)
    const ticket = await ticketOf(TOWN, RESIDENT)
    const answers = await Promise.all(Array.from({ length: 12 }, () => verify(TOWN, ticket, '000000')))
    expect(answers.filter(({ status }) => status === 422).length).toBeLessThanOrEqual(4)
  })

  it('is over after five minutes, and nobody’s in another town, or with a ticket of another kind', async () => {
    const { secret } = await setUp(TOWN, RESIDENT)
    const ticket = await ticketOf(TOWN, RESIDENT)
    for (const host of [HARBOR, ADMIN])
      expect((await verify(host, ticket, codeOf(secret))).body.code).toBe('ticket_over')
    expect((await portal.post(TOWN, 'begin/second/factor/enrolment', { ticket })).body.code).toBe('ticket_over')
    expect((await verify(TOWN, 'A'.repeat(43), codeOf(secret))).body.code).toBe('ticket_over')
    portal.clock.advance(5 * 60_000 + 1)
    expect((await verify(TOWN, ticket, codeOf(secret))).body.code).toBe('ticket_over')
  })

  it('is each person’s own: the code of one is none of another', async () => {
    const { secret } = await setUp(TOWN, RESIDENT)
    await setUp(TOWN, CLERK)
    expect((await verify(TOWN, await ticketOf(TOWN, CLERK), codeOf(secret))).status).toBe(422)
  })

  it('is nobody’s whose account was locked meanwhile', async () => {
    const { secret } = await setUp(TOWN, CLERK)
    const ticket = await ticketOf(TOWN, CLERK)
    await portal.db.platform.query(`UPDATE person SET locked_at = now() WHERE email = '${CLERK}'`)
    expect((await verify(TOWN, ticket, codeOf(secret))).status).toBe(401)
    await portal.db.platform.query(`UPDATE person SET locked_at = NULL WHERE email = '${CLERK}'`)
  })

  it('stands in the Login Report in words', async () => {
    const { secret, recoveryCodes } = await setUp(TOWN, CLERK)
    await verify(TOWN, await ticketOf(TOWN, CLERK), '000000')
    await verify(TOWN, await ticketOf(TOWN, CLERK), codeOf(secret))
    await verify(TOWN, await ticketOf(TOWN, CLERK), recoveryCodes[0] ?? '')
    const token = await portal.signIn(TOWN, 'admin@maplegrove.example')
    const { body: report } = await portal.post(TOWN, 'muni/return/login/report', { filters: {} }, { token })
    expect(report.rows.slice(1, 4)).toMatchObject([
      { how: 'Password and recovery code', outcome: 'accepted' },
      { how: 'Password and code', outcome: 'accepted' },
      { how: 'Password and code', outcome: 'refused', reason: 'Wrong code' },
    ])
  })
})

const originOf = (host: string) => `http://${host}${PORT}`

async function register(host: string, email: string) {
  const token = await portal.signIn(host, email)
  const { body } = await portal.post(host, 'begin/profile/passkey', { password }, { token })
  const key = new TestPasskey()
  const attestation = key.attestation(body.options.challenge, originOf(host))
  const saved = await portal.post(host, 'save/profile/passkey', { step: body.step, attestation }, { token })
  expect(saved.status, saved.body.message).toBe(200)
  return { token, key, id: saved.body.id as number }
}

/** The code of the newest link that a mail to this person holds behind `parameter`. */
async function mailedCode(email: string, parameter: 'token' | 'confirm'): Promise<string> {
  const texts = (await portal.mails()).filter(({ to_address }) => to_address === email).map((mail) => mail.text_body)
  const codes = texts.map((text) => new RegExp(`${parameter}=([\\w-]{43})`).exec(text)?.[1])
  return codes.findLast((code) => code !== undefined) ?? ''
}

/** Sets the password by a mailed link, to the same one again. */
async function setByMail(email: string) {
  await portal.post(TOWN, 'reset/profile/password', { email })
  await portal.runJobs()
  const answer = await portal.post(TOWN, 'set/profile/password', { code: await mailedCode(email, 'token'), password })
  expect(answer.status, answer.body.message).toBe(200)
  return answer.body
}
const lastLetter = async (email: string) =>
  (await portal.mails()).findLast(({ to_address }) => to_address === email)?.text_body ?? ''

describe('a new password', () => {
  it('that is set by mail takes back the ways in that nobody stood for since, and tells', async () => {
    await register(TOWN, RESIDENT)
    await setUp(TOWN, RESIDENT)
    const { others } = await setByMail(RESIDENT)
    expect(others).toMatchObject([
      { kind: 'app', stays: false },
      { kind: 'passkey', stays: false },
    ])
    expect((await login(TOWN, RESIDENT)).body.token).toBeDefined()
    expect(await lastLetter(RESIDENT)).toMatch(/took them back\. .*: your authenticator app, the passkey “/)
    const { rows } = await portal.db.platform.query(
      `SELECT (SELECT count(*) FROM passkey) + (SELECT count(*) FROM recovery_code) + (SELECT count(*) FROM authenticator) AS n,
        (SELECT detail FROM audit_event WHERE action = 'password.reset' ORDER BY id DESC LIMIT 1) AS detail`,
    )
    expect(rows[0]).toMatchObject({ n: 0, detail: { taken_back: ['app', 'passkey'] } })
  })

  it('leaves alone what its owner stood for by the link that told of it', async () => {
    await register(TOWN, RESIDENT)
    const { secret } = await setUp(TOWN, RESIDENT)
    portal.clock.advance(60_000)
    const stood = await portal.post(TOWN, 'confirm/profile/email', { code: await mailedCode(RESIDENT, 'confirm') })
    expect(stood.status, stood.body.message).toBe(200)
    const { others } = await setByMail(RESIDENT)
    expect(others.map(({ kind, stays }: { kind: string; stays: boolean }) => [kind, stays])).toEqual([
      ['app', true],
      ['passkey', true],
    ])
    const asked = (await login(TOWN, RESIDENT)).body.second
    expect((await verify(TOWN, asked.ticket, codeOf(secret))).body.token).toBeDefined()
    expect(await lastLetter(RESIDENT)).toContain('these sign you in: your authenticator app, the passkey “')
  })

  it('that is set in the settings does the same, and asks for a code where there is an app, which then stays', async () => {
    const { token } = await register(TOWN, RESIDENT)
    const change = (body: object, as: string) => portal.post(TOWN, 'change/profile/password', body, { token: as })
    const first = await change({ current: password, password: 'Quarry-Lantern#41' }, token)
    expect(first.body.others).toMatchObject([{ kind: 'passkey', stays: false }])
    const back = await change({ current: 'Quarry-Lantern#41', password }, token)
    expect(back.body.others).toEqual([])
    const { token: mine, secret } = await setUp(TOWN, RESIDENT)
    const body = { current: password, password: 'Quarry-Lantern#41' }
    expect((await change(body, mine)).body.details.fields.code).toBe('Enter the code.')
    expect((await change({ ...body, code: '000000' }, mine)).status).toBe(422)
    const kept = await change({ ...body, code: codeOf(secret) }, mine)
    expect(kept.body.others).toMatchObject([{ kind: 'app', stays: true }])
    await setByMail(RESIDENT)
  })

  it('ends what was begun with the one before', async () => {
    const token = await portal.signIn(TOWN, RESIDENT)
    const { body: begun } = await portal.post(TOWN, 'begin/profile/passkey', { password }, { token })
    const { body: app } = await portal.post(TOWN, 'begin/profile/authenticator', { password }, { token })
    const changed = { current: password, password: 'Quarry-Lantern#41' }
    await portal.post(TOWN, 'change/profile/password', changed, { token })
    const attestation = new TestPasskey().attestation(begun.options.challenge, originOf(TOWN))
    const saved = await portal.post(TOWN, 'save/profile/passkey', { step: begun.step, attestation }, { token })
    const confirm = { step: app.step, code: codeOf(app.secret) }
    const confirmed = await portal.post(TOWN, 'confirm/profile/authenticator', confirm, { token })
    expect([saved.body.code, confirmed.body.code]).toEqual(['step_over', 'step_over'])
    await setByMail(RESIDENT)
  })
})

it('nothing is added to an account whose email is a claim so far', async () => {
  const email = 'claimed@example.org'
  const form = { first_name: 'Ida', last_name: 'Moss', email, mobile_no: '', password }
  const { token } = (await portal.post(TOWN, 'sign-up', form)).body.session
  for (const path of ['begin/profile/authenticator', 'begin/profile/passkey'])
    expect((await portal.post(TOWN, path, { password }, { token })).body.code, path).toBe('confirm_email_first')
  await portal.post(TOWN, 'confirm/profile/email', { code: await mailedCode(email, 'confirm') })
  expect((await portal.post(TOWN, 'begin/profile/passkey', { password }, { token })).status).toBe(200)
})

describe('changing what was set up', () => {
  it('turns the app off by password and code alone', async () => {
    const { token, secret } = await setUp(TOWN, RESIDENT)
    const off = (body: object) => portal.post(TOWN, 'remove/profile/authenticator', body, { token })
    expect((await off({ password })).status).toBe(400)
    expect((await off({ password, code: '000000' })).body.details.fields.code).toBeDefined()
    expect((await off({ password: 'Wrong-Word#1', code: codeOf(secret) })).body.details.fields.password).toBeDefined()
    expect((await off({ password, code: codeOf(secret) })).status).toBe(200)
    expect((await login(TOWN, RESIDENT)).body.token).toBeDefined()
    expect((await off({ password, code: codeOf(secret) })).status).toBe(409)
  })

  it('makes new recovery codes in place of the old ones', async () => {
    const { token, secret, recoveryCodes } = await setUp(TOWN, RESIDENT)
    const proof = { password, code: codeOf(secret) }
    const { body } = await portal.post(TOWN, 'renew/profile/recovery/codes', proof, { token })
    expect(body.recoveryCodes).toHaveLength(10)
    expect((await verify(TOWN, await ticketOf(TOWN, RESIDENT), recoveryCodes[0] ?? '')).status).toBe(422)
    expect((await verify(TOWN, await ticketOf(TOWN, RESIDENT), body.recoveryCodes[0])).status).toBe(200)
  })

  it('moves to another phone with a code of the first, which counts until then', async () => {
    const { token, secret } = await setUp(TOWN, RESIDENT)
    expect((await portal.post(TOWN, 'begin/profile/authenticator', { password }, { token })).status).toBe(422)
    const proof = { password, code: codeOf(secret) }
    const { body } = await portal.post(TOWN, 'begin/profile/authenticator', proof, { token })
    portal.clock.advance(30_000)
    expect((await verify(TOWN, await ticketOf(TOWN, RESIDENT), codeOf(secret))).status).toBe(200)
    const confirm = { step: body.step, code: codeOf(body.secret) }
    expect((await portal.post(TOWN, 'confirm/profile/authenticator', confirm, { token })).status).toBe(200)
    portal.clock.advance(60_000)
    expect((await verify(TOWN, await ticketOf(TOWN, RESIDENT), codeOf(secret))).status).toBe(422)
    expect((await verify(TOWN, await ticketOf(TOWN, RESIDENT), codeOf(body.secret))).status).toBe(200)
  })
})

describe('a passkey', () => {
  const challengeAt = async (host: string, ticket?: string) => {
    const { body } = await portal.post(host, 'begin/passkey/sign-in', { ticket })
    return { step: body.step as string, challenge: body.options.challenge as string, options: body.options }
  }
  const show = (host: string, step: string, assertion: object) =>
    portal.post(host, 'sign-in/with/passkey', { step, assertion })

  it.each([
    [TOWN, RESIDENT],
    [ADMIN, SUPER],
  ])('signs in at %s by itself, for both factors', async (host, email) => {
    const { key } = await register(host, email)
    const { step, challenge, options } = await challengeAt(host)
    expect(options).toMatchObject({ rpId: host, userVerification: 'required' })
    const assertion = key.assertion(challenge, originOf(host))
    const { status, body } = await show(host, step, assertion)
    expect([status, body.user.email]).toEqual([200, email])
    // The same answer again: its challenge was used.
    expect((await show(host, step, assertion)).body.code).toBe('wrong_passkey')
    expect((await show(host, (await challengeAt(host)).step, assertion)).status).toBe(401)
  })

  it('is asked to be found by its device, verified, and named after the browser', async () => {
    const token = await portal.signIn(TOWN, RESIDENT)
    const { body } = await portal.post(TOWN, 'begin/profile/passkey', { password }, { token })
    expect(body.options).toMatchObject({
      rp: { id: TOWN, name: 'Maple Grove' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const { rows } = await portal.db.platform.query('SELECT count(*)::int AS n FROM passkey')
    expect(rows[0].n).toBe(0)
  })

  it('of another origin, without a verified person, or with a counter that went back is refused', async () => {
    const { key } = await register(TOWN, RESIDENT)
    const tries: [string, { verified?: boolean }][] = [
      [`http://${HARBOR}${PORT}`, {}],
      [`https://${TOWN}${PORT}`, {}],
      [`http://evil.${TOWN}${PORT}`, {}],
      [originOf(TOWN), { verified: false }],
    ]
    for (const [origin, how] of tries) {
      const { step, challenge } = await challengeAt(TOWN)
      expect((await show(TOWN, step, key.assertion(challenge, origin, how))).status, origin).toBe(401)
    }
    const { step, challenge } = await challengeAt(TOWN)
    expect((await show(TOWN, step, key.assertion(challenge, originOf(TOWN)))).status).toBe(200)
    key.counter = 0
    const again = await challengeAt(TOWN)
    expect((await show(TOWN, again.step, key.assertion(again.challenge, originOf(TOWN)))).status).toBe(401)
  })

  it('is none in another town, after five minutes, or of somebody who is locked', async () => {
    const { key } = await register(TOWN, RESIDENT)
    const there = await challengeAt(HARBOR)
    expect((await show(HARBOR, there.step, key.assertion(there.challenge, originOf(HARBOR)))).status).toBe(401)
    expect((await show(TOWN, there.step, key.assertion(there.challenge, originOf(TOWN)))).status).toBe(401)
    const late = await challengeAt(TOWN)
    portal.clock.advance(5 * 60_000 + 1)
    expect((await show(TOWN, late.step, key.assertion(late.challenge, originOf(TOWN)))).status).toBe(401)
    await portal.db.platform.query(`UPDATE person SET locked_at = now() WHERE email = '${RESIDENT}'`)
    const shut = await challengeAt(TOWN)
    expect((await show(TOWN, shut.step, key.assertion(shut.challenge, originOf(TOWN)))).status).toBe(401)
    await portal.db.platform.query(`UPDATE person SET locked_at = NULL WHERE email = '${RESIDENT}'`)
  })

  it('takes the place of a code, of its own person alone', async () => {
    const { key } = await register(TOWN, RESIDENT)
    const { key: clerks } = await register(TOWN, CLERK)
    // By itself it asks for nothing after the password.
    expect((await login(TOWN, RESIDENT)).body.token).toBeDefined()
    await setUp(TOWN, RESIDENT)
    const { ticket, methods } = (await login(TOWN, RESIDENT)).body.second
    expect(methods).toEqual(['totp', 'recovery', 'passkey'])
    const { challenge, options } = await challengeAt(TOWN, ticket)
    expect(options.allowCredentials).toHaveLength(1)
    const prove = (assertion: object) => portal.post(TOWN, 'verify/second/factor', { ticket, assertion })
    expect((await prove(clerks.assertion(challenge, originOf(TOWN)))).status).toBe(422)
    expect((await prove(key.assertion(challenge, originOf(TOWN)))).body.token).toBeDefined()
    expect((await prove(key.assertion(challenge, originOf(TOWN)))).body.code).toBe('ticket_over')
  })

  it('is renamed and removed by its person alone', async () => {
    const { token, id } = await register(TOWN, RESIDENT)
    const stranger = await portal.signIn(TOWN, CLERK)
    const rename = (as: string) =>
      portal.post(TOWN, 'rename/profile/passkey', { id, name: 'Work phone' }, { token: as })
    const remove = (as: string) => portal.post(TOWN, 'remove/profile/passkey', { id, password }, { token: as })
    expect([(await rename(stranger)).status, (await remove(stranger)).status]).toEqual([404, 404])
    expect((await rename(token)).status).toBe(200)
    expect((await portal.post(TOWN, 'return/profile/factors', {}, { token })).body.passkeys).toMatchObject([
      { id, name: 'Work phone', used: null },
    ])
    expect((await remove(token)).status).toBe(200)
    expect((await remove(token)).status).toBe(404)
  })

  it('is made with a code where codes are asked for', async () => {
    const { token, secret } = await setUp(TOWN, RESIDENT)
    expect((await portal.post(TOWN, 'begin/profile/passkey', { password }, { token })).status).toBe(422)
    const proof = { password, code: codeOf(secret) }
    expect((await portal.post(TOWN, 'begin/profile/passkey', proof, { token })).status).toBe(200)
  })
})

describe('somebody who lost their phone', () => {
  const RESET = 'muni/reset/municipality/staff/second-factor'

  it('gets rid of it by an administrator, is signed out, told, and gets in by the password', async () => {
    const { token, secret } = await setUp(TOWN, CLERK)
    const ticket = await ticketOf(TOWN, CLERK)
    const admin = await portal.signIn(TOWN, 'admin@maplegrove.example')
    const { body } = await portal.post(
      TOWN,
      'muni/return/municipality/staff',
      { filters: {}, search: CLERK },
      { token: admin },
    )
    const personId = body.rows[0].id
    const member = () => portal.post(TOWN, 'muni/return/municipality/staff/member', { personId }, { token: admin })
    expect((await member()).body.can.resetFactors).toBe(true)
    expect((await portal.post(TOWN, RESET, { personId }, { token })).status).toBe(403)
    expect((await portal.post(TOWN, RESET, { personId }, { token: admin })).status).toBe(200)
    expect((await member()).body.can.resetFactors).toBe(false)
    expect((await portal.post(TOWN, RESET, { personId }, { token: admin })).body.code).toBe('no_factors')
    expect((await portal.post(TOWN, 'return/profile/factors', {}, { token })).status).toBe(401)
    expect((await verify(TOWN, ticket, codeOf(secret))).body.code).toBe('ticket_over')
    expect((await login(TOWN, CLERK)).body.token).toBeDefined()
    expect((await portal.mails()).at(-1)?.text_body).toContain('An administrator took the authenticator app')
    const { rows } = await portal.db.platform.query(
      "SELECT count(*)::int AS n FROM audit_event WHERE action = 'staff.factors_reset'",
    )
    expect(rows[0].n).toBe(1)
  })

  it('never their own, nor those of a higher role, nor another town’s', async () => {
    const { token } = await setUp(TOWN, 'admin@maplegrove.example')
    const me = await portal.db.platform.query("SELECT id FROM person WHERE email = 'admin@maplegrove.example'")
    const personId = Number(me.rows[0].id)
    expect((await portal.post(TOWN, RESET, { personId }, { token })).status).toBe(403)
    const manager = await portal.signIn(TOWN, 'manager@maplegrove.example')
    expect((await portal.post(TOWN, RESET, { personId }, { token: manager })).status).toBe(403)
    const other = await portal.signIn(HARBOR, 'admin@harborcity.example')
    expect((await portal.post(HARBOR, RESET, { personId }, { token: other })).status).toBe(404)
  })
})

describe('where a second factor is required', () => {
  const rulesOf = async (companyId: number | null, requireSecondFactor: boolean) => {
    const token = await portal.signIn(ADMIN, SUPER)
    const body = { companyId, requireSecondFactor }
    const answer = await portal.post(ADMIN, 'admin/save/company/sign-in-rules', body, { token })
    expect(answer.status, answer.body.message).toBe(200)
    return (await portal.post(ADMIN, 'admin/return/sign-in/rules', { companyId }, { token })).body
  }
  const mapleGrove = async () =>
    (await portal.post(TOWN, 'return/company/id', { subdomain: 'maplegrove' })).body.company.id as number

  async function enrol(host: string, ticket: string) {
    const { body } = await portal.post(host, 'begin/second/factor/enrolment', { ticket })
    const again = await portal.post(host, 'begin/second/factor/enrolment', { ticket })
    expect(again.body.secret).toBe(body.secret)
    const wrong = await portal.post(host, 'confirm/second/factor/enrolment', { ticket, code: '000000' })
    expect(wrong.status).toBe(422)
    const done = { ticket, code: codeOf(body.secret) }
    return { secret: body.secret as string, answer: await portal.post(host, 'confirm/second/factor/enrolment', done) }
  }

  it('staff sets one up while signing in, and residents stay free', async () => {
    expect(await rulesOf(await mapleGrove(), true)).toMatchObject({ requireSecondFactor: true, without: 14, staff: 14 })
    expect((await login(TOWN, RESIDENT)).body.token).toBeDefined()
    expect((await login(HARBOR, 'admin@harborcity.example')).body.token).toBeDefined()
    const { body } = await login(TOWN, CLERK)
    expect(body.token).toBeUndefined()
    const { ticket, methods } = body.second
    expect(methods).toEqual([])
    // The ticket opens nothing but the setting up.
    expect((await verify(TOWN, ticket, '000000')).body.code).toBe('ticket_over')
    expect((await portal.post(TOWN, 'return/profile/factors', {}, { token: ticket })).status).toBe(401)
    const { secret, answer } = await enrol(TOWN, ticket)
    expect(answer.body).toMatchObject({ session: { user: { email: CLERK } }, recoveryCodes: { length: 10 } })
    portal.clock.advance(60_000)
    expect((await verify(TOWN, await ticketOf(TOWN, CLERK), codeOf(secret))).status).toBe(200)
    const { token } = answer.body.session
    portal.clock.advance(60_000)
    const off = await portal.post(
      ...([TOWN, 'remove/profile/authenticator', { password, code: codeOf(secret) }] as const),
      { token },
    )
    expect([off.status, off.body.code]).toEqual([409, 'second_factor_required'])
  })

  it('the platform’s own staff does, too', async () => {
    await rulesOf(null, true)
    const { ticket, methods } = (await login(ADMIN, SUPER)).body.second
    expect(methods).toEqual([])
    const { answer } = await enrol(ADMIN, ticket)
    expect(answer.body.session.user.email).toBe(SUPER)
  })

  it('is set by the platform alone', async () => {
    const token = await portal.signIn(TOWN, 'admin@maplegrove.example')
    const body = { companyId: await mapleGrove(), requireSecondFactor: true }
    expect((await portal.post(TOWN, 'admin/save/company/sign-in-rules', body, { token })).status).toBe(403)
    const caller = await portal.signIn(ADMIN, 'callcenter@mainstreet.example')
    expect((await portal.post(ADMIN, 'admin/save/company/sign-in-rules', body, { token: caller })).status).toBe(403)
  })
})
