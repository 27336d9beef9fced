import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { randomFrom } from '../../database/random.ts'
import type { LiveEvent } from '../../server/live.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import { type ApiResponse, type TestPortal, testClock, testPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/company.ts'
import { nightly } from '../../test/nightly.ts'
import { seed } from '../../test/seed.ts'
import { verifyRequests } from './server/request-sums.ts'

/** Tests staff calls about requests, and the chat between staff and residents. */

const MAPLE = 'maplegrove.localhost'
const DAY = 86_400_000
const INBOX = 'muni/return/communications'

const clock = testClock()
let portal: TestPortal
let maple: CompanyId
let pothole = 0
let light = 0
let works = 0
let resident = 0
const tokens: Record<string, string> = {}
const heard: LiveEvent[] = []
let guests = 0

beforeAll(async () => {
  portal = await testPortal({ clock, env: { TRUST_PROXY: 'loopback' } })
  maple = await openTestCompany(portal, mapleGrove)
  await signIn()
  const person = await one('SELECT id FROM person WHERE company_id = $1 AND email = $2', [
    maple,
    'resident@maplegrove.example',
  ])
  resident = Number(person.id)
  const department = await one(`INSERT INTO department (company_id, name) VALUES ($1, 'Street Works') RETURNING id`, [
    maple,
  ])
  works = Number(department.id)
  await portal.owner.query(
    `UPDATE person SET department_id = $2 WHERE company_id = $1 AND email = 'staff@maplegrove.example'`,
    [maple, works],
  )
  await portal.owner.query(`INSERT INTO company_map (company_id, origin_lat, origin_lon) VALUES ($1, 40.2, -76.9)`, [
    maple,
  ])
  pothole = await category('Pothole', { targetDays: 3 })
  light = await category('Street light', { targetDays: 10, departmentId: works })
  portal.context.live.subscribe(maple, (event) => heard.push(event))
})
beforeEach(() => portal.owner.query('DELETE FROM failed_guess'))

async function signIn() {
  for (const role of ['admin', 'manager', 'staff', 'resident', 'newcomer'])
    tokens[role] = await portal.signIn(MAPLE, `${role}@maplegrove.example`)
}
const one = async (query: string, values: unknown[]) => (await portal.owner.query(query, values)).rows[0]
const as = (role: string, path: string, body: object = {}): Promise<ApiResponse> =>
  portal.post(MAPLE, path, body, { token: tokens[role] ?? '', headers: { 'idempotency-key': randomUUID() } })
/** Calls the API as a role and expects status 200. */
const done = async (role: string, path: string, body: object = {}) => {
  const { status, body: response } = await as(role, path, body)
  expect(status, `${path}: ${response.message}`).toBe(200)
  return response
}

async function category(name: string, more: object): Promise<number> {
  const plain = { hint: '', sortNo: 1, active: true, departmentId: null, targetDays: 3, escalateTo: null }
  const { status, body } = await as('admin', 'muni/save/request/category', {
    ...{ ...plain, forGuests: true, needsLocation: true, onMap: true, ...more, name, categoryId: null },
  })
  expect(status, body.message).toBe(200)
  return body.categoryId
}

interface SentRequest {
  id: number
  number: string
  token: string
  email: string
}

/** Sends a request as a guest or with a role. Each request has a different location by default. */
async function sent(more: object = {}, role = ''): Promise<SentRequest> {
  guests += 1
  const email = `asker${guests}@example.org`
  const request = {
    ...{ description: `The ${guests}th hole, as wide as a wheel.`, name: 'Ann Lee', email, phone: '' },
    ...{ categoryId: pothole, version: 0, answers: {}, files: [] },
    location: { text: 'At the school', addressId: null, lat: 40.2 + guests / 100, lon: -76.9, metres: null },
    ...more,
  }
  const { status, body } = await portal.post(MAPLE, 'send/communication/request', request, {
    ...(role && { token: tokens[role] ?? '' }),
    headers: { 'x-forwarded-for': `10.9.${guests >> 8}.${guests & 255}`, 'idempotency-key': randomUUID() },
  })
  expect(status, body.message).toBe(200)
  const { id } = await one('SELECT id FROM service_request WHERE number = $1', [body.number])
  return { id: Number(id), number: body.number, token: body.token, email }
}

