import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { audiencesOf, type Endpoint } from '../../shared/endpoint.ts'
import { liftLimits } from '../../test/databases.ts'
import { type ApiResponse, type TestPortal, testPortal } from '../../test/harness.ts'
import { allCalls } from '../../portal/server.ts'
import { nightly } from '../../test/nightly.ts'

const MAPLE = 'maplegrove.localhost'
const HARBOR = 'harborcity.localhost'
const ADMIN = 'admin.localhost'

let portal: TestPortal
let companyId: number
let superId: number
let clerkId: number
let residentId: number
let superToken: string
let clerkToken: string

const idOf = async (email: string): Promise<number> => {
  const { rows } = await portal.owner.query(
    `SELECT id FROM platform_person WHERE email = $1 UNION ALL SELECT id FROM person WHERE email = $1`,
    [email],
  )
  return Number(rows[0].id)
}

beforeAll(async () => {
  portal = await testPortal({ demo: true })
  companyId = (await portal.post(MAPLE, 'return/company/id', { subdomain: 'maplegrove' })).body.company.id
  superId = await idOf('super@mainstreet.example')
  clerkId = await idOf('admin@maplegrove.example')
  residentId = await idOf('resident@maplegrove.example')
})

const signIn = async () => {
  superToken = await portal.signIn(ADMIN, 'super@mainstreet.example')
  clerkToken = await portal.signIn(MAPLE, 'admin@maplegrove.example')
}
/** Where each test may end these sessions in its own way. */
const eachSignsIn = () => beforeEach(signIn)

const reason = 'They called about a bill'
const check = (host: string, token: string, body: object): Promise<ApiResponse> =>
  portal.post(host, 'admin/check/priv/for/user', { reason, ...body }, { token })
const startMunicipality = () => check(ADMIN, superToken, { companyId, reqId: superId, userId: superId })
const startResident = () => check(MAPLE, clerkToken, { reqId: clerkId, userId: residentId })
const exchange = (host: string, sessionToken: string, token?: string) =>
  portal.post(host, 'initialize/impersonation', { sessionToken }, token ? { token } : {})
const municipality = async () => (await exchange(MAPLE, (await startMunicipality()).body.sessionToken)).body
const resident = async () => (await exchange(MAPLE, (await startResident()).body.sessionToken, clerkToken)).body
const report = (token: string, headers = {}) =>
  portal.post(MAPLE, 'muni/return/payment/transactions', { filters: {} }, { token, headers })
const selections = (token: string) => portal.post(MAPLE, 'return/company/selections', { companyId }, { token })

