import { beforeAll, describe, expect, test } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { freePort } from '../../server/ports.ts'
import { PART_BYTES } from '../../shared/attachments.ts'
import { TestClamd, VIRUS } from '../../test/clamd.ts'
import { type ApiResponse, testPortal } from '../../test/harness.ts'
import { aMapFile } from '../../test/map-file.ts'
import { openTestCompany } from '../../test/company.ts'
import { nightly } from '../../test/nightly.ts'

const MAPLE = 'maplegrove.localhost'
const HARBOR = 'harborcity.localhost'
const port = await freePort()
const portal = await testPortal({ env: { CLAMD: `tcp://127.0.0.1:${port}` } })
const daemon = new TestClamd()
const tokens: Record<string, string> = {}

beforeAll(async () => {
  await daemon.listen({ port })
  for (const demoCompany of [mapleGrove, harborCity]) await openTestCompany(portal, demoCompany)
  tokens['admin'] = await portal.signIn(MAPLE, 'admin@maplegrove.example')
  tokens['staff'] = await portal.signIn(MAPLE, 'staff@maplegrove.example')
  tokens['harbor'] = await portal.signIn(HARBOR, 'admin@harborcity.example')
  return () => daemon.close()
})

const post = (path: string, body: object = {}, by = 'admin') =>
  portal.post(by === 'harbor' ? HARBOR : MAPLE, path, body, { token: tokens[by] ?? '' })

async function send(
  path: string,
  fields: Record<string, string>,
  content: string | Buffer | null,
  by = 'admin',
): Promise<ApiResponse> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (content !== null) form.append('file', new File([new Uint8Array(Buffer.from(content))], 'places.csv'))
  const request = new Request('http://x', { method: 'POST', body: form })
  const reply = await portal.app.inject({
    method: 'POST',
    url: `/api/v2/${path}`,
    payload: Buffer.from(await request.arrayBuffer()),
    headers: {
      host: by === 'harbor' ? HARBOR : MAPLE,
      'content-type': request.headers.get('content-type') ?? '',
      authorization: `Bearer ${tokens[by]}`,
    },
  })
  return { status: reply.statusCode, body: reply.json(), headers: reply.headers }
}
const load = (kind: string, content: string | Buffer, more: Record<string, string> = {}, by = 'admin') =>
  send('muni/import/places', { kind, mode: 'import', ...more }, content, by)

const readPlaces = async (by = 'admin') => (await post('muni/return/places', {}, by)).body
const search = async (text: string, by = 'admin') =>
  (await post('find/addresses', { search: text }, by)).body.matches.map((one: { text: string }) => one.text)
const HEAD = 'number,street,unit,zip,lat,lon'
const csv = (...rows: string[]) => [HEAD, ...rows].join('\n')
const features = (...all: [type: string, coordinates: unknown, properties: object][]) =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: all.map(([type, coordinates, properties]) => ({
      type: 'Feature',
      properties,
      geometry: { type, coordinates },
    })),
  })
const square = (lon: number, lat: number, far = 0.001) => [
  [lon - far, lat - far],
  [lon + far, lat - far],
  [lon + far, lat + far],
  [lon - far, lat + far],
  [lon - far, lat - far],
]

