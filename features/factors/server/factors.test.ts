import { Secret, TOTP } from 'otpauth'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DEMO_PASSWORD } from '../../identity/demo.ts'
import { TestPasskey } from '../../../test/passkey.ts'
import { type TestPortal, testPortal } from '../../../test/harness.ts'

const HOST = 'maplegrove.localhost'
const HARBOR = 'harborcity.localhost'
const ADMIN = 'admin.localhost'
const PORT = ':3000'
const RESIDENT = 'resident@maplegrove.example'
const STAFF_EMAIL = 'staff@maplegrove.example'
const SUPER = 'super@mainstreet.example'
const password = DEMO_PASSWORD

let portal: TestPortal
beforeAll(async () => {
  portal = await testPortal({ demo: true })
})

/** Each test starts without factors, requirements or failed attempts. The clock is past the minute of the last code. */
beforeEach(async () => {
  portal.clock.advance(120_000)
  for (const table of ['authenticator', 'recovery_code', 'passkey', 'factor_step'])
    await portal.owner.query(`TRUNCATE ${table}, platform_${table}`)
  await portal.owner.query('TRUNCATE failed_guess')
  await portal.db.platform.query('UPDATE identity_settings SET require_second_factor = false')
  await portal.db.platform.query('UPDATE platform_identity_settings SET require_second_factor = false')
})

const login = (host: string, email: string, usedPassword = password) =>
  portal.post(host, host === ADMIN ? 'admin/login' : 'login', { email, password: usedPassword })

const codeOf = (secret: string, early = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: portal.clock.now().getTime() + early * 30_000 })

/** Sets up an app as its owner does. Each code is valid only once, so the clock advances by a minute. */
async function setUp(host: string, email: string) {
  const token = await portal.signIn(host, email)
  const started = await portal.post(host, 'start/profile/authenticator', { password }, { token })
  const { step, secret } = started.body
  const confirmed = await portal.post(host, 'confirm/profile/authenticator', { step, code: codeOf(secret) }, { token })
  expect(confirmed.status, confirmed.body.message).toBe(200)
  portal.clock.advance(60_000)
  return { token, secret: secret as string, recoveryCodes: confirmed.body.recoveryCodes as string[] }
}

const ticketOf = async (host: string, email: string): Promise<string> => (await login(host, email)).body.second.ticket

const verify = (host: string, ticket: string, code: string) =>
  portal.post(host, 'verify/second/factor', { ticket, code })