const loadRequest = (id: number, role = 'admin') => done(role, 'muni/return/communication/request', { subjectId: id })
const step = (id: number, event: string, more: object = {}, role = 'admin') =>
  as(role, 'muni/change/communication/status', { subjectId: id, event, ...more })
const listed = async (filters: object, role = 'admin', path = INBOX): Promise<string[]> =>
  (await done(role, path, { filters, pageSize: 100 })).rows.map(({ number }: { number: string }) => number)
const emailsTo = async (email: string): Promise<string[]> =>
  (await portal.owner.query('SELECT subject FROM email_outbox WHERE to_address = $1 ORDER BY id', [email])).rows.map(
    (row: { subject: string }) => row.subject,
  )
const publicIdOf = async (id: number): Promise<string> =>
  (await one('SELECT public_id AS "publicId" FROM service_request WHERE id = $1', [id])).publicId
const followersOf = async (id: number): Promise<string[]> =>
  (
    await portal.owner.query(
      'SELECT email FROM request_follower WHERE request_id = $1 AND verified_at IS NOT NULL AND stopped_at IS NULL ORDER BY email',
      [id],
    )
  ).rows.map((row: { email: string }) => row.email)

describe('the inbox', () => {
  test('filters open requests by assignee and shows overdue ones', async () => {
    const ownRequest = await sent()
    const otherRequest = await sent({ categoryId: light })
    expect((await step(ownRequest.id, 'start')).body.message).toBe(`${ownRequest.number}: In Progress.`)
    expect(await emailsTo(ownRequest.email)).toContain(`Work on your request ${ownRequest.number} has started`)
    expect(await listed({ assignee: 'me', status: 'open' })).toEqual([ownRequest.number])
    expect(await listed({ assignee: 'department', status: 'open' }, 'staff')).toEqual([otherRequest.number])
    expect(await listed({ assignee: `d${works}`, status: 'open' })).toEqual([otherRequest.number])
    expect(await listed({ late: true })).toEqual([])
    clock.advance(7 * DAY)
    await signIn()
    expect(await listed({ late: true })).toEqual([ownRequest.number])
    expect((await loadRequest(ownRequest.id)).request).toMatchObject({ late: true, status: 1 })
    expect((await done('admin', 'muni/return/communication/figures')).overdue).toBe(1)
    await step(ownRequest.id, 'complete')
    expect(await listed({ late: true })).toEqual([])
    expect(await listed({ status: 2 })).toContain(ownRequest.number)
  })

  test('refuses transitions from the wrong status or without a reason', async () => {
    const { id, number } = await sent()
    const refused = await step(id, 'reopen')
    expect([refused.status, refused.body.message]).toEqual([
      409,
      `${number} has the status “New”, so you cannot do this. Available actions: Start work, Complete, Mark as invalid.`,
    ])
    expect((await step(id, 'invalidate')).status).toBe(422)
    expect((await step(id, 'merge')).status).toBe(400)
    await step(id, 'invalidate', { reason: 'The road is the county’s.' })
    expect((await loadRequest(id)).can).toMatchObject({ merge: false, recategorize: false, openWorkOrder: false })
  })
})

