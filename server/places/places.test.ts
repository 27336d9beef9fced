import { Readable } from 'node:stream'
import { beforeAll, describe, expect, test } from 'vitest'
import { randomFrom } from '../../database/random.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { testPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/company.ts'
import { type Position, noLocation } from '../../shared/places.ts'
import type { CompanyId } from '../tenancy.ts'
import { addressesIn, metresAt, nearestAddress, resolveLocation, zonesAt } from './at-point.ts'
import { importPlaces, type PlaceKind } from './import.ts'
import { planeAt } from '../../shared/plane.ts'
import type { Polygon } from './rings.ts'

const portal = await testPortal()
const HOST = 'maplegrove.localhost'
const CENTER = { lat: 40.24, lon: -76.92 }
const POINTS = 10_000
let company: CompanyId

const load = (kind: PlaceKind, text: string) =>
  importPlaces(
    { inCompany: portal.context.inCompany, clock: portal.clock },
    company,
    { session: null, requestId: '', kind: 'system' },
    { kind, file: Readable.from([Buffer.from(text)]), mode: 'import', rowErrors: 'refuse' },
  )
const csv = (rows: readonly string[]) => ['number,street,unit,zip,lat,lon', ...rows].join('\n')

beforeAll(async () => {
  company = await openTestCompany(portal, mapleGrove)
})

/**
 * True if a point in degrees is inside a ring. This check works without PostgreSQL, so it is independent of the tested
 * code. It counts the sides that a ray to the east crosses.
 */
function isInRing(point: Position, ring: readonly Position[]): boolean {
  const [x, y] = point
  let inside = false
  // Uses an index loop for speed, because the test visits sixty million corners.
  for (let at = 0, last = ring.length - 1; at < ring.length; last = at, at += 1) {
    const a = ring[at] as Position
    const b = ring[last] as Position
    if (a[1] > y !== b[1] > y && x < ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1]) + a[0]) inside = !inside
  }
  return inside
}
const isIn = (point: Position, polygons: readonly Polygon[]) =>
  polygons.some(([border = [], ...holes]) => isInRing(point, border) && !holes.some((hole) => isInRing(point, hole)))

describe('point in a zone', () => {
  const random = randomFrom(8)
  /** Builds a star-shaped border, which moves in and out but never crosses itself. */
  const star = (corners: number, [lon, lat]: Position, far: number): Position[] =>
    Array.from({ length: corners }, (_, at) => {
      const angle = (2 * Math.PI * at) / corners
      const out = far * (0.55 + 0.45 * random.next())
      return [lon + out * Math.cos(angle) * 1.3, lat + out * Math.sin(angle)]
    })
  const center: Position = [CENTER.lon, CENTER.lat]
  const far = 0.03
  const zones: Record<string, Polygon[]> = {
    '8 corners': [[star(8, center, far)]],
    '60 corners': [[star(60, center, far)]],
    '600 corners': [[star(600, center, far)]],
    '6,208 corners': [[star(6208, center, far)]],
    'two parts, one with two holes': [
      [
        star(60, [center[0] - 0.02, center[1]], 0.02),
        star(12, [center[0] - 0.025, center[1]], 0.004),
        star(9, [center[0] - 0.012, center[1]], 0.004),
      ],
      [star(33, [center[0] + 0.025, center[1]], 0.015)],
    ],
  }
  const points = Array.from({ length: POINTS }, (): Position => [
    center[0] + (random.next() - 0.5) * 0.08,
    center[1] + (random.next() - 0.5) * 0.06,
  ])

  beforeAll(async () => {
    const rows = points.map(([lon, lat], at) => `${at + 1},Point Road,,,${lat},${lon}`)
    expect(await load('addresses', csv(rows))).toMatchObject({ imported: true, created: POINTS })
    const features = Object.entries(zones).map(([name, coordinates]) => ({
      type: 'Feature',
      properties: { name },
      geometry: {
        type: 'MultiPolygon',
        coordinates: coordinates.map((rings) => rings.map((ring) => [...ring, ring[0]])),
      },
    }))
    expect(await load('zones', JSON.stringify({ type: 'FeatureCollection', features }))).toMatchObject({
      imported: true,
      created: 5,
    })
  })

  test.each(Object.entries(zones))('assigns each of 10,000 addresses correctly: %s', async (name, polygons) => {
    const { rows } = await portal.owner.query<{ id: number }>('SELECT id FROM zone WHERE name = $1', [name])
    const { rows: numbers } = await portal.owner.query<{ id: number; number: number }>('SELECT id, number FROM address')
    const ids = await portal.context.inCompany(company, (tx) => addressesIn(tx, company, rows[0]?.id ?? 0))
    const inside = new Set(ids)
    const mismatched = numbers.filter(
      ({ id, number }) => inside.has(id) !== isIn(points[number - 1] as Position, polygons),
    )
    expect(mismatched).toEqual([])
    expect(inside.size).toBeGreaterThan(POINTS / 20)
    expect(inside.size).toBeLessThan(POINTS)
  })

  test('finds equal zones for a single point', async () => {
    for (const [lon, lat] of points.slice(0, process.env['NIGHTLY'] ? 2000 : 60)) {
      const names = await portal.context.inCompany(company, async (tx) => {
        const at = await metresAt(tx, company, { lat, lon })
        return at && (await zonesAt(tx, company, at)).map(({ name }) => name)
      })
      const expected = Object.entries(zones).filter(([, polygons]) => isIn([lon, lat], polygons))
      expect(names?.toSorted()).toEqual(expected.map(([name]) => name).toSorted())
    }
  })

  test('finds the nearest address with an index', async () => {
    const plane = planeAt(
      (await portal.owner.query('SELECT origin_lat AS lat, origin_lon AS lon FROM company_map')).rows[0],
    )
    const all = points.map(([lon, lat]) => plane.metresOf({ lat, lon }))
    for (let index = 0; index < 50; index += 1) {
      const lat = CENTER.lat + (random.next() - 0.5) * 0.05
      const lon = CENTER.lon + (random.next() - 0.5) * 0.05
      const { body } = await portal.post(HOST, 'find/nearest/address', { lat, lon })
      const here = plane.metresOf({ lat, lon })
      const away = Math.min(...all.map(({ x, y }) => Math.hypot(x - here.x, y - here.y)))
      expect(body.nearest.away).toBeCloseTo(away, 6)
      expect(body.metres.x).toBeCloseTo(here.x, 6)
    }
    await portal.owner.query('ANALYZE address')
    const { rows } = await portal.owner
      .query(
        `SET app.company_id = '${company}'; EXPLAIN SELECT id FROM found_address WHERE company_id = ${company} ORDER BY at <-> point(0, 0) LIMIT 1`,
      )
      .then((results) => (results as unknown as { rows: Record<string, string>[] }[])[1] ?? { rows: [] })
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('address_by_location')
  })

  test('finds no result far from the company', async () => {
    expect((await portal.post(HOST, 'find/nearest/address', { lat: 51.5, lon: 0 })).body).toEqual({
      metres: null,
      nearest: null,
      zones: [],
    })
  })
})

