import { Secret, TOTP } from 'otpauth'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import { harborCity } from '../../../database/towns/harbor-city.ts'
import { testClock, testPortal } from '../../../test/harness.ts'
import { startIssuer, type TestIssuer } from '../../../test/oidc-provider.ts'
import { addTestPlatformStaff, openTestCompany } from '../../../test/company.ts'
import { DEMO_PASSWORD } from '../../identity/demo.ts'
import { isPublic, outgoing } from '../../../server/outgoing.ts'

const companyHost = 'maplegrove.localhost'
const harbor = 'harborcity.localhost'
const admin = 'admin.localhost'
const RETURN_URL = 'http://maplegrove.localhost:3000/sso-verification'
// The issuer uses the real clock, so the portal's clock starts at the current time.
const portal = await testPortal({ clock: testClock(new Date().toISOString()), env: { SSO_LOOPBACK: '1' } })
let issuer: TestIssuer
let ids: Record<string, number> = {}
let superToken = ''

beforeAll(async () => {
  issuer = await startIssuer([RETURN_URL, 'http://harborcity.localhost:3000/sso-verification'])
  ids = { maplegrove: await openTestCompany(portal, mapleGrove), harborcity: await openTestCompany(portal, harborCity) }
  await addTestPlatformStaff(portal)
  superToken = await portal.signIn(admin, 'super@mainstreet.example')
})
afterAll(() => issuer.stop())

const post = (path: string, body: object = {}, token?: string, host = companyHost) =>
  portal.post(host, path, body, token ? { token } : {})

const settings = (changes: object = {}) => ({
  ...{ isActive: true, label: 'County ID', issuer: issuer.url, clientId: issuer.clientId, audience: 'both' },
  ...{ clientSecret: issuer.clientSecret, claimEmail: 'email', claimFirstName: 'given_name' },
  ...{ claimLastName: 'family_name', countsAsSecondFactor: false, ...changes },
})
const save = (body: object, companyId = ids['maplegrove']) =>
  post('admin/save/company/sso', { companyId, ...body }, superToken, admin)
const trust = (changes: object = {}) => save({ provider: settings(changes) })

/** Clears all rate limits, so that one test does not affect the next. */
beforeEach(async () => {
  await portal.owner.query('DELETE FROM failed_guess')
  portal.clock.set(new Date().toISOString())
  expect((await trust()).body.message).toBe('The single sign-on settings were saved.')
})

interface AuthorizationRequest {
  browser: string
  state: string
  code: string
  iss: string
}
/** Signs in at the issuer and returns the parameters for the portal's page. */
async function away(
  sub: string,
  host = companyHost,
  path = 'sso/start',
  token?: string,
): Promise<AuthorizationRequest> {
  const { body } = await post(path, {}, token, host)
  const back = await issuer.signIn(body.url, sub)
  expect(back.pathname).toBe('/sso-verification')
  const params = Object.fromEntries(back.searchParams) as Omit<AuthorizationRequest, 'browser'>
  return { browser: body.browser, state: params.state, code: params.code, iss: params.iss }
}
const through = async (sub: string) => post('sso/verify', { ...(await away(sub)) })
const refusals = async () => {
  const { rows } = await portal.owner.query<{ detail: { reason: string; how: string } }>(
    "SELECT detail FROM audit_event WHERE action = 'sign_in.refused' ORDER BY id DESC LIMIT 3",
  )
  return rows.map(({ detail }) => detail)
}
const people = async () => Number((await portal.owner.query('SELECT count(*) AS n FROM person')).rows[0].n)
const links = async () =>
  (
    await portal.owner.query<{ subject: string; email: string }>(
      'SELECT i.subject, p.email FROM sso_identity i JOIN person p ON p.company_id = i.company_id AND p.id = i.person_id ORDER BY 1',
    )
  ).rows
let sequence = 0
const newcomer = (claims: object = {}) => {
  const sub = `sub-${++sequence}`
  issuer.people[sub] = {
    ...{ email: `${sub}@example.org`, email_verified: true, given_name: 'Ida', family_name: 'Moss', ...claims },
  }
  return sub
}

