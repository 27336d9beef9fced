import { describe, expect, test } from 'vitest'
import { closingAfter, type WorkingTime } from './working-time.ts'

describe('closing time after working days', () => {
  const office: WorkingTime = {
    timeZone: 'America/New_York',
    closes: '16:30',
    workDays: [1, 2, 3, 4, 5],
    holidays: [
      { on: '2026-11-26', name: 'Thanksgiving' },
      { on: '2026-11-27', name: 'Day after Thanksgiving' },
    ],
  }
  // November 23 is a Monday. Daylight saving time ends on November 1.
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
    expect(closingAfter(office, new Date(came), days).toISOString()).toBe(due)
  })

  // Daylight saving time starts on March 8 and ends on November 1. Both are Sundays.
  test.each([
    ['from the last Friday in winter', '2026-03-06T15:00:00Z', 1, '2026-03-09T20:30:00.000Z'],
    ['on the Sunday that has 23 hours', '2026-03-08T07:00:00Z', 1, '2026-03-10T20:30:00.000Z'],
    ['a minute before the first closing in summer', '2026-03-09T20:29:00Z', 1, '2026-03-10T20:30:00.000Z'],
    ['when winter would still be open', '2026-03-09T20:30:00Z', 1, '2026-03-11T20:30:00.000Z'],
    ['in the hour of half past one, the first time', '2026-11-01T05:30:00Z', 1, '2026-11-03T21:30:00.000Z'],
    ['in the same hour again', '2026-11-01T06:30:00Z', 1, '2026-11-03T21:30:00.000Z'],
    ['when summer would be closed already', '2026-11-02T21:29:00Z', 1, '2026-11-03T21:30:00.000Z'],
    ['when the last Friday in summer closes', '2026-10-30T20:30:00Z', 1, '2026-11-03T21:30:00.000Z'],
    ['two weeks over it', '2026-10-26T15:00:00Z', 10, '2026-11-09T21:30:00.000Z'],
  ])('handles daylight saving time: %s', (_what, came, days, due) => {
    expect(closingAfter(office, new Date(came), days).toISOString()).toBe(due)
  })

  // Both holidays are Fridays, in two different years.
  const atTheEnd: WorkingTime = {
    ...office,
    holidays: [
      { on: '2026-12-25', name: 'Christmas' },
      { on: '2027-01-01', name: 'New Year' },
    ],
  }
  test.each([
    ['over Christmas', '2026-12-24T15:00:00Z', 1, '2026-12-28T21:30:00.000Z'],
    ['over New Year', '2026-12-31T15:00:00Z', 1, '2027-01-04T21:30:00.000Z'],
    ['a minute before the year’s last closing', '2026-12-31T21:29:00Z', 1, '2027-01-04T21:30:00.000Z'],
    ['at the year’s last closing', '2026-12-31T21:30:00Z', 1, '2027-01-05T21:30:00.000Z'],
    ['in the new year in UTC, in the old one there', '2027-01-01T03:00:00Z', 1, '2027-01-05T21:30:00.000Z'],
    ['on New Year itself', '2027-01-01T15:00:00Z', 1, '2027-01-05T21:30:00.000Z'],
    ['five days from before Christmas', '2026-12-23T15:00:00Z', 5, '2026-12-31T21:30:00.000Z'],
    ['ten days over both', '2026-12-22T15:00:00Z', 10, '2027-01-07T21:30:00.000Z'],
  ])('handles the end of the year: %s', (_what, came, days, due) => {
    expect(closingAfter(atTheEnd, new Date(came), days).toISOString()).toBe(due)
  })

  test('handles an office that works only on Sundays', () => {
    const sundays = { ...office, workDays: [7] }
    expect(closingAfter(sundays, new Date('2026-11-23T15:00:00Z'), 1).toISOString()).toBe('2026-12-06T21:30:00.000Z')
  })

  test('terminates for an office without working days', () => {
    expect(closingAfter({ ...office, workDays: [] }, new Date('2026-11-23T15:00:00Z'), 1)).toBeInstanceOf(Date)
  })
})
