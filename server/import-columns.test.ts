import { beforeAll, describe, expect, test } from 'vitest'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { CORRECTION, csvTextOf } from '../shared/csv.ts'
import { type ColumnsReport, type ImportReport, type SampleKind, sampleKinds } from '../shared/imports.ts'
import { openTestCompany } from '../test/company.ts'
import { testClock, testPortal } from '../test/harness.ts'
import { workbookOfSheets } from '../test/workbooks.ts'
import { workbookOf } from './write-workbook.ts'

const MAPLE = 'maplegrove.localhost'
const portal = await testPortal({ clock: testClock() })
let token = ''

beforeAll(async () => {
  await openTestCompany(portal, mapleGrove)
  token = await portal.signIn(MAPLE, 'admin@maplegrove.example')
  for (const [code, description] of [
    ['METER', 'Expired meter'],
    ['FIRE', 'Fire lane'],
  ])
    await post('muni/save/parking/violation', { violationId: null, code, description, amountCents: 2500, active: true })
})

const post = (path: string, body: object) => portal.post(MAPLE, path, body, { token })

async function upload(path: string, content: Buffer | string, fields: Record<string, string>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new File([new Uint8Array(Buffer.from(content))], 'file'))
  const request = new Request('http://x', { method: 'POST', body: form })
  const response = await portal.app.inject({
    method: 'POST',
    url: `/api/v2/${path}`,
    payload: Buffer.from(await request.arrayBuffer()),
    headers: {
      host: MAPLE,
      'content-type': request.headers.get('content-type') ?? '',
      authorization: `Bearer ${token}`,
    },
  })
  return { status: response.statusCode, body: response.json<ImportReport & { message: string }>() }
}

const tickets = (content: Buffer | string, columns: string, mode = 'preview') =>
  upload('muni/import/parking/tickets', content, { mode, columns })
const targets = (report: ColumnsReport | undefined) => (report?.headers ?? []).map(({ to }) => to)

/** Downloads the sample file of an importer. */
async function sampleOf(kind: SampleKind, format: 'csv' | 'xlsx'): Promise<Buffer> {
  const { body } = await post('muni/download/import/sample', { kind, format })
  const { rawPayload, headers } = await portal.app.inject({ url: body.url, headers: { host: MAPLE } })
  expect(headers['content-disposition']).toContain(`sample-${kind.replaceAll('_', '-')}.${format}`)
  return rawPayload
}

