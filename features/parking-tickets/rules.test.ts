import { expect, test } from 'vitest'
import { instantAt } from '../../shared/dates.ts'
import { normalizeCitation, isCitation, isPlate, maskedPlate, nextStep, owedOf, normalizePlate } from './rules.ts'

test.each([
  ['mg-10 4821', 'MG-104821', true],
  ['  w 1 2 3 ', 'W123', true],
  ['-12', '-12', false],
  ['12', '12', false],
  ['MG_1042', 'MG_1042', false],
  ['1'.repeat(21), '1'.repeat(21), false],
])('normalizes the citation %j to %j', (typed, normalized, good) => {
  expect(normalizeCitation(typed)).toBe(normalized)
  expect(isCitation(normalizeCitation(typed))).toBe(good)
})

test.each([
  ['klm-4821', 'KLM4821', true],
  ['ab 12 · 3', 'AB123', true],
  ['', '', false],
  ['ABCDEFGHIJK', 'ABCDEFGHIJK', false],
  ["A'B", "A'B", false],
])('normalizes the plate %j to %j', (typed, normalized, good) => {
  expect(normalizePlate(typed)).toBe(normalized)
  expect(isPlate(normalizePlate(typed))).toBe(good)
})

test('shows strangers only the end of a plate', () => {
  expect([maskedPlate('KLM4821'), maskedPlate('A1'), maskedPlate('7')]).toEqual(['*****21', 'A1', '7'])
})

test('finds the earliest later step, in any order of steps', () => {
  const steps = [60, 15, 30].map((day) => ({ day, feeCents: day * 100, notifies: true }))
  expect([0, 14, 15, 59, 60].map((last) => nextStep(steps, last)?.day ?? null)).toEqual([15, 15, 30, 60, null])
})

test('requires payment only for open tickets, and never a negative amount', () => {
  const ticket = { fine_cents: 2500, late_cents: 1000, paid_cents: 500 }
  const owed = (status: string, paid_cents = 500) => owedOf({ ...ticket, status, paid_cents })
  expect(['open', 'contested', 'paid', 'void', 'warning'].map((status) => owed(status))).toEqual([3000, 0, 0, 0, 0])
  expect(owed('open', 9000)).toBe(0)
})

test('converts local times correctly on days of clock changes', () => {
  const at = (date: string, time: string) => instantAt('America/New_York', date, time).toISOString()
  expect(at('2026-11-20', '09:30')).toBe('2026-11-20T14:30:00.000Z')
  // In 2026, daylight saving time starts on March 8 and ends on November 1 at 2 a.m.
  expect(at('2026-11-01', '23:15')).toBe('2026-11-02T04:15:00.000Z')
  expect(at('2026-03-08', '08:00')).toBe('2026-03-08T12:00:00.000Z')
  expect(at('2026-03-08', '00:30')).toBe('2026-03-08T05:30:00.000Z')
})
