import { beforeAll, describe, expect, test } from 'vitest'
import { allCalls } from '../server/features.ts'
import { CALL_PREFIX } from '../server/call.ts'
import { audiencesOf, type Endpoint } from '../shared/endpoint.ts'
import { defaultsOf, may } from '../shared/privileges.ts'
import { type TestPortal, testPortal } from './harness.ts'

const MAPLE = 'maplegrove.localhost'
const HARBOR = 'harborcity.localhost'
const ADMIN = 'admin.localhost'
const endpoints = allCalls.map((call) => call.endpoint).filter((endpoint) => endpoint.path !== 'logout')
const guarded = endpoints.filter((endpoint) => !audiencesOf(endpoint.access).includes('public'))

/** Each role of the demo, where it signs in. */
const people = [
  { email: 'resident@maplegrove.example', host: MAPLE, audience: 'citizen', role: 1 },
  { email: 'staff@maplegrove.example', host: MAPLE, audience: 'municipality', role: 3 },
  { email: 'manager@maplegrove.example', host: MAPLE, audience: 'municipality', role: 4 },
  { email: 'admin@maplegrove.example', host: MAPLE, audience: 'municipality', role: 5 },
  { email: 'callcenter@mainstreet.example', host: ADMIN, audience: 'platform', role: 906 },
  { email: 'super@mainstreet.example', host: ADMIN, audience: 'platform', role: 909 },
] as const

function isAllowed({ access }: Endpoint, { audience, role }: (typeof people)[number]): boolean {
  if (!audiencesOf(access).includes(audience)) return false
  return !access.privilege || audience === 'citizen' || may(defaultsOf(role), ...access.privilege)
}

const standing = Promise.withResolvers<{
  portal: TestPortal
  tokens: Record<string, string>
  ids: Record<string, number>
}>()
beforeAll(async () => {
  const portal = await testPortal({ demo: true })
  const tokens: Record<string, string> = {}
  for (const person of people) tokens[person.email] = await portal.signIn(person.host, person.email)
  tokens['resident@harborcity.example'] = await portal.signIn(HARBOR, 'resident@harborcity.example')
  const { rows } = await portal.owner.query<{ subdomain: string; id: number }>('SELECT subdomain, id FROM company')
  standing.resolve({ portal, tokens, ids: Object.fromEntries(rows.map((row) => [row.subdomain, row.id])) })
})

const make = async (
  host: string,
  endpoint: Endpoint,
  body: object,
  options: { token?: string; headers?: Record<string, string> },
) => {
  const { portal } = await standing.promise
  return endpoint.method === 'GET'
    ? portal.get(host, CALL_PREFIX + endpoint.path, options)
    : portal.post(host, endpoint.path, body, options)
}

describe('every call says who may make it', () => {
  test.each(endpoints)('$path', (endpoint) => {
    expect(audiencesOf(endpoint.access).length).toBeGreaterThan(0)
    const staffed = audiencesOf(endpoint.access).some(
      (audience) => audience === 'platform' || audience === 'municipality',
    )
    const own = ['logout', 'admin/return/company/logo/details', 'admin/return/company/details']
    if (staffed && !own.includes(endpoint.path))
      expect(endpoint.access.privilege, 'a privilege is declared').toBeDefined()
  })

  test('and the API document tells it', async () => {
    const { portal } = await standing.promise
    const { body } = await portal.get(MAPLE, '/api/docs/json')
    expect(body.openapi).toBe('3.1.0')
    for (const { path, method } of endpoints)
      expect(body.paths[CALL_PREFIX + path][method.toLowerCase()]['x-access'].audience).toBeDefined()
  })
})

