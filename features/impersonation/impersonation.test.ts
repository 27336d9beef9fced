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
let adminId: number
let residentId: number
let superToken: string
let adminToken: string

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
  adminId = await idOf('admin@maplegrove.example')
  residentId = await idOf('resident@maplegrove.example')
})

const signIn = async () => {
  superToken = await portal.signIn(ADMIN, 'super@mainstreet.example')
  adminToken = await portal.signIn(MAPLE, 'admin@maplegrove.example')
}
/** Signs in before each test, because a test may end the sessions. */
const eachSignsIn = () => beforeEach(signIn)

const reason = 'They called about a bill'
const check = (host: string, token: string, body: object): Promise<ApiResponse> =>
  portal.post(host, 'admin/check/priv/for/user', { reason, ...body }, { token })
const startMunicipality = () => check(ADMIN, superToken, { companyId, reqId: superId, userId: superId })
const startResident = () => check(MAPLE, adminToken, { reqId: adminId, userId: residentId })
const exchange = (host: string, sessionToken: string, token?: string) =>
  portal.post(host, 'initialize/impersonation', { sessionToken }, token ? { token } : {})
const municipality = async () => (await exchange(MAPLE, (await startMunicipality()).body.sessionToken)).body
const resident = async () => (await exchange(MAPLE, (await startResident()).body.sessionToken, adminToken)).body
const report = (token: string, headers = {}) =>
  portal.post(MAPLE, 'muni/return/payment/transactions', { filters: {} }, { token, headers })
const selections = (token: string) => portal.post(MAPLE, 'return/company/selections', { companyId }, { token })

describe('start of an impersonation', () => {
  eachSignsIn()

  test('lets the platform impersonate a municipality and see its back office', async () => {
    const started = await municipality()
    expect(started).toMatchObject({
      ...{ user: { id: superId, company_id: companyId, role_id: 999 }, profileName: 'IP', of: 'municipality' },
      ...{ impersonator: 'Ruth Mercer', impersonated: 'Maple Grove' },
    })
    expect(started.opener).toMatch(/^http:\/\/admin\./)
    const headers = { userId: String(superId), companyId: String(companyId), overSeeingEye: 'true' }
    expect((await report(started.token, headers)).status).toBe(200)
    expect((await report(started.token, { overSeeingEye: '0' })).status).toBe(403)
  })

  test('lets staff impersonate a resident with only the resident’s permissions', async () => {
    const started = await resident()
    expect(started).toMatchObject({ user: { id: residentId }, of: 'citizen' })
    expect((await report(started.token)).status).toBe(403)
    expect((await selections(started.token)).status).toBe(200)
  })

  test('accepts a code once, even in two simultaneous calls', async () => {
    const { sessionToken } = (await startMunicipality()).body
    const responses = await Promise.all([1, 2, 3].map(() => exchange(MAPLE, sessionToken)))
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403, 403])
    expect(await exchange(MAPLE, sessionToken)).toMatchObject({ status: 403, body: { code: 'too_late' } })
  })

  test('accepts a code for 60 seconds', async () => {
    const first = (await startMunicipality()).body.sessionToken
    portal.clock.advance(59_000)
    expect((await exchange(MAPLE, first)).status).toBe(200)
    const second = (await startMunicipality()).body.sessionToken
    portal.clock.advance(61_000)
    expect((await exchange(MAPLE, second)).status).toBe(403)
  })

  test('lets the platform impersonate an offline company to prepare it', async () => {
    const oldMill = 'oldmill.localhost'
    const { id } = (await portal.post(oldMill, 'return/company/id', { subdomain: 'oldmill' })).body.company
    const { sessionToken } = (await check(ADMIN, superToken, { companyId: id, reqId: superId, userId: superId })).body
    const { token, of } = (await exchange(oldMill, sessionToken)).body
    expect(of).toBe('municipality')
    expect((await portal.post(oldMill, 'muni/return/event/types', {}, { token })).status).toBe(200)
    expect((await portal.post(oldMill, 'return/company/selections', {}, { token })).status).toBe(200)
    expect((await portal.post(oldMill, 'return/company/selections', {})).body.code).toBe('offline')
  })

  test('refuses a code on another company’s host without using it up', async () => {
    const { sessionToken } = (await startMunicipality()).body
    expect((await exchange(HARBOR, sessionToken)).status).toBe(403)
    expect((await exchange(MAPLE, sessionToken)).status).toBe(200)
  })

  test('accepts a staff code only in the session that started it', async () => {
    for (const email of [null, 'manager@maplegrove.example', 'resident@maplegrove.example']) {
      const { sessionToken } = (await startResident()).body
      const other = email === null ? undefined : await portal.signIn(MAPLE, email)
      expect((await exchange(MAPLE, sessionToken, other)).status).toBe(403)
    }
  })

  test('refuses if the permission is lost between code and window', async () => {
    const { sessionToken } = (await startMunicipality()).body
    await portal.owner.query(`UPDATE platform_person SET privileges = '{"login_logout": 0}' WHERE id = $1`, [superId])
    expect((await exchange(MAPLE, sessionToken)).status).toBe(403)
    await portal.owner.query(`UPDATE platform_person SET privileges = '{}' WHERE id = $1`, [superId])
  })
})

