import { beforeAll, expect, it } from 'vitest'
import { harborCity } from '../../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import { testClock, testPortal } from '../../../test/harness.ts'
import { openTestCompany } from '../../../test/company.ts'

const HOST = 'maplegrove.localhost'
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
const clock = testClock('2026-11-20T15:00:00Z')
const portal = await testPortal({ clock })
const today = { fromDate: '2026-11-20', toDate: '2026-11-20' }
let token = ''

const signIn = (email: string, password: string, host = HOST) =>
  portal.post(host, 'login', { email, password }, { headers: { 'user-agent': CHROME } })
const report = async (question: object = {}, by = token) =>
  portal.post(HOST, 'muni/return/login/report', { filters: today, ...question }, { token: by })

beforeAll(async () => {
  await openTestCompany(portal, mapleGrove)
  await openTestCompany(portal, harborCity)
  for (const [email, password] of [
    ['staff@maplegrove.example', 'Maple-Grove#2026'],
    ['staff@maplegrove.example', 'not it'],
    ['nobody-knows@maplegrove.example', 'not it'],
    ['resident@maplegrove.example', 'Maple-Grove#2026'],
  ] as const) {
    await signIn(email, password)
    clock.advance(1000)
  }
  await portal.owner.query(`UPDATE person SET locked_at = now() WHERE email = 'newcomer@maplegrove.example'`)
  await signIn('newcomer@maplegrove.example', 'Maple-Grove#2026')
  clock.advance(1000)
  await signIn('admin@harborcity.example', 'Maple-Grove#2026', 'harborcity.localhost')
  token = await portal.signIn(HOST, 'admin@maplegrove.example')
})

it('shows the person, method, address and refusal reason of sign-ins', async () => {
  const { body } = await report()
  expect(
    body.rows.map((row: Record<string, string>) => [row['name'], row['role'], row['outcome'], row['reason']]),
  ).toEqual([
    ['Judith Sawyer', 'Municipality Admin', 'accepted', ''],
    ['Theodore Lim', 'Citizen User', 'refused', 'Account is locked'],
    ['Naomi Whitaker', 'Citizen User', 'accepted', ''],
    ['', '', 'refused', 'No account with this email'],
    ['Elena Kowalski', 'Municipality Staff', 'refused', 'Wrong password'],
    ['Elena Kowalski', 'Municipality Staff', 'accepted', ''],
  ])
  expect(body.rows[5]).toMatchObject({
    how: 'Password',
    address: '127.0.0.1',
    device: CHROME,
    at: '2026-11-20T15:00:00.000Z',
  })
})

it('does not store an unknown email', async () => {
  const { rows } = await portal.owner.query(`SELECT 1 FROM audit_event WHERE audit_event::text LIKE '%nobody-knows%'`)
  expect(rows).toEqual([])
})

it('filters by days, outcome and person, searches, and pages both ways', async () => {
  expect((await report({ filters: { ...today, outcome: 'refused' } })).body.count).toBe(3)
  expect((await report({ filters: { fromDate: '2026-11-21' } })).body.rows).toEqual([])
  expect((await report({ search: 'kowal' })).body.count).toBe(2)
  expect((await report({ search: 'kowal elena' })).body.count).toBe(2)
  const [{ personId }] = (await report({ search: 'kowal' })).body.rows
  expect((await report({ filters: { personId } })).body.count).toBe(2)
  const first = (await report({ pageSize: 4 })).body
  const second = (await report({ pageSize: 4, cursor: first.next })).body
  expect([first.rows.length, second.rows.length, second.next]).toEqual([4, 2, null])
  expect((await report({ pageSize: 4, cursor: second.previous })).body.rows).toEqual(first.rows)
  expect((await report({ cursor: Buffer.from('["x",1,0]').toString('base64url') })).status).toBe(400)
})

it('exports CSV for permitted staff and records the export', async () => {
  const manager = await portal.signIn(HOST, 'manager@maplegrove.example')
  const staffMember = await portal.signIn(HOST, 'staff@maplegrove.example')
  const csv = (by: string) => portal.post(HOST, 'muni/export/login/report', { filters: today }, { token: by })
  expect((await report({}, staffMember)).status).toBe(200)
  expect((await csv(staffMember)).status).toBe(403)
  const { body } = await csv(manager)
  const lines = String((await portal.get(HOST, body.url)).body)
    .trim()
    .split('\n')
  expect(lines[0]).toBe('Date,Person,Email,Role,Outcome,Reason,Method,Address,Device')
  expect(lines).toContain(
    `2026-11-20 10:00:01,Elena Kowalski,staff@maplegrove.example,Municipality Staff,Denied,Wrong password,Password,127.0.0.1,"${CHROME}"`,
  )
  const { rows } = await portal.owner.query(`SELECT 1 FROM audit_event WHERE action = 'export.sign_ins'`)
  expect(rows).toHaveLength(1)
})
