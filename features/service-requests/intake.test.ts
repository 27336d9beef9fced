import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import { openTestCompany } from '../../test/company.ts'
import { type ApiResponse, type TestPortal, testClock, testPortal } from '../../test/harness.ts'

/** Tests how staff enter requests for callers. */

const MAPLE = 'maplegrove.localhost'
const DAY = 86_400_000
const PHONE = '7175550142'

const clock = testClock()
let portal: TestPortal
let maple: CompanyId
let pothole = 0
let light = 0
let resident = 0
const tokens: Record<string, string> = {}

async function signIn() {
  for (const role of ['admin', 'resident']) tokens[role] = await portal.signIn(MAPLE, `${role}@maplegrove.example`)
}
const one = async (query: string, values: unknown[]) => (await portal.owner.query(query, values)).rows[0]
const as = (role: string, path: string, body: object = {}): Promise<ApiResponse> =>
  portal.post(MAPLE, path, body, { token: tokens[role] ?? '', headers: { 'idempotency-key': randomUUID() } })
const done = async (path: string, body: object = {}, role = 'admin') => {
  const { status, body: response } = await as(role, path, body)
  expect(status, `${path}: ${response.message}`).toBe(200)
  return response
}

async function category(name: string): Promise<number> {
  const { categoryId } = await done('muni/save/request/category', {
    ...{ hint: '', sortNo: 1, active: true, departmentId: null, targetDays: 3, escalateTo: null },
    ...{ forGuests: true, needsLocation: true, onMap: true, name, categoryId: null },
  })
  return categoryId
}

beforeAll(async () => {
  portal = await testPortal({ clock, env: { TRUST_PROXY: 'loopback' } })
  maple = await openTestCompany(portal, mapleGrove)
  await signIn()
  const person = await one(
    `UPDATE person SET mobile_no = $2, first_name = 'Rita', last_name = 'Baumgartner'
     WHERE company_id = $1 AND email = 'resident@maplegrove.example' RETURNING id`,
    [maple, PHONE],
  )
  resident = Number(person.id)
  await portal.owner.query(`INSERT INTO company_map (company_id, origin_lat, origin_lon) VALUES ($1, 40.2, -76.9)`, [
    maple,
  ])
  await portal.owner.query(
    `INSERT INTO utility_account (company_id, account_number, customer_name, phone_no, service_address, city, state, zipcode)
     VALUES ($1, '0098765', 'Otto Baumgartner', '7175550143', '9 Quarry Lane', 'Elmsford', 'PA', '17033')`,
    [maple],
  )
  pothole = await category('Pothole')
  light = await category('Street light')
})

const at = (lat: number) => ({ text: 'At the school', addressId: null, lat, lon: -76.9, metres: null })
const intake = (more: object = {}) => ({
  ...{ channel: 'phone', categoryId: String(pothole), location: at(40.2), description: 'A hole in the lane.' },
  ...{ name: 'Ann Lee', email: '', phone: '717-555-0101', personId: null, version: 0, answers: {}, files: [] },
  ...more,
})
const enter = async (more: object = {}): Promise<{ requestId: number; number: string }> =>
  (await done('muni/enter/communication/request', intake(more))) as never
const emailTo = async (to: string) => (await portal.emails()).findLast((email) => email.to_address === to)
const load = (id: number) => done('muni/return/communication/request', { subjectId: id })
const callersOf = async (search: string) => (await done('muni/find/callers', { search })).callers

test('stores the channel and creates no account', async () => {
  const people = await one('SELECT count(*)::int AS n FROM person WHERE company_id = $1', [maple])
  const { requestId, number } = await enter({ channel: 'letter', email: 'ann@example.org' })
  const { request } = await load(requestId)
  expect(request).toMatchObject({ number, source: 'letter', name: 'Ann Lee', personId: null, callBackSince: null })
  expect(await one('SELECT count(*)::int AS n FROM person WHERE company_id = $1', [maple])).toEqual(people)
  const { rows } = await done('muni/return/communications', { search: number, pageSize: 10 })
  expect(rows[0]).toMatchObject({ callBack: false })
  const received = await emailTo('ann@example.org')
  expect(received?.subject).toBe(`Your request ${number}`)
})

test('assigns the request of a known resident to that resident', async () => {
  const { requestId } = await enter({ personId: resident, name: 'Rita Baumgartner' })
  expect((await load(requestId)).request.personId).toBe(resident)
  const own = await done('return/my/requests', {}, 'resident')
  expect(own.requests.map(({ id }: { id: number }) => id)).toContain(requestId)
})

