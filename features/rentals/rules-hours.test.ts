import { describe, expect, it } from 'vitest'
import {
  datesText,
  daysOfYear,
  isDayOfYear,
  overlapsOf,
  partsOfYear,
  seasonText,
  WEEK,
  weekdaysText,
} from './rules-hours.ts'
import type { Season } from './rules.ts'

const season = (from: string, until: string, own: Partial<Season> = {}): Season => ({
  ...{ from, until, days: [...WEEK], opens: '08:00', closes: '20:00', percent: 100, ...own },
})

describe('opening hours in words', () => {
  it('describes a season of a resource', () => {
    expect(seasonText(season('05-01', '09-30'))).toBe(
      'May 1 to September 30, every day, 8:00 AM to 8:00 PM, regular price',
    )
    expect(seasonText(season('01-01', '12-31', { days: [6, 7], closes: '24:00', percent: 125 }))).toBe(
      'All year, Saturday and Sunday, 8:00 AM to 12:00 AM, 25% more than the regular price',
    )
    expect(seasonText(season('11-15', '02-15', { days: [2, 4], percent: 75 }))).toBe(
      'November 15 to February 15, Tuesday and Thursday, 8:00 AM to 8:00 PM, 25% less than the regular price',
    )
  })

  it('names weekdays in the order of the week', () => {
    expect(weekdaysText([5, 1, 3])).toBe('Monday, Wednesday and Friday')
    expect(weekdaysText([1, 2, 3, 4, 5])).toBe('Monday to Friday')
    expect(weekdaysText([])).toBe('no day')
    expect(datesText({ from: '07-04', until: '07-04' })).toBe('July 4')
  })

  it('knows the days of a leap year', () => {
    expect(daysOfYear).toHaveLength(366)
    expect(isDayOfYear('02-29')).toBe(true)
    expect(['02-30', '13-01', '00-10', '5-1', '06-31'].filter(isDayOfYear)).toEqual([])
  })
})

describe('opening hours over a year', () => {
  it('shows gaps between seasons', () => {
    const parts = partsOfYear([season('05-01', '09-30')])
    expect(parts.map(({ from, until, length, open }) => [from, until, length, open[0]?.season])).toEqual([
      ['01-01', '04-30', 121, -1],
      ['05-01', '09-30', 153, 0],
      ['10-01', '12-31', 92, -1],
    ])
  })

  it('spans New Year', () => {
    const parts = partsOfYear([season('11-01', '02-29')])
    expect(parts.map(({ from, until }) => `${from} ${until}`)).toEqual(['01-01 02-29', '03-01 10-31', '11-01 12-31'])
  })

  it('applies the first of overlapping seasons', () => {
    const seasons = [season('06-01', '06-15'), season('05-01', '09-30'), season('01-01', '12-31', { days: [6] })]
    expect(overlapsOf(seasons, 0)).toEqual({ overlaps: [], isHidden: false })
    expect(overlapsOf(seasons, 1)).toEqual({
      overlaps: [{ season: 0, days: [...WEEK], from: '06-01', until: '06-15' }],
      isHidden: false,
    })
    expect(
      overlapsOf(seasons, 2).overlaps.map((one) => `${one.season} ${one.from} ${one.until} ${one.days.join()}`),
    ).toEqual(['1 05-01 05-31 6', '0 06-01 06-15 6', '1 06-16 09-30 6'])
  })

  it('detects a season that never applies', () => {
    const seasons = [season('05-01', '09-30'), season('06-01', '06-30', { days: [1, 2] })]
    expect(overlapsOf(seasons, 1).isHidden).toBe(true)
    // A season without weekdays hides behind nothing. The form refuses it for its missing days.
    expect(overlapsOf([season('05-01', '09-30', { days: [] })], 0).isHidden).toBe(false)
  })
})
