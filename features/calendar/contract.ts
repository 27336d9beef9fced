import * as z from 'zod/mini'
import { done, ofTown } from '../../shared/answers.ts'
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

/** What the caller may do with an item of their town. */
const moves = z.object({ start: z.boolean(), complete: z.boolean(), reopen: z.boolean(), reschedule: z.boolean() })

/**
 * Scheduled items of a town (specification 7.4; product rules, section 8). 'all' answers from 14 days ago to 28 days
 * ahead, 'upcoming' 14 days from today at midnight, unless dates are given; 'calendar' wants both dates.
 * Event type 0 or null is all of them, status null likewise. Dates are the town's.
 */
export const scheduledItems = endpoint({
  path: 'muni/return/municipality/scheduled/items',
  summary: 'Scheduled items of a municipality',
  access: { audience: ['municipality', 'platform'], privilege: ['dashboard', 'view'] },
  body: z.object({
    companyId,
    selectedOption: z._default(z.enum(['all', 'upcoming', 'calendar']), 'all'),
    eventType: z.optional(z.nullable(z.int().check(z.minimum(0), z.maximum(2_147_483_647)))),
    status: z.optional(z.nullable(itemStates.state)),
    fromDate: z.optional(isoDate),
    toDate: z.optional(isoDate),
  }),
  answer: z.object({
    data: z.array(
      z.extend(scheduledItem, {
        moves,
        /** Whose it is to do, in words. */
        who: z.string(),
        /** Where the thing is that it stands for; '' of one that is there for itself. */
        path: z.string(),
      }),
    ),
  }),
})

/** 409 where the item is in another state meanwhile. */
export const moveItem = endpoint({
  path: 'muni/change/scheduled/item/status',
  idempotent: 'offered',
  summary: 'Starts, completes or reopens a scheduled item',
  access: { audience: ['municipality', 'platform'], privilege: ['dashboard', 'update'] },
  body: z.object({ companyId, itemId: z.int().check(z.minimum(1)), event: itemStates.button }),
  answer: z.object({ success: z.literal(true), message: z.string(), status: itemStates.state, moves }),
})

const timeOfDay = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Enter a time as HH:mm.'))

/** 409 where somebody else moved it since: `was` is when it began as the calendar showed it. */
export const rescheduleItem = formCall({
  path: 'muni/move/scheduled/item',
  summary: 'Puts a scheduled item on another day, at the same time unless another is said',
  access: { audience: ['municipality', 'platform'], privilege: ['dashboard', 'update'] },
  body: z.object({
    companyId,
    itemId: rowId,
    day: isoDate,
    time: z.optional(timeOfDay),
    was: z.string().check(z.maxLength(40)),
  }),
})

/** What staff have in the calendar at that time. `minutes` is how long somebody is needed. */
export const staffAt = endpoint({
  path: 'muni/return/staff/at',
  summary: 'Who of the staff is free at a time, and what the others have in the calendar',
  access: { audience: ['municipality', 'platform'], privilege: ['dashboard', 'view'] },
  body: z.object({
    companyId,
    day: isoDate,
    time: timeOfDay,
    minutes: z.int().check(z.minimum(15), z.maximum(1440)),
    /** The item that is being moved: it is in nobody's way. */
    exceptItem: z.optional(z.nullable(rowId)),
  }),
  answer: z.object({
    people: z.array(
      z.object({
        id: z.number(),
        name: z.string(),
        departmentId: z.nullable(z.number()),
        /** What they have to do then; nothing of somebody who is free. */
        busy: z.array(z.object({ title: z.string(), from: z.string(), until: z.string() })),
      }),
    ),
  }),
})

const ofDepartment = z.nullable(rowId)

/** The secret addresses that other calendars read: the caller's own (no department), and one of each department. */
export const calendarFeeds = endpoint({
  path: 'muni/return/calendar/feeds',
  summary: 'Which calendars have a secret address that other programs read',
  access: { audience: 'municipality', privilege: ['dashboard', 'view'] },
  body: z.object({}),
  answer: z.object({
    feeds: z.array(z.object({ departmentId: z.nullable(z.number()), name: z.string(), since: z.nullable(z.string()) })),
  }),
})

/** Shown this once. The address before it no longer works. */
export const makeCalendarFeed = endpoint({
  path: 'muni/make/calendar/feed',
  summary: 'Makes the secret address of a calendar, instead of the one before it',
  access: { audience: 'municipality', privilege: ['dashboard', 'update'] },
  body: z.object({ departmentId: ofDepartment }),
  answer: z.extend(done, { url: z.string() }),
})

export const endCalendarFeed = endpoint({
  path: 'muni/end/calendar/feed',
  summary: 'Ends the secret address of a calendar',
  access: { audience: 'municipality', privilege: ['dashboard', 'update'] },
  body: z.object({ departmentId: ofDepartment }),
  answer: done,
})

/** Items that somebody moved, for calendars that are open. */
export const calendarEvents = endpoint({
  path: 'muni/live/calendar',
  method: 'GET',
  summary: 'A stream of events: an item of the calendar changed',
  access: { audience: ['municipality'], privilege: ['dashboard', 'view'] },
  answers: 'events',
  body: z.object({}),
  answer: z.object({ topic: z.string(), id: z.number() }),
})

export const eventTypes = endpoint({
  path: 'muni/return/event/types',
  summary: 'The types of scheduled items',
  access: { audience: ['municipality', 'platform'], privilege: ['dashboard', 'view'] },
  scope: 'none',
  body: z.object({ companyId }),
  answer: z.object({ eventTypes: z.array(z.object({ id: z.int(), name: z.string(), category: z.enum(itemTypes) })) }),
})

const platform: Access = { audience: 'platform', privilege: ['dashboard', 'view'] }
const smallId = z.int().check(z.minimum(1), z.maximum(2_147_483_647))

/** What the master calendar is narrowed to. No event type, status or company means all of them. */
const masterFilters = z.object({
  company: z.optional(smallId),
  eventType: z.optional(smallId),
  status: z.optional(itemStates.state),
})
const range = z.object({ fromDate: isoDate, toDate: isoDate, filters: z._default(masterFilters, {}) })

/** An item with its town. `timeZone` is the town's: its clocks say on which day and at what time the item is. */
const masterItem = z.extend(scheduledItem, { ...ofTown, timeZone: z.string() })

const number = z.int()
const masterDay = z.object({
  day: z.string(),
  count: number,
  statuses: z.object({ not_started: number, in_progress: number, completed: number }),
  types: z.object({ billing: number, rental: number, workorder: number, inspection: number }),
  /** The first few, by when they begin. */
  items: z.array(masterItem),
})

/**
 * What happens in all towns on each of at most 42 days: how much, and the first of it (specification 2.4, 2.12). An item
 * counts on the day on which it begins by its own town's clocks. Days without any are left out.
 */
export const masterCalendar = endpoint({
  path: 'admin/return/master/calendar',
  summary: 'Scheduled items of all companies, counted by day, with the first of each day',
  access: platform,
  scope: 'none',
  body: range,
  answer: z.object({ days: z.array(masterDay) }),
})

export const masterCalendarCsv = downloadCall({
  path: 'admin/export/master/calendar',
  summary: 'The scheduled items of all companies in a range of days as CSV',
  access: platform,
  scope: 'none',
  body: range,
})
