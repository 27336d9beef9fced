import { expect, test } from 'vitest'
import { weekday } from '../shared/dates.ts'
import { type GroupUnit, groupUnits } from '../shared/list.ts'
import { testPortal } from '../test/harness.ts'
import { report } from '../features/service-requests/list.ts'

const HOST = 'maplegrove.localhost'
const portal = await testPortal({ demo: true })

interface Period {
  value: string
  count: number
}

async function periodsOf(unit: GroupUnit): Promise<Period[]> {
  const token = await portal.signIn(HOST, 'admin@maplegrove.example')
  const body = { group: { by: 'at', unit }, totals: true }
  return (await portal.post(HOST, report.path, body, { token })).body.groups
}

test.each<[GroupUnit, RegExp]>([
  ['day', /^\d{4}-\d\d-\d\d$/],
  ['week', /^\d{4}-\d\d-\d\d$/],
  ['month', /^\d{4}-\d\d-01$/],
  ['quarter', /^\d{4}-(?:01|04|07|10)-01$/],
  ['year', /^\d{4}-01-01$/],
])('groups instants by %s, in order, each under its first day', async (unit, firstDay) => {
  const periods = await periodsOf(unit)
  const days = periods.map(({ value }) => value)
  expect(days.length).toBeGreaterThan(unit === 'year' ? 0 : 1)
  for (const day of days) expect(day).toMatch(firstDay)
  if (unit === 'week') for (const day of days) expect(weekday(day)).toBe(0)
  expect(days).toEqual([...new Set(days)].toSorted())
})

test('counts each row once in every period', async () => {
  const counts = await Promise.all(
    groupUnits.map(async (unit) => (await periodsOf(unit)).reduce((sum, { count }) => sum + count, 0)),
  )
  expect(new Set(counts).size).toBe(1)
  // The periods follow the clock of the municipality, not that of the server.
  const days = await periodsOf('day')
  const months = await periodsOf('month')
  for (const { value, count } of months) {
    const sum = days.filter((day) => day.value.startsWith(value.slice(0, 7))).reduce((all, day) => all + day.count, 0)
    expect([value, sum]).toEqual([value, count])
  }
})