describe('authenticator app setup', () => {
  it('asks for the password and activates with the first code', async () => {
    const token = await portal.signIn(HOST, RESIDENT)
    const invalid = await portal.post(HOST, 'start/profile/authenticator', { password: 'Wrong-Word#1' }, { token })
    expect([invalid.status, Object.keys(invalid.body.details.fields)]).toEqual([422, ['password']])
    const { body } = await portal.post(HOST, 'start/profile/authenticator', { password }, { token })
    expect(body.uri).toMatch(/^otpauth:\/\/totp\/Maple%20Grove:resident%40maplegrove\.example\?issuer=Maple%20Grove/)
    expect((await login(HOST, RESIDENT)).body.token).toBeDefined()
    const refused = await portal.post(
      ...([HOST, 'confirm/profile/authenticator', { step: body.step, code: codeOf(body.secret, 5) }] as const),
      { token },
    )
    expect(refused.status).toBe(422)
    const { body: done } = await portal.post(
      ...([HOST, 'confirm/profile/authenticator', { step: body.step, code: codeOf(body.secret) }] as const),
      { token },
    )
    expect(done.recoveryCodes).toHaveLength(10)
    const response = await login(HOST, RESIDENT)
    expect(response.body).toEqual({
      success: true,
      message: expect.any(String),
      second: { ticket: expect.any(String), methods: ['totp', 'recovery'] },
    })
  })

  it('ends other sessions, keeps this one, emails the person and logs it', async () => {
    const other = await portal.signIn(HOST, RESIDENT)
    const { token, secret, recoveryCodes } = await setUp(HOST, RESIDENT)
    expect((await portal.post(HOST, 'return/profile/factors', {}, { token: other })).status).toBe(401)
    const { body } = await portal.post(HOST, 'return/profile/factors', {}, { token })
    expect(body).toMatchObject({ app: { recoveryCodesLeft: 10 }, passkeys: [], required: false })
    expect((await portal.emails()).at(-1)).toMatchObject({
      to_address: RESIDENT,
      subject: expect.stringMatching(/sign-in methods/),
    })
    const { rows } = await portal.db.platform.query(
      "SELECT (SELECT secret_sealed FROM authenticator) AS sealed, (SELECT count(*)::int FROM audit_event WHERE action = 'second_factor.enabled') AS audited",
    )
    expect(rows[0].audited).toBeGreaterThan(0)
    expect(rows[0].sealed).not.toContain(secret)
    const { rows: codes } = await portal.db.platform.query('SELECT recovery_code::text AS row FROM recovery_code')
    for (const { row } of codes) for (const code of recoveryCodes) expect(row).not.toContain(code)
  })

  it('rejects the step of another person', async () => {
    const token = await portal.signIn(HOST, RESIDENT)
    const stranger = await portal.signIn(HOST, 'newcomer@maplegrove.example')
    const { body } = await portal.post(HOST, 'start/profile/authenticator', { password }, { token })
    const confirmation = { step: body.step, code: codeOf(body.secret) }
    const response = await portal.post(HOST, 'confirm/profile/authenticator', confirmation, { token: stranger })
    expect([response.status, response.body.code]).toEqual([409, 'step_expired'])
    portal.clock.advance(5 * 60_000 + 1)
    const late = { step: body.step, code: codeOf(body.secret) }
    expect((await portal.post(HOST, 'confirm/profile/authenticator', late, { token })).status).toBe(409)
  })
})

