import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allCalls } from '../portal/server.ts'
import { madeFor } from '../server/serializers.ts'
import { CALL_PREFIX } from '../shared/call-prefix.ts'
import { type Access, audiencesOf, type Endpoint } from '../shared/endpoint.ts'
import { findRecords } from '../shared/lookups.ts'
import { personSettings } from '../shared/person-settings.ts'
import { savedViews } from '../shared/saved-views.ts'
import { isArea, staffPrivileges } from '../shared/areas.ts'
import { may, policies, rights } from '../shared/privileges.ts'
import { type TestPortal, testPortal } from './harness.ts'
import { isWhole, sampleOf } from './layers.ts'

const MAPLE = 'maplegrove.localhost'
const HARBOR = 'harborcity.localhost'
const ADMIN = 'admin.localhost'
const endpoints = allCalls.map((call) => call.endpoint).filter((endpoint) => endpoint.path !== 'logout')
const guarded = endpoints.filter((endpoint) => !audiencesOf(endpoint.access).includes('public'))

/**
 * Returns the class of a call: the parts of its declaration that the server's checks of host, session and headers
 * depend on. So `npm test` tests one call of each class, and the larger test layers test all calls.
 */
const classOf = ({ access, scope, method, responseType, takes }: Endpoint): string =>
  JSON.stringify([audiencesOf(access), Boolean(access.privilege), scope, method, responseType, takes])
const oneOfEachClass = isWhole
  ? endpoints
  : [...new Map(endpoints.map((endpoint) => [classOf(endpoint), endpoint])).values()]
const guardedOfEachClass = oneOfEachClass.filter((endpoint) => guarded.includes(endpoint))
/** Calls that `npm test` makes as every role: one call of each class, and a quarter of the others. */
const guardedSample = [...new Set([...guardedOfEachClass, ...sampleOf(guarded)])]

/** All roles and the hosts that they use. If the demo has no account for a role, the test creates one. */
const people = [
  { email: 'resident@maplegrove.example', host: MAPLE, audience: 'citizen', role: 1 },
  { email: 'staff@maplegrove.example', host: MAPLE, audience: 'municipality', role: 3 },
  { email: 'manager@maplegrove.example', host: MAPLE, audience: 'municipality', role: 4 },
  { email: 'admin@maplegrove.example', host: MAPLE, audience: 'municipality', role: 5 },
  { email: 'provider@mainstreet.example', host: ADMIN, audience: 'platform', role: 900 },
  { email: 'callcenter@mainstreet.example', host: ADMIN, audience: 'platform', role: 906 },
  { email: 'support@mainstreet.example', host: ADMIN, audience: 'platform', role: 907 },
  { email: 'manager@mainstreet.example', host: ADMIN, audience: 'platform', role: 908 },
  { email: 'super@mainstreet.example', host: ADMIN, audience: 'platform', role: 909 },
] as const
type Person = (typeof people)[number]

// Clears the export limit for a person, because this test exports more often than the limit allows.
// `server/limits.test.ts` tests that limit.
beforeEach(async () => (await ready.promise).portal.owner.query('DELETE FROM failed_guess'))

/**
 * True if the call's declaration permits the person, based on their audience and the default privileges of their role.
 */
function isAllowed({ access }: Endpoint, { audience, role }: Person): boolean {
  if (!audiencesOf(access).includes(audience)) return false
  return !access.privilege || audience === 'citizen' || may(staffPrivileges(role, {}), ...access.privilege)
}

