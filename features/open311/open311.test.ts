import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { blankField, blankStep } from '../../shared/fields/blank.ts'
import { type ApiResponse, testClock, testPortal, type TestPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/company.ts'
import { attributesOf, instantIn, spanOf } from './rules.ts'
import { rowsIn, servicesIn, updatesIn } from './server/portal-responses.ts'
import { xmlOf } from './server/xml.ts'

const MAPLE = 'maplegrove.localhost'
const DAY = 86_400_000
let portal: TestPortal
let admin = ''
let key = ''
let other = ''
const services = { pothole: 0, signed: 0, hidden: 0 }

beforeAll(async () => {
  portal = await testPortal({ clock: testClock(), env: { TRUST_PROXY: 'loopback' } })
  const maple = await openTestCompany(portal, mapleGrove)
  admin = await portal.signIn(MAPLE, 'admin@maplegrove.example')
  await portal.owner.query(`INSERT INTO company_map (company_id, origin_lat, origin_lon) VALUES ($1, 40.2, -76.9)`, [
    maple,
  ])
  services.pothole = await category('Pothole', {})
  services.hidden = await category('Graffiti & noise', { onMap: false })
  services.signed = await category('With a signature', {})
  await saveFields(services.pothole, [
    { ...blankField('choice', 'depth'), label: 'How deep?', required: true, options: [option('deep'), option('flat')] },
    { ...blankField('choices', 'near'), label: 'What is near?', options: [option('school'), option('bridge')] },
    { ...blankField('date', 'since'), label: 'Since when?' },
    { ...blankField('checkbox', 'damage'), label: 'It did damage.' },
    { ...blankField('number', 'width'), label: 'How wide?' },
  ])
  await saveFields(services.signed, [{ ...blankField('signature', 'sign'), label: 'Sign', required: true }])
  key = await makeKey('County app', 'open311')
  other = await makeKey('Other app', 'open311')
})
beforeEach(() => portal.owner.query('DELETE FROM failed_guess'))

const option = (value: string) => ({ value, label: value })
async function as(path: string, body: object): Promise<ApiResponse['body']> {
  const headers = { 'idempotency-key': randomUUID() }
  const response = await portal.post(MAPLE, path, body, { token: admin, headers })
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return response.body
}
const makeKey = async (name: string, use: string): Promise<string> => (await as('muni/make/api/key', { name, use })).key
const plain = {
  hint: 'Holes & cracks in a road',
  sortNo: 1,
  active: true,
  departmentId: null,
  targetDays: 3,
  escalateTo: null,
}
const category = async (name: string, more: object): Promise<number> =>
  (
    await as('muni/save/request/category', {
      ...{ ...plain, name, forGuests: true, needsLocation: true, onMap: true, categoryId: null },
      ...more,
    })
  ).categoryId
async function saveFields(categoryId: number, fields: object[]): Promise<void> {
  const definition = { steps: [{ ...blankStep('questions'), title: 'Questions', fields }] }
  const saved = await as('muni/save/request/category/fields', { categoryId, definition })
  await as('muni/publish/request/category/fields', { categoryId, definition: saved.definition })
}

const get = (path: string, headers: Record<string, string> = {}) =>
  portal.get(MAPLE, `/open311/v2/${path}`, { headers })
async function post(path: string, form: Record<string, string | string[]>, host = MAPLE) {
  const params = new URLSearchParams(
    Object.entries(form).flatMap(([name, of]) => [of].flat().map((value) => [name, value])),
  )
  const response = await portal.app.inject({
    method: 'POST',
    url: `/open311/v2/${path}`,
    headers: { host, 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    payload: params.toString(),
  })
  const isJson = String(response.headers['content-type']).startsWith('application/json')
  return { status: response.statusCode, headers: response.headers, body: isJson ? response.json() : response.body }
}
const hole = (more: Record<string, string | string[]> = {}) => ({
  api_key: key,
  service_code: String(services.pothole),
  lat: '40.2',
  long: '-76.9',
  description: 'Ann saw a hole, as wide as a wheel.',
  first_name: 'Ann',
  last_name: 'Lee',
  email: 'ann@example.org',
  phone: '717 555 0101',
  'attribute[depth]': 'deep',
  ...more,
})
async function reported(more: Record<string, string | string[]> = {}): Promise<string> {
  const { status, body } = await post('requests.json', hole(more))
  expect(status, JSON.stringify(body)).toBe(200)
  return body[0].service_request_id
}
const rowOf = async (number: string) =>
  (await portal.owner.query('SELECT * FROM service_request WHERE number = $1', [number])).rows[0]
const step = async (number: string, event: string, more: object = {}) =>
  as('muni/change/communication/status', { subjectId: Number((await rowOf(number)).id), event, ...more })

// Structures of GeoReport v2 (https://wiki.open311.org/GeoReport_v2/) in both formats. Required fields, allowed words
// and null values follow the JSON schemas of open311/schema-validation.
const text = z.string()
const maybe = z.nullable(z.string())
const time = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/))
const request = z.strictObject({
  ...{ service_request_id: text, status: z.enum(['open', 'closed']), status_notes: maybe, service_name: text },
  ...{ service_code: text, description: maybe, agency_responsible: maybe, service_notice: maybe },
  ...{ requested_datetime: time, updated_datetime: time, expected_datetime: z.nullable(time), address: maybe },
  ...{ address_id: maybe, zipcode: maybe, lat: z.nullable(z.number()), long: z.nullable(z.number()), media_url: maybe },
})
const attribute = z.strictObject({
  ...{ variable: z.boolean(), code: text, required: z.boolean(), datatype_description: maybe, order: z.int() },
  datatype: z.enum(['string', 'number', 'datetime', 'text', 'singlevaluelist', 'multivaluelist']),
  ...{ description: text, values: z.optional(z.array(z.strictObject({ key: text, name: text }))) },
})
const service = z.strictObject({
  ...{ service_code: text, service_name: text, description: text, metadata: z.boolean() },
  ...{ type: z.enum(['realtime', 'batch', 'blackbox']), keywords: text, group: text },
})
const endpoint = z.strictObject({
  ...{ specification: text, url: z.url(), changeset: time, type: z.enum(['production', 'test', 'dev']) },
  formats: z.array(z.enum(['text/xml', 'application/json'])),
})
const update = z.strictObject({
  ...{ update_id: text, service_request_id: text, status: z.enum(['OPEN', 'CLOSED']), updated_datetime: time },
  ...{ description: text, media_url: maybe },
})
const errors = z
  .array(z.strictObject({ code: z.int(), description: z.string().check(z.minLength(10)) }))
  .check(z.minLength(1))
