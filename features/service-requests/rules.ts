/** The rules of residents' requests that both sides use. */

/** So many numbers there are in a year. */
const NUMBERS = 10_000_000

/** A town's request of a year as its id: the 123rd of 2026 is 20260000123. */
export const idOf = (year: number, no: number): number => year * NUMBERS + no

/** How people speak of a request: `R-2026-000123`. */
export const numberOf = (id: number): string => `R-${Math.floor(id / NUMBERS)}-${String(id % NUMBERS).padStart(6, '0')}`

/** The id in `R-2026-000123`, `r2026-123` or `2026 123`; null where the text is none of these. */
export function idIn(text: string): number | null {
  const [, year, no] = /^r?[\s-]*(\d{4})[\s-]+0*(\d{1,7})$/i.exec(text.trim()) ?? []
  return year === undefined || no === undefined ? null : idOf(Number(year), Number(no))
}

/** How a town deals with requests. */
export interface RequestSettings {
  /** Residents report without an account, where the category allows it. */
  forGuests: boolean
  /** What was reported stands on a public map and list. */
  hasMap: boolean
  /** So many days whoever asked can open again what is completed. */
  reopenDays: number
  /** On which days of the week the office works: 1 Monday to 7 Sunday. */
  workDays: number[]
  /** Days on which it is closed besides. */
  holidays: { on: string; name: string }[]
}

/** Of a town that set nothing. */
export const usualSettings: RequestSettings = {
  forGuests: true,
  hasMap: true,
  reopenDays: 30,
  workDays: [1, 2, 3, 4, 5],
  holidays: [],
}
