import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { noLocation } from '../../shared/places.ts'
import { addTestPlatformStaff, openTestCompany } from '../../test/company.ts'
import { testClock, testPortal } from '../../test/harness.ts'

/** Tests the order of starts and due dates in each calendar and each list of a day. */

const HOST = 'maplegrove.localhost'
const ADMIN = 'admin.localhost'
const DAY = '2026-11-24'
const portal = await testPortal({ clock: testClock('2026-11-22T17:00:00Z') })
let token = ''
let superToken = ''

const callApi = async (path: string, body: object) =>
  (await portal.post(HOST, path, body, { token, headers: { 'idempotency-key': randomUUID() } })).body

/** Starts of the orders of the day, in the order in which staff open them. Later starts have earlier due dates. */
const STARTS = [
  ['Noon', '12:00', '2026-11-23'],
  ['Ten', '10:00', '2026-11-25'],
  ['Afternoon', '14:30', ''],
  ['Early', '06:15', '2026-11-30'],
  ['Nine', '09:00', '2026-11-26'],
] as const
const IN_ORDER = ['Early', 'Nine', 'Ten', 'Noon', 'Afternoon']
/** Returns the names of the test's orders in a list of titles. */
const namesIn = (titles: readonly string[]) =>
  titles.flatMap((title) => ['No start', ...IN_ORDER].find((name) => title.endsWith(name)) ?? [])
const titlesOf = (items: readonly { title: string }[]) => namesIn(items.map(({ title }) => title))

beforeAll(async () => {
  await openTestCompany(portal, mapleGrove)
  await addTestPlatformStaff(portal)
  token = await portal.signIn(HOST, 'staff@maplegrove.example')
  superToken = await portal.signIn(ADMIN, 'super@mainstreet.example')
  const { rows } = await portal.owner.query(`SELECT id FROM person WHERE email = 'staff@maplegrove.example'`)
  const usual = {
    ...{ description: '', kind: 'repair', severity: 1, location: noLocation, assetName: '', departmentId: null },
    assignedTo: Number(rows[0].id),
  }
  for (const [title, startTime, dueOn] of STARTS)
    await callApi('muni/open/work/order', { ...usual, title, dueOn, startsOn: DAY, startTime, minutes: 30 })
  await callApi('muni/open/work/order', { ...usual, title: 'No start', dueOn: DAY })
})

test.each([
  { selectedOption: 'calendar', fromDate: DAY, toDate: DAY },
  { selectedOption: 'upcoming' },
  { selectedOption: 'all' },
])('lists the scheduled items by start in the calendar: %o', async (range) => {
  const { data } = await callApi('muni/return/municipality/scheduled/items', range)
  expect(titlesOf(data)).toEqual(IN_ORDER)
})

test('lists the items by start in the calendar of all companies and its list of a day', async () => {
  const platformCall = async (path: string, body: object) =>
    (await portal.post(ADMIN, path, body, { token: superToken })).body
  const { days } = await platformCall('admin/return/master/calendar', { fromDate: DAY, toDate: DAY, filters: {} })
  expect(titlesOf(days[0].items)).toEqual(IN_ORDER.slice(0, 4))
  const { rows } = await platformCall('admin/return/master/calendar/day', { filters: { day: DAY } })
  expect(titlesOf(rows)).toEqual(IN_ORDER)
})

test('lists the work on site by start, or by due date without one', async () => {
  const { records } = await callApi('muni/return/field/day', {})
  const orders: { details: { title: string } }[] = records.order
  expect(titlesOf(orders.map(({ details }) => details))).toEqual(['No start', ...IN_ORDER])
})

test('lists the items of a busy person by start', async () => {
  const { people } = await callApi('muni/return/staff/at', { day: DAY, time: '06:00', minutes: 720, exceptItem: null })
  const busy = people.flatMap((person: { busy: { title: string }[] }) => person.busy)
  expect(titlesOf(busy)).toEqual(IN_ORDER)
})

test('writes the events of a calendar feed by start', async () => {
  const { url } = await callApi('muni/make/calendar/feed', { departmentId: null })
  const text = (await portal.get(HOST, new URL(url).pathname)).body as unknown as string
  const titles = text.split(/\r?\n/).filter((line) => line.startsWith('SUMMARY:'))
  expect(namesIn(titles)).toEqual(IN_ORDER)
})
