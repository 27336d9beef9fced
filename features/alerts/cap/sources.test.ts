import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import { importPlaces } from '../../../server/places/import.ts'
import type { CompanyId } from '../../../server/tenancy.ts'
import type { Position } from '../../../shared/places.ts'
import { liftLimits } from '../../../test/databases.ts'
import { type ApiResponse, testPortal } from '../../../test/harness.ts'
import { openTestCompany } from '../../../test/company.ts'
import { sendAlerts } from '../server/send.ts'
import type { CapAlert } from './message.ts'
import { readSources } from './poll.ts'
import { writeCap } from './write.ts'

const HOST = 'maplegrove.localhost'
const portal = await testPortal({ env: { ALERTS_LOOPBACK: '1', SESSION_HOURS: '720', SESSION_IDLE_HOURS: '720' } })
const { owner, context, clock } = portal
let company: CompanyId
let token = ''
let service = ''

/** Documents of a simulated external server by path, and the URLs of the requests that it received. */
const documents = new Map<string, string>()
const requestedUrls: string[] = []
/** Responses in encodings other than UTF-8. */
const raw = new Map<string, { bytes: Buffer; type: string }>()
let server: Server
const HANGS_UP = 'hangs up'
let base = ''

const as = (path: string, body: object = {}): Promise<ApiResponse> =>
  portal.post(HOST, path, body, { token, headers: { 'idempotency-key': randomUUID() } })
async function expectOk(reply: Promise<ApiResponse>) {
  const { status, body } = await reply
  expect({ status, message: body.message, details: body.details }).toMatchObject({ status: 200 })
  return body
}

const CENTER = { lat: 40.24, lon: -76.92 }
const around = (lon: number, lat: number, far: number): Position[] => [
  [lon - far, lat - far],
  [lon + far, lat - far],
  [lon + far, lat + far],
  [lon - far, lat + far],
]
const west = around(CENTER.lon, CENTER.lat, 0.0005)