const structures = {
  discovery: z.strictObject({ changeset: time, contact: text, key_service: text, endpoints: z.array(endpoint) }),
  services: z.array(service),
  service_definition: z.strictObject({ service_code: text, attributes: z.array(attribute) }),
  service_requests: z.array(request),
  created: z.array(z.strictObject({ service_request_id: text, service_notice: maybe, account_id: maybe })),
  tokens: z.array(z.strictObject({ token: text, service_request_id: text })),
  service_request_updates: z.array(update),
  errors,
}
/** Element names of list entries in XML. */
const entries: Record<string, string> = {
  ...{ endpoints: 'endpoint', formats: 'format', services: 'service', attributes: 'attribute', values: 'value' },
  ...{ service_requests: 'request', service_request_updates: 'request_update', errors: 'error' },
}

/** Reads an XML document of elements and text with an independent parser. It throws if the XML is not well-formed. */
function readXml(document: string): { name: string; value: unknown } {
  const body = document.replace('<?xml version="1.0" encoding="UTF-8"?>\n', '')
  expect(body.length).toBeLessThan(document.length)
  let at = 0
  const unescaped = (inner: string) => {
    expect(inner).not.toMatch(/[<>]|&(?!amp;|lt;|gt;|quot;|#13;)/)
    return inner.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  }
  function element(): { name: string; value: unknown } {
    const open = /^<(\w+)(\/?)>/.exec(body.slice(at))
    if (!open?.[1]) throw new Error(`no element at ${body.slice(at, at + 30)}`)
    const [, name] = open
    at += open[0].length
    if (open[2] === '/') return { name, value: entries[name] ? [] : null }
    const close = `</${name}>`
    const children = []
    while (/^<\w/.test(body.slice(at))) children.push(element())
    const end = body.indexOf(close, at)
    const inner = body.slice(at, end)
    at = end + close.length
    if (children.length === 0) return { name, value: unescaped(inner) }
    expect(inner).toBe('')
    if (!entries[name]) return { name, value: Object.fromEntries(children.map((child) => [child.name, child.value])) }
    expect(new Set(children.map((child) => child.name))).toEqual(new Set([entries[name]]))
    return { name, value: children.map((child) => child.value) }
  }
  const root = element()
  expect(body.slice(at).trim()).toBe('')
  return root
}
/**
 * Converts JSON to its XML equivalent: every value becomes a string, and an empty or null value becomes an empty
 * element.
 */
const asXml = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(asXml)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, asXml(of)]))
  return value === null || value === '' ? null : String(value as string | number | boolean)
}