describe('second step of sign-in', () => {
  it('accepts each code once, at most one time step early or late', async () => {
    const { secret } = await setUp(HOST, RESIDENT)
    const [first, second] = [await ticketOf(HOST, RESIDENT), await ticketOf(HOST, RESIDENT)]
    const code = codeOf(secret)
    for (const far of [-2, 2]) expect((await verify(HOST, first, codeOf(secret, far))).status).toBe(422)
    const { status, body } = await verify(HOST, first, `${code.slice(0, 3)} ${code.slice(3)}`)
    expect([status, body.user.email, body.token.length]).toEqual([200, RESIDENT, 43])
    expect((await portal.post(HOST, 'return/profile/user', {}, { token: body.token })).status).toBe(200)
    // Repeats the code, and tries an earlier code, both with another ticket. Also repeats the used ticket.
    expect((await verify(HOST, second, code)).status).toBe(422)
    expect((await verify(HOST, second, codeOf(secret, -1))).status).toBe(422)
    expect((await verify(HOST, second, codeOf(secret, 1))).status).toBe(200)
    expect((await verify(HOST, first, codeOf(secret, 1))).body.code).toBe('ticket_expired')
  })

  it('accepts each recovery code once, in any spelling', async () => {
    const { recoveryCodes, token } = await setUp(HOST, RESIDENT)
    const [one = '', two = ''] = recoveryCodes
    expect((await verify(HOST, await ticketOf(HOST, RESIDENT), one.toLowerCase().replace('-', ' '))).status).toBe(200)
    expect((await verify(HOST, await ticketOf(HOST, RESIDENT), one)).status).toBe(422)
    expect((await verify(HOST, await ticketOf(HOST, RESIDENT), two)).status).toBe(200)
    const { body } = await portal.post(HOST, 'return/profile/factors', {}, { token })
    expect(body.app.recoveryCodesLeft).toBe(8)
  })

  it('requires the password after five wrong codes, and delays further guesses', async () => {
    const { secret } = await setUp(HOST, RESIDENT)
    const ticket = await ticketOf(HOST, RESIDENT)
    const responses = []
    for (let n = 0; n < 5; n += 1) responses.push(await verify(HOST, ticket, '000000'))
    expect(responses.map(({ status }) => status)).toEqual([422, 422, 422, 422, 409])
    expect(responses[3]?.body.message).toContain('one more try')
    // The correct password does not reset the count of wrong codes.
    const fresh = await ticketOf(HOST, RESIDENT)
    expect((await verify(HOST, fresh, codeOf(secret))).status).toBe(429)
    portal.clock.advance(60_001)
    expect((await verify(HOST, fresh, codeOf(secret))).status).toBe(200)
    expect((await verify(HOST, ticket, codeOf(secret, 1))).status).toBe(409)
  })

  it('limits simultaneous guesses to five too', async () => {
    await setUp(HOST, RESIDENT)
    const ticket = await ticketOf(HOST, RESIDENT)
    const responses = await Promise.all(Array.from({ length: 12 }, () => verify(HOST, ticket, '000000')))
    expect(responses.filter(({ status }) => status === 422).length).toBeLessThanOrEqual(4)
  })

  it('expires after five minutes and is bound to company and ticket kind', async () => {
    const { secret } = await setUp(HOST, RESIDENT)
    const ticket = await ticketOf(HOST, RESIDENT)
    for (const host of [HARBOR, ADMIN])
      expect((await verify(host, ticket, codeOf(secret))).body.code).toBe('ticket_expired')
    expect((await portal.post(HOST, 'start/second/factor/enrollment', { ticket })).body.code).toBe('ticket_expired')
    expect((await verify(HOST, 'A'.repeat(43), codeOf(secret))).body.code).toBe('ticket_expired')
    portal.clock.advance(5 * 60_000 + 1)
    expect((await verify(HOST, ticket, codeOf(secret))).body.code).toBe('ticket_expired')
  })

  it('rejects codes of other people', async () => {
    const { secret } = await setUp(HOST, RESIDENT)
    await setUp(HOST, STAFF_EMAIL)
    expect((await verify(HOST, await ticketOf(HOST, STAFF_EMAIL), codeOf(secret))).status).toBe(422)
  })

  it('is refused if the account was locked since', async () => {
    const { secret } = await setUp(HOST, STAFF_EMAIL)
    const ticket = await ticketOf(HOST, STAFF_EMAIL)
    await portal.db.platform.query(`UPDATE person SET locked_at = now() WHERE email = '${STAFF_EMAIL}'`)
    expect((await verify(HOST, ticket, codeOf(secret))).status).toBe(401)
    await portal.db.platform.query(`UPDATE person SET locked_at = NULL WHERE email = '${STAFF_EMAIL}'`)
  })

  it('appears in the Login Report in words', async () => {
    const { secret, recoveryCodes } = await setUp(HOST, STAFF_EMAIL)
    await verify(HOST, await ticketOf(HOST, STAFF_EMAIL), '000000')
    await verify(HOST, await ticketOf(HOST, STAFF_EMAIL), codeOf(secret))
    await verify(HOST, await ticketOf(HOST, STAFF_EMAIL), recoveryCodes[0] ?? '')
    const token = await portal.signIn(HOST, 'admin@maplegrove.example')
    const { body: report } = await portal.post(HOST, 'muni/return/login/report', { filters: {} }, { token })
    expect(report.rows.slice(1, 4)).toMatchObject([
      { how: 'Password and recovery code', outcome: 'accepted' },
      { how: 'Password and authenticator code', outcome: 'accepted' },
      { how: 'Password and authenticator code', outcome: 'refused', reason: 'Wrong code' },
    ])
  })
})

const originOf = (host: string) => `http://${host}${PORT}`

async function register(host: string, email: string) {
  const token = await portal.signIn(host, email)
  const { body } = await portal.post(host, 'start/profile/passkey', { password }, { token })
  const key = new TestPasskey()
  const attestation = key.attestation(body.options.challenge, originOf(host))
  const saved = await portal.post(host, 'save/profile/passkey', { step: body.step, attestation }, { token })
  expect(saved.status, saved.body.message).toBe(200)
  return { token, key, id: saved.body.id as number }
}

