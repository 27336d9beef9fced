import { exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import { harborCity } from '../../../database/towns/harbor-city.ts'
import { testPortal } from '../../../test/harness.ts'
import { addTestPlatformStaff, openTestCompany } from '../../../test/company.ts'
import { DEMO_PASSWORD } from '../../identity/demo.ts'

const companyHost = 'maplegrove.localhost'
const harbor = 'harborcity.localhost'
const PATH = '/sso/verify-ccs-token'
const portal = await testPortal()
type Key = Parameters<SignJWT['sign']>[0]
interface Keys {
  key: Key
  jwk: JWK
  pem: string
}
const makeKeys = async (alg: string, kid: string): Promise<Keys> => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { key: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg }, pem: await exportSPKI(publicKey) }
}
let ed: Keys
let rsa: Keys
let harborKeys: Keys
let superToken = ''
let ids: Record<string, number> = {}

const ccs = (keys: Keys[], changes: object = {}) => ({
  ...{ isActive: true, label: 'Town Billing', issuer: 'https://billing.example', jwksUrl: '' },
  jwks: JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }),
  ...changes,
})
const save = (form: object, companyId = ids['maplegrove']) =>
  portal.post('admin.localhost', 'admin/save/company/sso', { companyId, ccs: form }, { token: superToken })

beforeAll(async () => {
  ids = { maplegrove: await openTestCompany(portal, mapleGrove), harborcity: await openTestCompany(portal, harborCity) }
  await addTestPlatformStaff(portal)
  superToken = await portal.signIn('admin.localhost', 'super@mainstreet.example')
  ;[ed, rsa, harborKeys] = await Promise.all([
    makeKeys('EdDSA', 'ed'),
    makeKeys('RS256', 'rsa'),
    makeKeys('EdDSA', 'ed'),
  ])
  await save(ccs([harborKeys]), ids['harborcity'])
})
beforeEach(async () => {
  await portal.owner.query('DELETE FROM failed_guess')
  expect((await save(ccs([ed, rsa]))).body).toMatchObject({ success: true })
})

let sequence = 0
const now = () => Math.floor(portal.clock.now().getTime() / 1000)
const claims = (changes: object = {}) => ({
  ...{
    iss: 'https://billing.example',
    aud: 'http://maplegrove.localhost:3000',
    sub: `C-${++sequence}`,
    jti: `number-${sequence}`,
  },
  ...{ iat: now(), exp: now() + 60, ...changes },
})
const header = { alg: 'EdDSA', kid: 'ed', typ: 'ccs-handoff+jwt' }
const sign = (changes: object = {}, { keys = ed, head = {} }: { keys?: Pick<Keys, 'key'>; head?: object } = {}) =>
  new SignJWT(claims(changes)).setProtectedHeader({ ...header, ...head }).sign(keys.key)

const handOff = async (token: string, host = companyHost) => {
  const { statusCode, headers } = await portal.app.inject({
    ...{ method: 'POST', url: PATH, payload: new URLSearchParams({ token }).toString() },
    headers: { host, 'content-type': 'application/x-www-form-urlencoded', origin: 'https://billing.example' },
  })
  return { status: statusCode, to: String(headers.location ?? '') }
}
const codeOf = ({ to }: { to: string }) => to.split('#')[1] ?? ''
const take = (code: string, host = companyHost) => portal.post(host, 'sso/redeem/hand/off', { code })
const lastReason = async () =>
  (
    await portal.owner.query(
      "SELECT detail->>'reason' AS reason FROM audit_event WHERE action = 'sign_in.refused' ORDER BY id DESC LIMIT 1",
    )
  ).rows[0]?.reason