describe('the settings', () => {
  it('show the platform everything but the secret, which is stored sealed', async () => {
    const { body } = await post('admin/return/company/sso', { companyId: ids['maplegrove'] }, superToken, admin)
    expect(body).toMatchObject({
      companyName: 'Maple Grove',
      redirectUri: RETURN_URL,
      handOffUrl: 'http://maplegrove.localhost:3000/sso/verify-ccs-token',
      provider: { label: 'County ID', secretMark: expect.stringMatching(/^.{12}$/) },
      ccs: null,
    })
    expect(JSON.stringify(body)).not.toContain(issuer.clientSecret)
    const { rows } = await portal.owner.query('SELECT client_secret_sealed AS sealed FROM sso_provider')
    expect(rows[0].sealed).not.toContain('secret')
    expect(portal.context.secrets.open(rows[0].sealed)).toBe(issuer.clientSecret)
  })

  it('keep the secret if none is entered, but not for another issuer', async () => {
    expect((await trust({ clientSecret: '' })).status).toBe(200)
    const moved = await trust({ clientSecret: '', issuer: 'https://elsewhere.example' })
    expect(moved).toMatchObject({
      status: 422,
      body: { details: { fields: { clientSecret: expect.stringContaining('again') } } },
    })
  })

  it.each(['http://issuer.example', 'https://user:pass@issuer.example', 'ftp://issuer.example', 'issuer', ''])(
    'refuse %s as an issuer',
    async (address) => expect((await trust({ issuer: address })).status).toBe(400),
  )

  it('appear on the sign-in page while active', async () => {
    expect((await post('return/sso/options')).body).toEqual({ provider: { label: 'County ID' } })
    expect((await post('return/sso/options', {}, undefined, harbor)).body).toEqual({ provider: null })
    await trust({ isActive: false })
    expect((await post('return/sso/options')).body).toEqual({ provider: null })
    expect((await post('sso/start')).status).toBe(404)
  })

  it('report immediately if the issuer cannot be used', async () => {
    const { body } = await trust({ issuer: 'https://10.0.0.7' })
    expect(body.message).toContain('an internal network')
  })
})

