import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allCalls } from '../portal/server.ts'
import { CALL_PREFIX } from '../server/call.ts'
import { madeFor } from '../server/serializers.ts'
import { type Access, audiencesOf, type Endpoint } from '../shared/endpoint.ts'
import { savedViews } from '../shared/saved-views.ts'
import { defaultsOf, may, policies, rights } from '../shared/privileges.ts'
import { type TestPortal, testPortal } from './harness.ts'
import { isWhole, sampleOf } from './layers.ts'

const MAPLE = 'maplegrove.localhost'
const HARBOR = 'harborcity.localhost'
const ADMIN = 'admin.localhost'
const endpoints = allCalls.map((call) => call.endpoint).filter((endpoint) => endpoint.path !== 'logout')
const guarded = endpoints.filter((endpoint) => !audiencesOf(endpoint.access).includes('public'))

/**
 * Host, session and headers are judged before a call is known by more than what it declares: `npm test` tries one call of
 * each class, the layers above try all.
 */
const classOf = ({ access, scope, method, answers, takes }: Endpoint): string =>
  JSON.stringify([audiencesOf(access), Boolean(access.privilege), scope, method, answers, takes])
const oneOfEachClass = isWhole
  ? endpoints
  : [...new Map(endpoints.map((endpoint) => [classOf(endpoint), endpoint])).values()]
const guardedOfEachClass = oneOfEachClass.filter((endpoint) => guarded.includes(endpoint))
/** In `npm test` every role tries one call of each class and a quarter of all others. */
const guardedSample = [...new Set([...guardedOfEachClass, ...sampleOf(guarded)])]

/** Each role there is, where it signs in. Those that the demo has no account of are added. */
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

// How much one person may take along in a while is tried elsewhere (`server/limits.test.ts`): there are more exports than that.
beforeEach(async () => (await standing.promise).portal.owner.query('DELETE FROM failed_guess'))

/** What the declaration of a call says of a role: nothing else decides. */
function isAllowed({ access }: Endpoint, { audience, role }: Person): boolean {
  if (!audiencesOf(access).includes(audience)) return false
  return !access.privilege || audience === 'citizen' || may(defaultsOf(role), ...access.privilege)
}

/** Calls of staff that ask for no right: about oneself, or what every member of the staff sees. */
const ASK_FOR_NO_RIGHT = [
  'logout',
  'admin/return/company/logo/details',
  'admin/return/company/details',
  // Letters of fonts, and of nothing else.
  'muni/return/unprintable/letters',
  // What was drawn, which has no names and which anybody may repeat.
  'return/rental/draw',
  ...Object.values(savedViews).map(({ path }) => path),
]

/** What a declaration leaves out. None for a call that says who may make it. */
function undeclared({ path, access }: Pick<Endpoint, 'path' | 'access'>): string[] {
  const audiences = audiencesOf(access)
  const known = ['public', 'citizen', 'municipality', 'platform']
  const staffed = audiences.some((audience) => audience === 'platform' || audience === 'municipality')
  const [policy, right] = access.privilege ?? []
  const faults: [boolean, string][] = [
    [audiences.length === 0, 'no audience'],
    [audiences.some((audience) => !known.includes(audience)), 'an audience that is not known'],
    [audiences.includes('public') && audiences.length > 1, 'public beside others'],
    [audiences.includes('public') && policy !== undefined, 'a right that nobody is asked for'],
    [staffed && policy === undefined && !ASK_FOR_NO_RIGHT.includes(path), 'no privilege'],
    [policy !== undefined && !(policy in policies), 'a policy that is not known'],
    [right !== undefined && !(right in rights), 'a right that is not known'],
  ]
  return faults.filter(([found]) => found).map(([, says]) => says)
}