describe('columns of an imported file', () => {
  const file = (day: string) =>
    `Tickets of ${day}\n\nTkt No;Tag;Tag State;Viol Code;Date Issued;Beat\nC-${day}1;AB 123;PA;METER;2026-11-18;4\nC-${day}2;CD456;NJ;FIRE;2026-11-18;5\n`

  test('need one choice and stay for the next file', async () => {
    const first = await tickets(file('1'), '')
    expect(first.body).toMatchObject({ imported: false, read: 0, columns: { isOpen: true } })
    const { columns } = first.body
    expect(targets(columns)).toEqual(['citation', 'plate', 'state', 'violation', 'issued', ''])
    expect(columns?.headers[5]).toMatchObject({ name: 'Beat', samples: ['4', '5'], to: '', warning: '' })

    const mapping = JSON.stringify({ columns: targets(columns), values: {} })
    const previewed = await tickets(file('1'), mapping)
    expect(previewed.body).toMatchObject({ imported: false, created: 2, errorCount: 0, columns: { isOpen: false } })
    // A preview changes nothing, so the portal asks again.
    expect((await tickets(file('1'), '')).body.columns?.isOpen).toBe(true)
    expect((await tickets(file('1'), mapping, 'import')).body).toMatchObject({ imported: true, created: 2 })
    expect((await tickets(file('2'), '')).body).toMatchObject({ created: 2, columns: { isOpen: false } })
  })

  test('stay while staff correct rows without a new file', async () => {
    const head = 'Citation,Plate,State,Violation,Issued,Notes'
    const lines = ['F-1,AB1,PA,METER,2026-11-18,', 'F-2,AB2,PA,NONE,2026-11-18,', 'F-3,AB3,PA,METER,#N/A,']
    const content = `${[head, ...lines].join('\n')}\n`
    const { body } = await tickets(content, '')
    expect(body.invalidRows.map(({ line, cells }) => [line, cells?.[0]])).toEqual([
      [3, 'F-2'],
      [4, 'F-3'],
    ])
    const names = targets(body.columns)
    const withRows = (...corrections: [line: number, at: number, text: string][]) =>
      JSON.stringify({
        ...{ columns: names, values: {} },
        corrections: corrections.map(([line, at, text]) => ({ line, cells: [{ at, text }] })),
      })
    // The preview with recognized columns has the digest of the import with the same chosen columns.
    const plain = await tickets(content, JSON.stringify({ columns: names, values: {} }))
    expect(plain.body.digest).toBe(body.digest)
    const first = await tickets(content, withRows([3, 3, 'FIRE']))
    expect(first.body).toMatchObject({ created: 2, errorCount: 1, correctedRows: 1 })
    const both = withRows([3, 3, 'FIRE'], [4, 4, '2026-11-18'])
    const { digest = '', ...ready } = (await tickets(content, both)).body
    expect(ready).toMatchObject({ created: 3, errorCount: 0, correctedRows: 2 })
    const send = (columns: string, confirmed: string) =>
      upload('muni/import/parking/tickets', content, { mode: 'import', columns, digest: confirmed })
    expect((await send(both, first.body.digest ?? '')).body).toMatchObject({ imported: false, differs: true })
    expect((await send(both, digest)).body).toMatchObject({ imported: true, created: 3 })
    expect((await send(both, digest)).body).toMatchObject({ imported: false, differs: true, unchanged: 3 })
  })

  test('limit the rows and the length of corrections', async () => {
    const content = 'Citation,Plate,State,Violation,Issued\nG-1,AB1,PA,METER,2026-11-18\n'
    const names = targets((await tickets(content, '')).body.columns)
    const correcting = (rows: number, text: string) => {
      const corrections = Array.from({ length: rows }, (_, at) => ({ line: at + 2, cells: [{ at: 5, text }] }))
      return tickets(content, JSON.stringify({ columns: names, values: {}, corrections }))
    }
    expect((await correcting(50, 'x'.repeat(100))).status).toBe(200)
    expect((await correcting(51, 'x')).body.message).toBe('Correct up to 50 rows here, and the other rows in the file.')
    expect((await correcting(1, 'x'.repeat(2001))).body.message).toBe('Enter up to 2,000 characters.')
    expect((await correcting(50, 'x'.repeat(2000))).body.message).toBe(
      'These corrections are too long. Correct the rows in the file.',
    )
  })

  test('come from the sheet that fits, or that staff choose once', async () => {
    const head = ['Citation', 'Plate', 'State', 'Violation', 'Issued', 'Officer']
    const rows = (series: string, count: number) =>
      Array.from({ length: count }, (_, n) => [`${series}-${n}`, `AB${n}`, 'PA', 'METER', '2026-11-18', 'Lee'])
    const workbook = (series: string) =>
      workbookOfSheets({
        Notes: [['Exported on November 18']],
        'This year': [['Tickets of the year'], [], head, ...rows(series, 2)],
        'Last year': [['Old tickets'], head, ...rows(`${series}L`, 40)],
      })
    const { body } = await tickets(workbook('H'), '')
    expect(body).toMatchObject({ created: 2, errorCount: 0 })
    expect(body.columns).toMatchObject({
      sheet: 'This year',
      sheets: [
        { name: 'Notes', rows: 1 },
        { name: 'This year', rows: 4 },
        { name: 'Last year', rows: 42 },
      ],
    })
    const choose = (sheet: string, mode = 'preview') =>
      tickets(workbook('H'), JSON.stringify({ columns: [], values: {}, sheet }), mode)
    expect((await choose('Next year')).body.message).toBe('The workbook has no sheet with the name “Next year”.')
    expect((await choose('Last year')).body).toMatchObject({ created: 40, columns: { sheet: 'Last year' } })
    expect((await choose('Last year', 'import')).body).toMatchObject({ imported: true, created: 40 })
    // The portal remembers the sheet for the next workbook with these sheets.
    expect((await tickets(workbook('J'), '')).body).toMatchObject({ created: 40, columns: { sheet: 'Last year' } })
  })

  test('need no choice if their names are exact', async () => {
    const { body } = await tickets('Citation,Plate,State,Violation,Issued,Color\nE-1,EF1,PA,METER,2026-11-18,red\n', '')
    expect(body).toMatchObject({ created: 1, errorCount: 0, columns: { isOpen: false } })
  })

  test('get a warning if the values contradict the name', async () => {
    const { body } = await tickets('Citation,Plate,State,Violation,Issued\nG-1,EF1,PA,METER,Oak Street\n', '')
    expect(body.columns?.isOpen).toBe(true)
    expect(body.columns?.headers[4]).toMatchObject({ to: 'issued', warning: 'These values do not look like dates.' })
  })

  test('need a choice while a required one is missing', async () => {
    const columns = JSON.stringify({ columns: ['citation', 'plate', 'state', '', 'issued'], values: {} })
    const { body } = await tickets('A,B,C,D,E\nH-1,EF1,PA,METER,2026-11-18\n', columns)
    expect(body.columns?.isOpen).toBe(true)
    expect(body.columns?.required.find(({ name }) => name === 'violation')).toMatchObject({ value: null })
  })

  test.each([
    ['no JSON', '{'],
    ['another number of columns', JSON.stringify({ columns: ['citation'], values: {} })],
    ['an unknown column', JSON.stringify({ columns: ['citation', 'constructor'], values: {} })],
    ['a column twice', JSON.stringify({ columns: ['plate', 'plate'], values: {} })],
  ])('are refused with %s', async (_, columns) => {
    const { status, body } = await tickets('A,B\n1,2\n', columns)
    expect([status, body.message]).toEqual([400, 'Choose the columns again.'])
  })
})

