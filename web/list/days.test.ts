import { expect, test } from 'vitest'
import { dayPresets, daysOf } from './days.ts'

const spans = (today: string, fiscalMonth: number) =>
  Object.fromEntries(
    dayPresets.map((preset) => [preset, Object.values(daysOf(preset, today, fiscalMonth)).join(' to ')]),
  )

test('returns first and last day of each named range', () => {
  expect(spans('2026-11-22', 7)).toEqual({
    ahead: '2026-11-22 to ',
    today: '2026-11-22 to 2026-11-22',
    week: '2026-11-22 to 2026-11-28',
    month: '2026-11-01 to 2026-11-30',
    'last-month': '2026-10-01 to 2026-10-31',
    'fiscal-year': '2026-07-01 to 2027-06-30',
  })
})

test('handles the turn of a year and a leap day', () => {
  expect(spans('2028-01-01', 7)).toMatchObject({
    week: '2027-12-26 to 2028-01-01',
    'last-month': '2027-12-01 to 2027-12-31',
    'fiscal-year': '2027-07-01 to 2028-06-30',
  })
  expect(spans('2028-03-31', 3)).toMatchObject({
    'last-month': '2028-02-01 to 2028-02-29',
    'fiscal-year': '2028-03-01 to 2029-02-28',
  })
  expect(spans('2028-02-29', 1)['fiscal-year']).toBe('2028-01-01 to 2028-12-31')
  expect(spans('2026-06-30', 7)['fiscal-year']).toBe('2025-07-01 to 2026-06-30')
  expect(spans('2026-12-31', 12)['fiscal-year']).toBe('2026-12-01 to 2027-11-30')
})
