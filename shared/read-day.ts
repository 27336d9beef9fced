import { toIso } from './dates.ts'

/** YYYY-MM-DD of a day as files write it, `2027-03-31` or `3/31/2027`, or null where that is none of this century. */
export function readDay(text: string): string | null {
  const [, month = '', date = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? []
  const iso = year === '' ? text : `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  if (!/^20\d\d-\d\d-\d\d$/.test(iso)) return null
  const day = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && toIso(day) === iso ? iso : null
}
