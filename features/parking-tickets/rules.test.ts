import { expect, test } from 'vitest'
import { instantAt } from '../../shared/dates.ts'
import { citationOf, isCitation, isPlate, maskedPlate, nextStep, owedOf, plateOf } from './rules.ts'

test.each([
  ['mg-10 4821', 'MG-104821', true],
  ['  w 1 2 3 ', 'W123', true],
  ['-12', '-12', false],
  ['12', '12', false],
  ['MG_1042', 'MG_1042', false],
  ['1'.repeat(21), '1'.repeat(21), false],
])('the citation %j is kept as %j', (typed, kept, good) => {
  expect(citationOf(typed)).toBe(kept)
  expect(isCitation(citationOf(typed))).toBe(good)
})

test.each([
  ['klm-4821', 'KLM4821', true],
  ['ab 12 · 3', 'AB123', true],
  ['', '', false],
  ['ABCDEFGHIJK', 'ABCDEFGHIJK', false],
  ["A'B", "A'B", false],
])('the plate %j is kept as %j', (typed, kept, good) => {
  expect(plateOf(typed)).toBe(kept)
  expect(isPlate(plateOf(typed))).toBe(good)
})

test('of a plate a stranger sees the end', () => {
  expect([maskedPlate('KLM4821'), maskedPlate('A1'), maskedPlate('7')]).toEqual(['*****21', 'A1', '7'])
})

test('the next step is the earliest after the last one, whatever the order in which they were written', () => {
  const steps = [60, 15, 30].map((day) => ({ day, feeCents: day * 100, tell: true }))
  expect([0, 14, 15, 59, 60].map((last) => nextStep(steps, last)?.day ?? null)).toEqual([15, 15, 30, 60, null])
})

test('only what is open has to be paid, and never less than nothing', () => {
  const ticket = { fine_cents: 2500, late_cents: 1000, paid_cents: 500 }
  const owed = (status: string, paid_cents = 500) => owedOf({ ...ticket, status, paid_cents })
  expect(['open', 'contested', 'paid', 'void', 'warning'].map((status) => owed(status))).toEqual([3000, 0, 0, 0, 0])
  expect(owed('open', 9000)).toBe(0)
})

test('a time on the town’s clocks is that time also on the days on which the clocks are moved', () => {
  const at = (date: string, time: string) => instantAt('America/New_York', date, time).toISOString()
  expect(at('2026-11-20', '09:30')).toBe('2026-11-20T14:30:00.000Z')
  // The clocks went back at 2 in the morning of the 1st, and forward on March 8.
  expect(at('2026-11-01', '23:15')).toBe('2026-11-02T04:15:00.000Z')
  expect(at('2026-03-08', '08:00')).toBe('2026-03-08T12:00:00.000Z')
  expect(at('2026-03-08', '00:30')).toBe('2026-03-08T05:30:00.000Z')
})