describe('the way in', () => {
  eachSignsIn()

  test('the platform stands for a municipality, and sees its back office', async () => {
    const begun = await municipality()
    expect(begun).toMatchObject({
      ...{ user: { id: superId, company_id: companyId, role_id: 999 }, profileName: 'IP', of: 'municipality' },
      ...{ impersonator: 'Ruth Mercer', impersonated: 'Maple Grove' },
    })
    expect(begun.opener).toMatch(/^http:\/\/admin\./)
    const headers = { userId: String(superId), companyId: String(companyId), overSeeingEye: 'true' }
    expect((await report(begun.token, headers)).status).toBe(200)
    expect((await report(begun.token, { overSeeingEye: '0' })).status).toBe(403)
  })

  test('staff are a resident of their town, with the resident’s rights alone', async () => {
    const begun = await resident()
    expect(begun).toMatchObject({ user: { id: residentId }, of: 'citizen' })
    expect((await report(begun.token)).status).toBe(403)
    expect((await selections(begun.token)).status).toBe(200)
  })

  test('a code counts once, also when two come at once', async () => {
    const { sessionToken } = (await startMunicipality()).body
    const answers = await Promise.all([1, 2, 3].map(() => exchange(MAPLE, sessionToken)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403, 403])
    expect(await exchange(MAPLE, sessionToken)).toMatchObject({ status: 403, body: { code: 'too_late' } })
  })

  test('a code counts for 60 seconds', async () => {
    const first = (await startMunicipality()).body.sessionToken
    portal.clock.advance(59_000)
    expect((await exchange(MAPLE, first)).status).toBe(200)
    const second = (await startMunicipality()).body.sessionToken
    portal.clock.advance(61_000)
    expect((await exchange(MAPLE, second)).status).toBe(403)
  })

  test('the platform stands for a town that is offline, to prepare it', async () => {
    const oldMill = 'oldmill.localhost'
    const { id } = (await portal.post(oldMill, 'return/company/id', { subdomain: 'oldmill' })).body.company
    const { sessionToken } = (await check(ADMIN, superToken, { companyId: id, reqId: superId, userId: superId })).body
    const { token, of } = (await exchange(oldMill, sessionToken)).body
    expect(of).toBe('municipality')
    expect((await portal.post(oldMill, 'muni/return/event/types', {}, { token })).status).toBe(200)
    expect((await portal.post(oldMill, 'return/company/selections', {}, { token })).status).toBe(200)
    expect((await portal.post(oldMill, 'return/company/selections', {})).body.code).toBe('offline')
  })

  test('a code is none on another town’s host, and is not used up there', async () => {
    const { sessionToken } = (await startMunicipality()).body
    expect((await exchange(HARBOR, sessionToken)).status).toBe(403)
    expect((await exchange(MAPLE, sessionToken)).status).toBe(200)
  })

  test('a code of staff counts in the session that started it, for nobody else', async () => {
    for (const email of [null, 'manager@maplegrove.example', 'resident@maplegrove.example']) {
      const { sessionToken } = (await startResident()).body
      const other = email === null ? undefined : await portal.signIn(MAPLE, email)
      expect((await exchange(MAPLE, sessionToken, other)).status).toBe(403)
    }
  })

  test('the right may be lost between the code and the window', async () => {
    const { sessionToken } = (await startMunicipality()).body
    await portal.owner.query(`UPDATE platform_person SET privileges = '{"login_logout": 0}' WHERE id = $1`, [superId])
    expect((await exchange(MAPLE, sessionToken)).status).toBe(403)
    await portal.owner.query(`UPDATE platform_person SET privileges = '{}' WHERE id = $1`, [superId])
  })
})

describe('who may not', () => {
  eachSignsIn()

  test('the call center (906), clerks without the right, residents', async () => {
    const caller = await portal.signIn(ADMIN, 'callcenter@mainstreet.example')
    const reqId = await idOf('callcenter@mainstreet.example')
    expect((await check(ADMIN, caller, { companyId, reqId, userId: reqId })).status).toBe(403)
    const staff = await portal.signIn(MAPLE, 'staff@maplegrove.example')
    const staffId = await idOf('staff@maplegrove.example')
    expect((await check(MAPLE, staff, { reqId: staffId, userId: residentId })).status).toBe(403)
  })

  test.each([
    ['as somebody else', () => ({ reqId: residentId, userId: residentId }), 403],
    ['of themselves', () => ({ reqId: clerkId, userId: clerkId }), 403],
    ['of staff', async () => ({ reqId: clerkId, userId: await idOf('manager@maplegrove.example') }), 403],
    [
      'of another town’s resident',
      async () => ({ reqId: clerkId, userId: await idOf('resident@harborcity.example') }),
      404,
    ],
    ['without a reason', () => ({ reqId: clerkId, userId: residentId, reason: ' x ' }), 400],
    ['with a long one', () => ({ reqId: clerkId, userId: residentId, reason: 'x'.repeat(201) }), 400],
  ])('staff %s', async (_what, body, status) => {
    expect((await check(MAPLE, clerkToken, await body())).status).toBe(status)
  })

  test('nobody out of an impersonated session', async () => {
    const { token } = await municipality()
    expect((await check(MAPLE, token, { reqId: superId, userId: residentId })).status).toBe(403)
  })
})

