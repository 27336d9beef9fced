import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { allCalls } from '../portal/server.ts'
import { CALL_PREFIX } from '../shared/call-prefix.ts'
import { audiencesOf, type Endpoint } from '../shared/endpoint.ts'
import { type TestPortal, testPortal } from './harness.ts'
import { sampleOf } from './layers.ts'
import { seed } from './seed.ts'

const HOST = 'maplegrove.localhost'
const ADMIN = 'admin.localhost'
/** Number of random bodies for each call. */
const RUNS = process.env['NIGHTLY'] ? 1000 : 1
/** Number of valid bodies for each call. In each body, the test replaces every string in turn. */
const SAMPLES = process.env['NIGHTLY'] ? 5 : 1
const MARK = 'hostile-markup'

const strings = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\u{D800}',
  '\u202Egnp.exe',
  'ﷺ'.repeat(300),
  '👩‍👩‍👧‍👦'.repeat(100),
  'x'.repeat(70_000),
  `<script>${MARK}</script>`,
  `"><img src=x onerror=${MARK}>`,
  "'; DROP TABLE company; --",
  '%_%',
  '\\',
  '../../etc/passwd',
  'dot@example.com\r\nBcc: everybody@example.com',
  '${7*7}{{7*7}}',
  '2026-02-30',
  '9999-99-99T99:99:99Z',
  'toString',
  '__proto__',
  '1e400',
  '-0',
  '٣',
]
const numbers = [0, -0, -1, 0.1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308]
/** The first bytes of an image, with no content after them. */
const PNG_START = Buffer.from('89504e470d0a1a0a', 'hex')
const deep = (depth: number): unknown => (depth === 0 ? 1 : { a: [deep(depth - 1)] })

/**
 * Strings of any code points, including lone surrogates. fast-check's own full Unicode strings take a second to set up.
 */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0x10_ff_ff }), { maxLength: 60 })
  .map((codes) => String.fromCodePoint(...codes))

const hostile = fc.oneof(
  fc.constantFrom<unknown>(...strings),
  fc.constantFrom<unknown>(...numbers),
  fc.constantFrom<unknown>(
    null,
    true,
    [],
    {},
    deep(200),
    Array.from({ length: 5000 }, () => 'x'),
    { constructor: { prototype: { admin: true } } },
    { toString: '' },
  ),
  anyText,
  fc.jsonValue({ maxDepth: 3 }),
)

interface Shape {
  type?: string
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  anyOf?: Shape[]
  enum?: unknown[]
  const?: unknown
  pattern?: string
  minimum?: number
  maximum?: number
}

/** Sample characters to use instead of a negated set such as `[^<>]`. Setting up all of Unicode takes a second. */
const SOME_OF_UNICODE = '[aZ09_éß水😀]'
/**
 * Removes lookarounds, which the generator does not support, and simplifies negated sets. `stringsOf` afterward drops
 * the strings that do not match the original pattern.
 */
const plainer = (pattern: string): string =>
  pattern.replaceAll(/\(\?<?[=!][^)]*\)/g, '').replaceAll(/\[\^[^\]]*\]|\\P\{C\}/g, SOME_OF_UNICODE)
const made = new Map<string, fc.Arbitrary<string>>()
function stringsOf(pattern: string): fc.Arbitrary<string> {
  const generated =
    made.get(pattern) ??
    fc
      .stringMatching(new RegExp(plainer(pattern), 'u'), { maxLength: 80 })
      .filter((text) => new RegExp(pattern, 'u').test(text))
  made.set(pattern, generated)
  return generated
}

/** Generates values for the schema. The generator ignores some constraints, so a value may violate the schema. */
function fitting(shape: Shape): fc.Arbitrary<unknown> {
  if (shape.anyOf) return fc.oneof(...shape.anyOf.map(fitting))
  if (shape.enum) return fc.constantFrom(...shape.enum)
  if ('const' in shape) return fc.constant(shape.const)
  if (shape.pattern) return stringsOf(shape.pattern)
  switch (shape.type) {
    case 'object':
      return bodyOf(shape)
    case 'array':
      return fc.array(shape.items ? fitting(shape.items) : hostile, { maxLength: 4 })
    case 'integer':
    case 'number':
      return fc.integer({ min: Math.max(shape.minimum ?? -1e6, -1e6), max: Math.min(shape.maximum ?? 1e6, 1e6) })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.string({ maxLength: 30 })
  }
}

