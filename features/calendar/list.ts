import * as z from 'zod/mini'
import { isoDate } from '../../shared/iso-date.ts'
import { choice, defineList, fact, filters, instant, text } from '../../shared/list.ts'
import { typeLabels } from './rules.ts'
import { itemStates } from './states.ts'

const rowId = z.optional(z.int().check(z.minimum(1), z.maximum(2_147_483_647)))

/**
 * Items of all companies on one day, each in its company's time zone. The default day is today. The search matches a
 * part of the title.
 */
export const masterDayItems = defineList('admin/return/master/calendar/day', 'Day', {
  nouns: ['item', 'items'],
  summary: 'Lists the scheduled items of all companies on one day',
  access: { audience: 'platform', privilege: ['dashboard', 'view'] },
  columns: {
    calendar_date: instant('Time', { sort: 'asc', priority: 1 }),
    end_datetime: fact(z.string()),
    title: text('Title', { primary: true }),
    companyId: fact(z.number()),
    company: text('Company', { sort: 'asc', group: true }),
    // The company's time zone, which determines the day and time of the item.
    timeZone: fact(z.string()),
    type: choice('Type', typeLabels, { group: true }),
    status: { ...choice('Status', itemStates.labels, { priority: 1 }), value: z.nullable(itemStates.state) },
    description: fact(z.string()),
  },
  filters: {
    day: filters.hidden(z.optional(isoDate)),
    company: { ...filters.id('Company'), value: rowId },
    eventType: { ...filters.id('Event type'), value: rowId },
    status: filters.choice('Status', itemStates.labels, 'All'),
  },
  search: 'Search titles',
})