describe('sign-in with an issuer', () => {
  it('asks for two-factor authentication unless the company accepts the issuer’s', async () => {
    const sub = newcomer()
    const { body } = await through(sub)
    const { token, user } = body.session
    await portal.owner.query(
      `INSERT INTO authenticator (company_id, person_id, secret_sealed, last_step, created_at) VALUES ($1, $2, $3, 0, $4)`,
      [ids['maplegrove'], user.id, portal.context.secrets.seal('JBSWY3DPEHPK3PXP'), portal.clock.now()],
    )
    expect(token).toMatch(/^[\w-]{43}$/)
    const again = (await through(sub)).body
    expect(again).toMatchObject({ outcome: 'signed_in', session: { second: { methods: ['totp', 'recovery'] } } })
    expect(JSON.stringify(again)).not.toContain('"token"')
    const code = new TOTP({ secret: Secret.fromBase32('JBSWY3DPEHPK3PXP') }).generate({
      timestamp: portal.clock.now().getTime(),
    })
    const second = await post('verify/second/factor', { ticket: again.session.second.ticket, code })
    expect(second.body.token).toMatch(/^[\w-]{43}$/)
    const { rows } = await portal.owner.query(
      `SELECT detail ->> 'how' AS how FROM audit_event WHERE action = 'sign_in.accepted' ORDER BY id DESC LIMIT 1`,
    )
    expect(rows[0].how).toBe('sso + code')
    await trust({ countsAsSecondFactor: true })
    expect((await through(sub)).body.session.token).toMatch(/^[\w-]{43}$/)
    await trust()
  })

  it('creates a resident account the first time and then signs in to it', async () => {
    const sub = newcomer()
    const first = await through(sub)
    expect(first).toMatchObject({
      status: 200,
      body: {
        outcome: 'signed_in',
        session: { user: { email: `${sub}@example.org`, first_name: 'Ida', role_id: 1, email_confirmed: true } },
      },
    })
    const before = await people()
    const second = await through(sub)
    expect(second.body.session.user.id).toBe(first.body.session.user.id)
    expect(await people()).toBe(before)
    const { body } = await post('return/profile/user', {}, second.body.session.token)
    expect(body.user.last_name).toBe('Moss')
    const { rows } = await portal.owner.query(
      "SELECT action, detail->>'how' AS how FROM audit_event WHERE actor_id = $1 ORDER BY id",
      [first.body.session.user.id],
    )
    expect(rows).toEqual([
      { action: 'sign_up.accepted', how: 'sso' },
      { action: 'sign_in.accepted', how: 'sso' },
    ])
  })

  it('redirects with PKCE, a state and a nonce', async () => {
    const { body } = await post('sso/start')
    const query = Object.fromEntries(new URL(body.url).searchParams)
    expect(query).toMatchObject({
      ...{ client_id: 'portal', response_type: 'code', redirect_uri: RETURN_URL, code_challenge_method: 'S256' },
      ...{ scope: 'openid email profile', state: expect.stringMatching(/^[\w-]{43}$/), nonce: expect.any(String) },
    })
    expect(body.url).not.toContain(body.browser)
  })

  it('leaves an unverified email unconfirmed and sends the confirmation link', async () => {
    const sub = newcomer({ email_verified: false })
    expect((await through(sub)).body.session.user.email_confirmed).toBe(false)
    expect((await portal.emails()).at(-1)).toMatchObject({
      to_address: `${sub}@example.org`,
      subject: 'Confirm your email for Maple Grove',
    })
  })

  it('never links by email, but only by password', async () => {
    const sub = newcomer({ email: 'resident@maplegrove.example' })
    const response = await through(sub)
    expect(response.body).toMatchObject({
      outcome: 'prove',
      reason: 'known_email',
      email: 'resident@maplegrove.example',
      label: 'County ID',
    })
    expect(response.body.session).toBeUndefined()
    expect(await links()).not.toContainEqual(expect.objectContaining({ subject: sub }))
    const prove = (password: string, ticket = response.body.ticket) =>
      post('sso/link', { ticket, email: 'resident@maplegrove.example', password })
    expect((await prove('Wrong-Password#1')).status).toBe(422)
    expect((await refusals())[0]).toMatchObject({ how: 'sso', reason: 'wrong_password' })
    expect((await prove(DEMO_PASSWORD)).body.user.email).toBe('resident@maplegrove.example')
    expect(await links()).toContainEqual({ subject: sub, email: 'resident@maplegrove.example' })
    expect((await portal.emails()).at(-1)?.subject).toBe('You can now sign in to Maple Grove with County ID')
    expect((await prove(DEMO_PASSWORD)).status).toBe(409)
    expect((await through(sub)).body.session.user.email).toBe('resident@maplegrove.example')
    expect((await prove(DEMO_PASSWORD, 'A'.repeat(43))).status).toBe(409)
  })

  it('is undone with the code of the notification email', async () => {
    const sub = newcomer({ email: 'newcomer@maplegrove.example' })
    const { body } = await through(sub)
    const proof = { ticket: body.ticket, email: 'newcomer@maplegrove.example', password: DEMO_PASSWORD }
    const { token } = (await post('sso/link', proof)).body
    const code = /undo=([\w-]{43})/.exec((await portal.emails()).at(-1)?.text_body ?? '')?.[1] ?? ''
    expect((await post('sso/undo', { code }, undefined, harbor)).status).toBe(409)
    expect((await post('sso/undo', { code })).status).toBe(200)
    expect((await post('return/profile/user', {}, token)).status).toBe(401)
    expect((await through(sub)).body.outcome).toBe('prove')
    expect((await post('sso/undo', { code })).status).toBe(409)
  })

  it('never creates staff, and links them only by password', async () => {
    await trust({ audience: 'staff' })
    const before = await people()
    const response = await through(newcomer())
    expect(response.body).toMatchObject({ outcome: 'prove', reason: 'staff_only', maySignUp: false })
    expect(await people()).toBe(before)
    const prove = (email: string) => post('sso/link', { ticket: response.body.ticket, email, password: DEMO_PASSWORD })
    const resident = await prove('resident@maplegrove.example')
    expect(resident).toMatchObject({
      status: 409,
      body: { code: 'sso_refused', message: expect.stringContaining('cannot sign in with') },
    })
    const again = await through(newcomer())
    const staff = await post('sso/link', {
      ticket: again.body.ticket,
      email: 'staff@maplegrove.example',
      password: DEMO_PASSWORD,
    })
    expect(staff.body.user.role_id).toBe(3)
  })

  it('creates no account without an email, nor with an impossible name', async () => {
    const none = newcomer()
    issuer.people[none] = { given_name: 'Ida' }
    expect((await through(none)).body).toMatchObject({ outcome: 'prove', reason: 'no_email', email: '' })
    const odd = newcomer({ email: 'a@b.example\r\nBcc: all@example.org' })
    expect((await through(odd)).body).toMatchObject({ reason: 'no_email' })
    const marked = newcomer({ given_name: '<img src=x>', family_name: 'Moss\u202e' })
    expect((await through(marked)).body.session.user).toMatchObject({ first_name: marked, last_name: '' })
  })

  it.each([
    ['locked', 'locked_at = now()'],
    ['inactive', 'is_active = 0'],
  ])('reports that the linked account is %s', async (reason, change) => {
    const sub = newcomer()
    const { body } = await through(sub)
    await portal.owner.query(`UPDATE person SET ${change} WHERE id = $1`, [body.session.user.id])
    const refused = await through(sub)
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringMatching(/municipality/) } })
    expect((await refusals())[0]?.reason).toBe(reason)
  })

  it('creates separate accounts for two companies with one issuer', async () => {
    await save({ provider: settings() }, ids['harborcity'])
    const sub = newcomer()
    const one = await through(sub)
    const sent = await away(sub, harbor)
    const two = await post('sso/verify', sent, undefined, harbor)
    expect(two.body.session.user.company_id).toBe(ids['harborcity'])
    expect(two.body.session.user.id).not.toBe(one.body.session.user.id)
  })
})