test('reports the cells of invalid rows, so that the corrected file fits the same columns', async () => {
  const head = ['Tkt', 'Tag', 'Tag State', 'Viol', 'Date Issued', 'Officer']
  const row = ['J-1', 'AB1', 'PA', 'NONE', '2026-11-18', '=1+1']
  const file = csvTextOf([head, row, ['J-2', 'AB2', 'PA', 'METER', '2026-11-18', '']])
  const columns = JSON.stringify({
    columns: ['citation', 'plate', 'state', 'violation', 'issued', 'officer'],
    values: {},
  })
  const fields = { mode: 'import', rowErrors: 'leave out', columns }
  const { body } = await upload('muni/import/parking/tickets', file, fields)
  expect(body).toMatchObject({ imported: true, created: 1, errorCount: 1 })
  const [invalid] = body.invalidRows
  expect(invalid?.cells).toEqual([...row.slice(0, 5), "'=1+1"])

  const corrected = [...(invalid?.cells ?? []), `${invalid?.where}: ${invalid?.reason}`].with(3, 'FIRE')
  const again = await tickets(csvTextOf([[...head, CORRECTION], corrected]), '', 'import')
  expect(again.body).toMatchObject({ imported: true, created: 1, errorCount: 0, columns: { isOpen: false } })
  const { rows } = await portal.owner.query("SELECT officer FROM parking_ticket WHERE citation_number = 'J-1'")
  expect(rows).toEqual([{ officer: '=1+1' }])
})

test.each(sampleKinds)('offers a sample file of %s', async (kind) => {
  const csv = String(await sampleOf(kind, 'csv'))
  expect(csv.startsWith('\uFEFF')).toBe(true)
  expect((await sampleOf(kind, 'xlsx')).subarray(0, 2).toString()).toBe('PK')
})

const samples: [SampleKind, string, Record<string, string>][] = [
  ['addresses', 'muni/import/places', { kind: 'addresses' }],
  ['parcels', 'muni/import/places', { kind: 'parcels' }],
  ['hydrants', 'muni/import/hydrants', {}],
  ['parking_tickets', 'muni/import/parking/tickets', {}],
]

test.each(samples)('imports the sample file of %s without questions', async (kind, path, fields) => {
  for (const format of ['csv', 'xlsx'] as const) {
    const { body } = await upload(path, await sampleOf(kind, format), { ...fields, mode: 'preview', columns: '' })
    expect(body).toMatchObject({ read: 1, created: 1, errorCount: 0, columns: { isOpen: false } })
  }
})

test('names the row of a workbook below a title', async () => {
  const content = workbookOf([
    ['Hydrants of the north side'],
    ['Number', 'Make', 'Year'],
    ['H-901', 'Mueller', '1998'],
    ['H-902', 'Mueller', 'old'],
  ])
  const { body } = await upload('muni/import/hydrants', content, { mode: 'preview', columns: '' })
  expect(body).toMatchObject({ read: 2, created: 1, errorCount: 1, columns: { isOpen: false } })
  expect(body.invalidRows[0]?.where).toBe('Row 4')
})