describe('import of addresses', () => {
  test('imports nothing if rows are wrong and explains each error', async () => {
    const { status, body } = await load(
      'addresses',
      csv(
        '12,Oak Street,,17011,40.24,-76.92',
        ',Oak Street,,17011,40.24,-76.92',
        '14,Oak Street,,1701,40.24,-76.92',
        '16,Oak Street,,17011,north,-76.92',
        '18,Oak Street,,17011,,-76.92',
        '20,Oak Street,,17011,-76.92,40.24',
        '22,Oak Street,,17011,2345678.9,345678.9',
        '12,Oak St.,,17011,40.25,-76.92',
        '24,Oak\uFFFDStreet,,17011,40.24,-76.92',
        '26,Oak Street,"17011,40.24',
      ),
    )
    expect(status).toBe(200)
    expect(body).toEqual({
      imported: false,
      read: 10,
      created: 1,
      changed: 0,
      unchanged: 0,
      unprintable: [],
      errorCount: 9,
      invalidRows: [
        { where: 'Line 3', reason: '"Oak Street" is not a house number and a street, such as 214 Sycamore Lane.' },
        { where: 'Line 4', reason: 'The ZIP code "1701" is not five digits.' },
        { where: 'Line 5', reason: 'The latitude "north" must be a number of degrees, such as 40.2.' },
        { where: 'Line 6', reason: 'The latitude is missing.' },
        {
          where: 'Line 7',
          reason: expect.stringMatching(
            /is [\d,]+ km from the municipality. Check if latitude and longitude are swapped/,
          ),
        },
        { where: 'Line 8', reason: expect.stringMatching(/is not in degrees .* Export the file as WGS 84/) },
        {
          where: 'Line 9',
          reason: '12 Oak St., 17011 is already in line 2 with different data.',
        },
        { where: 'Line 10', reason: 'The value of “street” has a character that is not UTF-8 text.' },
        {
          where: 'Line 11',
          reason:
            'This line has an opening quotation mark that is never closed. This line and all later lines were not read.',
        },
      ],
    })
    expect(await readPlaces()).toMatchObject({ addresses: 0, streets: 0 })
    const { rows } = await portal.owner.query('SELECT * FROM company_map')
    expect(rows).toEqual([])
  })

  test('skips wrong rows on request and repeats without changes', async () => {
    const file = csv(
      '12,Oak Street,,17011,40.24,-76.92',
      '14,Oak Street,,1701,40.24,-76.92',
      '16,Oak Street,3,17011,40.241,-76.92',
    )
    const left = { rowErrors: 'leave out' }
    expect((await load('addresses', file, left)).body).toMatchObject({ imported: true, created: 2, errorCount: 1 })
    expect((await load('addresses', file, left)).body).toMatchObject({ created: 0, changed: 0, unchanged: 2 })
    const moved = csv('12,OAK ST,,17011,40.24,-76.92', '16,Oak St,3,17011,40.2415,-76.92')
    expect((await load('addresses', moved)).body).toMatchObject({ created: 0, changed: 1, unchanged: 1 })
    expect(await readPlaces()).toMatchObject({ addresses: 2, streets: 1 })
    expect(await search('16 oak')).toEqual([
      '16 Oak Street, Unit 3, Maple Grove, PA 17011',
      '12 Oak Street, Maple Grove, PA 17011',
    ])
    const { rows } = await portal.owner.query(
      `SELECT detail FROM audit_event WHERE action = 'places.imported' ORDER BY id LIMIT 1`,
    )
    expect(rows[0].detail).toMatchObject({ kind: 'addresses', created: 2, errorCount: 1 })
  })

  test('accepts a column of full addresses, or GeoJSON points', async () => {
    const whole = ['address;x', '"7 Mill Road, Apt 2, Maple Grove, PA 17055",a']
      .join('\n')
      .replace(';x', ',note,latitude,longitude')
    expect((await load('addresses', `${whole},40.2401,-76.9201`)).body).toMatchObject({ created: 1 })
    expect(await search('7 mill rd')).toEqual(['7 Mill Road, Unit 2, Maple Grove, PA 17055'])
    const points = features(['Point', [-76.92, 40.243], { 'addr:housenumber': 9, 'addr:street': 'Mill Road' }])
    expect((await load('addresses', points)).body).toMatchObject({ imported: true, created: 1 })
    expect((await search('9 mill road'))[0]).toBe('9 Mill Road, Maple Grove, PA 17011')
  })

  test.each([
    ['an empty file', '', 'The file is empty.'],
    ['columns without names', '12,Oak Street,17011\n', 'Missing: address or street, lat, lon'],
    ['another encoding', Buffer.from('\uFEFFnumber,street', 'utf16le'), 'not UTF-8'],
    ['a GeoJSON that breaks off', '{"type":"FeatureCollection","features":[{"type":"Fea', 'incomplete'],
    ['JSON of something else', '{"rows":[]}', 'no features'],
    ['no JSON', '{nonsense', 'not GeoJSON'],
  ])('refuses %s with a message', async (_what, content, messagePart) => {
    const { status, body } = await load('addresses', content)
    expect([status, body.message]).toEqual([422, expect.stringContaining(messagePart)])
  })

  test('requires the upload privilege in the uploader’s own company', async () => {
    const file = csv('1,Pier Road,,21661,39.13,-76.23')
    expect(await load('addresses', file, {}, 'staff')).toMatchObject({ status: 403 })
    expect((await load('addresses', file, {}, 'harbor')).body).toMatchObject({ imported: true, created: 1 })
    expect(await search('1 pier road')).toEqual([])
    expect(await search('12 oak', 'harbor')).toEqual([])
    expect(await readPlaces('harbor')).toMatchObject({ addresses: 1 })
  })

  nightly('of many thousands stays quick, and a file past the limit is refused', async () => {
    const rows = Array.from({ length: 5000 }, (_, at) => `${at + 1},Long Road,,17011,${40.24 + at / 1e6},-76.91`)
    expect((await load('addresses', csv(...rows))).body).toMatchObject({ imported: true, created: 5000 })
    const { status, body } = await load('addresses', Buffer.alloc(100 * 1024 * 1024 + 1, 32))
    expect([status, body.message]).toEqual([413, 'The file is larger than 100 MB. Choose a smaller one.'])
  })
})