test('refuses staff and unknown people as callers', async () => {
  const staff = await one(`SELECT id FROM person WHERE company_id = $1 AND role_id >= 3 LIMIT 1`, [maple])
  for (const personId of [Number(staff.id), 999_999_999]) {
    const { status, body } = await as('admin', 'muni/enter/communication/request', intake({ personId }))
    expect(status).toBe(422)
    expect(body.details.fields).toHaveProperty('name')
  }
})

test('refuses a request without its location or with outdated questions', async () => {
  const none = { text: '', addressId: null, lat: null, lon: null, metres: null }
  const first = await as('admin', 'muni/enter/communication/request', intake({ location: none }))
  expect(first.status).toBe(422)
  expect(first.body.details.fields).toHaveProperty('location')
  expect((await as('admin', 'muni/enter/communication/request', intake({ version: 7 }))).status).toBe(409)
})

test('finds callers by phone, name, address and account', async () => {
  expect(await callersOf('(717) 555-0142')).toMatchObject([{ personId: resident, name: 'Rita Baumgartner' }])
  expect((await callersOf('baumgartner')).map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(['Rita Baumgartner', 'Otto Baumgartner']),
  )
  for (const search of ['quarry lane', '0098765', '717-555-0143'])
    expect(await callersOf(search)).toMatchObject([{ name: 'Otto Baumgartner', accountNumber: '0098765' }])
  expect((await as('admin', 'muni/find/callers', { search: 'x' })).status).toBe(400)
})

test('audits the search for a caller as personal data', async () => {
  await callersOf('otto baumgartner')
  const entry = await one(
    `SELECT detail FROM audit_event WHERE company_id = $1 AND action = 'view.personal_data'
     AND detail::text LIKE '%otto baumgartner%'`,
    [maple],
  )
  expect(JSON.stringify(entry.detail)).toContain('Finds residents and utility customers')
})

test('lists open requests within 150 m and 30 days', async () => {
  const far = 40.4
  const { requestId: near } = await enter({ location: at(far + 0.001), categoryId: String(light) })
  await enter({ location: at(far + 0.01) })
  const nearby = async () => (await done('muni/find/communication/nearby', { location: at(far) })).requests
  expect((await nearby()).map(({ id }: { id: number }) => id)).toEqual([near])
  clock.advance(31 * DAY)
  await signIn()
  expect(await nearby()).toEqual([])
})

test('adds a caller as a follower once the caller confirms the email address', async () => {
  const { requestId, number } = await enter()
  const caller = { name: 'Bo Park', email: 'bo@example.org', phone: '', personId: null, subjectId: requestId }
  await done('muni/add/communication/follower', caller)
  expect((await load(requestId)).request.followers).toBe(0)
  const email = await emailTo('bo@example.org')
  expect(email?.subject).toBe(`Follow request ${number}?`)
  const noEmail = await as('admin', 'muni/add/communication/follower', { ...caller, email: '' })
  expect(noEmail.body.details.fields).toHaveProperty('email')
})

test('adds a resident with an account as a follower without a confirmation', async () => {
  const { requestId } = await enter()
  const email = 'resident@maplegrove.example'
  const caller = { name: 'Rita Baumgartner', email, phone: '', personId: resident, subjectId: requestId }
  await done('muni/add/communication/follower', caller)
  expect((await load(requestId)).request.followers).toBe(1)
})

test('marks an answer to a caller without an email address until staff call', async () => {
  const { requestId, number } = await enter()
  const { lastMessageId } = await load(requestId)
  const reply = { subjectId: requestId, message: 'A crew comes.', seen: lastMessageId, complete: true, files: [] }
  await done('muni/reply/request', reply)
  const marked = await load(requestId)
  expect(marked.request.callBackSince).not.toBeNull()
  expect(marked.can.endCallBack).toBe(true)
  const due = async () =>
    (await done('muni/return/communications', { filters: { status: 'call_back' }, pageSize: 100 })).rows.map(
      (row: { number: string }) => row.number,
    )
  expect(await due()).toContain(number)
  await done('muni/end/communication/call/back', { subjectId: requestId })
  const ended = await load(requestId)
  expect(ended.request.callBackSince).toBeNull()
  expect(ended.entries).toContainEqual(expect.objectContaining({ kind: 'note', text: 'Called back: (717) 555-0101.' }))
  expect(await due()).not.toContain(number)
})
