import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import { blankField, blankStep } from '../../shared/fields/blank.ts'
import { type ApiResponse, type TestPortal, testClock, testPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/company.ts'
import { notifyLate } from './server/late.ts'

const MAPLE = 'maplegrove.localhost'
const DAY = 86_400_000

let portal: TestPortal
let maple: CompanyId
let pothole = 0
let quiet = 0
const tokens: Record<string, string> = {}
let guests = 0

beforeAll(async () => {
  portal = await testPortal({ clock: testClock(), env: { TRUST_PROXY: 'loopback' } })
  maple = await openTestCompany(portal, mapleGrove)
  await signIn()
  await portal.owner.query(`INSERT INTO company_map (company_id, origin_lat, origin_lon) VALUES ($1, 40.2, -76.9)`, [
    maple,
  ])
  pothole = await category({ name: 'Pothole' })
  quiet = await category({ name: 'Noise', onMap: false, forGuests: false, needsLocation: false })
})
beforeEach(() => portal.owner.query('DELETE FROM failed_guess'))

async function signIn() {
  for (const role of ['admin', 'staff', 'resident', 'newcomer'])
    tokens[role] = await portal.signIn(MAPLE, `${role}@maplegrove.example`)
}
const as = (role: string, path: string, body: object = {}): Promise<ApiResponse> =>
  portal.post(MAPLE, path, body, { token: tokens[role] ?? '', headers: { 'idempotency-key': randomUUID() } })
/** Calls the API as a guest who has a separate IP address. */
const guest = (path: string, body: object = {}): Promise<ApiResponse> =>
  portal.post(MAPLE, path, body, {
    headers: { 'x-forwarded-for': `10.8.${(guests += 1) >> 8}.${guests & 255}`, 'idempotency-key': randomUUID() },
  })

const plain = { hint: '', sortNo: 1, active: true, departmentId: null, targetDays: 3, escalateTo: null }
async function category(more: object): Promise<number> {
  const form = { ...plain, forGuests: true, needsLocation: true, onMap: true, ...more }
  const { status, body } = await as('admin', 'muni/save/request/category', { ...form, categoryId: null })
  expect(status, body.message).toBe(200)
  return body.categoryId
}

const pinned = (lat: number, lon: number) => ({ text: 'At the school', addressId: null, lat, lon, metres: null })
const request = (more: object = {}) => ({
  description: 'A deep hole, as wide as a wheel.',
  name: 'Ann Lee',
  email: `ann${(guests += 1)}@example.org`,
  phone: '',
  categoryId: pothole,
  location: pinned(40.2, -76.9),
  version: 0,
  answers: {},
  files: [],
  ...more,
})
async function sent(more: object = {}, role?: string): Promise<{ number: string; token: string; id: number }> {
  const response = role
    ? await as(role, 'send/communication/request', request(more))
    : await guest('send/communication/request', request(more))
  expect(response.status, response.body.message).toBe(200)
  const { rows } = await portal.owner.query('SELECT id FROM service_request WHERE number = $1', [response.body.number])
  return { number: response.body.number, token: response.body.token, id: Number(rows[0].id) }
}
const loadRequest = async (token: string) => (await guest('return/communication/request', { token })).body
const column = async (id: number, name: string) =>
  (await portal.owner.query(`SELECT ${name} AS value FROM service_request WHERE id = $1`, [id])).rows[0].value
const emailsTo = async (email: string): Promise<string[]> =>
  (await portal.owner.query('SELECT subject FROM email_outbox WHERE to_address = $1 ORDER BY id', [email])).rows.map(
    (row: { subject: string }) => row.subject,
  )

describe('sending', () => {
  test('gives a guest a consecutive number and a page', async () => {
    const [one, two] = [await sent(), await sent()]
    expect(one.number).toMatch(/^R-2026-\d{6}$/)
    expect(two.id).toBe(one.id + 1)
    expect(await loadRequest(one.token)).toMatchObject({
      number: one.number,
      status: 0,
      can: { cancel: true, giveFeedback: false },
    })
  })

  test('gives twenty concurrent requests twenty numbers', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => sent()))
    expect(new Set(all.map(({ number }) => number)).size).toBe(20)
  })

  test('shows missing fields as errors and creates nothing', async () => {
    const before = (await portal.owner.query('SELECT count(*) FROM service_request')).rows
    const cases: [object, string][] = [
      [{ location: { ...pinned(40.2, -76.9), text: '', lat: null, lon: null } }, 'location'],
      [{ location: { ...pinned(40.2, -76.9), text: 'x', lat: null, lon: null } }, 'location'],
      [{ email: '', phone: '' }, 'email'],
      [{ description: 'short' }, 'description'],
      [{ categoryId: 999 }, 'categoryId'],
    ]
    for (const [invalid, field] of cases) {
      const { status, body } = await guest('send/communication/request', request(invalid))
      expect([400, 422]).toContain(status)
      expect(Object.keys(body.details?.fields ?? body.details ?? {}), JSON.stringify(body)).toContain(field)
    }
    expect((await portal.owner.query('SELECT count(*) FROM service_request')).rows).toEqual(before)
  })

  test('asks guests to sign in for categories open only to residents', async () => {
    const refused = await guest('send/communication/request', request({ categoryId: quiet }))
    expect(refused.status).toBe(403)
    expect((await guest('return/communication/choices')).body.categories.map(({ id }: { id: number }) => id)).toEqual([
      pothole,
    ])
    await sent({ categoryId: quiet, location: { ...pinned(0, 0), text: '', lat: null, lon: null } }, 'resident')
  })
})

