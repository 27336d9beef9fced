import { expect, test } from 'vitest'
import { bankingDayAfter, bankingDaysBetween, federalReserveHolidays, isBankingDay, localTime } from './banking-days.ts'

test('lists the holidays that the Federal Reserve publishes', () => {
  expect(federalReserveHolidays(2026)).toEqual([
    ...['2026-01-01', '2026-01-19', '2026-02-16', '2026-05-25', '2026-06-19', '2026-07-04'],
    ...['2026-09-07', '2026-10-12', '2026-11-11', '2026-11-26', '2026-12-25'],
  ])
  // A holiday on a Sunday moves to Monday. If a holiday is on a Saturday, banks are open on the Friday before.
  expect(isBankingDay('2027-07-05')).toBe(false)
  expect(isBankingDay('2026-07-03')).toBe(true)
  expect(isBankingDay('2028-01-01')).toBe(false)
  expect(isBankingDay('2027-12-31')).toBe(true)
})

test('counts banking days over weekends and holidays', () => {
  expect(bankingDayAfter('2026-11-25', 1)).toBe('2026-11-27')
  expect(bankingDayAfter('2026-11-27', 1)).toBe('2026-11-30')
  expect(bankingDayAfter('2026-11-28', 0)).toBe('2026-11-30')
  expect(bankingDayAfter('2026-11-28', 1)).toBe('2026-12-01')
  expect(bankingDaysBetween('2026-11-24', '2026-11-30')).toBe(3)
})

test('ends a company’s day by local time, including daylight saving changes', () => {
  expect(localTime(new Date('2026-11-24T03:30:00Z'), 'America/New_York')).toEqual({ day: '2026-11-23', time: '22:30' })
  expect(localTime(new Date('2026-07-01T04:05:00Z'), 'America/New_York')).toEqual({ day: '2026-07-01', time: '00:05' })
})