describe('refused issuer responses', () => {
  const refusedAs = async (reply: Awaited<ReturnType<typeof post>>, reason: RegExp) => {
    expect(reply).toMatchObject({ status: 409, body: { success: false, message: expect.stringMatching(/\.$/) } })
    expect(reply.body.message).not.toMatch(/nonce|jwt|token|OAUTH/i)
    expect((await refusals())[0]?.reason).toMatch(reason)
    expect(reply.body.session).toBeUndefined()
  }

  it('include an unknown state and a state of another tab', async () => {
    const sent = await away(newcomer())
    await refusedAs(await post('sso/verify', { ...sent, state: 'A'.repeat(43) }), /unknown_state/)
    await refusedAs(await post('sso/verify', { ...sent, browser: 'A'.repeat(43) }), /unknown_state/)
    expect((await post('sso/verify', sent)).status).toBe(200)
  })

  it('include a repeated response', async () => {
    const sent = await away(newcomer())
    expect((await post('sso/verify', sent)).status).toBe(200)
    await refusedAs(await post('sso/verify', sent), /unknown_state/)
  })

  it('include a used code with another attempt', async () => {
    const sent = await away(newcomer())
    expect((await post('sso/verify', sent)).status).toBe(200)
    const other = await away(newcomer())
    await refusedAs(await post('sso/verify', { ...other, code: sent.code }), /response_refused_invalid_grant/)
  })

  it('include an attempt of another company', async () => {
    await save({ provider: settings() }, ids['harborcity'])
    const sent = await away(newcomer())
    await refusedAs(await post('sso/verify', sent, undefined, harbor), /unknown_state/)
  })

  it('include a response after ten minutes', async () => {
    const sent = await away(newcomer())
    portal.clock.advance(10 * 60_000 + 1)
    await refusedAs(await post('sso/verify', sent), /unknown_state/)
  })

  it('include another nonce', async () => {
    const sent = await away(newcomer())
    await portal.owner.query("UPDATE sso_attempt SET nonce = 'another'")
    await refusedAs(await post('sso/verify', sent), /response_refused/)
  })

  it('include another verifier', async () => {
    const sent = await away(newcomer())
    const sealed = portal.context.secrets.seal('v'.repeat(43))
    await portal.owner.query('UPDATE sso_attempt SET verifier_sealed = $1', [sealed])
    await refusedAs(await post('sso/verify', sent), /response_refused_invalid_grant/)
  })

  it('include another issuer', async () => {
    const sent = await away(newcomer())
    await refusedAs(await post('sso/verify', { ...sent, iss: 'https://other.example' }), /response_refused/)
  })

  it('are limited after many failures', async () => {
    const invalid = { browser: 'A'.repeat(43), state: 'A'.repeat(43), code: 'any' }
    for (let n = 0; n < 50; n += 1) await post('sso/verify', invalid)
    expect((await post('sso/verify', invalid)).status).toBe(429)
    expect((await post('sso/redeem/hand/off', { code: 'A'.repeat(43) })).status).toBe(429)
  })

  it('include an error of the issuer', async () => {
    const { body } = await post('sso/start')
    const { state } = Object.fromEntries(new URL(body.url).searchParams)
    await refusedAs(
      await post('sso/verify', { browser: body.browser, state, error: 'access_denied' }),
      /issuer_said_access_denied/,
    )
  })

  it('include an attempt before the company changed its issuer', async () => {
    const sent = await away(newcomer())
    const forger = await startForger()
    await trust({ issuer: forger.url, clientSecret: 'another' })
    await refusedAs(await post('sso/verify', sent), /issuer_changed/)
    forger.stop()
  })
})