describe('streets, zones and parcels', () => {
  test('imports the lines of streets in several pieces', async () => {
    const lines = features(
      [
        'LineString',
        [
          [-76.92, 40.24],
          [-76.91, 40.24],
        ],
        { name: 'Oak Street' },
      ],
      [
        'MultiLineString',
        [
          [
            [-76.91, 40.24],
            [-76.9, 40.24],
          ],
        ],
        { name: 'Oak St' },
      ],
      [
        'LineString',
        [
          [-76.92, 40.24],
          [-76.92, 40.25],
        ],
        { name: 'New Way' },
      ],
    )
    expect((await load('streets', lines)).body).toMatchObject({ imported: true, created: 1, changed: 1 })
    const { body } = await portal.post(MAPLE, 'return/company/map')
    const oak = body.streets.find((street: { name: string }) => street.name === 'Oak Street')
    expect(oak.lines).toHaveLength(2)
    expect(body).toMatchObject({ tiles: null, extent: { south: expect.any(Number) } })
    expect((await load('streets', 'name\nOak')).body.message).toBe(
      'Streets and zones have shapes, which a CSV file cannot contain. Upload them as GeoJSON.',
    )
  })

  test('refuses zones with an ambiguous inside', async () => {
    const bow = [
      [-76.92, 40.24],
      [-76.91, 40.25],
      [-76.91, 40.24],
      [-76.92, 40.25],
      [-76.92, 40.24],
    ]
    const { body } = await load(
      'zones',
      features(
        ['Polygon', [square(-76.92, 40.24)], { name: 'Good', kind: 'Ward' }],
        ['Polygon', [bow], { name: 'Bow' }],
        ['Point', [-76.92, 40.24], { name: 'Point' }],
        ['Polygon', [square(-76.92, 40.24)], {}],
        [
          'Polygon',
          [
            [
              [-76.92, 40.24],
              [-76.91, 40.25],
            ],
          ],
          { name: 'Line' },
        ],
      ),
    )
    expect(body).toMatchObject({ imported: false, errorCount: 4 })
    expect(
      body.invalidRows.map(({ where, reason }: { where: string; reason: string }) => `${where}: ${reason}`),
    ).toEqual([
      expect.stringMatching(/^Feature 2: A boundary crosses itself near 40.2\d+, -76.9\d+. Correct it/),
      'Feature 3: The shape is a Point. An area must be a Polygon or a MultiPolygon.',
      'Feature 4: The name of the zone is missing.',
      'Feature 5: A boundary has fewer than three corners.',
    ])
    const good = features(['Polygon', [square(-76.92, 40.24)], { name: 'Good', kind: 'Ward' }])
    expect((await load('zones', good)).body).toMatchObject({ imported: true, created: 1 })
    expect((await load('zones', good)).body).toMatchObject({ created: 0, changed: 0, unchanged: 1 })
    const { body: here } = await portal.post(MAPLE, 'find/nearest/address', { lat: 40.24, lon: -76.92 })
    expect(here.zones).toMatchObject([{ kind: 'Ward', name: 'Good' }])
  })

  test('limits viewing and editing of parcels to privileged staff', async () => {
    const parcels = features(
      [
        'Polygon',
        [square(-76.92, 40.24, 0.0002)],
        { APN: '12-034', address: '12 Oak Street', owner: 'Ann Lee', land_use: 'Home' },
      ],
      ['Point', [-76.921, 40.24], { APN: '12-035', owner: 'Ben Ode' }],
    )
    expect((await load('parcels', parcels)).body).toMatchObject({ imported: true, created: 2 })
    const list = async (body: object) => (await post('muni/return/parcels', { direction: 'asc', ...body })).body
    const numbers = async (body: object) => (await list(body)).rows.map((row: { number: string }) => row.number)
    expect(await numbers({})).toEqual(['12-034', '12-035'])
    expect(await numbers({ search: 'LEE oak' })).toEqual(['12-034'])
    expect(await numbers({ search: '12035' })).toEqual(['12-035'])
    const first = await list({ pageSize: 1, sort: 'address' })
    expect(await numbers({ pageSize: 1, sort: 'address', cursor: first.next })).toEqual(['12-034'])
    const [{ id }] = (await list({ search: 'lee' })).rows
    expect((await post('muni/return/parcel', { parcelId: id })).body).toMatchObject({
      owner: 'Ann Lee',
      outline: [[expect.any(Array)]],
      zones: [{ name: 'Good' }],
      can: { edit: true },
    })
    const saved = { parcelId: id, address: '12 Oak Street', owner: 'Ann Lee-Park', landUse: 'Home' }
    expect((await post('muni/save/parcel', saved, 'staff')).status).toBe(403)
    expect((await post('muni/save/parcel', saved)).body.message).toBe('Parcel 12-034 saved.')
    expect((await post('muni/save/parcel', { ...saved, owner: 'x'.repeat(121) })).status).toBe(400)
    expect(await numbers({ search: 'park' })).toEqual(['12-034'])
    expect((await post('muni/return/parcel', { parcelId: id }, 'harbor')).status).toBe(404)
    expect((await post('muni/save/parcel', saved, 'harbor')).status).toBe(404)
  })
})

