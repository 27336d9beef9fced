import { randomUUID } from 'node:crypto'
import { createServer, request as callAs, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import type { DemoCompany } from '../../database/towns/town.ts'
import { freePort } from '../../server/ports.ts'
import { blankField, blankStep } from '../../shared/fields/blank.ts'
import { type ApiResponse, testClock, testPortal, type TestPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/company.ts'
import { nightly } from '../../test/nightly.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const clock = testClock()

/** Company with its own portal and database. */
interface TestCompany {
  portal: TestPortal
  host: string
  admin: string
  company: number
}
let [ours, otherCompany] = [] as unknown as [TestCompany, TestCompany]
/**
 * State of the simulated connection. `cut` delivers a request but loses its response, `away` delivers nothing, and
 * `broken` returns 503.
 */
let line: 'well' | 'cut' | 'away' | 'broken' = 'well'
let passed: string[] = []
let category = 0
let otherPortal = 0
let key = ''

async function open(data: DemoCompany, host: string): Promise<TestCompany> {
  const port = await freePort()
  const env = { TRUST_PROXY: 'loopback', PORT: String(port), OPEN311_LOOPBACK: '1' }
  const portal = await testPortal({ clock, env })
  const company = await openTestCompany(portal, data)
  await portal.owner.query(`INSERT INTO company_map (company_id, origin_lat, origin_lon) VALUES ($1, 40.2, -76.9)`, [
    company,
  ])
  await portal.app.listen({ port, host: '127.0.0.1' })
  return { portal, host, admin: await signIn(portal, host), company }
}
const signIn = (portal: TestPortal, host: string) => portal.signIn(host, `admin@${host.split('.')[0]}.example`)

async function callApi(
  testCompany: TestCompany,
  path: string,
  body: object,
  token = testCompany.admin,
): Promise<ApiResponse['body']> {
  const headers = { 'idempotency-key': randomUUID(), 'x-forwarded-for': `10.9.${Math.floor(Math.random() * 250)}.7` }
  const response = await testCompany.portal.post(testCompany.host, path, body, { ...(token && { token }), headers })
  expect(response.status, `${path}: ${JSON.stringify(response.body)}`).toBe(200)
  return response.body
}
const rowsOf = async (testCompany: TestCompany, query: string, ...values: unknown[]) =>
  (await testCompany.portal.owner.query(query, values)).rows

/** Proxy in front of the other portal that simulates a bad connection. */
async function startLine(to: number): Promise<number> {
  const server = createServer((incoming, response: ServerResponse) => {
    passed.push(`${incoming.method} ${incoming.url?.replace(/\?.*$/, '')}`)
    if (line === 'away') return void incoming.socket.destroy()
    if (line === 'broken') return void response.writeHead(503).end()
    const on = callAs(
      { port: to, host: '127.0.0.1', path: incoming.url, method: incoming.method, headers: incoming.headers },
      (upstreamResponse) => {
        const isLost = line === 'cut' && incoming.method === 'POST'
        upstreamResponse.on('end', () => isLost && incoming.socket.destroy())
        if (isLost) upstreamResponse.resume()
        else upstreamResponse.pipe(response.writeHead(upstreamResponse.statusCode ?? 500, upstreamResponse.headers))
      },
    )
    incoming.pipe(on)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

const categoryForm = (name: string) => ({
  ...{ name, hint: '', sortNo: 1, active: true, departmentId: null, targetDays: 3, escalateTo: null },
  ...{ forGuests: true, needsLocation: true, onMap: true, categoryId: null },
})
const depth = {
  ...{ ...blankField('choice', 'depth'), label: 'How deep?', required: true },
  options: [
    { value: 'deep', label: 'Deep' },
    { value: 'flat', label: 'Flat' },
  ],
}
async function addCategory(testCompany: TestCompany, name: string): Promise<number> {
  const { categoryId } = await callApi(testCompany, 'muni/save/request/category', categoryForm(name))
  const definition = { steps: [{ ...blankStep('questions'), title: 'Questions', fields: [depth] }] }
  const saved = await callApi(testCompany, 'muni/save/request/category/fields', { categoryId, definition })
  await callApi(testCompany, 'muni/publish/request/category/fields', { categoryId, definition: saved.definition })
  return categoryId
}

beforeAll(async () => {
  ours = await open(mapleGrove, 'maplegrove.localhost')
  otherCompany = await open(harborCity, 'harborcity.localhost')
  const port = await startLine(otherCompany.portal.config.port)
  category = await addCategory(ours, 'Hole in a county road')
  const service = await addCategory(otherCompany, 'Pothole')
  key = (await callApi(otherCompany, 'muni/make/api/key', { name: 'Maple Grove', use: 'open311' })).key
  const form = {
    ...{ name: 'County Works', url: `http://harborcity.localhost:${port}/open311/v2/`, jurisdictionId: '' },
    ...{ active: true, followsStatus: true, sendsContact: true, routes: [] },
  }
  otherPortal = (await callApi(ours, 'muni/save/other/portal', { ...form, portalId: null, apiKey: key })).portalId
  const result = await callApi(ours, 'muni/test/other/portal', { portalId: otherPortal })
  expect(result.message).toBe('1 service was found. The portal accepts and sends updates.')
  const { services } = await callApi(ours, 'muni/return/other/portal', { portalId: otherPortal })
  expect(services).toEqual([{ code: String(service), name: 'Pothole' }])
  const routes = [{ categoryId: category, serviceCode: String(service) }]
  await callApi(ours, 'muni/save/other/portal', { ...form, routes, portalId: otherPortal, apiKey: '' })
})
beforeEach(async () => {
  line = 'well'
  passed = []
  for (const testCompany of [ours, otherCompany]) {
    await testCompany.portal.owner.query('DELETE FROM failed_guess')
    // Signs in again, because sessions expire when the clock moves by days.
    testCompany.admin = await signIn(testCompany.portal, testCompany.host)
  }
})

/** Advances the clock and runs due jobs on both portals. */
async function pass(minutes = 3): Promise<void> {
  clock.advance(minutes * MINUTE)
  await ours.portal.runJobs('open311.round')
  await otherCompany.portal.runJobs()
}

/** Photo with camera metadata, as a phone takes it. */
const photo = (color: string): Promise<Buffer> =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: color } })
    .withExif({ IFD0: { Make: 'Secret camera' } })
    .jpeg()
    .toBuffer()
async function attach(
  company: TestCompany,
  content: Buffer,
  path = 'save/communication/file',
  token = '',
): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(content)]), 'hole.jpg')
  const sent = new Response(form)
  const response = await company.portal.app.inject({
    ...{ method: 'POST', url: `/api/v2/${path}`, payload: Buffer.from(await sent.arrayBuffer()) },
    headers: {
      host: company.host,
      'content-type': sent.headers.get('content-type') ?? '',
      ...(token && { authorization: `Bearer ${token}` }),
    },
  })
  expect(response.statusCode, response.body).toBe(200)
  return response.json().file_id
}