describe('structure of every answer in JSON and XML', () => {
  let id = ''
  beforeAll(async () => {
    id = await reported({ description: 'A < B & "C" \u{1F573}\u0007', media_url: 'https://example.org/a.jpg?b=1&c=2' })
    await reported({ service_code: String(services.hidden) })
    await step(id, 'start')
  })
  const formats: [string, () => string, keyof typeof structures, string, number][] = [
    ['discovery', () => 'discovery', 'discovery', 'discovery', 200],
    ['services', () => 'services', 'services', 'services', 200],
    ['a definition', () => `services/${services.pothole}`, 'service_definition', 'service_definition', 200],
    [
      'a definition without attributes',
      () => `services/${services.hidden}`,
      'service_definition',
      'service_definition',
      200,
    ],
    ['requests', () => 'requests', 'service_requests', 'service_requests', 200],
    ['requests of a key', () => `requests?api_key=${key}`, 'service_requests', 'service_requests', 200],
    ['no requests', () => 'requests?end_date=2001-01-01', 'service_requests', 'service_requests', 200],
    ['a request', () => `requests/${id}`, 'service_requests', 'service_requests', 200],
    ['updates', () => 'servicerequestupdates', 'service_request_updates', 'service_request_updates', 200],
    ['no such service', () => 'services/999999', 'errors', 'errors', 404],
    ['no such request', () => 'requests/R-2026-999999', 'errors', 'errors', 404],
    ['no id', () => 'requests/x', 'errors', 'errors', 400],
    ['no such token', () => `tokens/${randomUUID()}`, 'errors', 'errors', 404],
    ['no such status', () => 'requests?status=lost', 'errors', 'errors', 400],
    ['no such service code', () => 'requests?service_code=x', 'errors', 'errors', 400],
    ['no such day', () => 'requests?start_date=2026-02-30', 'errors', 'errors', 400],
    ['no such address', () => 'nothing', 'errors', 'errors', 404],
    ['an address of any letters', () => 'tokens/%3C%00%25', 'errors', 'errors', 404],
    ['another jurisdiction', () => 'services?jurisdiction_id=city.gov', 'errors', 'errors', 404],
    ['no key', () => 'requests?api_key=wrong', 'errors', 'errors', 403],
  ]
  test.each(formats)('%s', async (_what, path, structure, root, status) => {
    const [before = '', query] = path().split('?')
    const inFormat = (format: string) => get(`${before}.${format}${query ? `?${query}` : ''}`)
    const [json, xml, none] = [await inFormat('json'), await inFormat('xml'), await get(path())]
    expect([json.status, xml.status]).toEqual([status, status])
    expect(json.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(xml.headers['content-type']).toBe('text/xml; charset=utf-8')
    expect(structures[structure].safeParse(json.body).error?.issues, JSON.stringify(json.body)).toBeUndefined()
    expect(readXml(xml.body)).toEqual({ name: root, value: asXml(json.body) })
    // XML is the default format.
    expect(none.body).toBe(xml.body)
  })

  test('matches the structure for posted requests', async () => {
    for (const format of ['json', 'xml'] as const) {
      const read = (body: ApiResponse['body']): unknown[] =>
        format === 'json' ? body : (readXml(body).value as unknown[])
      const made = await post(`requests.${format}`, hole())
      expect([made.status, read(made.body)]).toMatchObject([
        200,
        [{ service_request_id: expect.stringMatching(/^R-2026-\d{6}$/) }],
      ])
      if (format === 'json') expect(structures.created.safeParse(made.body).success).toBe(true)
      const failed = await post(`requests.${format}`, hole({ lat: '400', 'attribute[depth]': 'bottomless' }))
      expect(failed.status).toBe(400)
      expect(read(failed.body).length).toBeGreaterThan(0)
      expect((await post(`requests.${format}`, hole({ api_key: '' }))).status).toBe(403)
    }
    const refused = await portal.app.inject({
      method: 'POST',
      url: '/open311/v2/requests.json',
      headers: { host: MAPLE },
      payload: { a: 1 },
    })
    expect([refused.statusCode, errors.safeParse(refused.json()).success]).toEqual([415, true])
  })

  test('accepts a photo in the form from clients without photo URLs', async () => {
    const inParts = async (image: Buffer, name: string) => {
      const data = new FormData()
      for (const [argument, value] of Object.entries(hole())) data.append(argument, String(value))
      data.append('media', new Blob([new Uint8Array(image)]), name)
      const sent = new Response(data)
      const { statusCode, payload } = await portal.app.inject({
        method: 'POST',
        url: '/open311/v2/requests.json',
        headers: { host: MAPLE, 'content-type': sent.headers.get('content-type') ?? '' },
        payload: Buffer.from(await sent.arrayBuffer()),
      })
      return { status: statusCode, body: JSON.parse(payload) }
    }
    const invalidUpload = await inParts(Buffer.from('no picture at all'), 'hole.png')
    expect([invalidUpload.status, structures.errors.safeParse(invalidUpload.body).success]).toEqual([415, true])
    const image = await sharp({ create: { width: 20, height: 10, channels: 3, background: '#123456' } })
      .png()
      .toBuffer()
    const made = await inParts(image, 'hole.png')
    expect(made.status).toBe(200)
    const { body } = await get(`requests/${made.body[0].service_request_id}.json?api_key=${key}`)
    expect(body[0].media_url).toMatch(/^https?:\/\/.*\/open311\/pictures\//)
  })

  test('redirects to the discovery from the company’s address', async () => {
    const { status, headers } = await portal.get(MAPLE, '/open311/discovery.json')
    expect([status, headers['location']]).toEqual([302, '/open311/v2/discovery.json'])
  })

  test('returns a token if the device set the request’s id', async () => {
    const { public_id } = await rowOf(id)
    const { body } = await get(`tokens/${public_id}.json`)
    expect(structures.tokens.parse(body)).toEqual([{ token: public_id, service_request_id: id }])
  })
})

describe('attributes of a service', () => {
  test('lists attributes, and omits services that other portals cannot ask for', async () => {
    const { body } = await get('services.json')
    expect(body.map((one: z.output<typeof service>) => [one.service_name, one.metadata])).toEqual([
      ['Pothole', true],
      ['Graffiti & noise', false],
    ])
    const attributes = (await get(`services/${services.pothole}.json`)).body.attributes
    expect(attributes.map((one: z.output<typeof attribute>) => [one.code, one.datatype, one.required])).toEqual([
      ['depth', 'singlevaluelist', true],
      ['near', 'multivaluelist', false],
      ['since', 'datetime', false],
      ['damage', 'singlevaluelist', false],
      ['width', 'number', false],
    ])
    expect((await get(`services/${services.signed}.json`)).status).toBe(404)
    expect((await post('requests.json', hole({ service_code: String(services.signed) }))).status).toBe(404)
  })

  test('checks answers by the form’s rules and stores them', async () => {
    const answers = {
      'attribute[near][]': ['school', 'bridge'],
      'attribute[since]': '2026-03-01T10:00:00Z',
      'attribute[damage]': 'yes',
      'attribute[width]': '30',
    }
    const row = await rowOf(await reported(answers))
    expect(row.answers).toEqual({
      depth: 'deep',
      near: ['school', 'bridge'],
      since: '2026-03-01',
      damage: true,
      width: 30,
    })
    expect(row).toMatchObject({ came_by: 'open311', name: 'Ann Lee', phone: '7175550101', lat: 40.2, lon: -76.9 })
    const invalidCases: [Record<string, string>, RegExp][] = [
      [{ 'attribute[depth]': '' }, /^depth: /],
      [{ 'attribute[width]': 'wide' }, /^width: /],
      [{ lat: '', long: '' }, /^lat: .*address_string/],
      [{ lat: '40.2', long: '' }, /^lat: /],
      [{ lat: '48.8', long: '2.3' }, /too far from/],
      [{ address_id: '99999' }, /^address_id: /],
      [{ service_code: '' }, /^service_code: /],
      [{ email: 'nobody' }, /^email: /],
      [{ phone: '12' }, /^phone: /],
      [{ media_url: 'javascript:alert(1)' }, /^media_url: /],
      [{ description: 'My card is 4242 4242 4242 4242' }, /^description: /],
      [{ description: 'a\0b' }, /character/],
    ]
    const count = async () => (await portal.owner.query('SELECT count(*) FROM service_request')).rows[0].count
    const before = await count()
    for (const [more, pattern] of invalidCases) {
      const { status, body } = await post('requests.json', hole(more))
      expect([400, pattern.test(body[0].description)], JSON.stringify([more, status, body])).toEqual([status, true])
    }
    expect(await count()).toBe(before)
  })
})

describe('read access', () => {
  test('hides personal data without the key that sent the request', async () => {
    const id = await reported({ address_string: 'Behind the house of Ann Lee', media_url: 'https://example.org/a.jpg' })
    const hidden = await reported({ service_code: String(services.hidden) })
    for (const path of [`requests/${id}.json`, 'requests.json', `requests/${id}.json?api_key=${other}`])
      expect(JSON.stringify((await get(path)).body)).not.toMatch(/Ann|wheel|0101|example\.org/)
    expect((await get(`requests/${id}.json`)).body).toMatchObject([
      { description: 'Pothole', address: null, media_url: null },
    ])
    const ownRequest = (await get(`requests/${id}.json`, { authorization: `Bearer ${key}` })).body
    expect(ownRequest).toMatchObject([
      { address: 'Behind the house of Ann Lee', media_url: 'https://example.org/a.jpg' },
    ])
    expect(ownRequest[0].description).toMatch(/wheel/)
    expect((await get(`requests/${hidden}.json`)).status).toBe(404)
    expect((await get(`requests/${hidden}.json?api_key=${other}`)).status).toBe(404)
    expect((await get(`requests/${hidden}.json?api_key=${key}`)).status).toBe(200)
    await portal.owner.query(`UPDATE service_request SET is_spam = true WHERE number = $1`, [id])
    expect((await get(`requests/${id}.json`)).status).toBe(404)
  })

  test('separates keys of billing systems from Open311 keys', async () => {
    const billing = await makeKey('Billing', 'billing')
    expect((await post('requests.json', hole({ api_key: billing }))).status).toBe(403)
    expect((await portal.get(MAPLE, '/api/v2/billing/remittances', { token: key })).status).toBe(401)
  })

  test('finds requests by id, status, service and time', async () => {
    const [open, closed] = [await reported(), await reported()]
    await step(closed, 'complete')
    const ids = async (query: string) =>
      (await get(`requests.json?${query}`)).body.map((row: z.output<typeof request>) => row.service_request_id)
    expect(await ids(`service_request_id=${open},${closed}&status=closed`)).toEqual([closed, open])
    expect(await ids('status=closed')).toEqual([closed])
    expect(await ids('status=open')).toContain(open)
    expect(await ids('status=open')).not.toContain(closed)
    expect(await ids(`service_code=${services.hidden}`)).toEqual([])
    const now = portal.clock.now().getTime()
    const around = (from: number, to: number) =>
      `start_date=${new Date(now + from).toISOString()}&end_date=${new Date(now + to).toISOString()}`
    expect(await ids(around(-DAY, DAY))).toContain(open)
    expect(await ids(around(-2 * DAY, -DAY))).toEqual([])
    // A span of more than 90 days returns only the last 90 days.
    expect(await ids(around(-200 * DAY, DAY))).toContain(open)
  })
})

describe('updates', () => {
  const updatesOf = async (id: string, query = '') =>
    (await get(`servicerequestupdates.json?service_request_id=${id}${query}`)).body as z.output<typeof update>[]

  test('publish each step, and staff answers only to the sender', async () => {
    const id = await reported()
    await step(id, 'start')
    const subjectId = Number((await rowOf(id)).id)
    await as('muni/reply/request', {
      subjectId,
      message: 'Dear Ann, we come on Monday.',
      seen: 0,
      files: [],
      complete: false,
    })
    await step(id, 'complete')
    expect((await updatesOf(id)).map(({ status, description }) => [status, description])).toEqual([
      ['OPEN', 'In Progress'],
      ['CLOSED', 'Completed'],
    ])
    const ownUpdates = await updatesOf(id, `&api_key=${key}`)
    expect(ownUpdates.map(({ description }) => description).toSorted()).toEqual([
      'Completed',
      'Dear Ann, we come on Monday.',
      'In Progress',
    ])
    expect(new Set(ownUpdates.map(({ update_id }) => update_id)).size).toBe(3)
    expect(await updatesOf(id, '&end_date=2020-01-01')).toEqual([])
  })

  test('are added once to the timeline and reopen a completed request', async () => {
    const id = await reported()
    await step(id, 'complete')
    const send = (more: object = {}) =>
      post('servicerequestupdates.json', {
        ...{ api_key: key, service_request_id: id, update_id: '77', status: 'OPEN', description: 'The hole is back.' },
        ...{ updated_datetime: '2026-05-24T00:00:00Z', media_url: 'https://example.org/b.jpg' },
        ...more,
      })
    const [once, again] = [await send(), await send()]
    expect(once.status, JSON.stringify(once.body)).toBe(200)
    expect(again.body).toEqual(once.body)
    const { rows } = await portal.owner.query(
      `SELECT e.text FROM case_entry e JOIN service_request r ON r.id = e.subject_id WHERE r.number = $1 AND e.kind = 'message'`,
      [id],
    )
    expect(rows).toEqual([{ text: 'The hole is back.\n\nhttps://example.org/b.jpg' }])
    expect((await rowOf(id)).status).toBe(3)
    expect((await send({ api_key: other, update_id: '78' })).status).toBe(404)
    expect((await send({ update_id: '' })).status).toBe(400)
    expect((await send({ update_id: '79', description: '', media_url: '' })).status).toBe(400)
    await step(id, 'invalidate', { reason: 'There is no such road.' })
    expect((await send({ update_id: '80' })).status).toBe(409)
  })
})

describe('rules', () => {
  test('read W3C dates and limit the span to 90 days', () => {
    expect(instantIn('2026-05-24')?.toISOString()).toBe('2026-05-24T00:00:00.000Z')
    expect(instantIn('2026-05-24T10:00:00-05:00')?.toISOString()).toBe('2026-05-24T15:00:00.000Z')
    for (const text of ['2026-02-30', '24.05.2026', 'now', '2026-05-24T25:00:00Z', ''])
      expect(instantIn(text)).toBeUndefined()
    const now = new Date('2026-05-24T00:00:00Z')
    const days = ({ from, to }: { from: Date; to: Date }) => (to.getTime() - from.getTime()) / DAY
    expect(days(spanOf(undefined, undefined, now))).toBe(90)
    expect(days(spanOf(new Date('2020-01-01'), undefined, now))).toBe(90)
    expect(days(spanOf(new Date('2026-05-20'), undefined, now))).toBe(4)
    expect(days(spanOf(new Date('2020-01-01'), now, now))).toBe(90)
  })

  test('require no conditional answers', () => {
    const field = { ...blankField('text', 'why'), label: 'Why?', required: true }
    const showWhen = { '==': [{ var: 'a' }, 'b'] } as never
    const requiredOf = (definition: Parameters<typeof attributesOf>[0]) =>
      attributesOf(definition).map(({ required }) => required)
    expect(requiredOf({ steps: [{ ...blankStep('a'), fields: [field, { ...field, showWhen }] }] })).toEqual([
      true,
      false,
    ])
    expect(requiredOf({ steps: [{ ...blankStep('a'), showWhen, fields: [field] }] })).toEqual([false])
  })

  test('produce well-formed XML for any text', () => {
    const nasty = `]]>&<a b="c">'\u0000\u000b\ud800\ufffe\r\n é`
    expect(readXml(xmlOf('errors', [{ code: 1, description: nasty }])).value).toMatchObject([{ code: '1' }])
  })
})

describe('clients in browsers and from other vendors', () => {
  test('allows cross-origin reads, with public answers cached for one minute', async () => {
    const headersOf = async (path: string, headers: Record<string, string> = {}) => (await get(path, headers)).headers
    expect(await headersOf('services.json', { origin: 'https://app.example' })).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=60',
    })
    expect((await headersOf(`requests.json?api_key=${key}`))['cache-control']).toBe('no-store')
    expect((await headersOf('requests.json', { authorization: `Bearer ${key}` }))['cache-control']).toBe('no-store')
    expect((await headersOf('requests.json?status=lost'))['cache-control']).toBe('no-store')
    const before = await portal.app.inject({
      ...{ method: 'OPTIONS', url: '/open311/v2/requests.json' },
      headers: { host: MAPLE, origin: 'https://app.example', 'access-control-request-method': 'POST' },
    })
    expect([before.statusCode, before.headers['access-control-allow-headers']]).toEqual([
      204,
      'authorization,content-type',
    ])
  })

  test('supports common arguments: pages, lists of ids and states, extensions', async () => {
    const ids = [await reported(), await reported(), await reported()]
    const listed = async (query: string) =>
      (await get(`requests.json?${query}`)).body.map((one: { service_request_id: string }) => one.service_request_id)
    const all = `service_request_id=${ids.join(',')}`
    expect((await listed(all)).toSorted()).toEqual(ids.toSorted())
    const paged = [await listed(`${all}&page=1&page_size=2`), await listed(`${all}&page=2&page_size=2`)]
    expect(paged.map((page) => page.length)).toEqual([2, 1])
    expect(paged.flat().toSorted()).toEqual(ids.toSorted())
    expect(await listed(`${all}&page=3&page_size=2`)).toEqual([])
    expect((await get('requests.json?page=0')).status).toBe(400)
    expect((await get('requests.json?page_size=many')).status).toBe(400)
    for (const query of [
      'status=open,closed',
      'extensions=true',
      'jurisdiction_id=maplegrove',
      'jurisdiction_id=',
      'status=',
    ])
      expect((await get(`requests.json?${query}`)).status, query).toBe(200)
  })
})