/** Staff calls that need no privilege, because they concern only the caller or because all staff may see the data. */
const NEEDS_NO_PRIVILEGE = [
  // Counts of open records, which the menu shows only to staff who may open them.
  'muni/return/open/records',
  'logout',
  'admin/return/company/logo/details',
  'admin/return/company/details',
  // This call compares the characters of a text with the fonts. It returns no personal data.
  'muni/return/unprintable/letters',
  // Sample files contain only invented rows.
  'muni/download/import/sample',
  // Imports of records and their undo. Each kind needs the permission of its area (`importKinds`), which the calls check.
  'muni/import/records',
  'muni/return/imports',
  'muni/undo/import',
  'start/upload/record_file',
  'send/upload/part/record_file',
  // Records that staff build. Each kind needs the permission to create such records, which the calls check (`kindFor`).
  'muni/export/record',
  'muni/compare/record/file',
  'muni/import/record/file',
  'muni/return/shared/records',
  'muni/return/shared/record',
  'muni/take/shared/record',
  // Searches only the kinds of records that the caller may view.
  findRecords.path,
  // Results of a rental lottery. They contain no names, and anyone may verify them.
  'return/rental/lottery',
  ...[savedViews, personSettings].flatMap((calls) => Object.values(calls).map(({ path }) => path)),
]

/**
 * Lists the mistakes in the declared access of a call. Empty if the declaration names the permitted callers correctly.
 */
function undeclared({ path, access }: Pick<Endpoint, 'path' | 'access'>): string[] {
  const audiences = audiencesOf(access)
  const validAudiences = ['public', 'citizen', 'municipality', 'platform']
  const staffed = audiences.some((audience) => audience === 'platform' || audience === 'municipality')
  const [policy, permission] = access.privilege ?? []
  const faults: [boolean, string][] = [
    [audiences.length === 0, 'no audience'],
    [audiences.some((audience) => !validAudiences.includes(audience)), 'an audience that is not known'],
    [audiences.includes('public') && audiences.length > 1, 'public beside others'],
    [audiences.includes('public') && policy !== undefined, 'a right that nobody is asked for'],
    [staffed && policy === undefined && !NEEDS_NO_PRIVILEGE.includes(path), 'no privilege'],
    [policy !== undefined && !(policy in policies) && !isArea(policy), 'a policy that is not known'],
    // Staff of a municipality have a level in each area. Only a person's own profile has a policy without an area.
    [
      audiences.includes('municipality') && policy !== undefined && policy !== 'user_profile' && !isArea(policy),
      'a policy instead of an area',
    ],
    [audiences.join('') === 'platform' && policy !== undefined && isArea(policy) && !(policy in policies), 'an area'],
    [permission !== undefined && !(permission in rights), 'a right that is not known'],
  ]
  return faults.filter(([isFault]) => isFault).map(([, message]) => message)
}

const ready = Promise.withResolvers<{
  portal: TestPortal
  tokens: Record<string, string>
  ids: Record<string, number>
}>()
beforeAll(async () => {
  const portal = await testPortal({ demo: true })
  const tokens: Record<string, string> = {}
  for (const role of [900, 908])
    await portal.owner.query(
      `INSERT INTO platform_person (email, role_id, first_name, last_name, password_hash)
       SELECT $1, $2, 'Role', 'Holder', password_hash FROM platform_person WHERE email = 'super@mainstreet.example'`,
      [people.find((person) => person.role === role)?.email, role],
    )
  for (const person of people) tokens[person.email] = await portal.signIn(person.host, person.email)
  tokens['resident@harborcity.example'] = await portal.signIn(HARBOR, 'resident@harborcity.example')
  const { rows } = await portal.owner.query<{ subdomain: string; id: number }>('SELECT subdomain, id FROM company')
  ready.resolve({ portal, tokens, ids: Object.fromEntries(rows.map((row) => [row.subdomain, row.id])) })
})

const make = async (
  host: string,
  endpoint: Endpoint,
  body: object,
  options: { token?: string; headers?: Record<string, string> },
) => {
  const { portal } = await ready.promise
  return endpoint.method === 'GET'
    ? portal.get(host, CALL_PREFIX + endpoint.path, options)
    : portal.post(host, endpoint.path, body, options)
}

