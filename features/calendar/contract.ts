import * as z from 'zod/mini'
import { isoDate } from '../../shared/dates.ts'
import { endpoint } from '../../shared/endpoint.ts'

export const itemStatuses = ['not_started', 'in_progress', 'completed'] as const
export const itemTypes = ['billing', 'rental', 'workorder', 'inspection'] as const

const scheduledItem = z.object({
  id: z.number(),
  title: z.string(),
  calendar_date: z.string(),
  end_datetime: z.string(),
  status: z.nullable(z.enum(itemStatuses)),
  description: z.string(),
  type: z.enum(itemTypes),
})

const companyId = z.optional(z.union([z.number(), z.string()]))

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
    eventType: z.optional(z.nullable(z.int())),
    status: z.optional(z.nullable(z.enum(itemStatuses))),
    fromDate: z.optional(isoDate),
    toDate: z.optional(isoDate),
  }),
  answer: z.object({ data: z.array(scheduledItem) }),
})

export const eventTypes = endpoint({
  path: 'muni/return/event/types',
  summary: 'The types of scheduled items',
  access: { audience: ['municipality', 'platform'], privilege: ['dashboard', 'view'] },
  scope: 'none',
  body: z.object({ companyId }),
  answer: z.object({ eventTypes: z.array(z.object({ id: z.int(), name: z.string(), category: z.enum(itemTypes) })) }),
})
