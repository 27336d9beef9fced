import { describe, expect, test } from 'vitest'
import { dueAt, idIn, idOf, numberOf, type WorkingTime } from './rules.ts'

describe('numbers', () => {
  test.each([
    [1, 'R-2026-000001'],
    [123, 'R-2026-000123'],
    [999_999, 'R-2026-999999'],
    [1_234_567, 'R-2026-1234567'],
  ])('the %i of a year is %s, and is found by it', (no, number) => {
    expect(numberOf(idOf(2026, no))).toBe(number)
    for (const typed of [number, number.toLowerCase(), ` ${number} `, `2026-${no}`, `R 2026 ${no}`])
      expect(idIn(typed), typed).toBe(idOf(2026, no))
  })
  test.each(['', 'R-', '123', 'R-26-1', 'S1042', 'R-2026-00000000x', 'R-2026-12345678'])('%j is none', (text) => {
    expect(idIn(text)).toBeNull()
  })
})

describe('by when it should be done', () => {
  const office: WorkingTime = {
    timeZone: 'America/New_York',
    closes: '16:30',
    workDays: [1, 2, 3, 4, 5],
    holidays: [
      { on: '2026-11-26', name: 'Thanksgiving' },
      { on: '2026-11-27', name: 'Day after Thanksgiving' },
    ],
  }
  // November 23 is a Monday. The clocks go back on November 1.
  test.each([
    ['in the morning of a Monday, a day', '2026-11-23T15:00:00Z', 1, '2026-11-24T21:30:00.000Z'],
    ['before the office opens', '2026-11-23T05:01:00Z', 1, '2026-11-24T21:30:00.000Z'],
    ['a minute before it closes', '2026-11-23T21:29:00Z', 1, '2026-11-24T21:30:00.000Z'],
    ['when it closes counts from the next day', '2026-11-23T21:30:00Z', 1, '2026-11-25T21:30:00.000Z'],
    ['still Monday there at 3 in UTC', '2026-11-24T03:00:00Z', 1, '2026-11-25T21:30:00.000Z'],
    ['over Thanksgiving and the weekend', '2026-11-25T15:00:00Z', 1, '2026-11-30T21:30:00.000Z'],
    ['on a holiday counts as if on Monday', '2026-11-26T15:00:00Z', 1, '2026-12-01T21:30:00.000Z'],
    ['on a Saturday', '2026-11-21T15:00:00Z', 2, '2026-11-25T21:30:00.000Z'],
    ['on a Sunday evening', '2026-11-23T02:00:00Z', 1, '2026-11-24T21:30:00.000Z'],
    ['five days are a week', '2026-11-02T15:00:00Z', 5, '2026-11-09T21:30:00.000Z'],
    ['over the change of the clocks', '2026-10-30T14:00:00Z', 1, '2026-11-02T21:30:00.000Z'],
    ['in summer it closes at 20:30 in UTC', '2026-07-06T14:00:00Z', 1, '2026-07-07T20:30:00.000Z'],
    ['over the end of the year', '2026-12-31T15:00:00Z', 1, '2027-01-01T21:30:00.000Z'],
  ])('%s', (_what, came, days, due) => {
    expect(dueAt(office, new Date(came), days).toISOString()).toBe(due)
  })

  test('an office that works on Sundays alone', () => {
    const sundays = { ...office, workDays: [7] }
    expect(dueAt(sundays, new Date('2026-11-23T15:00:00Z'), 1).toISOString()).toBe('2026-12-06T21:30:00.000Z')
  })

  test('one that never works ends all the same', () => {
    expect(dueAt({ ...office, workDays: [] }, new Date('2026-11-23T15:00:00Z'), 1)).toBeInstanceOf(Date)
  })
})