/** Generates an object with valid, hostile or missing fields, and with unknown fields. */
const bodyOf = ({ properties = {} }: Shape): fc.Arbitrary<object> =>
  fc
    .tuple(
      fc.record(
        Object.fromEntries(
          Object.entries(properties).map(([name, shape]) => [
            name,
            fc.oneof({ weight: 3, arbitrary: fitting(shape) }, { weight: 2, arbitrary: hostile }),
          ]),
        ),
        { requiredKeys: [] },
      ),
      fc.dictionary(
        fc.constantFrom('role', 'role_id', 'company_id', 'is_active', 'privileges', 'toString', 'constructor'),
        hostile,
        { maxKeys: 2 },
      ),
    )
    .map(([base, more]) => ({ ...base, ...more }))

const shapes = new Map<string, Shape>()
function shapeOf({ path, body }: Endpoint): Shape {
  const shape = shapes.get(path) ?? (z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Shape)
  shapes.set(path, shape)
  return shape
}

const anything = (endpoint: Endpoint): fc.Arbitrary<unknown> => {
  const shape = shapeOf(endpoint)
  return fc.oneof({ weight: 8, arbitrary: bodyOf(shape) }, { weight: 1, arbitrary: hostile })
}

let portal: TestPortal
const tokens: Record<string, string> = {}
let companyId: number

beforeAll(async () => {
  // The outbox is readable only in the demo.
  portal = await testPortal({ demo: true, env: { DEMO: '1', SSO_LOOPBACK: '0' } })
  tokens['citizen'] = await portal.signIn(HOST, 'resident@maplegrove.example')
  tokens['municipality'] = await portal.signIn(HOST, 'admin@maplegrove.example')
  tokens['platform'] = await portal.signIn(ADMIN, 'super@mainstreet.example')
  companyId = (await portal.post(HOST, 'return/company/id', { subdomain: 'maplegrove' })).body.company.id
})

/**
 * Returns a host and a token for each audience that may make the call, so that hostile input passes the access check.
 */
const callersOf = (endpoint: Endpoint) =>
  audiencesOf(endpoint.access).map((audience) => ({
    host: audience === 'platform' ? ADMIN : HOST,
    token: tokens[audience],
    named: audience === 'platform' ? { companyId } : {},
  }))

