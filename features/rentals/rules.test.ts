import { describe, expect, test } from 'vitest'
import {
  refundableCents,
  clockAt,
  isFree,
  mistakeIn,
  noticeText,
  openingOn,
  priceOf,
  guestsError,
  type Rules,
  stepsOf,
  timesOf,
} from './rules.ts'

const ZONE = 'America/New_York'
/** In 2027 the clocks skip 02:00 to 03:00 on March 14. On November 7 the hour from 01:00 to 02:00 occurs twice. */
const [SPRING, AUTUMN] = ['2027-03-14', '2027-11-07']
const rules: Rules = {
  seasons: [
    { from: '05-01', until: '09-30', days: [6, 7], opens: '08:00', closes: '22:00', percent: 150 },
    { from: '01-01', until: '12-31', days: [1, 2, 3, 4, 5, 6, 7], opens: '00:00', closes: '24:00', percent: 100 },
  ],
  ...{ closedOnHolidays: true, stepMinutes: 60, minMinutes: 60, maxMinutes: 600, noticeHours: 24, aheadDays: 400 },
  ...{ beforeMinutes: 30, afterMinutes: 60, chargedBy: 'hour', residentCents: 1000, otherCents: 2000 },
  ...{ depositCents: 5000, addons: [{ name: 'Grill', cents: 700 }], refundDays: 7, latePercent: 50 },
}
const open = { holidays: [], blackouts: [] }
const slotContext = { timeZone: ZONE, now: new Date('2027-01-04T12:00:00Z'), byStaff: false }
const slotOf = (day: string, from: string, until: string) => ({ day, from, until })
const priced = { isResident: true, pieces: 1, spacePercent: 100, addons: [] }
const priceAt = (day: string, from: string, until: string, more = {}) =>
  priceOf(rules, slotOf(day, from, until), open, ZONE, { ...priced, ...more })

describe('clock changes', () => {
  test('do not allow a start or an end in a skipped hour', () => {
    expect(clockAt(ZONE, SPRING, '02:00')).toBeNull()
    expect(clockAt(ZONE, SPRING, '02:30')).toBeNull()
    expect(mistakeIn(rules, slotOf(SPRING, '02:00', '04:00'), open, slotContext)).toMatch(
      /daylight saving time, the selected hour does not exist/,
    )
    expect(mistakeIn(rules, slotOf(SPRING, '01:00', '02:00'), open, slotContext)).toMatch(
      /daylight saving time, the selected hour does not exist/,
    )
    expect(
      stepsOf(rules, SPRING, open, [], slotContext)
        .filter((step) => !isFree(step))
        .map(({ time }) => time),
    ).toEqual(['01:00', '02:00'])
  })
  test('start a repeated hour at its first occurrence and charge both', () => {
    expect(timesOf(ZONE, slotOf(AUTUMN, '01:00', '02:00'))).toEqual({
      startsAt: new Date('2027-11-07T05:00:00Z'),
      endsAt: new Date('2027-11-07T07:00:00Z'),
    })
    expect(priceAt(AUTUMN, '01:00', '02:00').priceCents).toBe(2000)
    expect(priceAt(SPRING, '01:00', '03:00').priceCents).toBe(1000)
  })
  test('make days of 23 and 25 hours', () => {
    const hours = (day: string) => {
      const times = timesOf(ZONE, slotOf(day, '00:00', '24:00'))
      return times && (times.endsAt.getTime() - times.startsAt.getTime()) / 3_600_000
    }
    expect([hours(SPRING), hours(AUTUMN), hours('2027-06-01')]).toEqual([23, 25, 24])
  })
})

test.each([
  ['on a holiday', slotOf('2027-07-04', '10:00', '12:00'), /not available.*Independence/],
  ['while it is closed for repairs', slotOf('2027-04-10', '10:00', '12:00'), /not available.*New roof/],
  ['before it opens', slotOf('2027-05-01', '07:00', '09:00'), /on this day: 8:00 AM/],
  ['after it closes', slotOf('2027-05-01', '21:00', '23:00'), /to 10:00 PM/],
  ['off the steps', slotOf('2027-06-01', '10:30', '12:00'), /60-minute intervals/],
  ['for too long', slotOf('2027-06-01', '08:00', '19:00'), /maximum reservation length is 10 hours/],
  ['backwards', slotOf('2027-06-01', '12:00', '10:00'), /end time that is after/],
  ['too soon', slotOf('2027-01-04', '20:00', '22:00'), /at least 24 hours/],
  ['in the past', slotOf('2027-01-03', '10:00', '12:00'), /already started/],
  ['too far ahead', slotOf('2028-03-01', '10:00', '12:00'), /400 days in advance/],
])('refuses a reservation %s', (_why, slot, expectedMessage) => {
  const closed = {
    holidays: [{ on: '2027-07-04', name: 'Independence Day' }],
    blackouts: [{ from: '2027-04-10', until: '2027-04-12', reason: 'New roof' }],
  }
  expect(mistakeIn(rules, slot, closed, slotContext)).toMatch(expectedMessage)
})

