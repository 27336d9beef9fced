import { clockText, isDay } from '../../shared/dates.ts'
import { say } from '../../shared/messages.ts'
import type { Season } from './rules.ts'

/** Opening hours of a resource by season, in words and over a year. Days of the year are MM-DD. */

/** A leap year, so that February 29 is a day of the year. */
const LEAP_YEAR = 2028
export const isDayOfYear = (day: string): boolean => isDay(`${LEAP_YEAR}-${day}`)
/** Returns the last day of a month, from 1 to 12. */
export const lastOfMonth = (month: number): number => new Date(Date.UTC(LEAP_YEAR, month, 0)).getUTCDate()
const pad = (part: number) => String(part).padStart(2, '0')
export const dayOfYear = (month: number, day: number): string => `${pad(month)}-${pad(day)}`

/** All days of a year, in order. */
export const daysOfYear: readonly string[] = Array.from({ length: 12 }, (_, at) => at + 1).flatMap((month) =>
  Array.from({ length: lastOfMonth(month) }, (_, at) => dayOfYear(month, at + 1)),
)

export const WEEK = [1, 2, 3, 4, 5, 6, 7] as const
export const WORK_WEEK: readonly number[] = WEEK.slice(0, 5)
export const WEEKEND: readonly number[] = WEEK.slice(5)

/** Returns the name of a weekday, from 1 (Monday) to 7 (Sunday). */
export const weekdayName = (day: number): string =>
  [say`Monday`, say`Tuesday`, say`Wednesday`, say`Thursday`, say`Friday`, say`Saturday`, say`Sunday`][day - 1] ?? ''

export const monthName = (month: number): string =>
  [
    ...[say`January`, say`February`, say`March`, say`April`, say`May`, say`June`],
    ...[say`July`, say`August`, say`September`, say`October`, say`November`, say`December`],
  ][month - 1] ?? ''

export const sameDays = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((day) => other.includes(day))

/** Describes weekdays, for example `Monday to Friday`. */
export function weekdaysText(days: readonly number[]): string {
  if (sameDays(days, WEEK)) return say`every day`
  if (sameDays(days, WORK_WEEK)) return say`Monday to Friday`
  const names = days.toSorted((a, b) => a - b).map(weekdayName)
  const last = names.pop()
  if (last === undefined) return say`no day`
  return names.length === 0 ? last : say`${names.join(', ')} and ${last}`
}

/** Formats `05-01` as `May 1`. */
export const dayOfYearText = (day: string): string => say`${monthName(Number(day.slice(0, 2)))} ${Number(day.slice(3))}`

interface YearDates {
  from: string
  until: string
}
export const datesText = ({ from, until }: YearDates): string =>
  from === '01-01' && until === '12-31'
    ? say`All year`
    : from === until
      ? dayOfYearText(from)
      : say`${dayOfYearText(from)} to ${dayOfYearText(until)}`

/** Describes the price of a season, compared with the regular price. */
const changeText = (percent: number): string =>
  percent === 100
    ? say`regular price`
    : percent === 0
      ? say`free`
      : percent > 100
        ? say`${percent - 100}% more than the regular price`
        : say`${100 - percent}% less than the regular price`

/** Describes the hours of a season in words, for example `every day, 8:00 AM to 8:00 PM, regular price`. */
export const hoursText = ({ days, opens, closes, percent }: Season): string =>
  say`${weekdaysText(days)}, ${clockText(opens)} to ${clockText(closes)}, ${changeText(percent)}`

/** Describes a season in words, with its dates. */
export const seasonText = (season: Season): string => say`${datesText(season)}, ${hoursText(season)}`

const isWithin = ({ from, until }: YearDates, day: string): boolean =>
  from <= until ? from <= day && day <= until : day >= from || day <= until

/** Finds the season that applies on each weekday of a day of the year: the first that matches, or -1. */
const appliedOn = (seasons: readonly Season[], day: string): number[] =>
  WEEK.map((weekday) => seasons.findIndex((season) => isWithin(season, day) && season.days.includes(weekday)))

/** Dates of a year on which the same seasons apply. */
export interface YearPart extends YearDates {
  /** Number of days. */
  length: number
  /** Weekdays with the position of the season that applies, or -1 if the resource is closed. */
  open: { days: number[]; season: number }[]
}

/** Divides a year into dates with the same opening hours, in order. Gaps are parts that have no season. */
export function partsOfYear(seasons: readonly Season[]): YearPart[] {
  const parts: (YearPart & { key: string })[] = []
  for (const day of daysOfYear) {
    const applied = appliedOn(seasons, day)
    const key = applied.join()
    const last = parts.at(-1)
    if (last?.key === key) Object.assign(last, { until: day, length: last.length + 1 })
    else {
      const open = [...new Set(applied)].map((season) => ({
        ...{ season, days: WEEK.filter((weekday) => applied[weekday - 1] === season) },
      }))
      parts.push({ key, from: day, until: day, length: 1, open })
    }
  }
  return parts
}

export interface Overlap extends YearDates {
  /** Position of the earlier season, which applies instead. */
  season: number
  days: number[]
}

/** Finds the dates of a season on which an earlier season applies. `isHidden` is true if the season never applies. */
export function overlapsOf(seasons: readonly Season[], at: number): { overlaps: Overlap[]; isHidden: boolean } {
  const own = seasons[at]
  const overlaps: Overlap[] = []
  let isHidden = true
  if (!own) return { overlaps, isHidden: false }
  const open = new Map<string, Overlap>()
  for (const day of daysOfYear) {
    const applied = isWithin(own, day) ? appliedOn(seasons, day) : []
    if (own.days.some((weekday) => applied[weekday - 1] === at)) isHidden = false
    const now = new Map<string, Overlap>()
    for (const season of new Set(applied)) {
      const days = own.days.filter((weekday) => applied[weekday - 1] === season).toSorted((a, b) => a - b)
      if (season < 0 || season >= at || days.length === 0) continue
      const key = `${season} ${days.join()}`
      const overlap = open.get(key) ?? { season, days, from: day, until: day }
      if (!open.has(key)) overlaps.push(overlap)
      overlap.until = day
      now.set(key, overlap)
    }
    open.clear()
    for (const [key, overlap] of now) open.set(key, overlap)
  }
  return { overlaps, isHidden: isHidden && overlaps.length > 0 }
}
