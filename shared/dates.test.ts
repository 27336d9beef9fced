import { expect, it } from 'vitest'
import { formatMonth, readDay } from './dates.ts'

it.each([
  ['2027-03-31', '2027-03-31'],
  ['20270331', '2027-03-31'],
  ['3/31/2027', '2027-03-31'],
  ['03-31-2027', '2027-03-31'],
  ['3/31/27', '2027-03-31'],
  ['3-31/2027', null],
  ['20270231', null],
  ['2/30/27', null],
  ['31/3/2027', null],
  ['1927-03-31', null],
  ['327', null],
])('reads the date %s of a file', (text, day) => expect(readDay(text)).toBe(day))

it('formats the month of a day', () => {
  expect(formatMonth('2026-12-01')).toBe('December 2026')
})
