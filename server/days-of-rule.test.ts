import { execFileSync, spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, instantAt } from '../shared/dates.ts'
import { type RepeatRule, repeatsOf, ruleOf } from '../shared/repeats.ts'
import { daysOfRule } from './days-of-rule.ts'

const usual: RepeatRule = { unit: 'month', every: 1, weekdays: [], by: 'day', until: '' }

/**
 * Recurrence rules of maintenance plans, each with a start day and the expected days. The expected days come from a
 * calendar.
 */
const table: [text: string, repeats: Partial<RepeatRule>, startsOn: string, days: string[]][] = [
  [
    'every third day over the end of a month',
    { unit: 'day', every: 3 },
    '2026-11-27',
    ['2026-11-27', '2026-11-30', '2026-12-03'],
  ],
  ['every week on the first day’s weekday', { unit: 'week' }, '2026-11-24', ['2026-11-24', '2026-12-01', '2026-12-08']],
  [
    'every second week on two weekdays',
    { unit: 'week', every: 2, weekdays: [4, 1] },
    '2026-11-23',
    ['2026-11-23', '2026-11-26', '2026-12-07', '2026-12-10'],
  ],
  [
    'over the night on which the clocks are moved',
    { unit: 'week', weekdays: [0] },
    '2027-03-07',
    ['2027-03-07', '2027-03-14', '2027-03-21'],
  ],
  [
    'every month on the 31st, or its last day',
    {},
    '2026-12-31',
    ['2026-12-31', '2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30'],
  ],
  [
    'on the 29th in February of a leap year',
    {},
    '2027-12-29',
    ['2027-12-29', '2028-01-29', '2028-02-29', '2028-03-29'],
  ],
  ['every quarter', { every: 3 }, '2026-11-15', ['2026-11-15', '2027-02-15', '2027-05-15']],
  ['every second Tuesday of the month', { by: 'weekday' }, '2026-12-08', ['2026-12-08', '2027-01-12', '2027-02-09']],
  [
    'every last Monday of the month',
    { by: 'weekday' },
    '2026-11-30',
    ['2026-11-30', '2026-12-28', '2027-01-25', '2027-02-22'],
  ],
  [
    'every year on the last day of February',
    { unit: 'year' },
    '2028-02-29',
    ['2028-02-29', '2029-02-28', '2030-02-28'],
  ],
  [
    'every year on the first Monday of September',
    { unit: 'year', by: 'weekday' },
    '2026-09-07',
    ['2026-09-07', '2027-09-06', '2028-09-04'],
  ],
  [
    'until a day, which counts',
    { unit: 'day', until: '2026-11-24' },
    '2026-11-22',
    ['2026-11-22', '2026-11-23', '2026-11-24'],
  ],
]

test.each(table)('%s', (_title, repeats, startsOn, days) => {
  const rule = ruleOf({ ...usual, ...repeats }, startsOn)
  // Requests one extra day, so that the test also checks the end of a rule.
  expect(daysOfRule(rule, startsOn, startsOn, days.length + (repeats.until ? 1 : 0))).toEqual(days)
  expect(repeatsOf(rule)).toEqual({
    ...usual,
    ...repeats,
    weekdays: (repeats.weekdays ?? []).toSorted((a, b) => a - b),
  })
})

describe('continuation of a rule', () => {
  test('continues from the middle as from the start', () => {
    const rule = ruleOf({ ...usual, unit: 'week', every: 3 }, '2024-01-01')
    const all = daysOfRule(rule, '2024-01-01', '2024-01-01', 60)
    for (const [n, day] of all.entries()) expect(daysOfRule(rule, '2024-01-01', day, 60 - n)).toEqual(all.slice(n))
  })
  test('moves a time that the clocks skip one hour earlier', () => {
    expect(instantAt('America/New_York', '2027-03-14', '02:30').toISOString()).toBe('2027-03-14T06:30:00.000Z')
    expect(instantAt('America/New_York', '2027-03-15', '02:30').toISOString()).toBe('2027-03-15T06:30:00.000Z')
  })
})

/** Python script that reads lines of JSON in the form [rule, first day, count] and prints the days of each rule. */
const DATEUTIL = `
import sys, json, itertools
from datetime import datetime
from dateutil.rrule import rrulestr
for line in sys.stdin:
    rule, first, most = json.loads(line)
    at = datetime.strptime(first, '%Y-%m-%d')
    rule = rrulestr(rule.replace('T000000Z', 'T000000'), dtstart=at)
    print(json.dumps([day.strftime('%Y-%m-%d') for day in itertools.islice(rule, most)]))
`
const hasDateutil = () => spawnSync('python3', ['-c', 'import dateutil']).status === 0

test.runIf(process.env['NIGHTLY'] && hasDateutil())('returns the days of python-dateutil for 1,500 rules', () => {
  const day = fc.integer({ min: 0, max: 4000 }).map((n) => addDays('2024-01-01', n))
  const rules = fc.sample(
    fc.record({
      startsOn: day,
      unit: fc.constantFrom('day', 'week', 'month', 'year'),
      every: fc.integer({ min: 1, max: 6 }),
      weekdays: fc.uniqueArray(fc.nat(6), { maxLength: 4 }),
      by: fc.constantFrom('day', 'weekday'),
      lasts: fc.option(fc.integer({ min: 0, max: 900 })),
    }),
    { numRuns: 1500, seed: 16 },
  )
  const queries = rules.map(({ startsOn, lasts, ...repeats }) => {
    const until = lasts === null ? '' : addDays(startsOn, lasts)
    return [ruleOf({ ...repeats, until }, startsOn), startsOn, 40] as const
  })
  const input = queries.map((one) => JSON.stringify(one)).join('\n')
  const output = execFileSync('python3', ['-c', DATEUTIL], { input, encoding: 'utf8', maxBuffer: 1 << 26 })
  const expected = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as string[])
  expect(expected).toHaveLength(1500)
  for (const [n, [rule, startsOn, max]] of queries.entries())
    expect([rule, startsOn, daysOfRule(rule, startsOn, startsOn, max)]).toEqual([rule, startsOn, expected[n]])
})
