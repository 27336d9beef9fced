import { describe, expect, test } from 'vitest'
import {
  addMonths,
  byDay,
  daysFrom,
  daysOf,
  gridStart,
  monthDays,
  monthFrom,
  rangeTitle,
  startFrom,
  startOn,
  startThere,
  timeRange,
} from './days.ts'

import { statusLabel } from '../../rules.ts'

const eastern = 'America/New_York'
const item = (from: string, to: string) => ({ calendar_date: from, end_datetime: to })

describe('two weeks', () => {
  test('start on the Sunday on or before a day', () => {
    expect(gridStart('2026-11-20')).toBe('2026-11-15')
    expect(gridStart('2026-11-15')).toBe('2026-11-15')
    expect(daysFrom('2026-11-15').at(-1)).toBe('2026-11-28')
  })

  test.each([
    ['2026-12-02', '2026-11-29'],
    [null, '2026-11-15'],
    ['soon', '2026-11-15'],
    ['2026-13-40', '2026-11-15'],
  ])('starts an address that asks for %s at %s', (requestedDay, start) =>
    expect(startFrom(requestedDay, '2026-11-20')).toBe(start),
  )

  test.each([
    ['2026-11-15', '2026-11-28', 'Nov 15 - 28, 2026'],
    ['2026-11-29', '2026-12-12', 'Nov 29 - Dec 12, 2026'],
    ['2026-12-27', '2027-01-09', 'Dec 27, 2026 - Jan 9, 2027'],
  ])('names the range from %s to %s %s', (first, last, title) => expect(rangeTitle(first, last)).toBe(title))
})

describe('items of a day', () => {
  const lateEvening = item('2026-11-21T03:30:00Z', '2026-11-21T04:30:00Z')
  const threeDays = item('2026-11-20T14:00:00Z', '2026-11-22T22:00:00Z')
  const wholeDay = item('2026-11-20T05:00:00Z', '2026-11-21T05:00:00Z')

  test('follows the company’s time zone', () => {
    expect(daysOf(lateEvening, eastern)).toEqual(['2026-11-20', '2026-11-20'])
    expect(daysOf(lateEvening, 'UTC')).toEqual(['2026-11-21', '2026-11-21'])
  })

  test('includes longer items, but not those that ended at midnight', () => {
    const days = byDay([threeDays, wholeDay], daysFrom('2026-11-15'), eastern)
    expect([...days].filter(([, items]) => items.length > 0).map(([day, items]) => [day, items.length])).toEqual([
      ['2026-11-20', 2],
      ['2026-11-21', 1],
      ['2026-11-22', 1],
    ])
  })

  test('lists items by start, regardless of their order', () => {
    const noon = item('2026-11-20T17:00:00Z', '2026-11-20T18:00:00Z')
    const nine = item('2026-11-20T14:00:00Z', '2026-11-20T15:00:00Z')
    expect(byDay([noon, nine, wholeDay], ['2026-11-20'], eastern).get('2026-11-20')).toEqual([wholeDay, nine, noon])
  })

  test('formats the time range of an item', () => {
    expect(timeRange(lateEvening, eastern)).toBe('10:30 PM - 11:30 PM')
    expect(timeRange(threeDays, eastern)).toBe('Nov 20, 9:00 AM - Nov 22, 5:00 PM')
    expect(timeRange(wholeDay, eastern)).toBe('All day')
    expect(startOn(threeDays, '2026-11-20', eastern)).toBe('9:00 AM')
    expect(startOn(threeDays, '2026-11-21', eastern)).toBe('All day')
    expect(startOn(threeDays, '2026-11-22', eastern)).toBe('Ends 5:00 PM')
  })

  test('keeps the hours across a clock change', () => {
    expect(timeRange(item('2026-11-01T05:30:00Z', '2026-11-01T07:30:00Z'), eastern)).toBe('1:30 AM - 2:30 AM')
  })
})

describe('month', () => {
  test.each([
    ['2026-11-01', '2026-11-01', 35],
    ['2026-02-01', '2026-02-01', 28],
    ['2026-08-01', '2026-07-26', 42],
  ])('starts %s on Sunday %s with %i days', (first, start, count) => {
    const days = monthDays(first)
    expect([days[0], days.length]).toEqual([start, count])
  })

  test('steps across the end of a year', () => {
    expect(addMonths('2026-12-01', 1)).toBe('2027-01-01')
    expect(addMonths('2026-01-01', -1)).toBe('2025-12-01')
    expect([monthFrom('2026-03-31', '2026-11-20'), monthFrom('soon', '2026-11-20')]).toEqual([
      '2026-03-01',
      '2026-11-01',
    ])
  })
})

test('names the company time zone of a time', () => {
  const there = (timeZone: string) => ({ ...item('2026-11-20T14:00:00Z', '2026-11-20T15:00:00Z'), timeZone })
  expect(startThere(there(eastern))).toBe('9:00 AM EST')
  expect(startThere(there('Pacific/Honolulu'))).toBe('4:00 AM HST')
  expect(startThere({ ...item('2026-07-20T14:00:00Z', '2026-07-20T15:00:00Z'), timeZone: eastern })).toBe(
    '10:00 AM EDT',
  )
  expect(startThere({ ...item('2026-11-20T05:00:00Z', '2026-11-21T05:00:00Z'), timeZone: eastern })).toBe('All day')
})

test.each([
  [null, 'inspection', true, 'Scheduled'],
  [null, 'rental', true, 'Confirmed'],
  [null, 'rental', false, 'Not Started'],
  ['not_started', 'billing', true, 'Not Started'],
  ['completed', 'rental', true, 'Completed'],
] as const)('shows an item with status %s, type %s, future %s as %s', (status, type, isToCome, label) => {
  expect(statusLabel(status, type, isToCome)).toBe(label)
})