/** Starts an issuer with the tokens of the test. */
async function startForger() {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const tokenStub = { token: async () => '', hits: 0 }
  const server = createServer((request, reply) => {
    tokenStub.hits += 1
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const send = (body: object) => reply.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    if (request.url === '/jwks') return send({ keys: [jwk] })
    if (request.url === '/token')
      return void tokenStub.token().then((id_token) => send({ access_token: 'x', token_type: 'bearer', id_token }))
    return send({
      ...{
        issuer: url,
        authorization_endpoint: `${url}/auth`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/jwks`,
      },
      ...{ response_types_supported: ['code'], subject_types_supported: ['public'] },
      id_token_signing_alg_values_supported: ['RS256', 'none', 'HS256'],
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    details: tokenStub,
    privateKey,
    publicKey,
    stop: () => void (server.closeAllConnections(), server.close()),
  }
}

describe('an issuer with wrong tokens', () => {
  let forger: Awaited<ReturnType<typeof startForger>>
  beforeAll(async () => void (forger = await startForger()))
  afterAll(() => forger.stop())

  const now = () => Math.floor(portal.clock.now().getTime() / 1000)
  const claims = (changes: object) => ({
    ...{ iss: forger.url, aud: 'portal', sub: 'forged', iat: now(), exp: now() + 300, email: 'forged@example.org' },
    ...{ email_verified: true, given_name: 'Ida', ...changes },
  })
  type TokenMaker = (nonce: string) => Promise<string>
  const signed =
    (
      changes: object = {},
      key = () => forger.privateKey as Parameters<SignJWT['sign']>[0],
      alg = 'RS256',
    ): TokenMaker =>
    (nonce) =>
      new SignJWT(claims({ nonce, ...changes })).setProtectedHeader({ alg, kid: 'one' }).sign(key())
  const responseTo = async (making: TokenMaker) => {
    await trust({ issuer: forger.url, clientSecret: 'a-secret-of-32-characters-or-more' })
    const { body } = await post('sso/start')
    const { state, nonce = '' } = Object.fromEntries(new URL(body.url).searchParams)
    forger.details.token = () => making(nonce)
    return post('sso/verify', { browser: body.browser, state, code: 'any' })
  }

  it('is accepted with a right token, as a control', async () => {
    expect((await responseTo(signed())).body.outcome).toBe('signed_in')
  })

  it.each<[string, TokenMaker]>([
    ['without a signature', async (nonce) => new UnsecuredJWT(claims({ nonce })).encode()],
    [
      'signed with the client secret',
      signed({}, () => new TextEncoder().encode('a-secret-of-32-characters-or-more'), 'HS256'),
    ],
    ['for another client', signed({ aud: 'somebody-else' })],
    ['of another issuer', signed({ iss: 'https://other.example' })],
    ['that is over', signed({ exp: 1_700_000_000, iat: 1_699_999_000 })],
    ['of another nonce', signed({ nonce: 'other' })],
    ['of no nonce', signed({ nonce: undefined })],
    ['of nobody', signed({ sub: undefined })],
    ['signed with another key', async (nonce) => signed({}, () => other)(nonce)],
  ])('is refused with a token %s', async (_what, making) => {
    const before = await people()
    const reply = await responseTo(making)
    expect(reply).toMatchObject({ status: 409, body: { code: 'sso_refused' } })
    expect((await refusals())[0]?.reason).toMatch(/^response_refused_/)
    expect(await people()).toBe(before)
  })
  let other: Parameters<SignJWT['sign']>[0]
  beforeAll(async () => void (other = (await generateKeyPair('RS256')).privateKey))
})

describe('an unreachable or forbidden issuer', () => {
  it('returns a request to try again and records it', async () => {
    const gone = await startForger()
    gone.stop()
    await trust({ issuer: gone.url, clientSecret: 'x' })
    expect(await post('sso/start')).toMatchObject({
      status: 503,
      body: { code: 'issuer_silent', message: expect.stringContaining('County ID') },
    })
    expect((await refusals())[0]?.reason).toBe('issuer_silent')
  })

  it.each([
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1', '192.168.1.1', '198.18.0.1'],
    ...['224.0.0.1', '255.255.255.255', '::', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '64:ff9b::7f00:1', 'fc00::1'],
    ...['fe80::1', 'ff02::1', '2002:7f00:1::', '2001:db8::1', 'nonsense'],
  ])('rejects %s as an internet address', (address) => expect(isPublic(address)).toBe(false))
  it.each(['8.8.8.8', '203.0.114.1', '2606:4700::1111'])('accepts %s as an internet address', (address) =>
    expect(isPublic(address)).toBe(true),
  )

  it.each([
    ...['https://127.0.0.1', 'https://2130706433', 'https://0x7f.1', 'https://[::1]', 'https://[::ffff:127.0.0.1]'],
    ...[
      'https://localhost',
      'https://169.254.169.254/latest',
      'http://127.0.0.1',
      'http://example.org',
      'file:///etc/passwd',
    ],
  ])('does not connect to %s', async (address) => {
    await expect(outgoing({ loopback: false })(address)).rejects.toThrow(/inner address|not https/)
  })

  it('refuses other internal addresses if loopback is allowed', async () => {
    for (const address of ['https://10.0.0.1', 'http://10.0.0.1', 'https://169.254.169.254', 'http://example.org'])
      await expect(outgoing({ loopback: true })(address)).rejects.toThrow(/inner address|not https/)
  })

  it('follows no redirect', async () => {
    const server = createServer((_request, reply) => reply.writeHead(302, { location: 'http://10.0.0.1/' }).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const reply = await outgoing({ loopback: true })(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    expect(reply.status).toBe(302)
    server.close()
  })
})

describe('a test by the company administrator', () => {
  it('shows each claim without signing in or linking', async () => {
    const token = await portal.signIn(companyHost, 'admin@maplegrove.example')
    expect((await post('muni/return/sso/test', {}, token)).body).toMatchObject({
      shortName: 'sandbox',
      provider: { label: 'County ID', active: true },
    })
    const [before, linked] = [await people(), await links()]
    const sent = await away(newcomer(), companyHost, 'muni/start/sso/test', token)
    const { body } = await post('muni/verify/sso/test', sent, token)
    expect(body.fields).toContainEqual({ field: 'First Name', claim: 'given_name', value: 'Ida' })
    expect(body.would).toContain('new resident account')
    expect(body.session).toBeUndefined()
    expect([await people(), await links()]).toEqual([before, linked])
    expect((await post('muni/verify/sso/test', sent, token)).status).toBe(409)
  })

  it('cannot complete as a sign-in, nor a sign-in as a test', async () => {
    const token = await portal.signIn(companyHost, 'admin@maplegrove.example')
    const trial = await away(newcomer(), companyHost, 'muni/start/sso/test', token)
    expect((await post('sso/verify', trial)).status).toBe(409)
    const real = await away(newcomer())
    expect((await post('muni/verify/sso/test', real, token)).status).toBe(409)
  })
})

describe('a link', () => {
  it.each([true, false])(
    'needs the two-factor code in addition to the password (the issuer’s counts: %s)',
    async (countsAsSecondFactor) => {
      await trust({ countsAsSecondFactor })
      const sub = newcomer({ email: 'newcomer@maplegrove.example' })
      const secret = 'JBSWY3DPEHPK3PXP'
      await portal.owner.query(
        `INSERT INTO authenticator (company_id, person_id, secret_sealed, last_step, created_at)
         SELECT company_id, id, $1, 0, $2 FROM person WHERE email = 'newcomer@maplegrove.example'`,
        [portal.context.secrets.seal(secret), portal.clock.now()],
      )
      const linked = async () => (await links()).some(({ subject }) => subject === sub)
      const { ticket } = (await through(sub)).body
      const proof = { ticket, email: 'newcomer@maplegrove.example', password: DEMO_PASSWORD }
      const { body } = await post('sso/link', proof)
      expect([body.token, body.second?.methods, await linked()]).toEqual([undefined, ['totp', 'recovery'], false])
      const invalidResponse = await post('verify/second/factor', { ticket: body.second.ticket, code: '000000' })
      expect([invalidResponse.status, await linked()]).toEqual([422, false])
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: portal.clock.now().getTime() })
      const right = await post('verify/second/factor', { ticket: body.second.ticket, code })
      expect([right.status, await linked()]).toEqual([200, true])
      expect((await post('sso/link', proof)).body.code).toBe('ticket_expired')
      await portal.owner.query('DELETE FROM authenticator')
      await trust()
    },
  )

  it('ends with a password reset, and needs a confirmed email', async () => {
    const email = 'claimed@example.org'
    const password = 'Orchard-Gate#31'
    const form = { first_name: 'Ida', last_name: 'Moss', email, mobile_no: '', password }
    await post('sign-up', form)
    const sub = newcomer({ email })
    const { ticket } = (await through(sub)).body
    expect((await post('sso/link', { ticket, email, password })).body.code).toBe('confirm_email_first')
    const mailed = async (parameter: string) =>
      (await portal.emails())
        .filter(({ to_address }) => to_address === email)
        .map((emailMessage) => new RegExp(`${parameter}=([\\w-]{43})`).exec(emailMessage.text_body)?.[1])
        .findLast(Boolean)
    expect((await post('confirm/profile/email', { code: await mailed('confirm') })).status).toBe(200)
    portal.clock.advance(60_000)
    expect((await post('sso/link', { ticket, email, password })).body.token).toBeDefined()
    await post('reset/profile/password', { email })
    await portal.runJobs()
    const { body } = await post('set/profile/password', { code: await mailed('token'), password })
    expect(body.others).toMatchObject([{ kind: 'sso', name: 'County ID', stays: false }])
    expect((await links()).some(({ subject }) => subject === sub)).toBe(false)
  })
})