describe('how it ends', () => {
  eachSignsIn()

  const alive = async (token: string) => (await selections(token)).status === 200 && (await logged(token))
  // A public call answers anybody: one that needs the session tells whether it stands.
  const logged = async (token: string) => (await report(token)).status !== 401

  test('after 30 minutes', async () => {
    const { token } = await municipality()
    portal.clock.advance(29 * 60_000)
    expect(await alive(token)).toBe(true)
    portal.clock.advance(61_000)
    expect(await alive(token)).toBe(false)
  })

  test.each<[string, string, string]>([
    ['is deactivated', 'is_active = 0', 'is_active = 1'],
    ['is locked', 'locked_at = now()', 'locked_at = NULL'],
    ['loses the right', `privileges = '{"login_logout": 8}'`, `privileges = '{}'`],
  ])('when whoever acts %s', async (_what, change, back) => {
    const [ofTown, ofResident] = [(await municipality()).token, (await resident()).token]
    await portal.owner.query(`UPDATE platform_person SET ${change} WHERE id = $1`, [superId])
    await portal.owner.query(`UPDATE person SET ${change} WHERE id = $1`, [clerkId])
    expect([await alive(ofTown), await alive(ofResident)]).toEqual([false, false])
    await portal.owner.query(`UPDATE platform_person SET ${back} WHERE id = $1`, [superId])
    await portal.owner.query(`UPDATE person SET ${back} WHERE id = $1`, [clerkId])
  })

  test('when their own session ends', async () => {
    const [ofTown, ofResident] = [(await municipality()).token, (await resident()).token]
    await portal.get(ADMIN, '/api/v2/logout', { token: superToken })
    expect([await alive(ofTown), await alive(ofResident)]).toEqual([false, true])
    await portal.get(MAPLE, '/api/v2/logout', { token: clerkToken })
    expect(await alive(ofResident)).toBe(false)
  })

  test('when it is ended: their own goes on', async () => {
    const { token } = await resident()
    expect((await portal.get(MAPLE, '/api/v2/logout', { token })).status).toBe(200)
    expect([await alive(token), await alive(clerkToken)]).toEqual([false, true])
  })

  test('when the opening window cleans up, the one that its code names', async () => {
    const first = (await startMunicipality()).body
    const second = (await startMunicipality()).body
    const tokens = []
    for (const { sessionToken } of [first, second]) tokens.push((await exchange(MAPLE, sessionToken)).body.token)
    const clean = (body: object) => portal.post(ADMIN, 'admin/cleanup/impersonation', body, { token: superToken })
    expect((await clean({ reqId: clerkId })).status).toBe(403)
    expect((await clean({ reqId: superId, adminToken: first.adminToken })).body.ended).toBe(1)
    expect([await alive(tokens[0]), await alive(tokens[1])]).toEqual([false, true])
    expect((await clean({ reqId: superId })).body.ended).toBeGreaterThan(0)
    expect(await alive(tokens[1])).toBe(false)
  })
})