interface ReportedRequest {
  id: number
  number: string
  token: string
}
let people = 0
async function report(files: string[] = []): Promise<ReportedRequest> {
  const { number, token } = await callApi(
    ours,
    'send/communication/request',
    {
      ...{ description: 'A deep hole, as wide as a wheel.', name: 'Ann Lee', phone: '' },
      ...{
        email: `ann${(people += 1)}@example.org`,
        categoryId: category,
        version: 1,
        answers: { depth: 'deep' },
        files,
      },
      location: { text: 'At the school', addressId: null, lat: 40.2, lon: -76.9, metres: null },
    },
    '',
  )
  const [row] = await rowsOf(ours, 'SELECT id FROM service_request WHERE number = $1', number)
  return { id: Number(row.id), number, token }
}
const sentOf = async (id: number) =>
  (await rowsOf(ours, 'SELECT * FROM open311_sent_request WHERE request_id = $1', id))[0]
const otherRowsOf = async ({ number }: ReportedRequest) =>
  rowsOf(otherCompany, `SELECT * FROM service_request WHERE description LIKE '%' || $1 || '.%' ORDER BY id`, number)
const messages = async ({ token }: ReportedRequest) => callApi(ours, 'return/requests/messages', { token }, '')
const statusOf = async (testCompany: TestCompany, id: number) =>
  (await rowsOf(testCompany, 'SELECT status FROM service_request WHERE id = $1', id))[0].status