describe('a person with an expired session', () => {
  test('must sign in again before sending, following or choosing', async () => {
    const { id } = await sent({ location: pinned(40.31, -76.9) })
    const publicId = await column(id, 'public_id')
    tokens['gone'] = await portal.signIn(MAPLE, 'newcomer@maplegrove.example')
    expect((await portal.get(MAPLE, '/api/v2/logout', { token: tokens['gone'] })).status).toBe(200)
    for (const [path, body] of [
      ['return/communication/choices', {}],
      ['send/communication/request', request({ categoryId: quiet })],
      ['send/communication/request', request({})],
      ['follow/communication/request', { publicId }],
    ] as const)
      expect((await as('gone', path, body)).status, path).toBe(401)
    expect((await guest('return/communication/choices')).status).toBe(200)
  })
})

describe('an existing request', () => {
  test('is found near by in the same category without personal data', async () => {
    const { number } = await sent({ location: pinned(40.25, -76.9), description: 'Call me, Ann Lee, at 717 555 0101.' })
    const near = (lat: number, categoryId = pothole) =>
      guest('find/communication/near', { categoryId, location: pinned(lat, -76.9) })
    const nearby = await near(40.2505)
    expect(nearby.body.requests).toMatchObject([{ number, metres: 56, location: '' }])
    expect(JSON.stringify(nearby.body)).not.toMatch(/Ann|0101|school/)
    expect((await near(40.252)).body.requests).toEqual([])
    expect((await near(40.25, quiet)).body.requests).toEqual([])
  })

  test('notifies a confirmed guest follower of each step until they stop', async () => {
    const { id, token } = await sent({ location: pinned(40.26, -76.9) })
    const email = 'follower@example.org'
    const publicId = await column(id, 'public_id')
    expect((await guest('follow/communication/request', { publicId, email })).status).toBe(200)
    await step(id, 'start')
    expect(await emailsTo(email)).toHaveLength(1)
    const link = await followLink(email)
    expect((await guest('return/communication/followed', { token: link })).body).toMatchObject({ following: 'asked' })
    await guest('change/communication/following', { token: link, follow: true })
    await step(id, 'complete')
    expect((await emailsTo(email)).length).toBe(2)
    expect((await loadRequest(token)).followers).toBe(1)
    await guest('change/communication/following', { token: link, follow: false })
    await guest('submit/communication/feedback', { token, isFixed: false, text: '' })
    expect((await emailsTo(email)).length).toBe(2)
  })

  test('is followed by a resident immediately, but not by its requester', async () => {
    const { id } = await sent({ location: pinned(40.27, -76.9) }, 'resident')
    const publicId = await column(id, 'public_id')
    expect((await as('newcomer', 'follow/communication/request', { publicId })).status).toBe(200)
    const { followed } = (await as('newcomer', 'return/my/requests')).body
    expect(followed).toHaveLength(1)
    expect((await as('resident', 'follow/communication/request', { publicId })).status).toBe(409)
  })

  test('notifies a guest who follows their own request once per step', async () => {
    const email = 'both@example.org'
    const { id } = await sent({ location: pinned(40.28, -76.9), email })
    const publicId = await column(id, 'public_id')
    await guest('follow/communication/request', { publicId, email: 'Both@example.org' })
    await guest('change/communication/following', { token: await followLink('Both@example.org'), follow: true })
    const before = (await emailsTo(email)).length + (await emailsTo('Both@example.org')).length
    await step(id, 'start')
    expect((await emailsTo(email)).length + (await emailsTo('Both@example.org')).length).toBe(before + 1)
  })

  test('rejects a forged link', async () => {
    expect((await guest('return/communication/followed', { token: 'x'.repeat(40) })).status).toBe(404)
  })
})