/** Returns the code from the newest emailed link to this person, in the URL parameter named `parameter`. */
async function mailedCode(email: string, parameter: 'token' | 'confirm'): Promise<string> {
  const texts = (await portal.emails())
    .filter(({ to_address }) => to_address === email)
    .map((emailMessage) => emailMessage.text_body)
  const codes = texts.map((text) => new RegExp(`${parameter}=([\\w-]{43})`).exec(text)?.[1])
  return codes.findLast((code) => code !== undefined) ?? ''
}

/** Resets the password by an emailed link, to the same password. */
async function setByEmail(email: string) {
  await portal.post(HOST, 'reset/profile/password', { email })
  await portal.runJobs()
  const response = await portal.post(HOST, 'set/profile/password', { code: await mailedCode(email, 'token'), password })
  expect(response.status, response.body.message).toBe(200)
  return response.body
}
const lastEmail = async (email: string) =>
  (await portal.emails()).findLast(({ to_address }) => to_address === email)?.text_body ?? ''

describe('new password', () => {
  it('removes unconfirmed factors and notifies the owner if set by email', async () => {
    await register(HOST, RESIDENT)
    await setUp(HOST, RESIDENT)
    const { others } = await setByEmail(RESIDENT)
    expect(others).toMatchObject([
      { kind: 'app', stays: false },
      { kind: 'passkey', stays: false },
    ])
    expect((await login(HOST, RESIDENT)).body.token).toBeDefined()
    expect(await lastEmail(RESIDENT)).toMatch(
      /We removed these sign-in methods .*: your authenticator app, the passkey “/,
    )
    const { rows } = await portal.db.platform.query(
      `SELECT (SELECT count(*) FROM passkey) + (SELECT count(*) FROM recovery_code) + (SELECT count(*) FROM authenticator) AS n,
        (SELECT detail FROM audit_event WHERE action = 'password.reset' ORDER BY id DESC LIMIT 1) AS detail`,
    )
    expect(rows[0]).toMatchObject({ n: 0, detail: { removed_factors: ['app', 'passkey'] } })
  })

  it('keeps factors that the owner confirmed by the emailed link', async () => {
    await register(HOST, RESIDENT)
    const { secret } = await setUp(HOST, RESIDENT)
    portal.clock.advance(60_000)
    const stood = await portal.post(HOST, 'confirm/profile/email', { code: await mailedCode(RESIDENT, 'confirm') })
    expect(stood.status, stood.body.message).toBe(200)
    const { others } = await setByEmail(RESIDENT)
    expect(others.map(({ kind, stays }: { kind: string; stays: boolean }) => [kind, stays])).toEqual([
      ['app', true],
      ['passkey', true],
    ])
    const secondFactor = (await login(HOST, RESIDENT)).body.second
    expect((await verify(HOST, secondFactor.ticket, codeOf(secret))).body.token).toBeDefined()
    expect(await lastEmail(RESIDENT)).toContain(
      'you can still use these sign-in methods: your authenticator app, the passkey “',
    )
  })

  it('removes them if set in the settings, but keeps a proven app', async () => {
    const { token } = await register(HOST, RESIDENT)
    const change = (body: object, as: string) => portal.post(HOST, 'change/profile/password', body, { token: as })
    const first = await change({ current: password, password: 'Quarry-Lantern#41' }, token)
    expect(first.body.others).toMatchObject([{ kind: 'passkey', stays: false }])
    const back = await change({ current: 'Quarry-Lantern#41', password }, token)
    expect(back.body.others).toEqual([])
    const { token: ownToken, secret } = await setUp(HOST, RESIDENT)
    const body = { current: password, password: 'Quarry-Lantern#41' }
    expect((await change(body, ownToken)).body.details.fields.code).toBe('Enter the code.')
    expect((await change({ ...body, code: '000000' }, ownToken)).status).toBe(422)
    const changeResponse = await change({ ...body, code: codeOf(secret) }, ownToken)
    expect(changeResponse.body.others).toMatchObject([{ kind: 'app', stays: true }])
    await setByEmail(RESIDENT)
  })

  it('ends setups that started with the previous password', async () => {
    const token = await portal.signIn(HOST, RESIDENT)
    const { body: started } = await portal.post(HOST, 'start/profile/passkey', { password }, { token })
    const { body: app } = await portal.post(HOST, 'start/profile/authenticator', { password }, { token })
    const changed = { current: password, password: 'Quarry-Lantern#41' }
    await portal.post(HOST, 'change/profile/password', changed, { token })
    const attestation = new TestPasskey().attestation(started.options.challenge, originOf(HOST))
    const saved = await portal.post(HOST, 'save/profile/passkey', { step: started.step, attestation }, { token })
    const confirm = { step: app.step, code: codeOf(app.secret) }
    const confirmed = await portal.post(HOST, 'confirm/profile/authenticator', confirm, { token })
    expect([saved.body.code, confirmed.body.code]).toEqual(['step_expired', 'step_expired'])
    await setByEmail(RESIDENT)
  })
})