const filesAt = (testCompany: TestCompany, kind: string, id: number) =>
  rowsOf(
    testCompany,
    'SELECT path, content_type, state FROM attachment WHERE subject_kind = $1 AND subject_id = $2',
    kind,
    id,
  )
const contentOf = async (testCompany: TestCompany, path: string): Promise<Buffer> => {
  const parts: Buffer[] = []
  for await (const part of testCompany.portal.context.files.read(path)) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

describe('request between two independent portals', () => {
  let ownRequest: ReportedRequest
  let there = 0

  test('arrives once with its photo, although the answer was lost', async () => {
    ownRequest = await report([await attach(ours, await photo('#a33'))])
    line = 'cut'
    await pass()
    expect(await sentOf(ownRequest.id)).toMatchObject({ state: 'waiting', portal_request_id: '' })
    line = 'well'
    await pass()
    const [row, ...more] = await otherRowsOf(ownRequest)
    expect(more).toEqual([])
    expect(await sentOf(ownRequest.id)).toMatchObject({ state: 'sent', portal_request_id: row.number, problem: '' })
    expect(passed.filter((one) => one.startsWith('POST'))).toHaveLength(1)
    expect(row).toMatchObject({ name: 'Ann Lee', answers: { depth: 'deep' }, location: 'At the school', lat: 40.2 })
    there = Number(row.id)
    const [file, ...others] = await filesAt(otherCompany, 'request', there)
    expect([file.state, others]).toEqual(['clean', []])
    const storedPhoto = await contentOf(otherCompany, file.path)
    expect((await sharp(storedPhoto).metadata()).width).toBe(60)
    expect(storedPhoto.includes('Secret camera')).toBe(false)
    await pass()
    expect(await otherRowsOf(ownRequest)).toHaveLength(1)
    expect(await filesAt(otherCompany, 'request', there)).toHaveLength(1)
  })

  test('returns completed with their text and photo in one email', async () => {
    const [row] = await rowsOf(otherCompany, 'SELECT last_message_id FROM service_request WHERE id = $1', there)
    const file = await attach(otherCompany, await photo('#3a3'), 'save/communication/file', otherCompany.admin)
    const reply = { subjectId: there, message: 'Filled this morning.', files: [file], complete: true }
    await callApi(otherCompany, 'muni/reply/request', { ...reply, seen: Number(row.last_message_id) })
    const [{ n: before }] = await rowsOf(ours, 'SELECT count(*)::int AS n FROM email_outbox')
    line = 'away'
    await pass(70)
    expect(await statusOf(ours, ownRequest.id)).toBe(0)
    line = 'well'
    await pass(70)
    await pass(70)
    expect(await statusOf(ours, ownRequest.id)).toBe(2)
    const { entries, state } = await messages(ownRequest)
    expect(state.label).toBe('Completed')
    const replies = entries.filter(({ kind }: { kind: string }) => kind === 'reply')
    expect(replies).toHaveLength(1)
    expect(replies[0]).toMatchObject({ by: 'County Works', files: [{ contentType: 'image/jpeg', state: 'clean' }] })
    expect(replies[0].text).toMatch(/^Filled this morning\./)
    const [{ n: after }] = await rowsOf(ours, 'SELECT count(*)::int AS n FROM email_outbox')
    expect(after - before).toBe(1)
  })

  test('sends the requester’s addition with its photo and reopens both', async () => {
    const file = await attach(ours, await photo('#33a'))
    await callApi(ours, 'send/requests/message', { token: ownRequest.token, message: 'It is back.', files: [file] }, '')
    expect(await statusOf(ours, ownRequest.id)).toBe(3)
    line = 'cut'
    await pass()
    line = 'broken'
    await pass()
    line = 'well'
    await pass(10)
    await pass(70)
    const entries = await rowsOf(
      otherCompany,
      `SELECT id, text FROM case_entry WHERE subject_kind = 'request' AND subject_id = $1 AND kind = 'message'`,
      there,
    )
    expect(entries.map(({ text }: { text: string }) => text.split('\n')[0])).toEqual(['It is back.'])
    expect(await filesAt(otherCompany, 'case_entry', Number(entries[0].id))).toHaveLength(1)
    expect(await statusOf(otherCompany, there)).toBe(3)
    // The other portal reopens the request, but the request is already open here, so nothing changes. This portal does
    // not import its own message as an update.
    expect(await statusOf(ours, ownRequest.id)).toBe(3)
    expect(
      (await messages(ownRequest)).entries.filter(({ text }: { text: string }) => text === 'It is back.'),
    ).toHaveLength(1)
  })

  test('attaches a delayed photo once, after its text', async () => {
    const [row] = await rowsOf(otherCompany, 'SELECT last_message_id FROM service_request WHERE id = $1', there)
    const file = await attach(otherCompany, await photo('#a3a'), 'save/communication/file', otherCompany.admin)
    const reply = { subjectId: there, message: 'Looked at again.', files: [file], complete: false }
    await callApi(otherCompany, 'muni/reply/request', { ...reply, seen: Number(row.last_message_id) })
    const gone = vi.spyOn(otherCompany.portal.context.files, 'read').mockImplementation(() => {
      throw new Error('its disk is away')
    })
    const replyHere = async () =>
      (await messages(ownRequest)).entries.filter(({ text }: { text: string }) => text.startsWith('Looked at again.'))
    await pass(70)
    await ours.portal.runJobs()
    expect(await replyHere()).toMatchObject([{ by: 'County Works', files: [] }])
    gone.mockRestore()
    for (let n = 0; n < 2; n++) {
      await pass(70)
      await ours.portal.runJobs()
    }
    expect(await replyHere()).toMatchObject([{ files: [{ contentType: 'image/jpeg', state: 'clean' }] }])
  })

  test('makes a photo URL unguessable and ends it with its portal', async () => {
    const [{ media_url }] = await rowsOf(
      otherCompany,
      'SELECT media_url FROM open311_request WHERE request_id = $1',
      there,
    )
    const path = new URL(media_url).pathname
    const get = (url: string) => ours.portal.app.inject({ url, headers: { host: ours.host } })
    const photoResponse = await get(path)
    expect([
      photoResponse.statusCode,
      photoResponse.headers['content-type'],
      photoResponse.headers['cache-control'],
    ]).toEqual([...[200, 'image/jpeg', 'private, max-age=600']])
    expect(photoResponse.rawPayload.includes('Secret camera')).toBe(false)
    for (const other of [
      path.slice(0, -2),
      path.replace(/portal-\d+/, 'public'),
      path.replace(/portal-(\d+)/, 'portal-9$1'),
    ])
      expect((await get(other)).statusCode, other).toBe(404)
    // Photos become public only if the company turns on the setting. Each public photo then has a separate URL.
    const list = async () =>
      (await ours.portal.get(ours.host, `/open311/v2/requests/${ownRequest.number}.json`)).body[0].media_url
    expect(await list()).toBe(null)
    await callApi(ours, 'muni/save/open311/settings', { publishPhotos: true })
    const photoPath = new URL(await list()).pathname
    expect((await get(photoPath)).statusCode).toBe(200)
    await callApi(ours, 'muni/save/open311/settings', { publishPhotos: false })
    expect((await get(photoPath)).statusCode).toBe(404)
    expect((await get(path)).statusCode).toBe(200)
  })
})

describe('failures', () => {
  nightly('a refusal is told to the staff in their words, and tried again by them', async () => {
    await otherCompany.portal.owner.query('UPDATE api_key SET revoked_at = now()')
    const ownRequest = await report()
    await pass()
    const { sent, can } = await callApi(ours, 'muni/return/request/sent', { subjectId: ownRequest.id })
    expect([sent, can]).toMatchObject([
      { state: 'refused', problem: expect.stringContaining('This key is unknown or revoked') },
      { retry: true },
    ])
    const notes = await rowsOf(
      ours,
      `SELECT text FROM case_entry WHERE subject_id = $1 AND kind = 'note'`,
      ownRequest.id,
    )
    expect(notes.map(({ text }: { text: string }) => text)).toEqual([
      expect.stringMatching(/^The request has a problem at County Works: This key is unknown or revoked/),
    ])
    await pass(90)
    expect(passed.filter((one) => one.startsWith('POST /open311/v2/requests'))).toHaveLength(1)
    await otherCompany.portal.owner.query('UPDATE api_key SET revoked_at = NULL')
    await callApi(ours, 'muni/retry/request/sent', { subjectId: ownRequest.id })
    await pass()
    expect(await otherRowsOf(ownRequest)).toHaveLength(1)
    const again = await ours.portal.post(
      ours.host,
      'muni/retry/request/sent',
      { subjectId: ownRequest.id },
      { token: ours.admin },
    )
    expect(again.status).toBe(409)
  })

  nightly('where nobody answers it waits longer each time, and after days the staff are told', async () => {
    const ownRequest = await report()
    line = 'broken'
    const waits: number[] = []
    for (let n = 0; n < 4; n++) {
      await pass(0)
      const { next_at } = await sentOf(ownRequest.id)
      waits.push((next_at.getTime() - clock.now().getTime()) / MINUTE)
      clock.set(next_at.toISOString())
    }
    expect(waits).toEqual([1, 2, 4, 8])
    await pass(5 * (DAY / MINUTE))
    expect(await sentOf(ownRequest.id)).toMatchObject({ state: 'abandoned' })
    const [note] = await rowsOf(
      ours,
      `SELECT text FROM case_entry WHERE subject_id = $1 AND kind = 'note'`,
      ownRequest.id,
    )
    expect(note.text).toMatch(/^Sending to County Works stopped after several days without a response\./)
  })

  test('keeps closed requests and requests from elsewhere', async () => {
    line = 'away'
    const ownRequest = await report()
    await callApi(ours, 'cancel/communication/request', { token: ownRequest.token }, '')
    line = 'well'
    await pass()
    expect(await otherRowsOf(ownRequest)).toEqual([])
  })

  test('shows staff the impossible addresses', async () => {
    const form = {
      ...{ name: 'Inner', jurisdictionId: '', active: true, followsStatus: true, sendsContact: false, routes: [] },
      ...{ portalId: null, apiKey: '' },
    }
    const save = (url: string) =>
      ours.portal.post(ours.host, 'muni/save/other/portal', { ...form, url }, { token: ours.admin })
    for (const url of [
      'http://county.example',
      'ftp://county.example',
      'https://a:b@county.example',
      'x',
      'https://c.example/?a=1',
    ])
      expect((await save(url)).status, url).toBe(400)
    const { body } = await save('https://10.0.0.7/open311/v2')
    const test = await ours.portal.post(
      ours.host,
      'muni/test/other/portal',
      { portalId: body.portalId },
      { token: ours.admin },
    )
    expect([test.status, test.body.message]).toEqual([422, expect.stringContaining('private network')])
    await callApi(ours, 'muni/remove/other/portal', { portalId: body.portalId })
    const twice = await ours.portal.post(
      ours.host,
      'muni/remove/other/portal',
      { portalId: body.portalId },
      { token: ours.admin },
    )
    expect(twice.status).toBe(404)
  })
})