describe('seeing the portal as a staff member', () => {
  eachSignsIn()

  const start = async (email: string, token = adminToken, reqId = adminId) =>
    check(MAPLE, token, { reqId, userId: await idOf(email), asStaff: true })
  const seeAs = async (email: string) => {
    const { sessionToken } = (await start(email)).body
    return (await exchange(MAPLE, sessionToken, adminToken)).body
  }

  test('shows the screens of that person and changes nothing', async () => {
    const started = await seeAs('staff@maplegrove.example')
    expect(started).toMatchObject({ of: 'municipality', impersonator: 'Judith Sawyer', impersonated: 'Elena Kowalski' })
    const { token } = started
    expect((await report(token)).status).toBe(200)
    // The staff member may not see staff, so the administrator can't in this session either.
    expect((await portal.post(MAPLE, 'muni/return/municipality/staff', { filters: {} }, { token })).status).toBe(403)
    const changed = await portal.post(MAPLE, 'muni/save/hydrant', {}, { token })
    expect([changed.status, changed.body.message]).toEqual([
      403,
      'You see the portal as another person, so you cannot change anything. To make changes, use your own window.',
    ])
    const { rows } = await portal.owner.query(
      `SELECT subject FROM audit_event WHERE impersonator_id = $1 AND action = 'impersonation.call' AND actor_id = $2`,
      [adminId, await idOf('staff@maplegrove.example')],
    )
    expect(rows).toContainEqual({ subject: 'muni/return/payment/transactions' })
  })

  test('permits only calls that read, of all calls of staff', async () => {
    const { token } = await seeAs('staff@maplegrove.example')
    const changing = allCalls
      .map(({ endpoint }) => endpoint)
      .filter(({ path, access, method }) => {
        const verb = path.replace(/^(?:admin|muni)\//, '').split('/')[0] ?? ''
        const reads = [
          'return',
          'find',
          'view',
          'preview',
          'print',
          'download',
          'export',
          'zip',
          'live',
          'watch',
          'check',
        ]
        return (
          method === 'POST' &&
          audiencesOf(access).includes('municipality') &&
          !reads.includes(verb) &&
          verb !== 'logout'
        )
      })
    expect(changing.length).toBeGreaterThan(250)
    for (const { path } of changing)
      expect([path, (await portal.post(MAPLE, path, {}, { token })).status]).toEqual([path, 403])
  })

  test('is refused for a person with more privileges, for residents and for the platform', async () => {
    const staffToken = await portal.signIn(MAPLE, 'manager@maplegrove.example')
    const managerId = await idOf('manager@maplegrove.example')
    await portal.owner.query(`UPDATE person SET privileges = '{"login_logout": 1}' WHERE id = $1`, [managerId])
    const more = await start('admin@maplegrove.example', staffToken, managerId)
    expect([more.status, more.body.message]).toEqual([
      403,
      'This person has privileges that you do not have, so you cannot see the portal as this person.',
    ])
    expect((await start('staff@maplegrove.example', staffToken, managerId)).status).toBe(200)
    await portal.owner.query(`UPDATE person SET privileges = '{}' WHERE id = $1`, [managerId])
    expect((await start('staff@maplegrove.example', staffToken, managerId)).status).toBe(403)
    expect((await start('resident@maplegrove.example')).status).toBe(404)
    const staffId = await idOf('staff@maplegrove.example')
    const platform = { companyId, reqId: superId, userId: staffId, asStaff: true }
    expect((await check(ADMIN, superToken, platform)).status).toBe(404)
  })
})

describe('refused impersonation', () => {
  eachSignsIn()

  test('refuses the call center (906), staff without the permission, and residents', async () => {
    const caller = await portal.signIn(ADMIN, 'callcenter@mainstreet.example')
    const reqId = await idOf('callcenter@mainstreet.example')
    expect((await check(ADMIN, caller, { companyId, reqId, userId: reqId })).status).toBe(403)
    const staff = await portal.signIn(MAPLE, 'staff@maplegrove.example')
    const staffId = await idOf('staff@maplegrove.example')
    expect((await check(MAPLE, staff, { reqId: staffId, userId: residentId })).status).toBe(403)
  })

  test.each([
    ['as somebody else', () => ({ reqId: residentId, userId: residentId }), 403],
    ['of themselves', () => ({ reqId: adminId, userId: adminId }), 403],
    ['of staff', async () => ({ reqId: adminId, userId: await idOf('manager@maplegrove.example') }), 403],
    [
      'of another town’s resident',
      async () => ({ reqId: adminId, userId: await idOf('resident@harborcity.example') }),
      404,
    ],
    ['without a reason', () => ({ reqId: adminId, userId: residentId, reason: ' x ' }), 400],
    ['with a long one', () => ({ reqId: adminId, userId: residentId, reason: 'x'.repeat(201) }), 400],
  ])('refuses staff %s', async (_what, body, status) => {
    expect((await check(MAPLE, adminToken, await body())).status).toBe(status)
  })

  test('refuses a caller in an impersonated session', async () => {
    const { token } = await municipality()
    expect((await check(MAPLE, token, { reqId: superId, userId: residentId })).status).toBe(403)
  })
})

describe('end of an impersonation', () => {
  eachSignsIn()

  const alive = async (token: string) => (await selections(token)).status === 200 && (await logged(token))
  // A public call accepts everyone, so the test uses a call that requires a session.
  const logged = async (token: string) => (await report(token)).status !== 401

  test('ends after 30 minutes', async () => {
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
  ])('ends when the impersonator %s', async (_what, change, back) => {
    const [companyToken, ofResident] = [(await municipality()).token, (await resident()).token]
    await portal.owner.query(`UPDATE platform_person SET ${change} WHERE id = $1`, [superId])
    await portal.owner.query(`UPDATE person SET ${change} WHERE id = $1`, [adminId])
    expect([await alive(companyToken), await alive(ofResident)]).toEqual([false, false])
    await portal.owner.query(`UPDATE platform_person SET ${back} WHERE id = $1`, [superId])
    await portal.owner.query(`UPDATE person SET ${back} WHERE id = $1`, [adminId])
  })

  test('ends with the impersonator’s own session', async () => {
    const [companyToken, ofResident] = [(await municipality()).token, (await resident()).token]
    await portal.get(ADMIN, '/api/v2/logout', { token: superToken })
    expect([await alive(companyToken), await alive(ofResident)]).toEqual([false, true])
    await portal.get(MAPLE, '/api/v2/logout', { token: adminToken })
    expect(await alive(ofResident)).toBe(false)
  })

  test('ends at sign-out, and the impersonator’s own session continues', async () => {
    const { token } = await resident()
    expect((await portal.get(MAPLE, '/api/v2/logout', { token })).status).toBe(200)
    expect([await alive(token), await alive(adminToken)]).toEqual([false, true])
  })

  test('ends the session of the code when the opening window cleans up', async () => {
    const first = (await startMunicipality()).body
    const second = (await startMunicipality()).body
    const tokens = []
    for (const { sessionToken } of [first, second]) tokens.push((await exchange(MAPLE, sessionToken)).body.token)
    const clean = (body: object) => portal.post(ADMIN, 'admin/cleanup/impersonation', body, { token: superToken })
    expect((await clean({ reqId: adminId })).status).toBe(403)
    expect((await clean({ reqId: superId, adminToken: first.adminToken })).body.ended).toBe(1)
    expect([await alive(tokens[0]), await alive(tokens[1])]).toEqual([false, true])
    expect((await clean({ reqId: superId })).body.ended).toBeGreaterThan(0)
    expect(await alive(tokens[1])).toBe(false)
  })
})

describe('calls refused while impersonating', () => {
  let tokens: string[] = []
  beforeAll(async () => {
    await signIn()
    tokens = [(await municipality()).token, (await resident()).token]
  })

  test.each(
    allCalls.map(({ endpoint }) => endpoint).filter(({ whileImpersonating }) => whileImpersonating === 'refused'),
  )('refuses $path', async ({ path }) => {
    for (const token of tokens)
      expect(await portal.post(MAPLE, path, {}, { token })).toMatchObject({
        status: 403,
        body: { message: expect.stringMatching(/while impersonating|not allowed/) },
      })
  })

  /** Matches the paths of calls about money, credentials or privileges. `reads` matches calls that only read. */
  const grave =
    /(?:^|\/)(?:pay|charge|refund|void|autopay|login|password|invitation|invite|sign-up|email|factor|totp|passkey|session|sessions|priv|privileges?|role|grant|card|bank|method|methods)(?:\/|$)/
  const reads = /(?:^|\/)(?:return|find|live|export|print|download|logout)(?:\/|$)|^logout$/

  test.each(allCalls.map(({ endpoint }) => endpoint).filter(({ path }) => grave.test(path) && !reads.test(path)))(
    'requires $path to declare the refusal',
    ({ whileImpersonating }) => expect(whileImpersonating).toBe('refused'),
  )

  /**
   * Matches the paths of calls that bind residents legally. `ofAgreement` lists field names of agreements and
   * signatures in a body.
   */
  const binding = /^(?:sign|agree|accept|link|unlink|answer)\//
  const ofAgreement = ['agree', 'agrees', 'agreed', 'agreement', 'signature', 'signed', 'signer', 'mandate']
  const binds = ({ path, access, body }: Endpoint) =>
    audiencesOf(access).some((one) => one === 'citizen' || one === 'public') &&
    !reads.test(path) &&
    (binding.test(path) ||
      ofAgreement.some(
        (name) => name in (z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }).properties ?? {}),
      ))
  const bindingCalls = allCalls.map(({ endpoint }) => endpoint).filter(binds)

  test('finds the calls that sign, agree, accept or link', () => expect(bindingCalls.length).toBeGreaterThanOrEqual(19))

  test.each(bindingCalls)('requires $path, which binds a resident, to declare the refusal', ({ whileImpersonating }) =>
    expect(whileImpersonating).toBe('refused'),
  )
})

