import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { deleteExpired } from '../../server/delete-expired.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { testPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/company.ts'

/** Tests of hydrants from creation to the report, with refusals, flow tests, notifications and logged views. */

const HOST = 'maplegrove.localhost'
const portal = await testPortal()
let [admin, staff] = ['', '']

beforeAll(async () => {
  const company = await openTestCompany(portal, mapleGrove)
  await portal.owner.query('INSERT INTO company_map (company_id, origin_lat, origin_lon) VALUES ($1, 40.2, -76.9)', [
    company,
  ])
  admin = await portal.signIn(HOST, 'admin@maplegrove.example')
  staff = await portal.signIn(HOST, 'staff@maplegrove.example')
})

const callApi = (path: string, body: object = {}, token = admin) =>
  portal.post(HOST, `muni/${path}`, body, { token, headers: { 'idempotency-key': randomUUID() } })

const at = (text: string, lat: number | null = null, lon: number | null = null) => ({
  ...{ text, addressId: null, lat, lon, metres: null },
})
const blank = { make: '', model: '', madeYear: '', sizeInches: '', mainInches: '', notes: '' }
const hydrant = (number: string, more: object = {}) => ({
  ...{
    ...blank,
    number,
    location: at('Elm Street 4', 40.201, -76.9),
    lastInspectedOn: '',
    nextInspectionOn: '',
    ...more,
  },
})
const readings = (staticPsi: string, residualPsi: string, pitotPsi: string, more: object = {}) => ({
  ...{ testedOn: '2026-01-05', testedBy: 'Engine 2', flowedAt: '', notes: '', staticPsi, residualPsi },
  outlets: [{ diameterInches: '2.5', coefficient: '0.9', pitotPsi }],
  ...more,
})
const idOf = async (number: string): Promise<number> =>
  (await callApi('return/hydrants', { search: number })).body.rows[0].id
const loadHydrant = async (hydrantId: number) => (await callApi('return/hydrant', { hydrantId })).body

async function send(name: string, content: string, mode: 'preview' | 'import', token = admin) {
  const data = new FormData()
  data.append('mode', mode)
  data.append('file', new Blob([content]), name)
  const sent = new Response(data)
  const { statusCode, payload } = await portal.app.inject({
    method: 'POST',
    url: '/api/v2/muni/import/hydrants',
    payload: Buffer.from(await sent.arrayBuffer()),
    headers: { host: HOST, authorization: `Bearer ${token}`, 'content-type': sent.headers.get('content-type') ?? '' },
  })
  return { status: statusCode, body: JSON.parse(payload) }
}

test('requires a unique valid number, and derives the status from days', async () => {
  const made = await Promise.all([1, 2, 3].map(() => callApi('add/hydrant', hydrant('h-100'))))
  expect(made.map(({ status }) => status).toSorted(), JSON.stringify(made[0]?.body)).toEqual([200, 422, 422])
  const invalidResponse = await callApi('add/hydrant', hydrant('H 1', { sizeInches: 'big', madeYear: '1990.5' }))
  expect(invalidResponse.status).toBe(400)
  expect(Object.keys(invalidResponse.body.details.fields)).toEqual(
    expect.arrayContaining(['number', 'sizeInches', 'madeYear']),
  )
  expect((await callApi('add/hydrant', hydrant('H-101', { lastInspectedOn: '2099-01-01' }))).status).toBe(422)
  const { rows } = await portal.owner.query<{ today: string }>(
    `SELECT ($1::timestamptz AT TIME ZONE 'America/New_York')::date::text AS today`,
    [portal.clock.now()],
  )
  const day = (offset: number) =>
    new Date(Date.parse(`${rows[0]?.today}T00:00:00Z`) + offset * 86_400_000).toISOString().slice(0, 10)
  const dates = { overdue: day(-1), due_soon: day(30), current: day(31), unknown: '' }
  for (const [status, nextInspectionOn] of Object.entries(dates)) {
    await callApi('add/hydrant', hydrant(`S-${status.replace('_', '-')}`, { nextInspectionOn }))
    const listed = (await callApi('return/hydrants', { search: 'S-', filters: { status } })).body.rows
    expect(listed.map((row: { number: string; status: string }) => [row.number, row.status])).toEqual([
      [`S-${status.replace('_', '-').toUpperCase()}`, status],
    ])
  }
})