/** Returns the link from the confirmation email. */
async function followLink(email: string): Promise<string> {
  const { rows } = await portal.owner.query(
    'SELECT text_body AS body FROM email_outbox WHERE to_address = $1 ORDER BY id LIMIT 1',
    [email],
  )
  return /communication\/followed\/([\w.-]+)/.exec(rows[0].body)?.[1] ?? ''
}
/** Starts or completes a request as staff. */
async function step(id: number, event: 'start' | 'complete') {
  const seen = await column(id, 'last_message_id')
  const body = {
    subjectId: id,
    message: 'We have looked at it.',
    files: [],
    seen: Number(seen),
    complete: event === 'complete',
  }
  const { status, body: response } = await as('staff', 'muni/reply/request', body)
  expect(status, response.message).toBe(200)
}

describe('the requester', () => {
  test('cancels a new request but not one in progress', async () => {
    const { id, token } = await sent()
    expect((await guest('cancel/communication/request', { token })).body.message).toMatch(/was cancelled/)
    expect(await column(id, 'status')).toBe(5)
    expect((await guest('cancel/communication/request', { token })).status).toBe(409)
    const other = await sent()
    await step(other.id, 'start')
    expect((await guest('cancel/communication/request', { token: other.token })).status).toBe(409)
    expect((await loadRequest(other.token)).can.cancel).toBe(false)
  })

  test('reopens a request with negative feedback once per repair', async () => {
    const { id, token } = await sent()
    await step(id, 'complete')
    expect((await loadRequest(token)).can).toMatchObject({ giveFeedback: true, reopen: true })
    const checked = () => guest('submit/communication/feedback', { token, isFixed: false, text: 'Still there.' })
    expect((await checked()).body.message).toMatch(/open again/)
    expect(await column(id, 'status')).toBe(3)
    expect((await checked()).status).toBe(409)
    portal.clock.advance(60_000)
    await step(id, 'complete')
    expect((await guest('submit/communication/feedback', { token, isFixed: true, text: '' })).status).toBe(200)
    expect(await loadRequest(token)).toMatchObject({ status: 2, feedback: 'fixed' })
  })

  test('cannot reopen a request after the time limit', async () => {
    const { id, token } = await sent()
    await step(id, 'complete')
    await portal.owner.query('UPDATE service_request SET reopen_until = $2 WHERE id = $1', [
      id,
      new Date(portal.clock.now().getTime() - DAY),
    ])
    const message = { token, message: 'Hello again', files: [] }
    expect((await guest('send/requests/message', message)).status).toBe(409)
    const { body } = await guest('submit/communication/feedback', { token, isFixed: false, text: '' })
    expect(body.message).toMatch(/deadline to reopen .* has passed/)
    expect(await column(id, 'status')).toBe(2)
  })

  test('finds only their own requests and pages', async () => {
    const { id } = await sent({}, 'resident')
    const opened = await as('resident', 'open/my/request', { requestId: id })
    expect((await loadRequest(opened.body.token)).number).toMatch(/^R-2026/)
    expect((await as('newcomer', 'open/my/request', { requestId: id })).status).toBe(404)
    expect((await as('newcomer', 'return/my/requests')).body.requests).toEqual([])
  })
})