describe('hostile input', () => {
  const endpoints = allCalls
    .map(({ endpoint }) => endpoint)
    .filter(({ responseType, path }) => responseType !== 'events' && path !== 'logout')

  test.each(sampleOf(endpoints, 2))(
    'causes no failure and no leak in $path',
    async (endpoint) => {
      await fc.assert(
        fc.asyncProperty(anything(endpoint), fc.nat(9), async (input, index) => {
          const callers = callersOf(endpoint)
          const { host, token, named } = callers[index % callers.length] ?? { host: HOST, token: undefined, named: {} }
          const isRecord = typeof input === 'object' && input !== null && !Array.isArray(input)
          const response = await portal.app.inject({
            method: endpoint.method,
            url: CALL_PREFIX + endpoint.path,
            headers: {
              host,
              ...(endpoint.method === 'POST' && { 'content-type': 'application/json' }),
              'idempotency-key': crypto.randomUUID(),
              ...(token && { authorization: `Bearer ${token}` }),
            },
            ...(endpoint.method === 'POST' && { payload: JSON.stringify(isRecord ? { ...named, ...input } : input) }),
          })
          if (response.statusCode < 400) return
          const failure = response.json()
          // No gateway runs in this test, so valid input that needs the gateway gets a 503. That is not a failure.
          const isOurs = !(response.statusCode === 503 && failure.code === 'provider_unreachable')
          if (isOurs) expect(response.statusCode, response.body).toBeLessThan(500)
          expect(failure).toMatchObject({
            success: false,
            message: expect.stringMatching(/\S/),
            code: expect.stringMatching(/^[a-z_]+$/),
          })
          expect(response.body).not.toMatch(/node_modules|\.ts:\d|SELECT |relation "|column "|syntax error/)
        }),
        { numRuns: RUNS },
      )
    },
    120_000,
  )

  /** Names of inherited properties, and the text `null`, which a program sends for a missing key. */
  const ODD_KEYS = ['__proto__', 'constructor', 'null']
  /** Maximum number of bodies for each sample and odd key. In each body, one string is replaced. */
  const MAX_TEXTS = 6

  /** Yields copies of the value. In each copy, the odd key replaces one of the strings. */
  function* withOddTexts(value: unknown, odd: string): Generator<unknown> {
    if (typeof value === 'string') yield odd
    else if (Array.isArray(value)) {
      for (const [at, inner] of value.entries()) for (const one of withOddTexts(inner, odd)) yield value.with(at, one)
    } else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value))
        for (const one of withOddTexts(inner, odd)) yield { ...value, [key]: one }
  }

  test('causes no failure if a text is an inherited property name', async () => {
    const failed: unknown[] = []
    let [sent, calls] = [0, 0]
    for (const endpoint of sampleOf(endpoints).filter(({ method }) => method === 'POST')) {
      const { host, token, named } = callersOf(endpoint)[0] ?? { host: HOST, token: undefined, named: {} }
      // Uses only bodies that the schema accepts, because a refused body never reaches a look-up.
      const bodies = fc.sample(fitting(shapeOf(endpoint)), { numRuns: SAMPLES, seed }).flatMap((fit) =>
        ODD_KEYS.flatMap((odd) =>
          [...withOddTexts(fit, odd)]
            .map((body) => ({ ...named, ...(body as object) }))
            .filter((body) => endpoint.body.safeParse(body).success)
            .slice(0, MAX_TEXTS),
        ),
      )
      for (const body of bodies) {
        const headers = { 'idempotency-key': crypto.randomUUID() }
        const response = await portal.post(host, endpoint.path, body, { ...(token && { token }), headers })
        const isOurs = !(response.status === 503 && response.body.code === 'provider_unreachable')
        if (response.status >= 500 && isOurs) failed.push([endpoint.path, body, response.body])
      }
      sent += bodies.length
      if (bodies.length > 0) calls += 1
    }
    process.stdout.write(`${sent} bodies with odd keys for ${calls} calls, seed ${seed}\n`)
    expect(failed).toEqual([])
    expect(calls).toBeGreaterThan(30)
  }, 300_000)

  test('is a 400 in every call and field with 250,000 nested brackets', async () => {
    const deep = '['.repeat(250_000)
    const statuses = new Map<string, number>()
    for (const endpoint of sampleOf(endpoints).filter(({ method, takes }) => method === 'POST' && takes === 'json')) {
      const { host, token, named } = callersOf(endpoint)[0] ?? { host: HOST, token: undefined, named: {} }
      const [field = 'answers'] = Object.keys(shapeOf(endpoint).properties ?? {})
      const rest = Object.entries(named).map(([name, value]) => `"${name}":${value},`)
      for (const payload of [deep, `{${rest.join('')}"${field}":${deep}${']'.repeat(deep.length)}}`]) {
        const { statusCode } = await portal.app.inject({
          method: 'POST',
          url: CALL_PREFIX + endpoint.path,
          headers: { host, 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
          payload,
        })
        if (statusCode !== 400) statuses.set(endpoint.path, statusCode)
      }
    }
    expect(Object.fromEntries(statuses)).toEqual({})
  }, 120_000)

  /** Required parameters of list requests, except the cursor. */
  const needed = {
    day: '2026-11-20',
    templateId: 1,
    section: 'hours',
    filters: { name: 'Jor', fromDate: '2026-11-01', toDate: '2026-11-20' },
  }
  const cursorOf = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  const neverIssued = [
    ...['made up', '%%%', Buffer.from('{').toString('base64url'), Buffer.from('null').toString('base64url')],
    ...[
      cursorOf(),
      cursorOf('a'),
      cursorOf(null, 1, 0),
      cursorOf({}, 1, 0),
      cursorOf(['a'], 1, 0),
      cursorOf('a\0b', 1, 0),
    ],
    ...[
      cursorOf('a', -1, 0),
      cursorOf('a', 1.5, 0),
      cursorOf('a', 1e300, 0),
      cursorOf('a', '1', 0),
      cursorOf('a', null, 0),
    ],
  ]
  /** Cursor keys. Each fits the sort columns of only some lists. */
  const keys = ['a', '5', '-5', '9'.repeat(30), 5, -5, 0.5, 1e15, '2026-11-20T15:00:00.000Z', '0000-01-01T00:00:00Z']
  keys.push('2026-11-20', '99999-01-01T00:00:00Z', '2026-02-30T24:00:00.000Z', true as never)

  test('is a 400 for a forged cursor, in each list and sort', async () => {
    const lists = allCalls.flatMap(({ endpoint }) => {
      const shape = shapeOf(endpoint)
      return shape.properties?.['cursor'] ? [{ endpoint, sorts: shape.properties['sort']?.enum ?? [undefined] }] : []
    })
    expect(lists.length).toBeGreaterThan(15)
    for (const { endpoint, sorts } of sampleOf(lists)) {
      if (endpoint.responseType !== 'json') continue
      const { host, token, named } = callersOf(endpoint)[0] ?? { host: HOST, token: undefined, named: {} }
      const requestPage = (sort: unknown, cursor: string) =>
        portal.post(
          host,
          endpoint.path,
          { ...named, ...needed, ...(sort ? { sort } : {}), cursor },
          token ? { token } : {},
        )
      const refused = neverIssued.map(async (cursor) => {
        const { status, body } = await requestPage(sorts[0], cursor)
        expect([endpoint.path, cursor, status, body.message]).toEqual([
          ...[endpoint.path, cursor, 400],
          expect.stringMatching(/first page|cannot be saved/),
        ])
      })
      const accepted = sorts.flatMap((sort) =>
        keys.map(async (key) => {
          const { status } = await requestPage(sort, cursorOf(key, 1, 0))
          expect([endpoint.path, sort, key, [200, 400].includes(status) || status]).toEqual([
            endpoint.path,
            sort,
            key,
            true,
          ])
        }),
      )
      await Promise.all([...refused, ...accepted])
    }
  })

  test('causes no failure if the platform names an unknown municipality', async () => {
    const naming = allCalls.flatMap(({ endpoint }) => {
      // All other calls accept only the municipality of their host.
      if (endpoint.scope !== 'none' || !audiencesOf(endpoint.access).includes('platform')) return []
      const { properties = {} } = shapeOf(endpoint)
      return ['companyId', 'companyId']
        .filter((name) => name in properties)
        .map((name) => ({ path: endpoint.path, name }))
    })
    expect(naming.length).toBeGreaterThan(5)
    const token = tokens['platform'] ?? ''
    for (const { path, name } of naming)
      for (const id of [0, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
        const { status, body } = await portal.post(ADMIN, path, { ...needed, [name]: id }, { token })
        expect([path, id, status < 500 || body]).toEqual([path, id, true])
      }
  })

  test.each(['a\0b', 'a\u{D800}', '\u{DC00}b'])(
    'is refused everywhere if it contains %j, which no database stores',
    async (name) => {
      const token = tokens['platform'] ?? ''
      for (const [path, body] of [
        ['admin/check/company/name/unique', { companyName: name }],
        ['admin/create/platform/department', { name }],
        ['admin/return/audit/events', { cursor: name }],
      ] as const) {
        const response = await portal.post(ADMIN, path, body, { token })
        expect(response.status, path).toBe(400)
        expect(response.body.message).toMatch(/cannot be saved|unprintable characters/)
      }
    },
  )

  /** Multipart bodies: parts with any name, any content and in any number, and malformed bodies. */
  const partsOf = fc.oneof(
    fc.array(
      fc.record({
        name: fc.oneof(
          fc.constantFrom('file', 'company', 'upload', 'key', 'offset', '__proto__', ''),
          fc.string({ maxLength: 20 }),
        ),
        filename: fc.option(fc.oneof(fc.constantFrom('../../etc/passwd', 'a.png\0.exe'), fc.string({ maxLength: 20 }))),
        content: fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(PNG_START, Buffer.alloc(0))),
      }),
      { maxLength: 4 },
    ),
    fc.string({ maxLength: 200 }),
  )
  const quoted = (text: string) => text.replaceAll(/["\r\n]/g, '%22')
  const written = (parts: string | { name: string; filename: string | null; content: Uint8Array }[]): Buffer =>
    typeof parts === 'string'
      ? Buffer.from(parts)
      : Buffer.concat([
          ...parts.flatMap(({ name, filename, content }) => [
            Buffer.from(
              `--hostile\r\ncontent-disposition: form-data; name="${quoted(name)}"${filename === null ? '' : `; filename="${quoted(filename)}"\r\ncontent-type: image/png`}\r\n\r\n`,
            ),
            content,
            Buffer.from('\r\n'),
          ]),
          Buffer.from('--hostile--\r\n'),
        ])

  test.each(allCalls.map(({ endpoint }) => endpoint).filter(({ takes }) => takes !== 'json'))(
    'causes no failure as multipart in $path',
    async (endpoint) => {
      await fc.assert(
        fc.asyncProperty(partsOf, fc.nat(9), async (parts, index) => {
          const callers = callersOf(endpoint)
          const { host, token } = callers[index % callers.length] ?? { host: HOST, token: undefined }
          const response = await portal.app.inject({
            ...{ method: 'POST', url: CALL_PREFIX + endpoint.path, payload: written(parts) },
            headers: {
              ...{ host, 'content-type': 'multipart/form-data; boundary=hostile' },
              ...(token && { authorization: `Bearer ${token}` }),
            },
          })
          expect([400, 404, 413, 415, 422], response.body).toContain(response.statusCode)
          expect(response.json()).toMatchObject({ success: false, message: expect.stringMatching(/\S/) })
        }),
        { numRuns: RUNS },
      )
    },
    120_000,
  )

  test('became markup on no page', async () => {
    for (const [host, path] of [
      [HOST, '/'],
      [HOST, '/municipality'],
      [ADMIN, '/admin'],
      ['localhost', '/'],
    ] as const) {
      const { body } = await portal.get(host, path)
      expect(body).not.toMatch(new RegExp(`<script>${MARK}|<img src=x onerror=${MARK}`))
    }
  })
})
