import * as z from 'zod/mini'
import { done, companyFields } from '../../shared/responses.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { type Access, downloadCall, endpoint, formCall } from '../../shared/endpoint.ts'
import { itemStates } from './states.ts'
import { companyId, rowId } from '../../shared/body-parts.ts'

export const itemTypes = ['billing', 'rental', 'workorder', 'inspection'] as const

const scheduledItem = z.object({
  id: z.number(),
  title: z.string(),
  calendar_date: z.string(),
  end_datetime: z.string(),
  status: z.nullable(itemStates.state),
  description: z.string(),
  type: z.enum(itemTypes),
})

/** Actions that the caller may take on an item. True if allowed. */
const moves = z.object({ start: z.boolean(), complete: z.boolean(), reopen: z.boolean(), reschedule: z.boolean() })

/**
 * Scheduled items of a company (spec 7.4, product rules section 8). Without dates, 'all' covers 14 days ago to 28 days
 * ahead, and 'upcoming' covers 14 days from midnight today. 'calendar' requires both dates. An event type of 0 or null
 * means no filter, and so does a status of null. Dates are in the company's time zone.
 */
export const scheduledItems = endpoint({
  path: 'muni/return/municipality/scheduled/items',
  summary: 'Returns the scheduled items of a company',
  access: { audience: ['municipality', 'platform'], privilege: ['dashboard', 'view'] },
  body: z.object({
    companyId,
    selectedOption: z._default(z.enum(['all', 'upcoming', 'calendar']), 'all'),
    eventType: z.optional(z.nullable(z.int().check(z.minimum(0), z.maximum(2_147_483_647)))),
    status: z.optional(z.nullable(itemStates.state)),
    fromDate: z.optional(isoDate),
    toDate: z.optional(isoDate),
  }),
  response: z.object({
    data: z.array(
      z.extend(scheduledItem, {
        moves,
        /** Name of the assignee. */
        assignee: z.string(),
        /** Path of the source record. Empty for an item without a source record. */
        path: z.string(),
      }),
    ),
  }),
})

/** Changes the status of an item. Fails with 409 if its state has changed. */
export const transitionItem = endpoint({
  path: 'muni/change/scheduled/item/status',
  idempotent: 'offered',
  summary: 'Starts, completes or reopens a scheduled item',
  access: { audience: ['municipality', 'platform'], privilege: ['dashboard', 'update'] },
  body: z.object({ companyId, itemId: z.int().check(z.minimum(1)), event: itemStates.button }),
  response: z.object({ success: z.literal(true), message: z.string(), status: itemStates.state, moves }),
})

const timeOfDay = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Enter a time as HH:mm, for example 14:30.'))

/**
 * Moves an item. `was` is the start time that the calendar showed. Fails with 409 if someone else has moved the item
 * since.
 */
export const rescheduleItem = formCall({
  path: 'muni/transition/scheduled/item',
  summary: 'Moves a scheduled item to another day or time',
  access: { audience: ['municipality', 'platform'], privilege: ['dashboard', 'update'] },
  body: z.object({
    companyId,
    itemId: rowId,
    day: isoDate,
    time: z.optional(timeOfDay),
    was: z.string().check(z.maxLength(40)),
  }),
})

/** Staff with their calendar items at a given time. `minutes` is the length of the assignment. */
export const staffAt = endpoint({
  path: 'muni/return/staff/at',
  summary: 'Returns the staff with their calendar items at a given time',
  access: { audience: ['municipality', 'platform'], privilege: ['dashboard', 'view'] },
  body: z.object({
    companyId,
    day: isoDate,
    time: timeOfDay,
    minutes: z.int().check(z.minimum(15), z.maximum(1440)),
    /** The item being moved, which does not count as a conflict. */
    exceptItem: z.optional(z.nullable(rowId)),
  }),
  response: z.object({
    people: z.array(
      z.object({
        id: z.number(),
        name: z.string(),
        departmentId: z.nullable(z.number()),
        /** Items of the person at that time. Empty if the person is free. */
        busy: z.array(z.object({ title: z.string(), from: z.string(), until: z.string() })),
      }),
    ),
  }),
})