test('rates a hydrant by its newest test that is not void', async () => {
  await callApi('add/hydrant', hydrant('F-1'))
  const hydrantId = await idOf('F-1')
  const low = await callApi('record/flow/test', { hydrantId, ...readings('20', '15', '10') })
  expect([low.status, Object.keys(low.body.details.fields)]).toEqual([400, ['staticPsi']])
  const high = await callApi('record/flow/test', { hydrantId, ...readings('60', '60', '10') })
  expect([high.status, Object.keys(high.body.details.fields)]).toEqual([400, ['residualPsi']])
  const none = await callApi('record/flow/test', { hydrantId, ...readings('60', '40', '25'), outlets: [] })
  expect(none.status).toBe(400)
  expect(
    (await callApi('record/flow/test', { hydrantId, ...readings('60', '40', '25', { testedOn: '2099-01-01' }) }))
      .status,
  ).toBe(422)
  const first = await callApi('record/flow/test', { hydrantId, ...readings('60', '40', '25') }, staff)
  expect(first.body).toMatchObject({ flowGpm: 839, availableGpm: 1220, flowClass: 'A' })
  await callApi('record/flow/test', { hydrantId, ...readings('48', '22', '10', { testedOn: '2026-03-05' }) })
  // A test with an older date does not change the current rating, even if it is entered later.
  await callApi('record/flow/test', { hydrantId, ...readings('90', '84', '36', { testedOn: '2025-03-05' }) })
  expect(await loadHydrant(hydrantId)).toMatchObject({
    flowClass: 'B',
    testedOn: '2026-03-05',
    nextTestOn: '2031-03-05',
  })
  // A pressure drop below a tenth of the static pressure does not change the rating.
  const weak = await callApi('record/flow/test', {
    hydrantId,
    ...readings('90', '84', '36', { testedOn: '2026-03-06' }),
  })
  expect(weak.body.message).toContain('too weak to rate the hydrant. Repeat the test with more outlets open.')
  expect(await loadHydrant(hydrantId)).toMatchObject({ flowClass: 'B', testedOn: '2026-03-05' })
  const newest = (await loadHydrant(hydrantId)).tests.find(
    ({ testedOn }: { testedOn: string }) => testedOn === '2026-03-05',
  )
  const voidTest = { hydrantId, testId: newest.id, reason: 'The gauge was broken.' }
  const voided = await Promise.all([callApi('void/flow/test', voidTest), callApi('void/flow/test', voidTest)])
  expect(voided.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await loadHydrant(hydrantId)).toMatchObject({ flowClass: 'A', availableGpm: 1220 })
  const listed = await callApi('return/flow/tests', { filters: { voided: true } })
  expect(listed.body.rows).toMatchObject([{ number: 'F-1', voided: true }])
})

test('notifies the fire department of each step, if an address is set', async () => {
  await callApi('add/hydrant', hydrant('T-1'))
  const hydrantId = await idOf('T-1')
  const step = (event: string, reason?: string) =>
    callApi('transition/hydrant', { hydrantId, event, ...(reason && { reason }) })
  expect((await step('take_out')).status).toBe(422)
  expect((await step('return_to_service')).status).toBe(409)
  expect((await step('take_out', 'Stem broken')).body.message).toContain('No one was notified')
  expect((await step('return_to_service')).body.success).toBe(true)
  const settings = { fireEmails: ['chief@fire.example'], inspectionMonths: 6, flowTestYears: 5 }
  expect((await callApi('save/hydrant/settings', settings, staff)).status).toBe(403)
  expect((await callApi('save/hydrant/settings', { ...settings, fireEmails: ['nobody'] })).status).toBe(400)
  await callApi('save/hydrant/settings', settings)
  await step('take_out', 'Hit by a truck')
  expect((await callApi('record/flow/test', { hydrantId, ...readings('60', '40', '25') })).status).toBe(200)
  await step('retire', 'Replaced by T-2')
  expect((await callApi('record/flow/test', { hydrantId, ...readings('60', '40', '25') })).status).toBe(409)
  const { rows } = await portal.owner.query(
    `SELECT subject, text_body FROM email_outbox WHERE to_address = 'chief@fire.example' ORDER BY id`,
  )
  expect(rows.map(({ subject }) => subject)).toEqual(['Hydrant T-1 is out of service', 'Hydrant T-1 was retired'])
  expect(rows[0].text_body).toContain('Hit by a truck')
})