describe('map file of a company', () => {
  const save = (content: string | Buffer, by?: string) => send('muni/save/company/map', {}, content, by)

  test('is checked by content and location', async () => {
    expect(await save('no map')).toMatchObject({
      status: 415,
      body: { message: expect.stringContaining('not a PMTiles') },
    })
    expect(await save(aMapFile({ lat: 40.24, lon: -76.92, images: true }))).toMatchObject({ status: 415 })
    expect(await save(aMapFile({ lat: 10, lon: 10 }))).toMatchObject({
      status: 422,
      body: { message: 'This map shows a different area. Choose a map that includes the municipality.' },
    })
    expect((await save(aMapFile({ lat: 40.24, lon: -76.92 }), 'staff')).status).toBe(403)
  })

  test('is scanned for viruses before it is saved', async () => {
    const file = aMapFile({ lat: 40.24, lon: -76.92 })
    const storedMaps = async () =>
      (await portal.owner.query(`SELECT FROM attachment WHERE kind = 'town-map'`)).rows.length
    expect(await save(Buffer.concat([file, Buffer.from(VIRUS)]))).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('virus scanner found') },
    })
    daemon.manner = 'hang up at once'
    expect((await save(file)).status).toBe(503)
    daemon.manner = 'scan'
    daemon.maxBytes = 10
    // The scanner may close the connection early. Its response can then get lost, so 503 is also correct.
    expect([413, 503]).toContain((await save(Buffer.concat([file, Buffer.alloc(2_000_000)]))).status)
    daemon.maxBytes = 25_000_000
    expect([await storedMaps(), (await readPlaces()).map]).toEqual([0, null])
    expect(daemon.seen.length).toBeGreaterThan(0)
  })

  test('resumes a partial upload without losing a byte', async () => {
    const file = Buffer.concat([aMapFile({ lat: 40.24, lon: -76.92 }), Buffer.alloc(PART_BYTES + 5000, 'm')])
    const key = 'a'.repeat(32)
    const startUpload = (by = 'admin', bytes = file.length) =>
      post('start/upload/place-file', { key, name: 'maple.pmtiles', bytes }, by)
    const part = (offset: number) =>
      send('send/upload/part/place-file', { key, offset: String(offset) }, file.subarray(offset, offset + PART_BYTES))
    const whole = (by?: string) => send('muni/save/company/map', { upload: key }, null, by)
    expect((await startUpload('staff')).status).toBe(403)
    expect(await startUpload('admin', 100 * 1024 * 1024 + 1)).toMatchObject({
      status: 413,
      body: { message: 'The file is larger than 100 MB. Choose a smaller one.' },
    })
    expect((await startUpload()).body.offset).toBe(0)
    expect((await part(0)).body.offset).toBe(PART_BYTES)
    expect(await whole()).toMatchObject({ status: 409, body: { details: { offset: PART_BYTES } } })
    expect((await startUpload()).body.offset).toBe(PART_BYTES)
    await part(PART_BYTES)
    expect((await whole('harbor')).status).toBe(404)
    expect((await whole()).body).toMatchObject({ success: true })
    expect((await readPlaces()).map).toMatchObject({ name: 'maple.pmtiles', bytes: file.length })
    const { tiles } = (await portal.post(MAPLE, 'return/company/map')).body
    const { rawPayload } = await portal.app.inject({ url: tiles, headers: { host: MAPLE } })
    expect(rawPayload.equals(file)).toBe(true)
    expect((await whole()).status).toBe(404)
  })

  test('is served in ranges to everyone under its own address', async () => {
    const file = aMapFile({ lat: 40.24, lon: -76.92 })
    expect((await save(file)).body).toMatchObject({ success: true })
    expect((await readPlaces()).map).toMatchObject({ name: 'places.csv', bytes: file.length })
    const { tiles, streets } = (await portal.post(MAPLE, 'return/company/map')).body
    expect(streets).toEqual([])
    const part = async (range?: string) => {
      const reply = await portal.app.inject({ url: tiles, headers: { host: MAPLE, ...(range && { range }) } })
      return { status: reply.statusCode, bytes: reply.rawPayload, headers: reply.headers }
    }
    const whole = await part()
    expect([whole.status, whole.bytes.equals(file)]).toEqual([200, true])
    for (const [range, from, to] of [
      ['bytes=0-126', 0, 127],
      ['bytes=5-5', 5, 6],
      [`bytes=100-${file.length * 2}`, 100, file.length],
      ['bytes=-20', file.length - 20, file.length],
      ['bytes=30-', 30, file.length],
    ] as const) {
      const { status, bytes, headers } = await part(range)
      expect([range, status, bytes.equals(file.subarray(from, to))]).toEqual([range, 206, true])
      expect(headers).toMatchObject({
        'content-range': `bytes ${from}-${to - 1}/${file.length}`,
        'content-length': String(to - from),
        'accept-ranges': 'bytes',
        etag: expect.stringMatching(/^"[\w-]{36}"$/),
      })
    }
    expect(await part(`bytes=${file.length}-`)).toMatchObject({
      status: 416,
      headers: { 'content-range': `bytes */${file.length}` },
    })
    for (const odd of ['bytes=9-1', 'bytes=a-b', 'lines=1-2', 'bytes=0-1,5-6', 'bytes=-', `bytes=${'9'.repeat(40)}-`])
      expect([odd, (await part(odd)).status]).toEqual([odd, 200])
    for (const invalidPath of [
      tiles.replace(/\d+/, '999'),
      tiles.replace(/.\.pmtiles/, 'x.pmtiles'),
      '/maps/1/..%2f..%2fetc.pmtiles',
    ])
      expect((await portal.get(MAPLE, invalidPath)).status).toBe(404)
  })

  test('is removed on request', async () => {
    expect((await post('muni/remove/company/map', {}, 'staff')).status).toBe(403)
    expect((await post('muni/remove/company/map')).body).toMatchObject({ success: true })
    expect((await post('muni/remove/company/map')).status).toBe(404)
    expect((await portal.post(MAPLE, 'return/company/map')).body).toMatchObject({ tiles: null })
  })
})