const ofDepartment = z.nullable(rowId)

/**
 * Calendars with a secret URL for other calendar programs: the caller's own (no department) and one for each
 * department.
 */
export const calendarFeeds = endpoint({
  path: 'muni/return/calendar/feeds',
  summary: 'Returns the calendars and the status of their secret URLs',
  access: { audience: 'municipality', privilege: ['dashboard', 'view'] },
  body: z.object({}),
  response: z.object({
    feeds: z.array(z.object({ departmentId: z.nullable(z.number()), name: z.string(), since: z.nullable(z.string()) })),
  }),
})

/** Creates a new secret URL, which is shown only once. The previous URL stops working. */
export const makeCalendarFeed = endpoint({
  path: 'muni/make/calendar/feed',
  summary: 'Creates or replaces the secret URL of a calendar',
  access: { audience: 'municipality', privilege: ['dashboard', 'update'] },
  body: z.object({ departmentId: ofDepartment }),
  response: z.extend(done, { url: z.string() }),
})

export const endCalendarFeed = endpoint({
  path: 'muni/end/calendar/feed',
  summary: 'Revokes the secret URL of a calendar',
  access: { audience: 'municipality', privilege: ['dashboard', 'update'] },
  body: z.object({ departmentId: ofDepartment }),
  response: done,
})

export const calendarEvents = endpoint({
  path: 'muni/live/calendar',
  method: 'GET',
  summary: 'Streams an event for each change of a calendar item',
  access: { audience: ['municipality'], privilege: ['dashboard', 'view'] },
  responseType: 'events',
  body: z.object({}),
  response: z.object({ topic: z.string(), id: z.number() }),
})

export const eventTypes = endpoint({
  path: 'muni/return/event/types',
  summary: 'Returns the types of scheduled items',
  access: { audience: ['municipality', 'platform'], privilege: ['dashboard', 'view'] },
  scope: 'none',
  body: z.object({ companyId }),
  response: z.object({ eventTypes: z.array(z.object({ id: z.int(), name: z.string(), category: z.enum(itemTypes) })) }),
})

const platform: Access = { audience: 'platform', privilege: ['dashboard', 'view'] }
const smallId = z.int().check(z.minimum(1), z.maximum(2_147_483_647))

/** Filters of the master calendar. An absent event type, status or company means all. */
const masterFilters = z.object({
  company: z.optional(smallId),
  eventType: z.optional(smallId),
  status: z.optional(itemStates.state),
})
const range = z.object({ fromDate: isoDate, toDate: isoDate, filters: z._default(masterFilters, {}) })

/** Item with its company. The day and time of the item are in the company's `timeZone`. */
const masterItem = z.extend(scheduledItem, { ...companyFields, timeZone: z.string() })

const number = z.int()
const masterDay = z.object({
  day: z.string(),
  count: number,
  statuses: z.object({ not_started: number, in_progress: number, completed: number }),
  types: z.object({ billing: number, rental: number, workorder: number, inspection: number }),
  /** First items of the day, by start time. */
  items: z.array(masterItem),
})

/**
 * Returns the item counts and the first items of each day across all companies, for at most 42 days (spec 2.4, 2.12).
 * An item counts on its start day in its company's time zone. Days without items are omitted.
 */
export const masterCalendar = endpoint({
  path: 'admin/return/master/calendar',
  summary: 'Returns the daily counts and first scheduled items of all companies',
  access: platform,
  scope: 'none',
  body: range,
  response: z.object({ days: z.array(masterDay) }),
})

export const masterCalendarCsv = downloadCall({
  path: 'admin/export/master/calendar',
  summary: 'Exports the scheduled items of all companies as CSV',
  access: platform,
  scope: 'none',
  body: range,
})