describe('the declared access of every call', () => {
  test.each(endpoints)('names the callers of $path', (endpoint) => {
    expect(undeclared(endpoint)).toEqual([])
  })

  test.each([
    ['nobody', { audience: [] }, 'no audience'],
    ['staff of any kind', { audience: 'municipality' }, 'no privilege'],
    ['the platform of any kind', { audience: ['citizen', 'platform'] }, 'no privilege'],
    [
      'everybody, with a right',
      { audience: 'public', privilege: ['dashboard', 'view'] },
      'a right that nobody is asked for',
    ],
    [
      'staff with a right that is none',
      { audience: 'platform', privilege: ['dashboard', 'look'] },
      'a right that is not known',
    ],
    [
      'staff with a policy that is none',
      { audience: 'platform', privilege: ['made_up', 'view'] },
      'a policy that is not known',
    ],
  ])('reports the mistake in a call for %s', (_case, access, message) => {
    expect(undeclared({ path: 'a/new/call', access: access as unknown as Access })).toEqual([message])
  })

  test('declares the answer in a valid shape', () => {
    for (const endpoint of endpoints.filter(({ responseType }) => responseType === 'json'))
      expect(madeFor(endpoint), endpoint.path).toBeTypeOf('function')
  })

  test('appears in the API document', async () => {
    const { portal } = await ready.promise
    const { body } = await portal.get(MAPLE, '/api/docs/json')
    expect(body.openapi).toBe('3.1.0')
    for (const { path, method } of endpoints)
      expect(body.paths[CALL_PREFIX + path][method.toLowerCase()]['x-access'].audience).toBeDefined()
  })
})

