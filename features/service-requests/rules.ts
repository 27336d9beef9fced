/** Rules for requests that the server and the browser share. */
import { caseStatus } from '../../shared/cases.ts'

/** Status numbers of requests (spec 4.4). `cancelled` is an addition of the portal. */
export const requestStatus = { ...caseStatus, cancelled: 5 } as const
/** Statuses of requests that staff still work on. */
export const openRequests = [requestStatus.new, requestStatus.inProgress, requestStatus.reopened] as const

export const CATEGORY_REQUIRED = 'Choose a category.'

/** Channels by which staff receive a request that they enter. */
export const channelNames = ['phone', 'counter', 'letter'] as const
export type Channel = (typeof channelNames)[number]
export const channels = { phone: 'Phone', counter: 'Counter', [channelNames[2]]: 'Letter' } as const

/** Sources of requests. `staff` is a request that staff split from another one. */
export const sources = { portal: 'Portal', ...channels, staff: 'Staff', open311: 'Open311', import: 'Import' } as const
export type Source = keyof typeof sources
export const sourceNames = Object.keys(sources) as Source[]

/** Maximum number of requests of a company in one year. */
const NUMBERS = 10_000_000

/** Builds the id of a company's request. The 123rd request of 2026 has the id 20260000123. */
export const idOf = (year: number, no: number): number => year * NUMBERS + no

/** Formats an id as the displayed number, such as `R-2026-000123`. */
export const numberOf = (id: number): string => `R-${Math.floor(id / NUMBERS)}-${String(id % NUMBERS).padStart(6, '0')}`

/** Parses `R-2026-000123`, `r2026-123` or `2026 123` to an id. Null if the text is not a request number. */
export function idIn(text: string): number | null {
  const [, year, no] = /^r?[\s-]*(\d{4})[\s-]+0*(\d{1,7})$/i.exec(text.trim()) ?? []
  return year === undefined || no === undefined ? null : idOf(Number(year), Number(no))
}

/** Request settings of a company. */
export interface RequestSettings {
  /** True if guests may send requests in categories that allow it. */
  forGuests: boolean
  /** True if the company publishes requests on a map and list. */
  hasMap: boolean
  /** Days within which the requester can reopen a completed request. */
  reopenDays: number
}

/** Defaults for a company without saved settings. */
export const usualSettings: RequestSettings = {
  forGuests: true,
  hasMap: true,
  reopenDays: 30,
}

/** Distance in meters within which two requests of one category may be duplicates. */
export const NEAR_METRES = 120

/** Distance in meters and number of days within which staff compare a new request with open ones. */
export const COMPARED_METRES = 150
export const COMPARED_DAYS = 30

/** Number of past days that the public map and list cover. */
export const PUBLIC_DAYS = 90

/** Start of the name of an entry with the answer to a question, in a form without JavaScript. */
export const ANSWER = 'answers.'