nightly('whoever stands for the municipality, who is nobody of the town, makes no call fail', async () => {
  await signIn()
  const { token } = await municipality()
  for (const { endpoint } of allCalls) {
    if (endpoint.responseType === 'events' || endpoint.takes !== 'json' || endpoint.path === 'logout') continue
    const response =
      endpoint.method === 'POST'
        ? await portal.post(MAPLE, endpoint.path, {}, { token })
        : await portal.get(MAPLE, `/api/v2/${endpoint.path}`, { token })
    expect([endpoint.path, response.status < 500]).toEqual([endpoint.path, true])
  }
  const profile = await portal.post(MAPLE, 'return/profile/user', {}, { token })
  expect(profile).toMatchObject({ status: 404, body: { message: expect.stringContaining('which has no profile') } })
})

describe('audit entries', () => {
  eachSignsIn()

  test('record start, reads and writes with both people, found by resident', async () => {
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
    expect(new Set(rows.map(({ by }) => by))).toEqual(new Set([adminId]))
    expect(rows.at(-1).detail.reason).toBe(reason)
  })

  test('downloads record the requester and end with the impersonation', async () => {
    const callApi = async (token: string) =>
      (await portal.post(MAPLE, 'muni/export/payment/transactions', { filters: {} }, { token })).body.url
    const { token } = await municipality()
    // Disables the rate limits, because the tests above have called every export.
    await liftLimits(portal.owner)
    const [first, second] = [await callApi(token), await callApi(token)]
    expect((await portal.get(MAPLE, first)).status).toBe(200)
    const { rows } = await portal.owner.query(
      `SELECT impersonator_id::int AS by FROM audit_event WHERE action = 'export.payments' ORDER BY id DESC LIMIT 1`,
    )
    expect(rows[0].by).toBe(superId)
    await portal.get(ADMIN, '/api/v2/logout', { token: superToken })
    expect((await portal.get(MAPLE, second)).status).toBe(403)
  })
})