describe('calls without the right session', () => {
  test.each(guarded)('refuses $path without a session', async (endpoint) => {
    expect(await make(MAPLE, endpoint, {}, {})).toMatchObject({ status: 401, body: { success: false } })
  })

  test.each(guardedOfEachClass)('refuses calls like $path with a forged session', async (endpoint) => {
    expect(await make(MAPLE, endpoint, {}, { token: 'A'.repeat(43) })).toMatchObject({ status: 401 })
    const forged = { userId: '1', companyId: '1', overSeeingEye: 'true' }
    expect((await make(MAPLE, endpoint, {}, { headers: forged })).status).toBe(401)
  })

  test.each(guardedOfEachClass)('refuses calls like $path for a resident of another company', async (endpoint) => {
    const { tokens } = await ready.promise
    expect(await make(MAPLE, endpoint, {}, { token: tokens['resident@harborcity.example'] ?? '' })).toMatchObject({
      status: 401,
    })
  })

  /** Makes a call as each role and returns the statuses, which the test compares with the call's declaration. */
  const statusesOf = async (endpoint: Endpoint, send: (person: Person, token: string) => Promise<number | null>) => {
    const { tokens } = await ready.promise
    const statuses = await Promise.all(
      people.map(async (person) => [`${person.role}`, await send(person, tokens[person.email] ?? '')] as const),
    )
    return Object.fromEntries(statuses.filter(([, status]) => status !== null))
  }
  const expected = (statusOf: (person: Person) => number | null) =>
    Object.fromEntries(
      people.flatMap((person) => {
        const status = statusOf(person)
        return status === null ? [] : [[`${person.role}`, status]]
      }),
    )
  /** Placeholder for every status that a permitted caller may get: success, invalid input, or not found. */
  const IN = 200
  const letIn = [200, 400, 404, 409, 422]
  // True for an event stream, which never ends. Browser tests cover staff who watch a stream.
  const endless = (endpoint: Endpoint, person: Person) =>
    endpoint.responseType === 'events' && isAllowed(endpoint, person)

  test.each(guardedSample)('admits exactly the declared roles to $path', async (endpoint) => {
    const { ids } = await ready.promise
    const statuses = await statusesOf(endpoint, async (person, token) => {
      if (endless(endpoint, person)) return null
      const { status } = await make(person.host, endpoint, { companyId: ids['maplegrove'] }, { token })
      return letIn.includes(status) ? IN : status
    })
    expect(statuses).toEqual(
      expected((person) => (endless(endpoint, person) ? null : isAllowed(endpoint, person) ? IN : 403)),
    )
  })

  test.each(sampleOf(guardedOfEachClass))(
    'refuses calls like $path on the wrong host to everyone',
    async (endpoint) => {
      const { ids } = await ready.promise
      const statuses = await statusesOf(endpoint, async ({ host }, token) => {
        const other = host === MAPLE ? ADMIN : MAPLE
        return (await make(other, endpoint, { companyId: ids['maplegrove'] }, { token })).status
      })
      expect(statuses).toEqual(expected(() => 401))
    },
  )

  test.each(guardedSample.filter((endpoint) => endpoint.scope === 'company' && endpoint.method === 'POST'))(
    'refuses $path with the id of another company',
    async (endpoint) => {
      const { ids } = await ready.promise
      // The platform may name any company. If the company does not exist, the response is "not found".
      const statuses = await statusesOf(endpoint, async (person, token) => {
        // Callers without access must not learn whether the other company exists. In `npm test`, only one call of each
        // class tests this.
        if (!isAllowed(endpoint, person) && !guardedOfEachClass.includes(endpoint)) return null
        const companyId = person.host === MAPLE ? ids['harborcity'] : 999_999
        return (await make(person.host, endpoint, { companyId }, { token })).status
      })
      const isCalled = (person: Person) => String(person.role) in statuses
      expect(statuses).toEqual(
        expected((person) => (isAllowed(endpoint, person) ? 404 : isCalled(person) ? 403 : null)),
      )
      expect(Object.values(statuses)).toContain(404)
    },
  )

  test.each(sampleOf(oneOfEachClass))(
    'refuses calls like $path with forged headers to every role',
    async (endpoint) => {
      const { ids } = await ready.promise
      const own = { companyId: ids['maplegrove'] }
      const lying: Record<string, string>[] = [
        { userId: '1' },
        { overSeeingEye: 'true' },
        { companyId: String(ids['harborcity']) },
      ]
      for (const headers of lying) {
        // On the administrator's host, a forged company header has an effect only if the call is about a company.
        const lies = ({ host }: Person) =>
          !('companyId' in headers) || host === MAPLE || (endpoint.scope === 'company' && endpoint.method === 'POST')
        const statuses = await statusesOf(endpoint, async (person, token) => {
          if (!lies(person)) return null
          return (await make(person.host, endpoint, own, { token, headers })).status
        })
        const statusOf = (person: Person) => {
          if (!lies(person)) return null
          // A GET call to the administrator's host can't name a company, so even permitted callers get "not found".
          const about = endpoint.scope !== 'company' || person.host === MAPLE || endpoint.method === 'POST'
          return about || !(isAllowed(endpoint, person) || !guarded.includes(endpoint)) ? 403 : 404
        }
        expect([headers, statuses]).toEqual([headers, expected(statusOf)])
      }
    },
  )

  test('rejects a company’s token on the administrator’s host, and vice versa', async () => {
    const { portal, tokens } = await ready.promise
    const list = (host: string, email: string) =>
      portal.post(host, 'admin/return/companys/information', {}, { token: tokens[email] ?? '' })
    expect((await list(ADMIN, 'admin@maplegrove.example')).status).toBe(401)
    expect((await list(MAPLE, 'super@mainstreet.example')).status).toBe(401)
  })

  test('records refused calls in the audit log', async () => {
    const { portal } = await ready.promise
    const { rows } = await portal.owner.query(
      `SELECT DISTINCT action FROM refused_call WHERE company > 0 ORDER BY action`,
    )
    expect(rows.map((row) => row.action)).toEqual(['access.forged_headers', 'access.refused'])
  })
})

describe('the shape of a failed call', () => {
  test.each([
    ['unknown call', 'no/such/call', {}, 404],
    ['a body that is no object', 'login', [1, 2], 400],
    ['missing fields', 'login', {}, 400],
  ])('%s', async (_name, path, body, status) => {
    const { portal } = await ready.promise
    const response = await portal.post(MAPLE, path, body)
    expect(response).toMatchObject({
      status,
      body: { success: false, code: expect.any(String), message: expect.any(String) },
    })
    expect(response.body.msg).toBe(response.body.message)
  })
})
