import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { harborCity } from '../database/towns/harbor-city.ts'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { writeCap } from '../features/alerts/cap/write.ts'
import { readSources } from '../features/alerts/cap/poll.ts'
import type { CompanyId } from '../server/tenancy.ts'
import { liftLimits } from './databases.ts'
import { testPortal } from './harness.ts'
import { openTestCompany } from './company.ts'

const [HOST, OTHER] = ['maplegrove.localhost', 'harborcity.localhost']
const portal = await testPortal({ env: { ALERTS_LOOPBACK: '1' } })
const { context, owner } = portal
let company: CompanyId
let token = ''

beforeAll(async () => {
  company = await openTestCompany(portal, mapleGrove)
  await openTestCompany(portal, harborCity)
  await liftLimits(owner)
  token = await portal.signIn(HOST, 'admin@maplegrove.example')
  // The first call loads code that all later calls use, so it is not measured.
  await callOther()
  unit = Math.min(measureUnit(), measureUnit(), measureUnit())
})

/** Converts processor time to milliseconds. Unlike clock time, it does not include waiting on a busy machine. */
const msOf = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000

/** Makes a call to another municipality. Returns the processor time that the main thread spent until the response. */
async function callOther(): Promise<number> {
  const before = process.threadCpuUsage()
  const { status } = await portal.post(OTHER, 'return/company/id', { subdomain: 'harborcity' })
  expect(status).toBe(200)
  return msOf(process.threadCpuUsage(before))
}

/** Content of an ordinary file that has the same size as the heavy files. */
const ORDINARY = JSON.stringify(
  Array.from({ length: 400_000 }, (_, row) => ({ id: row, name: `Hydrant ${row}`, at: [-76.9, 40.2] })),
)

/** Measures how long this machine takes to parse an ordinary file, in milliseconds of processor time. */
function measureUnit(): number {
  const before = process.threadCpuUsage()
  expect(JSON.parse(ORDINARY)).toHaveLength(400_000)
  return msOf(process.threadCpuUsage(before))
}

/**
 * Limits, as multiples of the processor time for an ordinary file (about 0.1 s). They allow about 200 ms for another
 * municipality's call while heavy input is processed, and 2 s for the heavy input itself.
 */
const [MAX_OTHER, MAX_INPUT] = [2, 20]
let unit = 0

/** Calls another municipality repeatedly while heavy work runs. Checks both limits and prints the measured times. */
async function whileOthersAreServed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const [whole, own, since] = [process.cpuUsage(), process.threadCpuUsage(), performance.now()]
  const disturbed: number[] = []
  let isDone = false
  const heavy = work().finally(() => (isDone = true))
  while (!isDone) {
    disturbed.push(await callOther())
    await setImmediate()
  }
  const came = await heavy
  const ms = performance.now() - since
  // Subtracts the time of the main thread, because that thread also answered the calls of the other municipality.
  const parsers = msOf(process.cpuUsage(whole)) - msOf(process.threadCpuUsage(own))
  const maxMs = Math.max(...disturbed)
  process.stdout.write(
    `${name}: ${ms.toFixed()} ms, ${parsers.toFixed()} ms of processor time; ${disturbed.length} calls of another municipality, the slowest ${maxMs.toFixed(1)} ms of processor time, an ordinary file ${unit.toFixed()} ms\n`,
  )
  // The last call may have ended after the work did, so at least two calls must have run.
  expect(disturbed.length).toBeGreaterThan(1)
  expect(maxMs / unit).toBeLessThan(MAX_OTHER)
  expect(parsers / unit).toBeLessThan(MAX_INPUT)
  return came
}

async function send(path: string, fields: Record<string, string>, file: Buffer) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(file)]), 'file.geojson')
  const sent = new Request('http://portal', { method: 'POST', body: form })
  const payload = Buffer.from(await sent.arrayBuffer())
  return () =>
    portal.app.inject({
      method: 'POST',
      url: `/api/v2/${path}`,
      headers: {
        host: HOST,
        authorization: `Bearer ${token}`,
        'content-type': sent.headers.get('content-type') ?? '',
      },
      payload,
    })
}
const preview = { mode: 'preview', rowErrors: 'leave out' }

/** Creates a border in the shape of a comb, which does not cross itself. */
function comb(corners: number): Buffer {
  const teeth = Array.from({ length: corners }, (_, at) => [
    (-76.9 + at * 1e-6).toFixed(6),
    at % 4 < 2 ? '40.20' : '40.21',
  ])
  const ring = [...teeth, ['-76.880000', '40.19'], ['-76.900000', '40.19'], teeth[0] as string[]]
  const border = ring.map((corner) => `[${corner.join(',')}]`).join(',')
  return Buffer.from(
    `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"Comb"},"geometry":{"type":"Polygon","coordinates":[[${border}]]}}]}`,
  )
}