beforeAll(async () => {
  clock.set('2026-11-20T15:00:00.000Z')
  company = await openTestCompany(portal, mapleGrove)
  await liftLimits(owner)
  token = await portal.signIn(HOST, 'admin@maplegrove.example')
  await expectOk(as('muni/save/alert/services', { alerts: [{ name: 'Emergencies' }], essentials: [], others: [] }))
  service = String((await expectOk(as('muni/return/alert/editor'))).services[0].id)
  await importPlaces(
    { inCompany: context.inCompany, clock },
    company,
    { session: null, requestId: '', kind: 'system' },
    {
      kind: 'addresses',
      file: Readable.from([
        Buffer.from(
          `number,street,unit,zip,lat,lon\n1,Long Wharf Road,,17011,${CENTER.lat},${CENTER.lon}\n2,Long Wharf Road,,17011,${CENTER.lat},${CENTER.lon + 0.01}`,
        ),
      ]),
      mode: 'import',
      rowErrors: 'refuse',
    },
  )
  await owner.query(`UPDATE person SET active_email_alerts = 'i' WHERE role_id = 1`)
  for (const number of [1, 2])
    await owner.query(
      `INSERT INTO person (company_id, email, role_id, first_name, last_name, service_address, active_email_alerts, email_confirmed_at)
       VALUES ($1, $2, 1, 'Ada', 'Reese', $3, 'a', now())`,
      [company, `house${number}@example.org`, `${number} Long Wharf Road`],
    )
  server = createServer((request, response) => {
    requestedUrls.push(request.url ?? '')
    const other = raw.get(request.url ?? '')
    if (other) return void response.writeHead(200, { 'content-type': other.type }).end(other.bytes)
    const xml = documents.get(request.url ?? '')
    if (xml === HANGS_UP) request.socket.destroy()
    else response.writeHead(xml === undefined ? 404 : 200, { 'content-type': 'text/xml' }).end(xml ?? '')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())
beforeEach(async () => {
  documents.clear()
  raw.clear()
  requestedUrls.length = 0
  await owner.query('DELETE FROM alert_source')
})

let sent = 0
function message(
  more: Partial<CapAlert> & { headline?: string; at?: Position[] | null; severity?: 'Severe' | 'Minor' } = {},
): CapAlert {
  const { headline = 'High water at the river', at = west, severity = 'Severe', ...rest } = more
  return {
    ...{
      identifier: `NOAA-${(sent += 1)}`,
      sender: 'w-nws.webmaster@noaa.example',
      sent: `2026-11-20T09:0${Math.floor(sent / 60)}:${String(sent % 60).padStart(2, '0')}-05:00`,
    },
    ...{ status: 'Actual', msgType: 'Alert', source: '', scope: 'Public', restriction: '', addresses: '', codes: [] },
    ...{ note: '', references: [], incidents: '' },
    infos: [
      {
        ...{ language: 'en-US', categories: ['Met'], event: 'Flood Warning', responseTypes: ['Avoid'] },
        ...{ urgency: 'Immediate', severity, certainty: 'Likely', audience: '', eventCodes: [] },
        ...{ effective: '', onset: '', expires: '2026-11-21T09:00:00-05:00', senderName: 'NWS State College PA' },
        ...{ headline, description: 'The river rises.', instruction: 'Turn around <now>.', web: '', contact: '' },
        ...{ parameters: [], resources: [] },
        areas: [
          {
            ...{ areaDesc: 'Cumberland', polygons: at ? [at] : [], circles: [], altitude: null, ceiling: null },
            geocodes: [{ valueName: 'UGC', value: 'PAC041' }],
          },
        ],
      },
    ],
    ...rest,
  } as CapAlert
}
/** Publishes messages as an Atom feed with links to them. */
function publish(...messages: CapAlert[]): void {
  for (const one of messages) documents.set(`/${one.identifier}.cap`, writeCap(one))
  documents.set(
    '/feed.atom',
    `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Alerts</title>${messages
      .map(
        ({ identifier }) =>
          `<entry><id>${base}/x</id><link type="application/cap+xml" href="/${identifier}.cap"/></entry>`,
      )
      .join('')}</feed>`,
  )
}
const source = {
  ...{
    name: 'Weather Service',
    codes: '',
    zoneIds: [],
    events: '',
    minSeverity: 'Moderate',
    byItself: false,
    isActive: true,
  },
}
const addSource = async (more: object = {}): Promise<number> =>
  (
    await expectOk(
      as('muni/save/alert/source', {
        sourceId: null,
        form: { ...source, url: `${base}/feed.atom`, serviceId: service, ...more },
      }),
    )
  ).sourceId
interface Row {
  id: number
  headline: string
  status: string
  why: string
  alert: string
}
const received = async (): Promise<Row[]> => (await expectOk(as('muni/return/received/alerts'))).rows
const rowOf = async (headline: string) => (await received()).find((row) => row.headline === headline) as Row
const move = (receivedId: number, event: string) => as('muni/transition/received/alert', { receivedId, event })
const alertOf = async (id: number) =>
  (await owner.query('SELECT * FROM alert WHERE company_id = $1 AND id = $2', [company, id])).rows[0]
const reached = async (id: number): Promise<string[]> =>
  (
    await owner.query('SELECT address FROM alert_delivery WHERE company_id = $1 AND alert_id = $2 ORDER BY address', [
      company,
      id,
    ])
  ).rows.map(({ address }) => address)
const refers = ({ sender, identifier, sent: at }: CapAlert) => [{ sender, identifier, sent: at }]

test('queues local messages for review and gives reasons for skipping others', async () => {
  await addSource()
  publish(
    message({ headline: 'Here it is' }),
    message({ headline: 'Far away', at: around(-75, 41, 0.1) }),
    message({ headline: 'Of little weight', severity: 'Minor' }),
    message({ headline: 'Only a test', status: 'Test' }),
  )
  await readSources(context)
  await readSources(context)
  expect((await received()).map(({ headline, status, why }) => [headline, status, why]).toSorted()).toEqual([
    ['Far away', 'filtered_out', 'The message is about another area.'],
    ['Here it is', 'waiting', ''],
    ['Of little weight', 'filtered_out', 'The severity is below the minimum in the source settings.'],
    ['Only a test', 'filtered_out', 'The message is an exercise or a test, or it is not public.'],
  ])
  // Each message was requested once.
  expect(requestedUrls.filter((path) => path.endsWith('.cap'))).toHaveLength(4)
})

test('creates a draft from a message and sends recipients later changes', async () => {
  await addSource()
  const first = message({ headline: 'River over its banks' })
  publish(first)
  await readSources(context)
  const { alertId } = await expectOk(move((await rowOf('River over its banks')).id, 'release'))
  expect(await alertOf(alertId)).toMatchObject({
    ...{ status: 'draft', severity: 'Severe', category: 'Met', event: 'Flood Warning', area_text: 'Cumberland' },
    content: { en: { headline: 'River over its banks', instruction: 'Turn around now.' } },
    area: { kind: 'drawn' },
  })
  await expectOk(as('muni/submit/alert', { alertId, people: 10 }))
  await sendAlerts(context)
  expect(await reached(alertId)).toEqual(['house1@example.org'])

  const update = message({ headline: 'River still rises', msgType: 'Update', references: refers(first) })
  publish(update, first)
  await readSources(context)
  const released = await expectOk(move((await rowOf('River still rises')).id, 'release'))
  await sendAlerts(context)
  expect(await alertOf(released.alertId)).toMatchObject({ kind: 'update', about_id: alertId })
  expect(await reached(released.alertId)).toEqual(['house1@example.org'])
  expect((await alertOf(alertId)).status).toBe('updated')

  const cancel = message({ headline: 'River is back', msgType: 'Cancel', references: refers(update) })
  publish(cancel, update, first)
  await readSources(context)
  await expectOk(move((await rowOf('River is back')).id, 'release'))
  await sendAlerts(context)
  expect((await alertOf(alertId)).status).toBe('cancelled')
})

test('sends a message, update and cancellation automatically, each once', async () => {
  await addSource({ byItself: true, name: 'By itself' })
  const first = message({ headline: 'Tornado near' })
  publish(first)
  await readSources(context)
  await readSources(context)
  await sendAlerts(context)
  const { rows } = await owner.query(`SELECT id, status FROM alert WHERE content->'en'->>'headline' = 'Tornado near'`)
  expect(rows).toMatchObject([{ status: 'sent' }])
  expect(await reached(rows[0].id)).toEqual(['house1@example.org'])
  const update = message({ headline: 'Tornado moves on', msgType: 'Update', references: refers(first) })
  const cancel = message({ headline: 'Tornado is gone', msgType: 'Cancel', references: refers(first) })
  publish(cancel, update, first)
  await readSources(context)
  await sendAlerts(context)
  expect((await alertOf(rows[0].id)).status).toBe('cancelled')
  expect((await owner.query('SELECT kind FROM alert WHERE about_id = $1 ORDER BY id', [rows[0].id])).rows).toEqual([
    { kind: 'update' },
    { kind: 'cancel' },
  ])
})

test('removes changed messages from review', async () => {
  await addSource()
  const first = message({ headline: 'Frost tonight' })
  const update = message({ headline: 'Frost until Sunday', msgType: 'Update', references: refers(first) })
  const cancel = message({ headline: 'No frost', msgType: 'Cancel', references: refers(update) })
  publish(update, first)
  await readSources(context)
  expect([(await rowOf('Frost tonight')).status, (await rowOf('Frost until Sunday')).status]).toEqual([
    'superseded',
    'waiting',
  ])
  expect(await move((await rowOf('Frost tonight')).id, 'release')).toMatchObject({ status: 409 })
  publish(cancel, update, first)
  await readSources(context)
  expect([(await rowOf('Frost until Sunday')).status, (await rowOf('No frost')).status]).toEqual([
    'superseded',
    'filtered_out',
  ])
})

test('recognizes the company by its code and lets staff dismiss a message', async () => {
  await addSource({ codes: 'pac041, 042041' })
  publish(message({ headline: 'County wide', at: null }))
  await readSources(context)
  const { id, status } = await rowOf('County wide')
  expect(status).toBe('waiting')
  expect((await expectOk(move(id, 'dismiss'))).message).toMatch(/was dismissed/)
  expect((await rowOf('County wide')).status).toBe('dismissed')
})

test('treats a border outside the chosen zones as elsewhere despite its codes', async () => {
  const { rows } = await owner.query(
    `WITH z AS (INSERT INTO zone (company_id, kind, name, name_key, outline) VALUES ($1, 'Ward', 'West', 'west', $2) RETURNING id)
     INSERT INTO zone_ring (company_id, zone_id, part, ring, shape)
     SELECT $1, z.id, 0, 0, path(polygon(box(a.at - point(50, 50), a.at + point(50, 50)))) FROM z, address a
     WHERE a.company_id = $1 AND a.house_number = '1' AND a.street_id IN (SELECT id FROM street WHERE company_id = $1 AND name = 'Long Wharf Road')
     RETURNING zone_id`,
    [company, JSON.stringify([[west]])],
  )
  const east = west.map(([lon, lat]): Position => [lon + 0.01, lat])
  expect(
    (
      await as('muni/save/alert/source', {
        sourceId: null,
        form: { ...source, url: `${base}/feed.atom`, serviceId: service, zoneIds: [999_999] },
      })
    ).status,
  ).toBe(422)
  await addSource({ codes: 'PAC041', zoneIds: [rows[0].zone_id] })
  publish(
    message({ headline: 'In the west ward' }),
    message({ headline: 'East of the ward', at: east }),
    message({ headline: 'All over the county', at: null }),
  )
  await readSources(context)
  expect((await rowOf('In the west ward')).status).toBe('waiting')
  expect(await rowOf('East of the ward')).toMatchObject({
    status: 'filtered_out',
    why: 'The message is about another area.',
  })
  expect((await rowOf('All over the county')).status).toBe('waiting')
})

describe('wrong source', () => {
  const problem = async (id: number) =>
    (await expectOk(as('muni/return/alert/sources'))).rows.find((row: { id: number }) => row.id === id).problem

  test('reports its problem and still delivers its good messages', async () => {
    const id = await addSource()
    const good = message({ headline: 'Good one' })
    const bad = message({ headline: 'Bad one' })
    publish(bad, good)
    documents.set(`/${bad.identifier}.cap`, writeCap(bad).replace('<event>Flood Warning</event>', ''))
    await readSources(context)
    expect([await problem(id), (await rowOf('Good one')).status]).toEqual([
      `${base}/${bad.identifier}.cap: An info block has no event.`,
      'waiting',
    ])
  })

  test.each([
    ['/missing', 'The server returned an error (404).'],
    ['/page', 'The response is neither a CAP message nor a CAP feed.'],
  ])('%s', async (path, expectedProblem) => {
    documents.set('/page', '<html><body>Welcome</body></html>')
    const id = await addSource({ url: base + path })
    await readSources(context)
    expect(await problem(id)).toBe(expectedProblem)
  })

  test('never leads into a private network', async () => {
    const id = await addSource({ url: 'http://10.0.0.7/feed.atom' })
    await readSources(context)
    expect(await problem(id)).toBe('The address does not use https, or it leads to a private network.')
  })

  test('never follows a link into a private network and names it', async () => {
    documents.set(
      '/lured',
      '<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="http://10.0.0.7/a.cap"/></entry></feed>',
    )
    const id = await addSource({ url: `${base}/lured` })
    await readSources(context)
    expect(await problem(id)).toBe(
      'http://10.0.0.7/a.cap: The address does not use https, or it leads to a private network.',
    )
  })

  test.each([
    ['1.1', 'urn:oasis:names:tc:emergency:cap:1.1'],
    ['1.0', 'http://www.incident.com/cap/1.0'],
  ])('reports the unsupported version CAP %s', async (version, namespace) => {
    const cap = message({ headline: 'Old version' })
    documents.set('/old', writeCap(cap).replace('urn:oasis:names:tc:emergency:cap:1.2', namespace))
    const id = await addSource({ url: `${base}/old` })
    await readSources(context)
    expect(await problem(id)).toContain(`The message uses CAP ${version}, but the portal reads only CAP 1.2.`)
  })

  test.each([
    [
      'a document type',
      (xml: string) => xml.replace('?>', '?><!DOCTYPE alert [<!ENTITY e1 "Boil">]>').replace('Entity', '&e1;'),
    ],
    ['an entity that nobody defines', (xml: string) => xml.replace('Entity', '&e1;')],
  ])('is refused with %s', async (_, change) => {
    documents.set('/entity', change(writeCap(message({ headline: 'Entity' }))))
    const id = await addSource({ url: `${base}/entity` })
    await readSources(context)
    expect(await problem(id)).toContain('The message defines its own entities or document type')
    const { rows } = await owner.query(`SELECT FROM alert_received WHERE headline LIKE '%e1%' OR headline = 'Boil'`)
    expect(rows).toEqual([])
  })

  test('accepts “<!DOCTYPE” in text', async () => {
    const cap = message({ headline: 'In a text' })
    documents.set(
      '/cdata',
      writeCap(cap).replace(/<description>[^<]*/, '<description><![CDATA[Write <!DOCTYPE html> & go]]>'),
    )
    await addSource({ url: `${base}/cdata` })
    await readSources(context)
    expect((await rowOf('In a text')).status).toBe('waiting')
  })

  test.each([
    ['escaped', 'One&lt;br /&gt;Two&lt;p&gt;Three&lt;/p&gt;&lt;b&gt;bold&lt;/b&gt;'],
    ['as CDATA', '<![CDATA[One<br>Two<p class="x">Three</p><b>bold</b>]]>'],
    ['as elements', 'One<br/>Two<p>Three</p><b>bold</b>'],
    ['with references', 'One&#60;BR&#62;Two&lt;p&gt;Three&lt;/p&gt;&lt;b&gt;bold&lt;/b&gt;'],
  ])('keeps the lines of HTML written %s', async (how, written) => {
    const cap = message({ headline: `Lines ${how}` })
    documents.set('/lines', writeCap(cap).replace(/<description>[^<]*/, `<description>${written}`))
    await addSource({ url: `${base}/lines` })
    await readSources(context)
    const { rows } = await owner.query(`SELECT id FROM alert_received WHERE headline = $1`, [`Lines ${how}`])
    await expectOk(move(Number(rows[0].id), 'release'))
    const made = await owner.query(
      `SELECT content->'en'->>'description' AS text FROM alert WHERE content->'en'->>'headline' = $1`,
      [`Lines ${how}`],
    )
    expect(made.rows[0].text).toBe('One\nTwo\nThree\nbold')
  })

  test.each([
    ['latin1', 'text/xml', 'ISO-8859-1'],
    ['latin1', 'text/xml', 'windows-1252'],
    ['latin1', 'text/xml; charset=iso-8859-1', ''],
    ['latin1', 'application/cap+xml', 'UTF-8'],
    ['utf16le', 'text/xml', 'UTF-16'],
    ['utf8', 'text/xml', 'UTF-8'],
    ['utf8', 'text/xml', ''],
  ] as const)('reads %s sent as %s and declared as %s', async (bytes, type, declared) => {
    const headline = `Alerta José ${bytes} ${type.length} ${declared || 'nothing'}`
    const xml = writeCap(message({ headline })).replace(
      /^<\?.*\?>/,
      declared ? `<?xml version="1.0" encoding="${declared}"?>` : '',
    )
    const mark = bytes === 'utf16le' ? Buffer.from([0xff, 0xfe]) : Buffer.alloc(0)
    raw.set('/encoded', { bytes: Buffer.concat([mark, Buffer.from(xml, bytes)]), type })
    await addSource({ url: `${base}/encoded` })
    await readSources(context)
    expect((await rowOf(headline)).status).toBe('waiting')
  })

  test('refuses an unknown encoding', async () => {
    raw.set('/encoded', { bytes: Buffer.from('<?xml version="1.0" encoding="X-MAPLE"?><alert/>'), type: 'text/xml' })
    const id = await addSource({ url: `${base}/encoded` })
    await readSources(context)
    expect(await problem(id)).toContain('the encoding X-MAPLE, which is not supported')
  })

  test.each([
    ['as elements', (xml: string) => `<content type="application/cap+xml">${xml}</content>`],
    [
      'as text',
      (xml: string) => `<content type="text">${xml.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</content>`,
    ],
  ])('reads messages inside feed entries %s', async (how, content) => {
    const [a, b] = [message({ headline: `Inline one ${how}` }), message({ headline: `Inline two ${how}` })]
    const bare = (cap: CapAlert) => writeCap(cap).replace(/^<\?.*\?>\n/, '')
    const entries = [a, b].map((cap) => `<entry><id>urn:x</id><link href="${base}/none"/>${content(bare(cap))}</entry>`)
    documents.set('/inline', `<feed xmlns="http://www.w3.org/2005/Atom">${entries.join('')}</feed>`)
    const id = await addSource({ url: `${base}/inline` })
    await readSources(context)
    expect([
      await problem(id),
      (await rowOf(`Inline one ${how}`)).status,
      (await rowOf(`Inline two ${how}`)).status,
    ]).toEqual(['', 'waiting', 'waiting'])
  })

  test('reads several messages in an envelope', async () => {
    const [a, b] = [message({ headline: 'Envelope one' }), message({ headline: 'Envelope two' })]
    const bare = (cap: CapAlert) => writeCap(cap).replace(/^<\?.*\?>\n/, '')
    documents.set(
      '/all.xml',
      `<ns1:alerts xmlns:ns1="http://gov.fema.ipaws.services/feed">${bare(a)}${bare(b)}</ns1:alerts>`,
    )
    await addSource({ url: `${base}/all.xml` })
    await readSources(context)
    expect((await rowOf('Envelope one')).status).toBe('waiting')
    expect((await rowOf('Envelope two')).status).toBe('waiting')
  })
})

test('accepts only event kinds that the company chose, by name or code', async () => {
  await addSource({ events: 'Tornado warning, ffw' })
  const kind = (headline: string, event: string, code: string): CapAlert => {
    const cap = message({ headline })
    const eventCodes = [{ valueName: 'SAME', value: code }]
    return { ...cap, infos: cap.infos.map((info) => ({ ...info, event, eventCodes })) }
  }
  publish(
    kind('A tornado', 'Tornado Warning', 'TOR'),
    kind('A flash flood', 'Flash Flood Warning', 'FFW'),
    kind('A flood', 'Flood Warning', 'FLW'),
  )
  await readSources(context)
  expect((await received()).map(({ headline, status, why }) => [headline, status, why]).toSorted()).toEqual([
    ['A flash flood', 'waiting', ''],
    ['A flood', 'filtered_out', 'The source settings exclude this type of event.'],
    ['A tornado', 'waiting', ''],
  ])
})

test('removes expired messages from review', async () => {
  await addSource()
  publish(message({ headline: 'Fog until noon' }))
  await readSources(context)
  clock.set('2026-11-21T14:00:00.000Z')
  token = await portal.signIn(HOST, 'admin@maplegrove.example')
  await readSources(context)
  expect(await rowOf('Fog until noon')).toMatchObject({
    status: 'filtered_out',
    why: 'The message expired before it could be sent.',
  })
  clock.set('2026-11-20T15:00:00.000Z')
  token = await portal.signIn(HOST, 'admin@maplegrove.example')
})

describe('change of a message that was not sent yet', () => {
  const kinds = async (headline: string) =>
    (
      await owner.query(
        `SELECT kind, status, about_id FROM alert WHERE content->'en'->>'headline' = $1 AND company_id = $2 ORDER BY id`,
        [headline, company],
      )
    ).rows
  const statusOf = async (headline: string) => (await kinds(headline))[0]?.status

  test('stops the message if both arrived together', async () => {
    await addSource({ byItself: true })
    const first = message({ headline: 'Hail at noon' })
    publish(message({ headline: 'No hail', msgType: 'Cancel', references: refers(first) }), first)
    await readSources(context)
    await sendAlerts(context)
    expect(await statusOf('Hail at noon')).toBe('draft')
    expect(await kinds('No hail')).toEqual([])
  })

  test('replaces the message if it is an update', async () => {
    await addSource({ byItself: true })
    const first = message({ headline: 'Ice at noon' })
    publish(message({ headline: 'Ice at one', msgType: 'Update', references: refers(first) }), first)
    await readSources(context)
    await sendAlerts(context)
    expect([await statusOf('Ice at noon'), await statusOf('Ice at one')]).toEqual(['draft', 'sent'])
  })

  test('waits until sending ends and then goes to the recipients', async () => {
    await addSource({ byItself: true })
    const first = message({ headline: 'Smoke in the valley' })
    publish(first)
    await readSources(context)
    await sendAlerts(context)
    const { rows } = await owner.query(
      `UPDATE alert SET status = 'sending' WHERE content->'en'->>'headline' = 'Smoke in the valley' RETURNING id`,
    )
    publish(message({ headline: 'No smoke', msgType: 'Cancel', references: refers(first) }), first)
    await readSources(context)
    expect([(await rowOf('No smoke')).status, await kinds('No smoke')]).toEqual(['waiting', []])
    await owner.query(`UPDATE alert SET status = 'sent' WHERE id = $1`, [rows[0].id])
    await readSources(context)
    await sendAlerts(context)
    expect([(await rowOf('No smoke')).status, await statusOf('Smoke in the valley')]).toEqual(['released', 'cancelled'])
  })

  test('can’t be released by staff during sending, with an explanation', async () => {
    const id = await addSource()
    const first = message({ headline: 'Wind in the hills' })
    publish(first)
    await readSources(context)
    const { alertId } = await expectOk(move((await rowOf('Wind in the hills')).id, 'release'))
    await owner.query(`UPDATE alert SET status = 'sending', sent_at = now() WHERE id = $1`, [alertId])
    publish(message({ headline: 'No wind', msgType: 'Cancel', references: refers(first) }), first)
    await readSources(context)
    const { status, body } = await move((await rowOf('No wind')).id, 'release')
    expect([status, body.message]).toEqual([
      409,
      'The alert that this message changes is being sent. Try again in a minute.',
    ])
    expect((await rowOf('No wind')).status).toBe('waiting')
    await owner.query(`UPDATE alert SET status = 'ended' WHERE id = $1`, [alertId])
    await expectOk(as('muni/remove/alert/source', { sourceId: id }))
  })

  test('reaches the recipients even if now less severe or elsewhere', async () => {
    await addSource({ byItself: true })
    const first = message({ headline: 'Storm over the town' })
    publish(first)
    await readSources(context)
    await sendAlerts(context)
    const calmer = message({
      ...{ headline: 'The storm moves on', msgType: 'Update', references: refers(first) },
      ...{ severity: 'Minor', at: around(-75, 41, 0.1) },
    })
    publish(calmer, first)
    await readSources(context)
    await sendAlerts(context)
    expect((await kinds('The storm moves on')).map(({ kind }) => kind)).toEqual(['update'])
    expect(await statusOf('Storm over the town')).toBe('updated')
  })

  test('leaves the message waiting if the change is only a test', async () => {
    await addSource()
    const first = message({ headline: 'Real flood' })
    const test = message({ headline: 'Test of a change', msgType: 'Update', status: 'Test', references: refers(first) })
    publish(test, first)
    await readSources(context)
    expect([(await rowOf('Real flood')).status, (await rowOf('Test of a change')).status]).toEqual([
      'waiting',
      'filtered_out',
    ])
  })
})

describe('source in trouble', () => {
  const problems = async () =>
    (await expectOk(as('muni/return/alert/sources'))).rows.map(({ problem }: { problem: string }) => problem)

  test('delivers all other messages if the feed lists a missing one', async () => {
    await addSource()
    const [gone, here] = [message({ headline: 'Gone one' }), message({ headline: 'One that is here' })]
    publish(here, gone)
    documents.delete(`/${gone.identifier}.cap`)
    await readSources(context)
    expect((await rowOf('One that is here')).status).toBe('waiting')
    expect(await problems()).toEqual([expect.stringMatching(/\.cap: The server returned an error \(404\)\.$/)])
    documents.set(`/${gone.identifier}.cap`, writeCap(gone))
    await readSources(context)
    expect([(await rowOf('Gone one')).status, await problems()]).toEqual(['waiting', ['']])
  })

  test('stops after repeated hang-ups until the next round and keeps earlier messages', async () => {
    await addSource()
    const gone = Array.from({ length: 5 }, (_, index) => message({ headline: `Hung up on, ${index}` }))
    const here = message({ headline: 'Before it hung up' })
    publish(...gone.toReversed(), here)
    for (const { identifier } of gone) documents.set(`/${identifier}.cap`, HANGS_UP)
    await readSources(context)
    expect(requestedUrls.filter((path) => documents.get(path) === HANGS_UP)).toHaveLength(3)
    expect([(await rowOf('Before it hung up')).status, await problems()]).toEqual([
      'waiting',
      [expect.stringMatching(/\.cap: The server did not respond in time, or it closed the connection\.$/)],
    ])
  })

  test('reports a broken message as long as its feed lists it', async () => {
    await addSource()
    const bad = message({ headline: 'Broken one' })
    publish(bad)
    documents.set(`/${bad.identifier}.cap`, writeCap(bad).replace('<event>Flood Warning</event>', ''))
    await readSources(context)
    await readSources(context)
    expect(await problems()).toEqual([expect.stringMatching(/\.cap: An info block has no event\.$/)])
    publish()
    await readSources(context)
    expect(await problems()).toEqual([''])
  })

  test.each([
    ['breaks off', '<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>x', 'The response is not XML.'],
    [
      'defines entities',
      '<!DOCTYPE feed [<!ENTITY a "b">]><feed xmlns="http://www.w3.org/2005/Atom"><entry><id>&a;</id></entry></feed>',
      'The feed defines its own entities or document type, which is not supported.',
    ],
  ])('reports the source without blocking others: it %s', async (_what, feed, expectedProblem) => {
    // Adds more sources than are read in parallel.
    for (let index = 0; index < 9; index += 1) await addSource({ url: `${base}/bad.atom` })
    documents.set('/bad.atom', feed)
    const one = message({ headline: `Beside it: ${_what}` })
    publish(one)
    await addSource()
    await readSources(context)
    expect((await rowOf(`Beside it: ${_what}`)).status).toBe('waiting')
    expect((await problems()).filter((problem: string) => problem === expectedProblem)).toHaveLength(9)
  })

  test('fetches a limited number of messages each round and continues later', async () => {
    await addSource()
    const many = Array.from({ length: 60 }, (_, index) =>
      message({ headline: `Many, ${index}`, sent: `2026-11-20T09:${String(index).padStart(2, '0')}:00-05:00` }),
    )
    publish(...many.toReversed())
    await readSources(context)
    await readSources(context)
    const { rows } = await owner.query(`SELECT count(*)::int AS n FROM alert_received WHERE headline LIKE 'Many, %'`)
    expect(rows[0].n).toBe(60)
  })
})