test('refuses future inspections on import and lists letters that no document prints', async () => {
  const head = 'Hydrant Number,Manufacturer,Latitude,Longitude,Last Inspection'
  const late = await send('h.csv', `${head}\nF-1,Mueller,40.21,-76.9,2099-01-31`, 'preview')
  expect(late.body.invalidRows[0].reason).toBe('The last inspection date, 2099-01-31, is in the future.')
  const { body } = await send('h.csv', `${head}\nLX-9,Łódź 王 ꦗꦮ,40.21,-76.9,2020-01-31`, 'preview')
  expect(body).toMatchObject({ created: 1, unprintable: ['ꦗ', 'ꦮ'] })
  const response = await callApi('return/unprintable/letters', { chars: 'Łж王김ꦗ😀' })
  expect(response.body.chars).toEqual(['ꦗ', '😀'])
})

test('previews hydrant files and imports them as a whole without duplicates', async () => {
  const csv = [
    'Hydrant Number,Manufacturer,Main Size,Latitude,Longitude,Next Inspection',
    'I-1,Mueller,8",40.21,-76.9,2026-12-01',
    'I-2,Kennedy,6,40.211,-76.9,',
  ].join('\n')
  expect((await send('h.csv', csv, 'import', staff)).status).toBe(403)
  expect((await send('h.csv', csv, 'preview')).body).toMatchObject({ imported: false, created: 2 })
  expect((await send('h.csv', csv, 'import')).body).toMatchObject({ imported: true, created: 2 })
  expect((await send('h.csv', csv, 'import')).body).toMatchObject({ created: 0, changed: 0, unchanged: 2 })
  const point = (properties: object, coordinates: unknown, type = 'Point') => ({
    ...{ type: 'Feature', properties, geometry: { type, coordinates } },
  })
  const file = (...features: object[]) => JSON.stringify({ type: 'FeatureCollection', features })
  const good = file(point({ number: 'I-2', make: 'Clow' }, [-76.9, 40.212]), point({ number: 'I-3' }, [-76.9, 40.213]))
  expect((await send('h.geojson', good, 'import')).body).toMatchObject({ created: 1, changed: 1, imported: true })
  const bad = await send(
    'h.geojson',
    file(
      point({ number: 'I-4' }, [[-76.9, 40.2]], 'LineString'),
      point({ number: 'I-5' }, [10, 50]),
      point({ number: 'I 6' }, [-76.9, 40.2]),
      point({ number: 'I-3' }, [-76.9, 40.2]),
      point({ number: 'I-3' }, [-76.9, 40.2]),
    ),
    'import',
  )
  expect(bad.body).toMatchObject({ imported: false, errorCount: 4 })
  const near = await callApi('return/responder/premise', { location: at('There', 40.2119, -76.9) })
  expect(near.body.hydrants.slice(0, 2).map(({ number }: { number: string }) => number)).toEqual(['I-2', 'I-3'])
  expect(near.body.hydrants[0].feet).toBeLessThan(60)
})