describe('nobody gets in without the right session', () => {
  test.each(guarded)('$path without a session, and with a made-up one', async (endpoint) => {
    expect(await make(MAPLE, endpoint, {}, {})).toMatchObject({ status: 401, body: { success: false } })
    expect(await make(MAPLE, endpoint, {}, { token: 'A'.repeat(43) })).toMatchObject({ status: 401 })
    const forged = { userId: '1', companyId: '1', overSeeingEye: 'true' }
    expect((await make(MAPLE, endpoint, {}, { headers: forged })).status).toBe(401)
  })

  test.each(guarded)('$path as a resident of another town', async (endpoint) => {
    const { tokens } = await standing.promise
    expect(await make(MAPLE, endpoint, {}, { token: tokens['resident@harborcity.example'] ?? '' })).toMatchObject({
      status: 401,
    })
  })

  const visits = people.flatMap((person) =>
    guarded.map((endpoint) => ({ ...person, endpoint, path: endpoint.path, allowed: isAllowed(endpoint, person) })),
  )

  test.each(visits.filter(({ allowed }) => !allowed))('$path refuses $email', async ({ email, host, endpoint }) => {
    const { tokens, ids } = await standing.promise
    expect((await make(host, endpoint, { companyId: ids['maplegrove'] }, { token: tokens[email] ?? '' })).status).toBe(
      403,
    )
  })

  // A stream of events never ends: a clerk who watches one is a browser test's business.
  test.each(visits.filter(({ allowed, endpoint }) => allowed && endpoint.answers !== 'events'))(
    '$path lets $email in',
    async ({ email, host, endpoint }) => {
      const { tokens, ids } = await standing.promise
      const { status } = await make(host, endpoint, { companyId: ids['maplegrove'] }, { token: tokens[email] ?? '' })
      expect([200, 400, 404, 409, 422]).toContain(status)
    },
  )

  test.each(guarded.filter((endpoint) => endpoint.scope === 'company' && endpoint.method === 'POST'))(
    "$path with another town's id in the body, or forged headers",
    async (endpoint) => {
      const { tokens, ids } = await standing.promise
      const token = tokens['admin@maplegrove.example'] ?? ''
      // Whose call it is not learns not even whether the other town is there.
      const refusal = audiencesOf(endpoint.access).includes('municipality') ? 404 : 403
      expect((await make(MAPLE, endpoint, { companyId: ids['harborcity'] }, { token })).status).toBe(refusal)
      expect((await make(MAPLE, endpoint, {}, { token, headers: { userId: '1' } })).status).toBe(403)
      expect(
        (await make(MAPLE, endpoint, {}, { token, headers: { companyId: String(ids['harborcity']) } })).status,
      ).toBe(403)
      expect((await make(MAPLE, endpoint, {}, { token, headers: { overSeeingEye: 'true' } })).status).toBe(403)
    },
  )

  test('a token of a town is none on the administrator’s host, and the other way round', async () => {
    const { portal, tokens } = await standing.promise
    const list = (host: string, email: string) =>
      portal.post(host, 'admin/return/companys/information', {}, { token: tokens[email] ?? '' })
    expect((await list(ADMIN, 'admin@maplegrove.example')).status).toBe(401)
    expect((await list(MAPLE, 'super@mainstreet.example')).status).toBe(401)
  })

  test('what was refused stands in the audit log', async () => {
    const { portal } = await standing.promise
    const { rows } = await portal.owner.query(
      `SELECT DISTINCT action FROM audit_event WHERE action LIKE 'access.%' ORDER BY action`,
    )
    expect(rows.map((row) => row.action)).toEqual(['access.forged_headers', 'access.refused'])
  })
})

describe('a failed call has one shape', () => {
  test.each([
    ['unknown call', 'no/such/call', {}, 404],
    ['a body that is no object', 'login', [1, 2], 400],
    ['missing fields', 'login', {}, 400],
  ])('%s', async (_name, path, body, status) => {
    const { portal } = await standing.promise
    const answer = await portal.post(MAPLE, path, body)
    expect(answer).toMatchObject({
      status,
      body: { success: false, code: expect.any(String), message: expect.any(String) },
    })
    expect(answer.body.msg).toBe(answer.body.message)
  })
})