describe('actions on several requests', () => {
  const updatedAt = async (...ids: number[]) => {
    const { rows } = await done('admin', INBOX, { pageSize: 100 })
    return Object.fromEntries(
      rows
        .filter(({ id }: { id: number }) => ids.includes(id))
        .map(({ id, updatedAt: at }: { id: number; updatedAt: string }) => [id, at]),
    )
  }

  test('assigns the open ones and returns the refused ones', async () => {
    const [first, second] = [await sent(), await sent()]
    const ids = [first.id, 999_999, second.id, first.id]
    const answer = await done('admin', 'muni/assign/communication/requests', {
      ids,
      personId: null,
      departmentId: works,
    })
    expect(answer).toMatchObject({ message: '2 requests were assigned.', changed: 2, refused: [{ id: 999_999 }] })
    expect(await listed({ assignee: `d${works}`, status: 'open' })).toEqual(
      expect.arrayContaining([first.number, second.number]),
    )
    const { rows } = await portal.owner.query(
      `SELECT count(*)::int AS n FROM audit_event WHERE action = 'request.assigned' AND subject = ANY ($1)`,
      [[first.number, second.number]],
    )
    expect(rows[0].n).toBe(2)
    const none = { ids: [first.id], personId: null, departmentId: 999_999 }
    expect((await done('admin', 'muni/assign/communication/requests', none)).refused).toEqual([
      { id: first.id, message: 'This department was not found. Choose another one.' },
    ])
  })

  test('assigns once if a call is repeated with its key', async () => {
    const { id } = await sent()
    const headers = { 'idempotency-key': randomUUID() }
    const assign = () =>
      portal.post(
        MAPLE,
        'muni/assign/communication/requests',
        { ids: [id], personId: null, departmentId: works },
        { token: tokens['admin'] ?? '', headers },
      )
    const [first, second] = [await assign(), await assign()]
    expect(second.body).toEqual(first.body)
    expect(first.body.changed).toBe(1)
  })

  test('moves requests to another category and refuses those already in it', async () => {
    const [first, second] = [await sent(), await sent({ categoryId: light })]
    const move = { ids: [first.id, second.id], categoryId: String(light) }
    const answer = await done('admin', 'muni/change/communication/categories', move)
    expect(answer.refused).toEqual([
      {
        id: second.id,
        message: `${second.number} is already in the category “Street light”. Choose another category.`,
      },
    ])
    expect((await loadRequest(first.id)).request.title).toBe('Street light')
  })

  test('replies and completes, but not if the requester wrote again', async () => {
    const [first, second, third] = [await sent(), await sent(), await sent()]
    const seen = await updatedAt(first.id, second.id, third.id)
    clock.advance(60_000)
    const message = { token: second.token, message: 'It grew since.', files: [] }
    await portal.post(MAPLE, 'send/requests/message', message, { headers: { 'idempotency-key': randomUUID() } })
    await step(third.id, 'complete')
    const answer = await done('admin', 'muni/complete/communication/requests', {
      ids: [first.id, second.id, third.id],
      message: 'The crew filled it today.',
      updatedAt: seen,
    })
    expect(answer).toMatchObject({ changed: 1, message: 'One request was completed.' })
    expect(answer.refused).toEqual([
      { id: second.id, message: `${second.number} changed. Read the change, then complete the request.` },
      { id: third.id, message: `${third.number}: Completed.` },
    ])
    expect((await loadRequest(first.id)).request.status).toBe(2)
    expect((await loadRequest(second.id)).request.status).not.toBe(2)
    expect((await emailsTo(first.email)).length).toBeGreaterThan(1)
  })

  test('marks spam without a message to anyone', async () => {
    const { id, number, email } = await sent()
    const before = await emailsTo(email)
    await done('admin', 'muni/mark/communication/requests/spam', { ids: [id] })
    expect(await listed({ status: 'spam' })).toContain(number)
    expect(await emailsTo(email)).toEqual(before)
    await done('admin', 'muni/mark/communication/spam', { subjectId: id, spam: false })
  })

  test('needs the privilege of the call for one request and at most 50 ids', async () => {
    expect((await as('resident', 'muni/mark/communication/requests/spam', { ids: [1] })).status).toBe(403)
    const ids = Array.from({ length: 51 }, (_, n) => n + 1)
    expect((await as('admin', 'muni/mark/communication/requests/spam', { ids })).status).toBe(400)
  })
})