describe('what is kept from it', () => {
  let tokens: string[] = []
  beforeAll(async () => {
    await signIn()
    tokens = [(await municipality()).token, (await resident()).token]
  })

  test.each(
    allCalls.map(({ endpoint }) => endpoint).filter(({ whileImpersonating }) => whileImpersonating === 'refused'),
  )('$path is refused', async ({ path }) => {
    for (const token of tokens)
      expect(await portal.post(MAPLE, path, {}, { token })).toMatchObject({
        status: 403,
        body: { message: expect.stringMatching(/while impersonating|not allowed/) },
      })
  })

  /** Calls about money, credentials or grants, by the words of their paths; those that only look are let through. */
  const grave =
    /(?:^|\/)(?:pay|charge|refund|void|autopay|login|password|invitation|invite|sign-up|email|factor|totp|passkey|session|sessions|priv|privileges?|role|grant|card|bank|method|methods)(?:\/|$)/
  const looks = /(?:^|\/)(?:return|find|live|export|print|download|logout)(?:\/|$)|^logout$/

  test.each(allCalls.map(({ endpoint }) => endpoint).filter(({ path }) => grave.test(path) && !looks.test(path)))(
    '$path declares that it is',
    ({ whileImpersonating }) => expect(whileImpersonating).toBe('refused'),
  )

  /** Calls by which residents bind themselves: by the verb, or because the body has an agreement or a signature. */
  const binding = /^(?:sign|agree|accept|link|unlink|answer)\//
  const ofAgreement = ['agree', 'agrees', 'agreed', 'agreement', 'signature', 'signed', 'signer', 'mandate']
  const binds = ({ path, access, body }: Endpoint) =>
    audiencesOf(access).some((one) => one === 'citizen' || one === 'public') &&
    !looks.test(path) &&
    (binding.test(path) ||
      ofAgreement.some(
        (name) => name in (z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }).properties ?? {}),
      ))
  const bindingCalls = allCalls.map(({ endpoint }) => endpoint).filter(binds)

  test('finds the calls that sign, agree, accept or link', () => expect(bindingCalls.length).toBeGreaterThanOrEqual(19))

  test.each(bindingCalls)('$path, by which a resident is bound, declares that it is', ({ whileImpersonating }) =>
    expect(whileImpersonating).toBe('refused'),
  )
})

nightly('whoever stands for the municipality, who is nobody of the town, makes no call fail', async () => {
  await signIn()
  const { token } = await municipality()
  for (const { endpoint } of allCalls) {
    if (endpoint.answers === 'events' || endpoint.takes !== 'json' || endpoint.path === 'logout') continue
    const answer =
      endpoint.method === 'POST'
        ? await portal.post(MAPLE, endpoint.path, {}, { token })
        : await portal.get(MAPLE, `/api/v2/${endpoint.path}`, { token })
    expect([endpoint.path, answer.status < 500]).toEqual([endpoint.path, true])
  }
  const profile = await portal.post(MAPLE, 'return/profile/user', {}, { token })
  expect(profile).toMatchObject({ status: 404, body: { message: expect.stringContaining('no profile of its own') } })
})

describe('what is written down', () => {
  eachSignsIn()

  test('the start with its reason, each look, each write, with both; the resident’s are found by their id', async () => {
    const { token } = await resident()
    await selections(token)
    await portal.get(MAPLE, '/api/v2/logout', { token })
    const { rows } = await portal.owner.query(
      `SELECT action, subject, detail, impersonator_id::int AS by FROM audit_event
       WHERE company_id = $1 AND actor_id = $2 AND impersonator_id IS NOT NULL ORDER BY id DESC LIMIT 4`,
      [companyId, residentId],
    )
    expect(rows.map(({ action, subject }) => `${action} ${subject}`)).toEqual([
      `sign_out ${residentId}`,
      'impersonation.call logout',
      'impersonation.call return/company/selections',
      `impersonation.entered ${residentId}`,
    ])
    expect(new Set(rows.map(({ by }) => by))).toEqual(new Set([clerkId]))
    expect(rows.at(-1).detail.reason).toBe(reason)
  })

  test('a download keeps who asked for it, and ends with them', async () => {
    const ask = async (token: string) =>
      (await portal.post(MAPLE, 'muni/export/payment/transactions', { filters: {} }, { token })).body.url
    const { token } = await municipality()
    // Every export there is was asked for above.
    await liftLimits(portal.owner)
    const [first, second] = [await ask(token), await ask(token)]
    expect((await portal.get(MAPLE, first)).status).toBe(200)
    const { rows } = await portal.owner.query(
      `SELECT impersonator_id::int AS by FROM audit_event WHERE action = 'export.payments' ORDER BY id DESC LIMIT 1`,
    )
    expect(rows[0].by).toBe(superId)
    await portal.get(ADMIN, '/api/v2/logout', { token: superToken })
    expect((await portal.get(MAPLE, second)).status).toBe(403)
  })
})