describe('hand-off from a billing system', () => {
  it.each([
    ['Ed25519', () => ed, {}],
    ['RSA', () => rsa, { alg: 'RS256', kid: 'rsa' }],
  ] as const)('asks the customer for the account once, then signs in: %s', async (_alg, keys, head) => {
    const sub = `customer-${++sequence}`
    const first = await handOff(await sign({ sub }, { keys: keys(), head }))
    expect(first).toMatchObject({ status: 303, to: expect.stringMatching(/^\/sso\/verify-ccs-token#[\w-]{43}$/) })
    const response = await take(codeOf(first))
    expect(response.body).toMatchObject({
      outcome: 'prove',
      reason: 'customer',
      customer: sub,
      label: 'Town Billing',
      email: '',
      maySignUp: true,
    })
    const proof = { ticket: response.body.ticket, email: 'newcomer@maplegrove.example', password: DEMO_PASSWORD }
    expect((await portal.post(companyHost, 'sso/link', proof)).body.user.email).toBe('newcomer@maplegrove.example')
    const again = await take(codeOf(await handOff(await sign({ sub }, { keys: keys(), head }))))
    expect(again.body).toMatchObject({
      outcome: 'signed_in',
      session: { user: { email: 'newcomer@maplegrove.example' } },
    })
  })

  it('accepts a code once, within a minute, for one company', async () => {
    const code = codeOf(await handOff(await sign()))
    expect((await take(code, harbor)).status).toBe(409)
    expect((await take(code)).status).toBe(200)
    expect((await take(code)).status).toBe(409)
    const late = codeOf(await handOff(await sign()))
    portal.clock.advance(60_001)
    expect((await take(late)).status).toBe(409)
  })

  it('shows a page for GET requests and refuses an inactive billing system', async () => {
    expect((await portal.get(companyHost, PATH)).status).toBe(200)
    await save(ccs([ed], { isActive: false }))
    expect((await handOff(await sign())).to).toBe(`${PATH}?refused=off`)
    expect((await handOff(await sign(), 'oldmill.localhost')).to).toBe(PATH)
    expect((await handOff(await sign(), 'admin.localhost')).to).toBe(PATH)
  })

  it('does not sign in staff by a customer number', async () => {
    const response = await take(codeOf(await handOff(await sign())))
    const proof = { ticket: response.body.ticket, email: 'staff@maplegrove.example', password: DEMO_PASSWORD }
    expect(await portal.post(companyHost, 'sso/link', proof)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('cannot sign in with') },
    })
  })
})

describe('refused hand-off tokens', () => {
  const cases: [what: string, refused: string, reason: string, make: () => Promise<string>][] = [
    ['without a signature', 'invalid', 'err_jose_alg_not_allowed', async () => new UnsecuredJWT(claims()).encode()],
    [
      'of algorithm none, with a head',
      'invalid',
      'err_jose_alg_not_allowed',
      async () => {
        const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
        return `${part({ ...header, alg: 'none' })}.${part(claims())}.`
      },
    ],
    [
      'signed by HS256 with the public key',
      'invalid',
      'err_jose_alg_not_allowed',
      () => sign({}, { keys: { key: new TextEncoder().encode(rsa.pem) }, head: { alg: 'HS256', kid: 'rsa' } }),
    ],
    [
      'signed by another algorithm',
      'invalid',
      'err_jose_alg_not_allowed',
      async () => sign({}, { keys: await makeKeys('ES256', 'es'), head: { alg: 'ES256', kid: 'es' } }),
    ],
    [
      "with another town's key",
      'invalid',
      'err_jws_signature_verification_failed',
      () => sign({}, { keys: harborKeys }),
    ],
    [
      'that brings its own key',
      'invalid',
      'err_jws_signature_verification_failed',
      () => sign({}, { keys: harborKeys, head: { jwk: harborKeys.jwk } }),
    ],
    ['of an unknown key', 'invalid', 'err_jwks_no_matching_key', () => sign({}, { head: { kid: 'who' } })],
    ['of another type', 'invalid', 'wrong_typ', () => sign({}, { head: { typ: 'JWT' } })],
    ['of no type', 'invalid', 'wrong_typ', () => sign({}, { head: { typ: undefined } })],
    ['of another issuer', 'invalid', 'wrong_iss', () => sign({ iss: 'https://other.example' })],
    ['for another town', 'invalid', 'wrong_aud', () => sign({ aud: 'http://harborcity.localhost:3000' })],
    ['for several places', 'invalid', 'unfit_aud', () => sign({ aud: ['http://maplegrove.localhost:3000', 'x'] })],
    ['that is over', 'expired', 'expired', () => sign({ iat: now() - 60, exp: now() - 6 })],
    ['that was made too long ago', 'expired', 'expired', () => sign({ iat: now() - 70, exp: now() + 10 })],
    ['that lives too long', 'invalid', 'unfit_lifetime', () => sign({ exp: now() + 61 })],
    ['from the future', 'invalid', 'wrong_iat', () => sign({ iat: now() + 30, exp: now() + 60 })],
    ['that begins later', 'invalid', 'wrong_nbf', () => sign({ nbf: now() + 30 })],
    ['without an end', 'invalid', 'wrong_exp', () => sign({ exp: undefined })],
    ['without its own number', 'invalid', 'wrong_jti', () => sign({ jti: undefined })],
    ['with a short number', 'invalid', 'unfit_jti', () => sign({ jti: '1' })],
    ['of nobody', 'invalid', 'wrong_sub', () => sign({ sub: undefined })],
    ['of a customer whose number is no text', 'invalid', 'unfit_sub', () => sign({ sub: 'a\nb' })],
    ['that is none', 'invalid', 'err_jws_invalid', async () => 'not a token'],
    ['that is missing', 'invalid', 'err_jws_invalid', async () => ''],
    [
      'that was changed',
      'invalid',
      'err_jws_signature_verification_failed',
      async () => {
        const [head, , tail] = (await sign()).split('.')
        return [head, Buffer.from(JSON.stringify(claims())).toString('base64url'), tail].join('.')
      },
    ],
  ]
  it.each(cases)('%s is refused (%s, %s)', async (_what, refused, reason, make) => {
    expect(await handOff(await make())).toEqual({ status: 303, to: `${PATH}?refused=${refused}` })
    expect(await lastReason()).toBe(reason)
  })

  it('tolerates a clock difference of five seconds', async () => {
    expect(codeOf(await handOff(await sign({ iat: now() + 4, exp: now() + 60 })))).not.toBe('')
    expect(codeOf(await handOff(await sign({ iat: now() - 60, exp: now() - 4 })))).not.toBe('')
  })

  it('refuses a repeated token, also concurrently and after the sweep', async () => {
    const token = await sign()
    const responses = await Promise.all([handOff(token), handOff(token), handOff(token)])
    expect(responses.filter((reply) => codeOf(reply) !== '')).toHaveLength(1)
    expect(await lastReason()).toBe('replayed')
    portal.clock.advance(64_000)
    await portal.runJobs('retention.delete')
    expect((await handOff(token)).to).toBe(`${PATH}?refused=expired`)
  })

  it('refuses a token at the host of another company', async () => {
    expect((await handOff(await sign(), harbor)).to).toBe(`${PATH}?refused=invalid`)
  })

  it('limits repeated failures', async () => {
    for (let n = 0; n < 30; n += 1) await handOff('no token')
    expect((await handOff(await sign())).to).toBe(`${PATH}?refused=busy`)
  })

  it('refuses long bodies and other content types', async () => {
    expect((await handOff('x'.repeat(20_000))).status).toBe(413)
    const json = await portal.app.inject({
      method: 'POST',
      url: PATH,
      payload: { token: 'x' },
      headers: { host: companyHost },
    })
    expect(json.statusCode).toBe(415)
  })
})

describe('keys', () => {
  it.each<[string, () => Promise<string>]>([
    ['no JSON', async () => 'keys'],
    ['no keys', async () => '{"keys": []}'],
    ['a private key', async () => JSON.stringify({ keys: [{ ...ed.jwk, d: ed.jwk.x }] })],
    ['a shared secret', async () => '{"keys": [{"kty": "oct", "k": "c2VjcmV0"}]}'],
    ['a short RSA key', async () => JSON.stringify({ keys: [{ ...rsa.jwk, n: rsa.jwk.n?.slice(0, 171) }] })],
    ['another curve', async () => JSON.stringify({ keys: [(await makeKeys('ES256', 'es')).jwk] })],
  ])('are refused: %s', async (_what, make) => {
    const { status, body } = await save(ccs([], { jwks: await make() }))
    expect(status).toBe(422)
    expect(body.details.fields.jwks).toContain('cannot use these public keys')
  })
  it('require either a key set or an address, not both', async () => {
    expect((await save(ccs([ed], { jwksUrl: 'https://billing.example/keys' }))).status).toBe(400)
    expect((await save(ccs([], { jwks: '' }))).status).toBe(400)
  })
  it('are not fetched from an internal address', async () => {
    await save(ccs([], { jwks: '', jwksUrl: 'https://127.0.0.1/keys' }))
    expect((await handOff(await sign())).to).toBe(`${PATH}?refused=busy`)
    expect(await lastReason()).toBe('keys_silent')
  })
})

describe('the token test', () => {
  const test = async (token: string) => {
    const session = await portal.signIn(companyHost, 'resident@maplegrove.example')
    const { status, body } = await portal.post(companyHost, 'test/token', { token }, { token: session })
    const checks = body.checks as { name: string; passed: boolean; why: string }[] | undefined
    return { status, body, failed: checks?.filter(({ passed }) => !passed).map(({ name }) => name) }
  }
  it('shows a valid token completely without using it', async () => {
    const token = await sign({ sub: 'C-777' })
    const { body, failed } = await test(token)
    expect(failed).toEqual([])
    expect(JSON.parse(body.claims)).toMatchObject({ sub: 'C-777' })
    expect(JSON.parse(body.header)).toEqual(header)
    expect(codeOf(await handOff(token))).not.toBe('')
    expect((await test(token)).failed).toEqual(['Not used before'])
  })
  it.each<[string, string[], () => Promise<string>]>([
    ['of an unknown issuer', ['Issuer', 'Signature'], () => sign({ iss: 'https://other.example' })],
    ['signed by somebody else', ['Signature'], () => sign({}, { keys: harborKeys })],
    ['without a signature', ['Type', 'Signature'], async () => new UnsecuredJWT(claims()).encode()],
    ['that is over', ['Not expired'], () => sign({ iat: now() - 100, exp: now() - 50 })],
    ['from the future', ['Already valid'], () => sign({ iat: now() + 10, exp: now() + 60 })],
    ['for another town', ['Audience'], () => sign({ aud: 'x' })],
    ['that lives too long', ['Hand-off claims'], () => sign({ exp: now() + 600 })],
  ])('names the failed checks of a token %s', async (_what, expected, make) =>
    expect((await test(await make())).failed).toEqual(expected),
  )
  it('rejects text that is not a token', async () => {
    expect(await test('abc')).toMatchObject({
      status: 422,
      body: { details: { fields: { token: expect.stringContaining('three parts') } } },
    })
    expect(await test('')).toMatchObject({ status: 400 })
  })
  it('shows the caller’s session without secrets', async () => {
    const token = await portal.signIn(companyHost, 'resident@maplegrove.example')
    const { body } = await portal.post(companyHost, 'return/token/test', {}, { token })
    expect(body).toMatchObject({ email: 'resident@maplegrove.example', kind: 'citizen', roleId: 1 })
    expect(body.privileges).toContainEqual({ policy: 'login_logout', mask: 8 })
    expect(JSON.stringify(body)).not.toContain(token)
  })
})