describe('a duplicate', () => {
  test('moves its followers on a merge and returns them on a separation', async () => {
    const location = { text: 'Oak Street', addressId: null, lat: 40.21, lon: -76.95, metres: null }
    const first = await sent({ location })
    const second = await sent({ location: { ...location, lat: 40.2105 } })
    const publicId = await publicIdOf(second.id)
    await done('newcomer', 'follow/communication/request', { publicId })
    const offered = await done('admin', 'muni/return/communication/duplicates', { subjectId: second.id })
    expect(offered.requests).toMatchObject([{ number: first.number, metres: 56, followers: 0 }])

    const into = `  ${first.number.toLowerCase()} `
    const merged = await done('admin', 'muni/merge/communication/request', { subjectId: second.id, into })
    expect(merged.message).toBe(`${second.number} and its followers were merged into ${first.number}.`)
    expect(await followersOf(first.id)).toEqual([second.email, 'newcomer@maplegrove.example'])
    expect(await emailsTo(second.email)).toContain(`The problem in request ${second.number} was already reported`)
    expect((await loadRequest(second.id)).request).toMatchObject({ status: 4, mergedInto: { number: first.number } })
    expect((await loadRequest(first.id)).request.merged).toMatchObject([{ number: second.number }])
    expect(await listed({ status: 'merged' })).toEqual([second.number])
    const link = await portal.post(MAPLE, 'return/communication/request', { token: second.token })
    expect(link.body).toMatchObject({ mergedInto: first.number })
    await step(first.id, 'start')
    expect(await emailsTo(second.email)).toContain(`Update on request ${first.number}`)

    await done('admin', 'muni/separate/communication/request', { subjectId: second.id })
    expect(await followersOf(first.id)).toEqual([])
    expect((await loadRequest(second.id)).request).toMatchObject({ status: 3, mergedInto: null })
    expect(await emailsTo(second.email)).toContain(`Your request ${second.number} is open again`)
    // If the request is merged into the same target again, its followers follow the target again.
    await done('admin', 'muni/merge/communication/request', { subjectId: second.id, into: first.number })
    expect(await followersOf(first.id)).toEqual([second.email, 'newcomer@maplegrove.example'])
  })

  test('can be merged if its requester follows it, and redirects followers', async () => {
    const [first, second] = [await sent(), await sent()]
    const publicId = await publicIdOf(second.id)
    await portal.post(MAPLE, 'follow/communication/request', { publicId, email: second.email.toUpperCase() })
    const [emailMessage] = await portal.emails()
    const link = /\/communication\/followed\/(\S+)/.exec(
      (await portal.emails()).findLast(({ to_address }) => to_address === second.email.toUpperCase())?.text_body ?? '',
    )?.[1]
    expect(emailMessage).toBeDefined()
    await portal.post(MAPLE, 'change/communication/following', { token: link, follow: true })
    await done('admin', 'muni/merge/communication/request', { subjectId: second.id, into: first.number })
    expect((await followersOf(first.id)).map((email) => email.toLowerCase())).toEqual([second.email])
    const { body } = await portal.post(MAPLE, 'return/communication/followed', { token: link })
    expect(body).toMatchObject({ status: 4, mergedInto: first.number })
  })

  test('leads to the last merge target, even for earlier merges', async () => {
    const [a, b, c] = [await sent(), await sent(), await sent()]
    await done('admin', 'muni/merge/communication/request', { subjectId: a.id, into: b.number })
    await done('admin', 'muni/merge/communication/request', { subjectId: b.id, into: c.number })
    expect((await loadRequest(a.id)).request.mergedInto).toMatchObject({ number: c.number })
    expect(await followersOf(c.id)).toEqual([a.email, b.email].toSorted())
    // After the middle request is separated, the first request stays merged into the last one. The requester of the
    // first request still follows the last one.
    await done('admin', 'muni/separate/communication/request', { subjectId: b.id })
    expect((await loadRequest(a.id)).request.mergedInto).toMatchObject({ number: c.number })
    expect(await followersOf(c.id)).toEqual([a.email])
  })

  test('counts a follower once, and keeps other followers after a separation', async () => {
    const [first, second] = [await sent(), await sent()]
    const publicId = await publicIdOf(first.id)
    const responses = await Promise.all([1, 2].map(() => as('newcomer', 'follow/communication/request', { publicId })))
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect(await followersOf(first.id)).toEqual(['newcomer@maplegrove.example'])
    await done('newcomer', 'follow/communication/request', { publicId: await publicIdOf(second.id) })
    await done('admin', 'muni/merge/communication/request', { subjectId: second.id, into: first.number })
    await done('admin', 'muni/separate/communication/request', { subjectId: second.id })
    expect(await followersOf(first.id)).toEqual(['newcomer@maplegrove.example'])
  })

  test.each([
    ['itself', 422, () => 'this', 'You cannot merge a request into itself. Choose another one.'],
    ['a number that is none', 400, () => 'pothole', 'Enter the number of a request, such as R-2026-000123.'],
    ['one that is not there', 404, () => 'R-2026-999999', 'This request was not found.'],
  ])('is not merged into %s', async (_what, status, named, expectedMessage) => {
    const { id, number } = await sent()
    const into = named() === 'this' ? number : named()
    const refused = await as('admin', 'muni/merge/communication/request', { subjectId: id, into })
    expect([refused.status, refused.body.message]).toEqual([status, expectedMessage])
    expect((await loadRequest(id)).request.status).toBe(0)
  })

  test('leaves one request open if two merges cross', async () => {
    const [a, b] = [await sent(), await sent()]
    const both = await Promise.all([
      as('admin', 'muni/merge/communication/request', { subjectId: a.id, into: b.number }),
      as('manager', 'muni/merge/communication/request', { subjectId: b.id, into: a.number }),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const stands = [await loadRequest(a.id), await loadRequest(b.id)].map(({ request }) => request.status)
    expect(stands.toSorted()).toEqual([0, 4])
  })
})

test('splits a report of two matters into two requests of the same person', async () => {
  const { id, number, email } = await sent()
  const invalid = await as('admin', 'muni/split/communication/request', {
    subjectId: id,
    categoryId: '',
    description: '',
  })
  expect(Object.keys(invalid.body.details.fields).toSorted()).toEqual(['categoryId', 'description'])
  const body = { subjectId: id, categoryId: String(light), description: 'The light above it is dark, too.' }
  const second = await done('admin', 'muni/split/communication/request', body)
  expect(second.message).toBe(`${number} was split. The second request is ${second.number}.`)
  expect((await loadRequest(second.requestId)).request).toMatchObject({
    ...{ title: 'Street light', email, location: 'At the school', status: 0 },
    splits: [{ number }],
  })
  expect((await loadRequest(id)).request.splits).toMatchObject([{ number: second.number }])
  expect(await emailsTo(email)).toContain(`Your request ${second.number}`)
})

test('assigns the new category’s department and recalculates the target from the arrival date', async () => {
  const { id, number } = await sent()
  await step(id, 'start')
  const before = (await loadRequest(id)).request
  const change = { subjectId: id, categoryId: String(light), from: pothole }
  expect((await done('admin', 'muni/change/communication/category', change)).message).toBe(
    `${number} was moved to the category “Street light” and assigned to Street Works.`,
  )
  const { request, holder } = await loadRequest(id)
  expect([request.title, holder.name]).toEqual(['Street light', 'Street Works'])
  // The new target of ten working days spans one more weekend than three working days.
  expect((Date.parse(request.dueAt) - Date.parse(before.dueAt)) / DAY).toBe(9)
  const again = await as('admin', 'muni/change/communication/category', change)
  expect([again.status, again.body.code]).toEqual([409, 'changed'])
})

test('hides spam from lists without notifying the sender until it is unmarked', async () => {
  const { id, email, number } = await sent()
  const emails = await emailsTo(email)
  await done('admin', 'muni/mark/communication/spam', { subjectId: id, spam: true })
  expect(await emailsTo(email)).toEqual(emails)
  expect(await listed({ status: 'spam' })).toEqual([number])
  expect(await listed({ status: 'open' })).not.toContain(number)
  expect(await listed({}, 'admin', 'muni/return/communication/report')).not.toContain(number)
  await done('admin', 'muni/mark/communication/spam', { subjectId: id, spam: false })
  expect((await loadRequest(id)).request).toMatchObject({ spam: false, status: 3 })
})

describe('a work order', () => {
  const order = { title: 'Fill the hole', description: '', severity: '0', dueOn: '', withFiles: true }
  const opened = async (id: number) =>
    (await done('admin', 'muni/open/communication/work/order', { ...order, subjectId: id })).orderId as number
  const move = (orderId: number, event: string, more: object = {}) =>
    done('admin', 'muni/change/work/order/status', { orderId, event, ...more })

  test('moves its request along and notifies the requester', async () => {
    const { id, email, number } = await sent({ categoryId: light })
    const orderId = await opened(id)
    const row = await one('SELECT location, department_id, source_kind, source_id FROM work_order WHERE id = $1', [
      orderId,
    ])
    expect(row).toMatchObject({ location: 'At the school', source_kind: 'request' })
    expect([Number(row.department_id), Number(row.source_id)]).toEqual([works, id])
    await move(orderId, 'start')
    expect((await loadRequest(id)).request).toMatchObject({ status: 1, workOrders: [{ status: 'In progress' }] })
    await move(orderId, 'complete')
    expect((await loadRequest(id)).request.status).toBe(2)
    expect(await emailsTo(email)).toEqual([
      `Your request ${number}`,
      `Work on your request ${number} has started`,
      `Your request ${number} has been completed`,
    ])
    await move(orderId, 'reopen', { reason: 'It broke again.' })
    expect((await loadRequest(id)).request.status).toBe(3)
  })

  test('copies the description, assignee and crew from the request form', async () => {
    const { id } = await sent({ categoryId: light, description: 'The lamp at the gate flickers.' })
    const { request } = await loadRequest(id)
    expect(request.description).toBe('The lamp at the gate flickers.')
    const { people } = await done('admin', 'muni/return/work/choices', {})
    const crew = { name: 'Lamps', people: [people[0].id], active: true, crewId: null }
    const { crewId } = await done('admin', 'muni/save/work/crew', crew)
    const { description } = request
    const input = { ...order, description, assignedTo: people[0].id, crewId, subjectId: id }
    const { orderId } = await done('admin', 'muni/open/communication/work/order', input)
    const stored = await one('SELECT description, assigned_to, crew_id FROM work_order WHERE id = $1', [orderId])
    expect([stored.description, Number(stored.assigned_to), Number(stored.crew_id)]).toEqual([
      ...[description, people[0].id, crewId],
    ])
    const gone = await as('admin', 'muni/open/communication/work/order', { ...input, assignedTo: 4711 })
    expect([gone.status, Object.keys(gone.body.details.fields)]).toEqual([422, ['assignedTo']])
  })

  test('shows photos only to the requester, and only after completion', async () => {
    const [reported, other] = [await sent({ categoryId: light }), await sent({ categoryId: light })]
    const orderId = await opened(reported.id)
    await move(orderId, 'start')
    for (const when of ['before', 'after']) {
      const data = new FormData()
      data.append('orderId', String(orderId))
      const image = sharp({ create: { width: 40, height: 30, channels: 3, background: '#123456' } })
      data.append('file', new Blob([new Uint8Array(await image.jpeg().toBuffer())]), `${when}.jpg`)
      const form = new Response(data)
      const { statusCode } = await portal.app.inject({
        method: 'POST',
        url: `/api/v2/muni/attach/work/photo/${when}`,
        payload: Buffer.from(await form.arrayBuffer()),
        headers: {
          host: MAPLE,
          authorization: `Bearer ${tokens['admin']}`,
          'content-type': form.headers.get('content-type') ?? '',
        },
      })
      expect(statusCode).toBe(200)
    }
    const seen = async (token: string) =>
      (await portal.post(MAPLE, 'return/communication/request', { token })).body.photos
    expect(await seen(reported.token)).toEqual([])
    await move(orderId, 'complete')
    const photos = await seen(reported.token)
    expect(photos).toEqual([{ id: expect.any(String), preview: expect.stringMatching(/^data:image\/jpeg;base64,/) }])
    expect(await seen(other.token)).toEqual([])
    const get = (token: string) =>
      portal.post(MAPLE, 'download/communication/repair/photo', { token, photoId: photos[0].id })
    expect([(await get(reported.token)).status, (await get(other.token)).status]).toEqual([200, 404])
    await move(orderId, 'reopen', { reason: 'It broke again.' })
    expect(await seen(reported.token)).toEqual([])
    expect((await get(reported.token)).status).toBe(404)
  })

  test('keeps its request open if the last order is invalid', async () => {
    const { id } = await sent()
    const [first, second] = [await opened(id), await opened(id)]
    await move(first, 'start')
    await move(first, 'complete')
    expect((await loadRequest(id)).request.status).toBe(1)
    await move(second, 'invalidate', { reason: 'The first did it all.' })
    const { request, entries } = await loadRequest(id)
    expect(request.status).toBe(1)
    const notes = entries.filter(({ kind }: { kind: string }) => kind === 'note')
    expect(notes.at(-1)).toMatchObject({
      text: expect.stringMatching(/^Work order WO-.*: Invalid\.$/),
    })
  })
})

describe('the chat', () => {
  const ownChats = async () => await done('resident', 'return/my/chats')

  test('counts unread replies of a resident’s own requests only', async () => {
    const { id } = await sent({}, 'resident')
    const stranger = await sent({}, 'newcomer')
    heard.length = 0
    await done('staff', 'muni/reply/request', { subjectId: stranger.id, message: 'Not yours.', seen: 0 })
    const { lastMessageId: seen } = await loadRequest(id)
    await done('staff', 'muni/reply/request', { subjectId: id, message: 'We come on Monday.', seen })
    expect((await ownChats()).chats[0]).toMatchObject({ id, unread: 1, last: 'We come on Monday.', lastFrom: 'staff' })
    await expect
      .poll(() => heard.filter(({ topic }) => topic === `requests/${resident}`).map((event) => event.id))
      .toContain(id)
    expect(heard.filter((event) => event.topic === `requests/${resident}` && event.id === stranger.id)).toEqual([])
    const { token } = await done('resident', 'open/my/request', { requestId: id })
    const { lastMessageId: upTo } = (await portal.post(MAPLE, 'return/requests/messages', { token })).body
    await portal.post(MAPLE, 'read/requests/messages', { token, upTo })
    expect((await ownChats()).unread).toBe(0)
    // Internal notes are visible only to staff.
    await done('staff', 'muni/note/request', { subjectId: id, message: 'They called twice.' })
    expect(await ownChats()).toMatchObject({ unread: 0, chats: [{ last: 'We come on Monday.' }] })
    expect((await as('newcomer', 'open/my/request', { requestId: id })).status).toBe(404)
  })

  test('lists assigned and department requests for staff, unread first', async () => {
    const otherRequest = await sent({ categoryId: light })
    const quiet = await sent({ categoryId: light })
    await done('staff', 'muni/seen/request', { subjectId: quiet.id, upTo: 0 })
    await portal.post(
      MAPLE,
      'send/requests/message',
      { token: otherRequest.token, message: 'It is dark still.', files: [] },
      { headers: { 'idempotency-key': randomUUID() } },
    )
    const { chats } = await done('staff', 'muni/return/chats')
    const row = chats.find((chat: { id: number }) => chat.id === otherRequest.id)
    expect(row).toMatchObject({ name: 'Ann Lee', last: 'It is dark still.', lastFrom: 'person' })
    expect(row.unread).toBeGreaterThan(0)
    const hasUnread = chats.map((chat: { unread: number }) => chat.unread > 0)
    expect(hasUnread).toEqual(hasUnread.toSorted((a: boolean, b: boolean) => Number(b) - Number(a)))
    await portal.owner.query(`UPDATE person SET privileges = '{"chat": 0}' WHERE email = 'manager@maplegrove.example'`)
    tokens['manager'] = await portal.signIn(MAPLE, 'manager@maplegrove.example')
    expect((await as('manager', 'muni/return/chats')).status).toBe(403)
    await portal.owner.query(`UPDATE person SET privileges = '{}' WHERE email = 'manager@maplegrove.example'`)
  })
})

test('reports overdue shares by category and leaves out merged requests', async () => {
  const path = 'muni/return/communication/report'
  const { totals, count } = await done('admin', path, {})
  const { n, late } = await one(
    `SELECT count(*)::int AS n, count(*) FILTER (WHERE due_at < coalesce(closed_at, $2))::int AS late
     FROM service_request WHERE company_id = $1 AND NOT is_spam AND merged_into IS NULL`,
    [maple, clock.now()],
  )
  expect([count, totals.requests, totals.late]).toEqual([n, n, late])
  const { groups } = await done('admin', path, { group: { by: 'title' } })
  const sum = (name: string) =>
    groups.reduce((all: number, group: { totals: Record<string, number> }) => all + (group.totals[name] ?? 0), 0)
  expect([groups.length, sum('requests'), sum('late')]).toEqual([2, n, late])
})

nightly(
  'whoever asked never sees another state than the desk, whatever several do at once',
  async () => {
    const random = randomFrom(seed)
    const pick = <T>(all: readonly T[]): T => random.pick(all)
    const requests = [await sent(), await sent({}, 'resident'), await sent()]
    const orders: number[] = []
    const reason = 'Because of that.'
    const staff = () => pick(['admin', 'manager', 'staff'])
    const steps = () => step(pick(requests).id, pick(['start', 'complete', 'complete', 'reopen']), { reason }, staff())
    const moves = () =>
      as(staff(), 'muni/change/work/order/status', {
        ...{ orderId: pick([...orders, 1]), event: pick(['start', 'complete', 'reopen']), reason },
      })
    const deeds = [
      steps,
      steps,
      steps,
      moves,
      moves,
      () => step(pick(requests).id, 'invalidate', { reason }, staff()),
      () => portal.post(MAPLE, 'cancel/communication/request', { token: pick(requests.slice(2)).token }),
      () =>
        portal.post(
          MAPLE,
          'send/requests/message',
          { token: pick(requests).token, message: 'Again.', files: [] },
          { headers: { 'idempotency-key': randomUUID() } },
        ),
      () =>
        as(staff(), 'muni/merge/communication/request', { subjectId: pick(requests).id, into: pick(requests).number }),
      () => as(staff(), 'muni/separate/communication/request', { subjectId: pick(requests).id }),
      () => as(staff(), 'muni/mark/communication/spam', { subjectId: pick(requests).id, spam: random.chance(0.3) }),
      async () => {
        const response = await as('admin', 'muni/open/communication/work/order', {
          ...{ title: 'Mend it', description: '', severity: '1', dueOn: '', withFiles: false },
          subjectId: pick(requests).id,
        })
        if (response.status === 200) orders.push(response.body.orderId)
        return response
      },
    ]
    const tally = { good: 0 }
    for (let round = 0; round < (process.env['NIGHTLY'] ? 400 : 20); round += 1) {
      const responses = await Promise.all([pick(deeds)(), pick(deeds)(), pick(deeds)()])
      for (const { status, body } of responses) {
        expect([200, 404, 409, 422, 429], body.message).toContain(status)
        if (status === 200) tally.good += 1
      }
      await portal.owner.query('DELETE FROM failed_guess')
      for (const { id, token } of requests) {
        const [staffView, requesterView, messages] = await Promise.all([
          loadRequest(id),
          portal.post(MAPLE, 'return/communication/request', { token }),
          portal.post(MAPLE, 'return/requests/messages', { token }),
        ])
        expect(requesterView.body.status).toBe(staffView.request.status)
        const labels = ['New', 'In Progress', 'Completed', 'Reopen', 'Invalid', 'Cancelled']
        expect(messages.body.state.label).toBe(labels[staffView.request.status])
        const { rows } = await portal.owner.query(
          `SELECT to_state FROM status_history WHERE machine = 'service_request' AND subject_id = $1 ORDER BY seq DESC LIMIT 1`,
          [id],
        )
        expect(rows[0].to_state).toBe(String(staffView.request.status))
      }
    }
    expect(tally.good).toBeGreaterThan(10)
    const { acrossCompanies } = portal.context
    const parts = { config: portal.config, platformUrl: '', acrossCompanies, outside: false }
    expect((await verifyRequests(parts)).findings.flatMap(({ first }) => first)).toEqual([])
  },
  120_000,
)