test('measures real metres', () => {
  // Lengths of a degree of latitude and of longitude at 40 degrees north, from geodetic tables.
  const { metresOf, degreesOf } = planeAt({ lat: 40, lon: -77 })
  expect(metresOf({ lat: 40.01, lon: -77 }).y).toBeCloseTo(1110.3, 0)
  expect(metresOf({ lat: 40, lon: -76.99 }).x).toBeCloseTo(853.9, 0)
  expect(degreesOf(metresOf({ lat: 40.1234, lon: -76.9 }))).toEqual({
    lat: expect.closeTo(40.1234, 10),
    lon: expect.closeTo(-76.9, 10),
  })
})

describe('tolerant address search', () => {
  const existing = [
    '214,Sycamore Lane,,17011',
    '216,Sycamore Lane,,17011',
    '214,Sycamore Street,,17055',
    '38,Linden Avenue,,17011',
    '7,Canal Street,,17011',
    '100,Main Street,,17011',
    '12,Maple Avenue,,17011',
    "12B,St. Mary's Street,,17011",
    '7,North 3rd Street,,17011',
    '7,South 3rd Street,,17011',
    '450,Mount Vernon Avenue,4,17011',
    '450,Mount Vernon Avenue,5,17011',
    '9,Dr. Martin Luther King Jr. Boulevard,,17011',
    '1600,West Ridge Road,,17011',
    '5,Mill Race Lane,,17011',
    '17011,Old Turnpike Road,,17055',
    '33,Calle Peñón,,17011',
    '21,Park Place,,17011',
    '18,Elm Court,,17011',
    '60,Spring Hollow Road,,17011',
    '3,Schoolhouse Lane,,17011',
    '77,Meadowbrook Drive,,17011',
  ]
  beforeAll(async () => {
    const rows = existing.map((row, at) => `${row},${CENTER.lat + at / 1000},${CENTER.lon}`)
    expect(await load('addresses', csv(rows))).toMatchObject({ imported: true })
  })

  /** Typed search texts, with the addresses that people mean by them. */
  const meant: [typed: string, expected: string][] = [
    ['214 Sycamore Lane', '214 Sycamore Lane'],
    ['214 sycamore ln', '214 Sycamore Lane'],
    ['214 SYCAMORE LN.', '214 Sycamore Lane'],
    ['214 Sicamore Lane', '214 Sycamore Lane'],
    ['214 sycamor', '214 Sycamore Lane'],
    ['214 syc', '214 Sycamore Lane'],
    ['214sycamore lane', '214 Sycamore Lane'],
    ['sycamore lane 214', '214 Sycamore Lane'],
    ['Lane Sycamore, 214', '214 Sycamore Lane'],
    ['214 Sycamore Lane, Maple Grove, PA 17011', '214 Sycamore Lane'],
    ['214 sycamore lane maple grove', '214 Sycamore Lane'],
    ['214 Sycamore, 17011', '214 Sycamore Lane'],
    ['214 Sycamore, 17055-1234', '214 Sycamore Street'],
    ['214 sycamore st', '214 Sycamore Street'],
    ['216 Sycamore Street', '216 Sycamore Lane'],
    ['38 Linden Ave', '38 Linden Avenue'],
    ['38 Lindon Av', '38 Linden Avenue'],
    ['38 Linden Road', '38 Linden Avenue'],
    ['7 canal', '7 Canal Street'],
    ['7 Cannal Street', '7 Canal Street'],
    ['100 mian street', '100 Main Street'],
    ['100 main st maple grove pa', '100 Main Street'],
    ['12 Maple', '12 Maple Avenue'],
    ['12 maple av, maple grove', '12 Maple Avenue'],
    ['12b saint marys street', "12B St. Mary's Street"],
    ['12-B St Mary’s', "12B St. Mary's Street"],
    ['7 N Third St', '7 North 3rd Street'],
    ['7 s. 3rd street', '7 South 3rd Street'],
    ['450 mt vernon ave apt 4', '450 Mount Vernon Avenue, Unit 4'],
    ['450 Mount Vernon #5', '450 Mount Vernon Avenue, Unit 5'],
    ['9 MLK Martin Luther King Blvd', '9 Dr. Martin Luther King Jr. Boulevard'],
    ['9 martin luther king', '9 Dr. Martin Luther King Jr. Boulevard'],
    ['1600 Ridge Rd West', '1600 West Ridge Road'],
    ['5 Millrace Lane', '5 Mill Race Lane'],
    ['5 mill-race ln', '5 Mill Race Lane'],
    ['17011 Old Turnpike', '17011 Old Turnpike Road'],
    ['33 calle penon', '33 Calle Peñón'],
    ['21 park pl', '21 Park Place'],
    ['18 elm', '18 Elm Court'],
    ['60 springhollow rd', '60 Spring Hollow Road'],
    ['3 school house lane', '3 Schoolhouse Lane'],
    ['77 medowbrook dr', '77 Meadowbrook Drive'],
    ['77 meadow brook', '77 Meadowbrook Drive'],
  ]
  test.each(meant)('%s', async (typed, expected) => {
    const { body } = await portal.post(HOST, 'find/addresses', { search: typed })
    expect(body.matches[0]?.text).toMatch(new RegExp(`^${expected.replaceAll('.', String.raw`\.`)}, Maple Grove, PA`))
  })

  test.each(['', '   ', '214', 'xyzzy 5', '17011', '!!!', 'st', "'; DROP TABLE address; --", '%', 'a'.repeat(200)])(
    'finds no address for a meaningless text: %j',
    async (typed) => {
      const { status, body } = await portal.post(HOST, 'find/addresses', { search: typed })
      expect(status).toBe(200)
      if (typed !== 'st') expect(body.matches).toEqual([])
    },
  )

  test.each([
    ['21 park pl', true],
    ['21 Park Place, Maple Grove, PA 17011', true],
    ['21 park', false],
    ['22 park pl', false],
    ['77 medowbrook dr', false],
  ])('marks only a completely typed address as meant: %s, %s', async (typed, whole) => {
    const { body } = await portal.post(HOST, 'find/addresses', { search: typed })
    expect(body.matches.map(({ isMeant }: { isMeant: boolean }) => isMeant)).toEqual(
      body.matches.map((_: unknown, index: number) => whole && index === 0),
    )
  })

  test('replaces a location from a browser with its known data', async () => {
    const { body } = await portal.post(HOST, 'find/addresses', { search: '214 sycamore ln' })
    const [{ id, lat, lon, metres, text }] = body.matches
    const resolved = (value: object) =>
      portal.context.inCompany(company, (tx) => resolveLocation(tx, company, { ...noLocation, ...value }))
    const lies = { lat: 1, lon: 2, metres: { x: 1, y: 1 } }
    expect(await resolved({ text: '', addressId: id, ...lies })).toEqual({
      text,
      addressId: id,
      lat,
      lon,
      metres,
    })
    expect(await resolved({ text: 'By the mill', lat, lon, metres: { x: 5, y: 5 } })).toEqual({
      text: 'By the mill',
      addressId: null,
      lat,
      lon,
      metres: { x: expect.closeTo(metres.x, 6), y: expect.closeTo(metres.y, 6) },
    })
    expect(await resolved({ text: 'Nowhere', addressId: 999_999_999, ...lies })).toEqual({
      ...noLocation,
      text: 'Nowhere',
    })
    const near = await portal.context.inCompany(company, (tx) => nearestAddress(tx, company, metres))
    expect(near).toMatchObject({ id, away: 0 })
  })
})