describe('requests of others while a municipality’s file is read', () => {
  test.each(['muni/import/places', 'muni/import/hydrants'])('are served during 24 MB of brackets: %s', async (path) => {
    const deep = Buffer.concat([
      Buffer.from('{"type":"FeatureCollection","features":[{"properties":{"a":'),
      Buffer.alloc(24_000_000, '['),
    ])
    const fields = path.endsWith('places') ? { ...preview, kind: 'zones' } : preview
    const came = await whileOthersAreServed('brackets', await send(path, fields, deep))
    expect([came.statusCode, came.json().message]).toEqual([
      422,
      expect.stringMatching(/more than 32 levels of nested brackets/),
    ])
  })

  test('are served during a comb-shaped border', async () => {
    const came = await whileOthersAreServed(
      'comb',
      await send('muni/import/places', { ...preview, kind: 'zones' }, comb(20_000)),
    )
    expect([came.statusCode, came.json()]).toMatchObject([200, { read: 1, created: 1, errorCount: 0 }])
  })

  test('are served during 30 MB of blanks', async () => {
    const blanks = Buffer.alloc(30_000_000, ' ')
    const came = await whileOthersAreServed(
      'blanks',
      await send('muni/import/places', { ...preview, kind: 'addresses' }, blanks),
    )
    expect([came.statusCode, came.json().message]).toEqual([
      422,
      'The file starts with more than 1 MB of spaces. Remove them.',
    ])
  })
})

describe('alert sources next to one with malformed answers', () => {
  const documents = new Map<string, string>()
  const server = createServer((request, response) => {
    const document = documents.get(request.url ?? '')
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'text/xml' }).end(document ?? '')
  })
  let base = ''
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { rows } = await owner.query(
      `INSERT INTO alert_service (company_id, type, name, position) VALUES ($1, 1, 'Emergencies', 1) RETURNING id`,
      [company],
    )
    await owner.query(
      `INSERT INTO alert_source (company_id, name, url, codes, zone_ids, events, min_severity, service_id, is_automatic, is_active)
       SELECT $1, name, $2 || '/' || name, '', '{}', '', 'Unknown', $3, false, true FROM unnest('{good,bad}'::text[]) AS name`,
      [company, base, rows[0].id],
    )
  })
  afterAll(() => server.close())

  const cap = (identifier: string, polygon = '') =>
    writeCap({
      ...{ identifier, sender: 'a@b.example', sent: '2026-11-20T07:00:00-05:00', status: 'Actual', msgType: 'Alert' },
      ...{ source: '', scope: 'Public', restriction: '', addresses: '', codes: [], note: '', references: [] },
      incidents: '',
      infos: [
        {
          ...{ language: 'en-US', categories: ['Met'], event: 'Flood', responseTypes: [], urgency: 'Immediate' },
          ...{ severity: 'Severe', certainty: 'Observed', audience: '', eventCodes: [], effective: '', onset: '' },
          ...{ expires: '2026-11-21T19:00:00-05:00', senderName: '', headline: identifier, description: '' },
          ...{ instruction: '', web: '', contact: '', parameters: [], resources: [] },
          areas: [{ areaDesc: 'River', polygons: [], circles: [], geocodes: [], altitude: null, ceiling: null }],
        },
      ],
    } as Parameters<typeof writeCap>[0]).replace('</areaDesc>', `</areaDesc>${polygon}`)

  const ring = (corners: number) =>
    Array.from({ length: corners }, (_, at) => 2 * Math.PI * (at / (corners - 1)))
      .map((angle) => `${(40 + Math.sin(angle)).toFixed(6)},${(Math.cos(angle) - 76).toFixed(6)}`)
      .with(-1, '40.000000,-75.000000')
      .join(' ')
  const feed = (...paths: string[]) =>
    `<feed xmlns="http://www.w3.org/2005/Atom">${paths.map((path) => `<entry><link type="application/cap+xml" href="${base}${path}"/></entry>`).join('')}</feed>`

  let index = 0
  test.each<[string, () => string, RegExp]>([
    [
      '214,000 messages that begin',
      () => `<x xmlns="urn:oasis:names:tc:emergency:cap:1.2">${'<alert '.repeat(214_000)}`,
      /an incomplete message/,
    ],
    [
      'a polygon of 60,000 corners',
      () => cap('large', `<polygon>${ring(60_000)}</polygon>`),
      /more than 5,000 corners/,
    ],
    [
      'a message with a name that objects inherit',
      () => cap('proto').replace('<event>', '<__proto__>x</__proto__><event>'),
      /name or depth/,
    ],
    [
      'a message with too many elements within each other',
      () => cap('deep').replace('<event>', `${'<part>'.repeat(500)}${'</part>'.repeat(500)}<event>`),
      /name or depth/,
    ],
    ['a message with a text that nobody can keep', () => cap('nul').replace('Flood', 'Flood\0'), /cannot be stored/],
  ])('%s', async (_name, odd, message) => {
    index += 1
    documents.set('/good', cap(`good-${index}`))
    // In the feed, the malformed message is older than the valid one.
    const document = odd()
    const isMessage = document.includes('</alert>')
    documents.set('/bad', isMessage ? feed(`/beside-${index}`, `/odd-${index}`) : document)
    documents.set(`/odd-${index}`, document)
    documents.set(`/beside-${index}`, cap(`beside-${index}`))
    await whileOthersAreServed('alert source', () => readSources(context))
    const { rows: sources } = await owner.query('SELECT name, problem FROM alert_source ORDER BY name')
    expect(sources).toEqual([
      { name: 'bad', problem: expect.stringMatching(message) },
      { name: 'good', problem: '' },
    ])
    const { rows: imported } = await owner.query<{ identifier: string }>(
      'SELECT identifier FROM alert_received WHERE identifier LIKE $1 ORDER BY identifier',
      [`%-${index}`],
    )
    expect(imported.map(({ identifier }) => identifier)).toEqual(
      isMessage ? [`beside-${index}`, `good-${index}`] : [`good-${index}`],
    )
  })
})