describe('answers of other servers', () => {
  const row = { service_code: '1', service_name: 'Hole', metadata: 'true' }
  const xml =
    '<service><service_code>1</service_code><service_name>Hole</service_name><metadata>true</metadata></service>'
  test.each([
    ['a list', JSON.stringify([row])],
    ['a list within its name', JSON.stringify({ services: [row] })],
    ['a list within both names', JSON.stringify({ services: { service: row } })],
    ['numbers and truths', JSON.stringify([{ ...row, service_code: 1, metadata: true }])],
    ['XML', `<?xml version="1.0" encoding="utf-8"?>\n<services>${xml}</services>`],
    ['XML with the namespace', `<services xmlns="http://wiki.open311.org/GeoReport_v2" type="array">${xml}</services>`],
  ])('reads %s', (_what, response) => {
    expect(servicesIn(rowsIn(response))).toEqual([{ code: '1', name: 'Hole', metadata: true }])
  })

  test('reads several services in XML, and none', () => {
    expect(servicesIn(rowsIn(`<services>${xml}${xml}</services>`))).toHaveLength(2)
    expect(servicesIn(rowsIn('<services/>'))).toEqual([])
    expect(servicesIn(rowsIn('[]'))).toEqual([])
  })

  test('refuses malicious and malformed answers', () => {
    const bomb = '<!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]><services>&c;</services>'
    for (const response of [
      bomb,
      '<!DOCTYPE html><html><body>Hello</body></html>',
      '{"a":',
      '<services><service>',
      'Hello',
    ])
      expect(() => rowsIn(response), response).toThrow()
  })

  test('reads updates of several vendors, the oldest first', () => {
    const update = (id: number, status: string, at: string) => ({
      ...{
        update_id: id,
        service_request_id: 7,
        status,
        updated_datetime: at,
        description: ` ${status} `,
        media_url: null,
      },
    })
    const updates = updatesIn([
      update(2, 'FIXED', '2026-11-20T12:00:00Z'),
      update(1, 'INVESTIGATING', '2026-11-20T06:00:00-05:00'),
      { ...update(3, 'closed', ''), update_id: '' },
    ])
    expect(updates.map(({ id, request, status, text }) => [id, request, status, text])).toEqual([
      ['1', '7', 'open', 'INVESTIGATING'],
      ['2', '7', 'closed', 'FIXED'],
    ])
  })
})