const standing = Promise.withResolvers<{
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
  ])('and one for %s is found out', (_whom, access, says) => {
    expect(undeclared({ path: 'a/new/call', access: access as unknown as Access })).toEqual([says])
  })

  test('and what it answers, in a shape that can be written', () => {
    for (const endpoint of endpoints.filter(({ answers }) => answers === 'json'))
      expect(madeFor(endpoint), endpoint.path).toBeTypeOf('function')
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
  test.each(guarded)('$path without a session', async (endpoint) => {
    expect(await make(MAPLE, endpoint, {}, {})).toMatchObject({ status: 401, body: { success: false } })
  })

  test.each(guardedOfEachClass)(
    '$path, and all that are declared like it, with a made-up session',
    async (endpoint) => {
      expect(await make(MAPLE, endpoint, {}, { token: 'A'.repeat(43) })).toMatchObject({ status: 401 })
      const forged = { userId: '1', companyId: '1', overSeeingEye: 'true' }
      expect((await make(MAPLE, endpoint, {}, { headers: forged })).status).toBe(401)
    },
  )

  test.each(guardedOfEachClass)(
    '$path, and all that are declared like it, as a resident of another town',
    async (endpoint) => {
      const { tokens } = await standing.promise
      expect(await make(MAPLE, endpoint, {}, { token: tokens['resident@harborcity.example'] ?? '' })).toMatchObject({
        status: 401,
      })
    },
  )

  /** The answers of all roles to one call, to be compared with what its declaration says. */
  const answersOf = async (endpoint: Endpoint, ask: (person: Person, token: string) => Promise<number | null>) => {
    const { tokens } = await standing.promise
    const answers = await Promise.all(
      people.map(async (person) => [`${person.role}`, await ask(person, tokens[person.email] ?? '')] as const),
    )
    return Object.fromEntries(answers.filter(([, status]) => status !== null))
  }
  const expected = (statusOf: (person: Person) => number | null) =>
    Object.fromEntries(
      people.flatMap((person) => {
        const status = statusOf(person)
        return status === null ? [] : [[`${person.role}`, status]]
      }),
    )
  /** Stands for any answer of somebody who was let in: what they sent is wrong, or was not found, or was done. */
  const IN = 200
  const letIn = [200, 400, 404, 409, 422]
  // A stream of events never ends: a clerk who watches one is a browser test's business.
  const endless = (endpoint: Endpoint, person: Person) => endpoint.answers === 'events' && isAllowed(endpoint, person)

  test.each(guardedSample)('$path lets each role in, or not, as it is declared', async (endpoint) => {
    const { ids } = await standing.promise
    const answers = await answersOf(endpoint, async (person, token) => {
      if (endless(endpoint, person)) return null
      const { status } = await make(person.host, endpoint, { companyId: ids['maplegrove'] }, { token })
      return letIn.includes(status) ? IN : status
    })
    expect(answers).toEqual(
      expected((person) => (endless(endpoint, person) ? null : isAllowed(endpoint, person) ? IN : 403)),
    )
  })

  test.each(sampleOf(guardedOfEachClass))(
    "$path, and all that are declared like it, on the others' host is for nobody",
    async (endpoint) => {
      const { ids } = await standing.promise
      const answers = await answersOf(endpoint, async ({ host }, token) => {
        const other = host === MAPLE ? ADMIN : MAPLE
        return (await make(other, endpoint, { companyId: ids['maplegrove'] }, { token })).status
      })
      expect(answers).toEqual(expected(() => 401))
    },
  )

  test.each(guardedSample.filter((endpoint) => endpoint.scope === 'company' && endpoint.method === 'POST'))(
    "$path with another town's id in the body",
    async (endpoint) => {
      const { ids } = await standing.promise
      // The platform names towns as it likes; one that is not there it does not find.
      const answers = await answersOf(endpoint, async (person, token) => {
        // Whose call it is not learns not even whether the other town is there: by day this is asked of one in each class.
        if (!isAllowed(endpoint, person) && !guardedOfEachClass.includes(endpoint)) return null
        const companyId = person.host === MAPLE ? ids['harborcity'] : 999_999
        return (await make(person.host, endpoint, { companyId }, { token })).status
      })
      const asked = (person: Person) => String(person.role) in answers
      expect(answers).toEqual(expected((person) => (isAllowed(endpoint, person) ? 404 : asked(person) ? 403 : null)))
      expect(Object.values(answers)).toContain(404)
    },
  )

  test.each(sampleOf(oneOfEachClass))(
    '$path, and all that are declared like it, with forged headers is refused to every role',
    async (endpoint) => {
      const { ids } = await standing.promise
      const own = { companyId: ids['maplegrove'] }
      const lying: Record<string, string>[] = [
        { userId: '1' },
        { overSeeingEye: 'true' },
        { companyId: String(ids['harborcity']) },
      ]
      for (const headers of lying) {
        // On the administrator's host there is a town to lie about only where the call is about one.
        const lies = ({ host }: Person) =>
          !('companyId' in headers) || host === MAPLE || (endpoint.scope === 'company' && endpoint.method === 'POST')
        const answers = await answersOf(endpoint, async (person, token) => {
          if (!lies(person)) return null
          return (await make(person.host, endpoint, own, { token, headers })).status
        })
        const statusOf = (person: Person) => {
          if (!lies(person)) return null
          // A call about a town by GET names none, so that nothing is found, by those who may look.
          const about = endpoint.scope !== 'company' || person.host === MAPLE || endpoint.method === 'POST'
          return about || !(isAllowed(endpoint, person) || !guarded.includes(endpoint)) ? 403 : 404
        }
        expect([headers, answers]).toEqual([headers, expected(statusOf)])
      }
    },
  )

  test('a token of a town is none on the administrator’s host, and the other way round', async () => {
    const { portal, tokens } = await standing.promise
    const list = (host: string, email: string) =>
      portal.post(host, 'admin/return/companys/information', {}, { token: tokens[email] ?? '' })
    expect((await list(ADMIN, 'admin@maplegrove.example')).status).toBe(401)
    expect((await list(MAPLE, 'super@mainstreet.example')).status).toBe(401)
  })

  test('what was refused is kept for the audit log', async () => {
    const { portal } = await standing.promise
    const { rows } = await portal.owner.query(`SELECT DISTINCT action FROM refused_call WHERE town > 0 ORDER BY action`)
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
