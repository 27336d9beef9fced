import { XMLParser } from 'fast-xml-parser'
import { beforeAll, expect, test } from 'vitest'
import { harborCity } from '../../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import type { CompanyId } from '../../../server/tenancy.ts'
import type { Position } from '../../../shared/places.ts'
import { testPortal } from '../../../test/harness.ts'
import { openTestCompany } from '../../../test/company.ts'
import { MAX_CORNERS } from './polygons.ts'
import { readCap } from './read.ts'

const HOST = 'maplegrove.localhost'
const OTHER = 'harborcity.localhost'
const portal = await testPortal()
const { owner } = portal
let company: CompanyId

interface AlertInput {
  kind?: string
  about?: number | null
  status?: string
  content?: object
  area?: object
  areaText?: string
  sentAt?: string | null
  onPages?: boolean
}
async function addAlert(more: AlertInput = {}): Promise<{ id: number; publicId: string }> {
  const {
    kind = 'alert',
    about = null,
    status = 'sent',
    area = { kind: 'everyone' },
    areaText = '',
    onPages = true,
  } = more
  const en = { headline: 'Boil water & wait', description: 'A main broke at <Mill> Race.', instruction: 'Boil it.' }
  const { rows } = await owner.query(
    `INSERT INTO alert (company_id, status, kind, about_id, service_id, event, category, urgency, severity, certainty, content, area, area_text,
       on_pages, expires_at, created_at, edited_at, sent_at)
     SELECT $1, $2, $3, $4, min(id), 'Water main break', 'Infra', 'Immediate', 'Severe', 'Observed', $5, $6, $7, $8,
       '2026-11-21T05:00Z', now(), now(), $9 FROM alert_service WHERE company_id = $1 RETURNING id, public_id`,
    [
      ...[
        company,
        status,
        kind,
        about,
        JSON.stringify(more.content ?? { en }),
        JSON.stringify(area),
        areaText,
        onPages,
      ],
      more.sentAt === undefined ? '2026-11-20T15:00Z' : more.sentAt,
    ],
  )
  return { id: Number(rows[0].id), publicId: rows[0].public_id }
}
const get = async (path: string, host = HOST, headers: Record<string, string> = {}) => {
  const response = await portal.get(host, path, { headers })
  return { ...response, text: String(response.body) }
}
const message = async ({ publicId }: { publicId: string }) => readCap((await get(`/alerts/cap/${publicId}.xml`)).text)

beforeAll(async () => {
  company = await openTestCompany(portal, mapleGrove)
  await openTestCompany(portal, harborCity)
  await owner.query(
    `INSERT INTO alert_service (company_id, type, name) VALUES ($1, 1, 'Emergencies') ON CONFLICT DO NOTHING`,
    [company],
  )
})

test('publishes an alert, its update and its end as linked CAP messages', async () => {
  const es = { headline: 'Hierva el agua', description: 'Se rompió.', instruction: 'Hiérvala.' }
  const en = { headline: 'Boil water advisory', description: '', instruction: 'Boil it.' }
  const first = await addAlert({ content: { en, es }, status: 'cancelled' })
  const update = await addAlert({ kind: 'update', about: first.id, sentAt: '2026-11-20T16:00Z' })
  const cancel = await addAlert({ kind: 'cancel', about: first.id, sentAt: '2026-11-20T17:00Z' })
  const [a, b, c] = [await message(first), await message(update), await message(cancel)]
  expect([a.msgType, b.msgType, c.msgType]).toEqual(['Alert', 'Update', 'Cancel'])
  expect(a).toMatchObject({
    identifier: first.publicId,
    sender: `alerts@${HOST}`,
    sent: '2026-11-20T10:00:00-05:00',
    references: [],
  })
  expect(a.infos.map(({ language, headline }) => [language, headline])).toEqual([
    ['en-US', 'Boil water advisory'],
    ['es-US', 'Hierva el agua'],
  ])
  const refers = ({ sender, identifier, sent }: typeof a) => ({ sender, identifier, sent })
  expect(b.references).toEqual([refers(a)])
  expect(c.references).toEqual([refers(a), refers(b)])
  expect(c.infos[0]).toMatchObject({ urgency: 'Past', responseTypes: ['AllClear'] })
})

test('keeps everyone inside few corners and describes the holes in words', async () => {
  const border = Array.from({ length: 300 }, (_, at): Position => {
    const angle = (2 * Math.PI * at) / 300
    const far = 0.01 * (1 + 0.1 * Math.sin(angle * 40))
    return [-76.92 + far * Math.cos(angle), 40.24 + far * Math.sin(angle)]
  })
  const hole: Position[] = [
    [-76.921, 40.24],
    [-76.919, 40.24],
    [-76.92, 40.241],
  ]
  const { infos } = await message(
    await addAlert({ area: { kind: 'drawn', polygons: [[border, hole]] }, areaText: 'Riverside' }),
  )
  const [area] = infos[0]?.areas ?? []
  expect(area?.areaDesc).toBe('Riverside, excluding 1 part inside it')
  expect(area?.polygons[0]?.length).toBeLessThanOrEqual(MAX_CORNERS)
})

test('lists newest first in all formats and answers unchanged feeds briefly', async () => {
  const newest = await addAlert({ sentAt: '2026-11-20T20:00Z' })
  const parser = new XMLParser({ ignoreAttributes: false })
  const atom = parser.parse((await get('/alerts/feed.xml')).text).feed
  expect(atom.entry[0]).toMatchObject({
    id: `urn:uuid:${newest.publicId}`,
    title: 'Boil water & wait',
    'cap:severity': 'Severe',
  })
  const link: string = atom.entry[0].link['@_href']
  expect(new URL(link).pathname).toBe(`/alerts/cap/${newest.publicId}.xml`)
  const rss = parser.parse((await get('/alerts/rss.xml')).text).rss.channel
  expect(rss.item[0]).toMatchObject({ description: 'A main broke at <Mill> Race.\n\nBoil it.' })
  const json = await get('/alerts/feed.json')
  expect(JSON.parse(json.text)).toMatchObject({
    version: 'https://jsonfeed.org/version/1.1',
    items: expect.arrayContaining([expect.objectContaining({ id: newest.publicId })]),
  })
  const etag = String(json.headers['etag'])
  expect(await get('/alerts/feed.json', HOST, { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' })
  await addAlert({ sentAt: '2026-11-20T21:00Z' })
  expect((await get('/alerts/feed.json', HOST, { 'if-none-match': etag })).status).toBe(200)
})

test('excludes private, unsent and other companies’ alerts and offline companies', async () => {
  const hidden = [
    await addAlert({ sentAt: null, status: 'draft' }),
    await addAlert({ onPages: false }),
    await addAlert({ area: { kind: 'form', formTypeId: 1 } }),
  ]
  const all = (await get('/alerts/feed.json')).text
  for (const { publicId } of hidden) {
    expect(all).not.toContain(publicId)
    expect((await get(`/alerts/cap/${publicId}.xml`)).status).toBe(404)
  }
  const visibleAlert = await addAlert()
  expect((await get(`/alerts/cap/${visibleAlert.publicId}.xml`)).status).toBe(200)
  expect((await get(`/alerts/cap/${visibleAlert.publicId}.xml`, OTHER)).status).toBe(404)
  expect(JSON.parse((await get('/alerts/feed.json', OTHER)).text).items).toEqual([])
  for (const file of ['nonsense.xml', `${visibleAlert.publicId}.pdf`, '..%2f..%2fetc'])
    expect((await get(`/alerts/cap/${file}`)).status).toBe(404)
})