test('exempts staff from the notice but not from opening hours', () => {
  const staff = { ...slotContext, byStaff: true }
  expect(mistakeIn(rules, slotOf('2027-01-04', '20:00', '22:00'), open, staff)).toBeNull()
  expect(mistakeIn(rules, slotOf('2027-05-01', '07:00', '09:00'), open, staff)).toMatch(/opening hours/)
})

test('applies the first matching season, even across the new year', () => {
  const summer = rules.seasons.slice(0, 1)
  const winter = { ...rules, seasons: summer.map((one) => ({ ...one, from: '11-15', until: '02-15', days: [1] })) }
  expect(openingOn(winter, '2027-01-04', open)).toMatchObject({ opens: '08:00' })
  expect(openingOn(winter, '2027-03-01', open)).toEqual({ closedFor: 'No opening hours' })
  expect(openingOn(rules, '2027-05-01', open)).toMatchObject({ percent: 150 })
})

test('calculates the price from all its factors', () => {
  expect(priceAt('2027-06-01', '10:00', '12:00')).toMatchObject({ priceCents: 2000, totalCents: 7000 })
  expect(priceAt('2027-06-01', '10:00', '12:00', { isResident: false }).priceCents).toBe(4000)
  expect(priceAt('2027-05-01', '10:00', '12:00').priceCents).toBe(3000)
  expect(priceAt('2027-06-01', '10:00', '12:00', { spacePercent: 50, pieces: 3 }).priceCents).toBe(3000)
  const { items, totalCents } = priceAt('2027-06-01', '10:00', '12:00', { addons: ['Grill', 'Nothing that there is'] })
  expect(items.map(({ amountCents }) => amountCents)).toEqual([2000, 700, 5000])
  expect(totalCents).toBe(7700)
})

test('refunds fully in time, and later the deposit and a part', () => {
  const paid = { priceCents: 2000, paidCents: 7000, startsAt: new Date('2027-06-10T12:00:00Z') }
  expect(refundableCents(rules, paid, new Date('2027-06-03T12:00:00Z'))).toBe(7000)
  expect(refundableCents(rules, paid, new Date('2027-06-03T12:00:01Z'))).toBe(6000)
  expect(refundableCents({ ...rules, latePercent: 0 }, paid, new Date('2027-06-09T12:00:00Z'))).toBe(5000)
  expect(refundableCents(rules, { ...paid, paidCents: 0 }, new Date('2027-06-09T12:00:00Z'))).toBe(0)
})

describe('information before a request', () => {
  const now = new Date('2027-01-04T15:30:00Z')
  const standsOn = (day: string, busy: Parameters<typeof stepsOf>[3] = [], byStaff = false) =>
    new Map(stepsOf(rules, day, open, busy, { ...slotContext, now, byStaff }).map(({ time, is }) => [time, is]))
  test('distinguishes past, soon, taken and distant steps', () => {
    const today = standsOn('2027-01-04')
    expect([today.get('10:00'), today.get('11:00')]).toEqual(['past', 'soon'])
    expect([standsOn('2027-01-05').get('10:00'), standsOn('2027-01-05').get('11:00')]).toEqual(['soon', 'free'])
    const noon = { bufferFrom: new Date('2027-01-06T17:00:00Z'), bufferUntil: new Date('2027-01-06T18:00:00Z') }
    expect(standsOn('2027-01-06', [noon]).get('12:00')).toBe('taken')
    expect(standsOn('2028-03-01').get('12:00')).toBe('far')
    expect(standsOn(SPRING).get('02:00')).toBe('skipped')
  })
  test('allows staff steps outside the notice limits', () => {
    expect(standsOn('2027-01-04', [], true).get('11:00')).toBe('free')
    expect(standsOn('2028-03-01', [], true).get('12:00')).toBe('free')
  })
  test('refuses too many guests unless the capacity is unlimited', () => {
    expect(guestsError(81, 80)).toBe('The capacity is 80 people.')
    expect([guestsError(80, 80), guestsError(81, 0)]).toEqual([null, null])
  })
  test('states the notice limits', () => {
    expect(noticeText(rules)).toBe('At least 24 hours before the start, up to 400 days in advance')
    expect(noticeText({ noticeHours: 0, aheadDays: 1 })).toBe('Up to one day in advance')
  })
})