it('prevents new factors on an account with an unconfirmed email', async () => {
  const email = 'claimed@example.org'
  const form = { first_name: 'Ida', last_name: 'Moss', email, mobile_no: '', password }
  const { token } = (await portal.post(HOST, 'sign-up', form)).body.session
  for (const path of ['start/profile/authenticator', 'start/profile/passkey'])
    expect((await portal.post(HOST, path, { password }, { token })).body.code, path).toBe('confirm_email_first')
  await portal.post(HOST, 'confirm/profile/email', { code: await mailedCode(email, 'confirm') })
  expect((await portal.post(HOST, 'start/profile/passkey', { password }, { token })).status).toBe(200)
})

describe('factor changes', () => {
  it('turns the app off only with password and code', async () => {
    const { token, secret } = await setUp(HOST, RESIDENT)
    const off = (body: object) => portal.post(HOST, 'remove/profile/authenticator', body, { token })
    expect((await off({ password })).status).toBe(400)
    expect((await off({ password, code: '000000' })).body.details.fields.code).toBeDefined()
    expect((await off({ password: 'Wrong-Word#1', code: codeOf(secret) })).body.details.fields.password).toBeDefined()
    expect((await off({ password, code: codeOf(secret) })).status).toBe(200)
    expect((await login(HOST, RESIDENT)).body.token).toBeDefined()
    expect((await off({ password, code: codeOf(secret) })).status).toBe(409)
  })

  it('replaces the old recovery codes with new ones', async () => {
    const { token, secret, recoveryCodes } = await setUp(HOST, RESIDENT)
    const proof = { password, code: codeOf(secret) }
    const { body } = await portal.post(HOST, 'renew/profile/recovery/codes', proof, { token })
    expect(body.recoveryCodes).toHaveLength(10)
    expect((await verify(HOST, await ticketOf(HOST, RESIDENT), recoveryCodes[0] ?? '')).status).toBe(422)
    expect((await verify(HOST, await ticketOf(HOST, RESIDENT), body.recoveryCodes[0])).status).toBe(200)
  })

  it('moves to another phone with a code of the first', async () => {
    const { token, secret } = await setUp(HOST, RESIDENT)
    expect((await portal.post(HOST, 'start/profile/authenticator', { password }, { token })).status).toBe(422)
    const proof = { password, code: codeOf(secret) }
    const { body } = await portal.post(HOST, 'start/profile/authenticator', proof, { token })
    portal.clock.advance(30_000)
    expect((await verify(HOST, await ticketOf(HOST, RESIDENT), codeOf(secret))).status).toBe(200)
    const confirm = { step: body.step, code: codeOf(body.secret) }
    expect((await portal.post(HOST, 'confirm/profile/authenticator', confirm, { token })).status).toBe(200)
    portal.clock.advance(60_000)
    expect((await verify(HOST, await ticketOf(HOST, RESIDENT), codeOf(secret))).status).toBe(422)
    expect((await verify(HOST, await ticketOf(HOST, RESIDENT), codeOf(body.secret))).status).toBe(200)
  })
})