test('require consent for premise notes, log each view and erase ended notes', async () => {
  const note = {
    ...{
      kind: 'person',
      location: at('Elm Street 9', 40.205, -76.9),
      text: 'Oxygen in the bedroom',
      confirmOn: '2027-06-01',
    },
    ...{ agreedBy: '', agreedOn: '', agreedHow: '' },
  }
  const consent = { agreedBy: 'Ada Quill', agreedOn: '2026-02-01', agreedHow: 'Signed form' }
  const refused = await callApi('write/premise/note', note)
  expect([refused.status, Object.keys(refused.body.details.fields)]).toEqual([400, ['agreedBy']])
  expect((await callApi('write/premise/note', { ...note, ...consent }, staff)).status).toBe(403)
  const { noteId } = (await callApi('write/premise/note', { ...note, ...consent })).body
  const storedNotes = JSON.stringify((await portal.owner.query('SELECT * FROM premise_note')).rows)
  expect(storedNotes).not.toContain('Oxygen')
  const query = { location: at('elm street 9', 40.2052, -76.9) }
  expect((await callApi('return/responder/premise', query)).body.notes).toMatchObject([{ id: noteId, kind: 'person' }])
  expect((await callApi('return/responder/premise', query, staff)).body.notes).toBeNull()
  expect((await callApi('open/premise/note', { noteId }, staff)).status).toBe(403)
  await callApi('open/premise/note', { noteId })
  const { body: opened } = await callApi('open/premise/note', { noteId })
  expect(opened.form.text).toBe('Oxygen in the bedroom')
  expect(opened.views).toHaveLength(2)
  expect((await callApi('return/premise/notes')).body.rows).toMatchObject([{ views: 2, status: 'in_force' }])
  await callApi('end/premise/note', { noteId, reason: 'Moved away' })
  expect((await callApi('end/premise/note', { noteId, reason: 'Moved away' })).status).toBe(409)
  const ended = (await callApi('open/premise/note', { noteId })).body
  expect([ended.form.text, ended.views.length, ended.can.edit]).toEqual(['', 3, false])
  const audited = (await portal.owner.query(`SELECT detail FROM audit_event WHERE action LIKE 'premise_note.%'`)).rows
  expect([audited.length, JSON.stringify(audited).includes('Oxygen')]).toEqual([5, false])

  // Views are retained for seven years.
  await portal.owner.query(`UPDATE premise_note_access SET at = at - interval '6 years 364 days'`)
  await deleteExpired(portal.context)
  expect((await portal.owner.query('SELECT FROM premise_note_access')).rowCount).toBe(3)
  await portal.owner.query(
    `UPDATE premise_note_access SET at = at - interval '10 days' WHERE id = (SELECT min(id) FROM premise_note_access)`,
  )
  await deleteExpired(portal.context)
  expect((await portal.owner.query('SELECT FROM premise_note_access')).rowCount).toBe(2)
})

test('links a work order to a hydrant and its default location', async () => {
  await callApi('add/hydrant', hydrant('W-7', { location: at('Mill Lane 2', 40.2031, -76.9) }))
  const hydrantId = await idOf('W-7')
  const matches = [{ name: 'Hydrant W-7', location: 'Mill Lane 2' }]
  for (const search of ['w-7', 'hydrant W-7', 'mill lane'])
    expect((await callApi('find/work/assets', { search })).body).toEqual({ matches })
  expect((await callApi('find/work/assets', { search: 'no such thing' })).body.matches).toEqual([])
  const workOrderForm = {
    ...{ title: 'Replace the stem', description: '', kind: 'repair', severity: 0, dueOn: '' },
    ...{ departmentId: null, assignedTo: null, location: at(''), assetName: 'Hydrant W-7' },
  }
  const { orderId, number } = (await callApi('open/work/order', workOrderForm)).body
  const order = async () => (await callApi('return/work/order', { orderId })).body
  expect(await order()).toMatchObject({
    assetPath: `/municipality/first-responder?hydrant=${hydrantId}`,
    details: { assetName: 'Hydrant W-7', location: { text: 'Mill Lane 2', lat: 40.2031 } },
  })
  const { title } = workOrderForm
  expect((await loadHydrant(hydrantId)).orders).toEqual([{ id: orderId, number, title, status: 0 }])

  const save = async (changed: object) => {
    const basis = (await order()).details
    expect((await callApi('save/work/order', { ...basis, ...changed, orderId, basis })).status).toBe(200)
  }
  // Renumbering the hydrant keeps the link to its work order. Entering another asset name removes the link, and the
  // location stays as entered.
  await portal.owner.query(`UPDATE hydrant SET number = 'W-8' WHERE id = $1`, [hydrantId])
  await save({ severity: 1 })
  expect((await loadHydrant(hydrantId)).orders).toHaveLength(1)
  await save({ assetName: 'Pump 3', location: at('Mill Lane, behind the barn') })
  expect(await order()).toMatchObject({
    assetPath: null,
    details: { location: { text: 'Mill Lane, behind the barn' } },
  })
  expect((await loadHydrant(hydrantId)).orders).toEqual([])
  await save({ assetName: 'hydrant w-8' })
  expect((await order()).details).toMatchObject({
    assetName: 'hydrant w-8',
    location: { text: 'Mill Lane, behind the barn' },
  })
  expect((await loadHydrant(hydrantId)).orders).toHaveLength(1)
})

test('renders a PDF report of one hydrant or of all', async () => {
  for (const body of [{}, { hydrantId: await idOf('F-1') }]) {
    const { url } = (await callApi('print/hydrant/report', body)).body
    const { statusCode, headers, rawPayload } = await portal.app.inject({ url, headers: { host: HOST } })
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  }
})