test('lists public requests without the requester', async () => {
  const secret = 'Mrs. Carla Novak, 717 555 0133'
  await sent({ description: `${secret} fell here.`, name: 'Carla Novak', email: 'carla@example.org' })
  await sent({ categoryId: quiet, description: `${secret} is loud.` }, 'resident')
  const { body } = await guest('return/communication/reported')
  expect(body.rows.length).toBeGreaterThan(1)
  expect(JSON.stringify(body)).not.toMatch(/Novak|555 ?0133|carla|Noise|school/)
  const settings = (await as('admin', 'muni/return/request/settings')).body.settings
  await as('admin', 'muni/save/request/settings', { ...settings, hasMap: false, basis: settings })
  expect((await guest('return/communication/reported')).status).toBe(404)
  const now = { ...settings, hasMap: false }
  await as('admin', 'muni/save/request/settings', { ...settings, hasMap: true, basis: now })
})

test('notifies the escalation contact of an overdue request once', async () => {
  const { rows } = await portal.owner.query(`SELECT id FROM person WHERE email = 'admin@maplegrove.example'`)
  const urgent = await category({ name: 'Water main', targetDays: 1, escalateTo: Number(rows[0].id) })
  const { id } = await sent({ categoryId: urgent })
  await notifyLate(portal.context)
  expect(await column(id, 'escalated_at')).toBeNull()
  await portal.owner.query('UPDATE service_request SET due_at = $2 WHERE id = $1', [
    id,
    new Date(portal.clock.now().getTime() - DAY),
  ])
  await Promise.all([notifyLate(portal.context), notifyLate(portal.context)])
  const pendingNotices = await portal.owner.query(`SELECT address FROM pending_notice WHERE event = 'request.late'`)
  expect(pendingNotices.rows).toEqual([{ address: 'admin@maplegrove.example' }])
  expect(await column(id, 'escalated_at')).not.toBeNull()
})

test('stores the category’s answers with their version and shows them as text', async () => {
  const withQuestions = await category({ name: 'Street light' })
  const pole = { ...blankField('text', 'pole'), label: 'Number on the pole', required: true }
  const steps = [{ ...blankStep('light'), title: 'The light', fields: [pole] }]
  const made = await as('admin', 'muni/save/request/category/fields', {
    categoryId: withQuestions,
    definition: { steps },
  })
  expect(made.status, made.body.message).toBe(200)
  const { definition } = made.body
  const published = await as('admin', 'muni/publish/request/category/fields', { categoryId: withQuestions, definition })
  expect(published.status, published.body.message).toBe(200)
  const questions = await guest('return/communication/questions', { categoryId: withQuestions })
  expect(questions.body.version).toBe(1)
  expect((await guest('send/communication/request', request({ categoryId: withQuestions }))).status).toBe(409)
  expect((await guest('send/communication/request', request({ categoryId: withQuestions, version: 1 }))).status).toBe(
    422,
  )
  const { token } = await sent({ categoryId: withQuestions, version: 1, answers: { pole: 'P-17' } })
  expect((await loadRequest(token)).answers).toEqual([{ label: 'Number on the pole', value: 'P-17' }])
})

test('refuses a typed signature of another name than the sender’s', async () => {
  const withQuestions = await category({ name: 'Consent' })
  const signature = { ...blankField('signature', 'signature'), label: 'Signature', required: true }
  const steps = [{ ...blankStep('consent'), title: 'Consent', fields: [signature] }]
  const { definition } = (
    await as('admin', 'muni/save/request/category/fields', { categoryId: withQuestions, definition: { steps } })
  ).body
  await as('admin', 'muni/publish/request/category/fields', { categoryId: withQuestions, definition })
  const signed = (typed: string) =>
    guest(
      'send/communication/request',
      request({ categoryId: withQuestions, version: 1, answers: { signature: { typed } }, name: 'Ada Quill' }),
    )
  expect((await signed('Bea Finch')).body.details.fields).toEqual({ signature: 'Sign with your own name: Ada Quill.' })
  expect((await signed('Ada Quill')).status).toBe(200)
})