describe('passkey', () => {
  const challengeAt = async (host: string, ticket?: string) => {
    const { body } = await portal.post(host, 'start/passkey/sign-in', { ticket })
    return { step: body.step as string, challenge: body.options.challenge as string, options: body.options }
  }
  const signInWithPasskey = (host: string, step: string, assertion: object) =>
    portal.post(host, 'sign-in/with/passkey', { step, assertion })

  it.each([
    [HOST, RESIDENT],
    [ADMIN, SUPER],
  ])('signs in at %s without other factors', async (host, email) => {
    const { key } = await register(host, email)
    const { step, challenge, options } = await challengeAt(host)
    expect(options).toMatchObject({ rpId: host, userVerification: 'required' })
    const assertion = key.assertion(challenge, originOf(host))
    const { status, body } = await signInWithPasskey(host, step, assertion)
    expect([status, body.user.email]).toEqual([200, email])
    // A repeated response fails, because its challenge was used.
    expect((await signInWithPasskey(host, step, assertion)).body.code).toBe('wrong_passkey')
    expect((await signInWithPasskey(host, (await challengeAt(host)).step, assertion)).status).toBe(401)
  })

  it('is discoverable, verified and named after the browser', async () => {
    const token = await portal.signIn(HOST, RESIDENT)
    const { body } = await portal.post(HOST, 'start/profile/passkey', { password }, { token })
    expect(body.options).toMatchObject({
      rp: { id: HOST, name: 'Maple Grove' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const { rows } = await portal.db.platform.query('SELECT count(*)::int AS n FROM passkey')
    expect(rows[0].n).toBe(0)
  })

  it('is refused for another origin, an unverified person or a lower counter', async () => {
    const { key } = await register(HOST, RESIDENT)
    const tries: [string, { verified?: boolean }][] = [
      [`http://${HARBOR}${PORT}`, {}],
      [`https://${HOST}${PORT}`, {}],
      [`http://evil.${HOST}${PORT}`, {}],
      [originOf(HOST), { verified: false }],
    ]
    for (const [origin, how] of tries) {
      const { step, challenge } = await challengeAt(HOST)
      expect((await signInWithPasskey(HOST, step, key.assertion(challenge, origin, how))).status, origin).toBe(401)
    }
    const { step, challenge } = await challengeAt(HOST)
    expect((await signInWithPasskey(HOST, step, key.assertion(challenge, originOf(HOST)))).status).toBe(200)
    key.counter = 0
    const again = await challengeAt(HOST)
    expect((await signInWithPasskey(HOST, again.step, key.assertion(again.challenge, originOf(HOST)))).status).toBe(401)
  })

  it('is refused in another company, after five minutes, or for locked people', async () => {
    const { key } = await register(HOST, RESIDENT)
    const there = await challengeAt(HARBOR)
    expect((await signInWithPasskey(HARBOR, there.step, key.assertion(there.challenge, originOf(HARBOR)))).status).toBe(
      401,
    )
    expect((await signInWithPasskey(HOST, there.step, key.assertion(there.challenge, originOf(HOST)))).status).toBe(401)
    const late = await challengeAt(HOST)
    portal.clock.advance(5 * 60_000 + 1)
    expect((await signInWithPasskey(HOST, late.step, key.assertion(late.challenge, originOf(HOST)))).status).toBe(401)
    await portal.db.platform.query(`UPDATE person SET locked_at = now() WHERE email = '${RESIDENT}'`)
    const shut = await challengeAt(HOST)
    expect((await signInWithPasskey(HOST, shut.step, key.assertion(shut.challenge, originOf(HOST)))).status).toBe(401)
    await portal.db.platform.query(`UPDATE person SET locked_at = NULL WHERE email = '${RESIDENT}'`)
  })

  it('replaces a code only for its owner', async () => {
    const { key } = await register(HOST, RESIDENT)
    const { key: clerks } = await register(HOST, STAFF_EMAIL)
    // A passkey does not require a second step after the password.
    expect((await login(HOST, RESIDENT)).body.token).toBeDefined()
    await setUp(HOST, RESIDENT)
    const { ticket, methods } = (await login(HOST, RESIDENT)).body.second
    expect(methods).toEqual(['totp', 'recovery', 'passkey'])
    const { challenge, options } = await challengeAt(HOST, ticket)
    expect(options.allowCredentials).toHaveLength(1)
    const prove = (assertion: object) => portal.post(HOST, 'verify/second/factor', { ticket, assertion })
    expect((await prove(clerks.assertion(challenge, originOf(HOST)))).status).toBe(422)
    expect((await prove(key.assertion(challenge, originOf(HOST)))).body.token).toBeDefined()
    expect((await prove(key.assertion(challenge, originOf(HOST)))).body.code).toBe('ticket_expired')
  })

  it('is renamed and removed only by its owner', async () => {
    const { token, id } = await register(HOST, RESIDENT)
    const stranger = await portal.signIn(HOST, STAFF_EMAIL)
    const rename = (as: string) =>
      portal.post(HOST, 'rename/profile/passkey', { id, name: 'Work phone' }, { token: as })
    const remove = (as: string) => portal.post(HOST, 'remove/profile/passkey', { id, password }, { token: as })
    expect([(await rename(stranger)).status, (await remove(stranger)).status]).toEqual([404, 404])
    expect((await rename(token)).status).toBe(200)
    expect((await portal.post(HOST, 'return/profile/factors', {}, { token })).body.passkeys).toMatchObject([
      { id, name: 'Work phone', used: null },
    ])
    expect((await remove(token)).status).toBe(200)
    expect((await remove(token)).status).toBe(404)
  })

  it('requires a code to create if codes are required', async () => {
    const { token, secret } = await setUp(HOST, RESIDENT)
    expect((await portal.post(HOST, 'start/profile/passkey', { password }, { token })).status).toBe(422)
    const proof = { password, code: codeOf(secret) }
    expect((await portal.post(HOST, 'start/profile/passkey', proof, { token })).status).toBe(200)
  })
})

describe('lost phone', () => {
  const RESET = 'muni/reset/municipality/staff/second-factor'

  it('is removed by an administrator, with sign-out and notice to the owner', async () => {
    const { token, secret } = await setUp(HOST, STAFF_EMAIL)
    const ticket = await ticketOf(HOST, STAFF_EMAIL)
    const admin = await portal.signIn(HOST, 'admin@maplegrove.example')
    const { body } = await portal.post(
      HOST,
      'muni/return/municipality/staff',
      { filters: {}, search: STAFF_EMAIL },
      { token: admin },
    )
    const personId = body.rows[0].id
    const member = () => portal.post(HOST, 'muni/return/municipality/staff/member', { personId }, { token: admin })
    expect((await member()).body.can.resetFactors).toBe(true)
    expect((await portal.post(HOST, RESET, { personId }, { token })).status).toBe(403)
    expect((await portal.post(HOST, RESET, { personId }, { token: admin })).status).toBe(200)
    expect((await member()).body.can.resetFactors).toBe(false)
    expect((await portal.post(HOST, RESET, { personId }, { token: admin })).body.code).toBe('no_factors')
    expect((await portal.post(HOST, 'return/profile/factors', {}, { token })).status).toBe(401)
    expect((await verify(HOST, ticket, codeOf(secret))).body.code).toBe('ticket_expired')
    expect((await login(HOST, STAFF_EMAIL)).body.token).toBeDefined()
    expect((await portal.emails()).at(-1)?.text_body).toContain('An administrator removed the authenticator app')
    const { rows } = await portal.db.platform.query(
      "SELECT count(*)::int AS n FROM audit_event WHERE action = 'staff.factors_reset'",
    )
    expect(rows[0].n).toBe(1)
  })

  it('is never reset for oneself, higher roles or other companies', async () => {
    const { token } = await setUp(HOST, 'admin@maplegrove.example')
    const me = await portal.db.platform.query("SELECT id FROM person WHERE email = 'admin@maplegrove.example'")
    const personId = Number(me.rows[0].id)
    expect((await portal.post(HOST, RESET, { personId }, { token })).status).toBe(403)
    const manager = await portal.signIn(HOST, 'manager@maplegrove.example')
    expect((await portal.post(HOST, RESET, { personId }, { token: manager })).status).toBe(403)
    const other = await portal.signIn(HARBOR, 'admin@harborcity.example')
    expect((await portal.post(HARBOR, RESET, { personId }, { token: other })).status).toBe(404)
  })
})

describe('required second factor', () => {
  const rulesOf = async (companyId: number | null, requireSecondFactor: boolean) => {
    const token = await portal.signIn(ADMIN, SUPER)
    const body = { companyId, requireSecondFactor }
    const response = await portal.post(ADMIN, 'admin/save/company/sign-in-rules', body, { token })
    expect(response.status, response.body.message).toBe(200)
    return (await portal.post(ADMIN, 'admin/return/sign-in/rules', { companyId }, { token })).body
  }
  const mapleGrove = async () =>
    (await portal.post(HOST, 'return/company/id', { subdomain: 'maplegrove' })).body.company.id as number

  async function enroll(host: string, ticket: string) {
    const { body } = await portal.post(host, 'start/second/factor/enrollment', { ticket })
    const again = await portal.post(host, 'start/second/factor/enrollment', { ticket })
    expect(again.body.secret).toBe(body.secret)
    const invalid = await portal.post(host, 'confirm/second/factor/enrollment', { ticket, code: '000000' })
    expect(invalid.status).toBe(422)
    const done = { ticket, code: codeOf(body.secret) }
    return {
      secret: body.secret as string,
      response: await portal.post(host, 'confirm/second/factor/enrollment', done),
    }
  }

  it('makes staff set one up while signing in, but not residents', async () => {
    expect(await rulesOf(await mapleGrove(), true)).toMatchObject({ requireSecondFactor: true, without: 14, staff: 14 })
    expect((await login(HOST, RESIDENT)).body.token).toBeDefined()
    expect((await login(HARBOR, 'admin@harborcity.example')).body.token).toBeDefined()
    const { body } = await login(HOST, STAFF_EMAIL)
    expect(body.token).toBeUndefined()
    const { ticket, methods } = body.second
    expect(methods).toEqual([])
    // The ticket allows only the setup.
    expect((await verify(HOST, ticket, '000000')).body.code).toBe('ticket_expired')
    expect((await portal.post(HOST, 'return/profile/factors', {}, { token: ticket })).status).toBe(401)
    const { secret, response: reply } = await enroll(HOST, ticket)
    expect(reply.body).toMatchObject({ session: { user: { email: STAFF_EMAIL } }, recoveryCodes: { length: 10 } })
    portal.clock.advance(60_000)
    expect((await verify(HOST, await ticketOf(HOST, STAFF_EMAIL), codeOf(secret))).status).toBe(200)
    const { token } = reply.body.session
    portal.clock.advance(60_000)
    const off = await portal.post(
      ...([HOST, 'remove/profile/authenticator', { password, code: codeOf(secret) }] as const),
      { token },
    )
    expect([off.status, off.body.code]).toEqual([409, 'second_factor_required'])
  })

  it('applies to platform staff too', async () => {
    await rulesOf(null, true)
    const { ticket, methods } = (await login(ADMIN, SUPER)).body.second
    expect(methods).toEqual([])
    const { response: reply } = await enroll(ADMIN, ticket)
    expect(reply.body.session.user.email).toBe(SUPER)
  })

  it('is set only by administrators of the company and the platform', async () => {
    const body = { companyId: await mapleGrove(), requireSecondFactor: true }
    const statusOf = async (host: string, email: string) =>
      (await portal.post(host, 'admin/save/company/sign-in-rules', body, { token: await portal.signIn(host, email) }))
        .status
    expect(await statusOf(HOST, 'manager@maplegrove.example')).toBe(403)
    expect(await statusOf(HOST, RESIDENT)).toBe(403)
    expect(await statusOf(HARBOR, 'admin@harborcity.example')).toBe(404)
    expect(await statusOf(ADMIN, 'callcenter@mainstreet.example')).toBe(403)
    expect(await statusOf(HOST, 'admin@maplegrove.example')).toBe(200)
  })
})
