import { expect, test } from 'vitest'
import { type UsagePeriod, unusualTitle, unusualUse, usageAlertReason, yearUpTo } from './rules.ts'

const use = (until: string, used: number, days = 30): UsagePeriod => ({
  until,
  days,
  used,
  reading: null,
  kind: 'actual',
})

test.each<[string, UsagePeriod[], string | null]>([
  [
    'twice the same month',
    [use('2025-11-12', 5), use('2026-10-13', 5), use('2026-11-14', 10)],
    'Twice your November 2025 usage',
  ],
  ['more days, not more use', [use('2025-11-12', 5), use('2026-11-14', 9, 54)], null],
  ['a summer as last year', [use('2025-08-02', 12), use('2026-07-01', 5), use('2026-08-01', 12.5)], null],
  [
    'without a year, against what is usual',
    [use('2026-08-01', 4), use('2026-09-01', 5), use('2026-10-01', 6), use('2026-11-01', 15.5)],
    '3.1 times your normal usage',
  ],
  ['too little is known', [use('2026-10-01', 4), use('2026-11-01', 20)], null],
  ['nothing is known', [], null],
])('finds unusual usage: %s', (_name, uses, title) => {
  const unusual = unusualUse(uses)
  expect(unusual && unusualTitle(unusual)).toBe(title)
})

test('ends a year of months with the current one', () => {
  const months = yearUpTo('2026-02-28')
  expect([months.length, months[0], months.at(-1)]).toEqual([12, '2025-03', '2026-02'])
})

const away = { usage_limit: 8, away_from: '2026-11-02', away_until: '2026-11-20' }
test.each([
  [8, '2026-10-01', '2026-10-31', null],
  [8.1, '2026-10-01', '2026-10-31', 'limit'],
  [0.1, '2026-11-03', '2026-11-03', 'away'],
  [0, '2026-11-03', '2026-11-03', null],
  [0.1, '2026-10-28', '2026-11-03', null],
])('evaluates usage %s from %s to %s: %s', (used, from, until, why) => {
  expect(usageAlertReason(away, { used, from, until })).toBe(why)
})
