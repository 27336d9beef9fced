import { cents, choice, defineList, filters, text, whole } from '../../shared/list.ts'
import { viewAccess } from '../rentals/contract.ts'
import { kindLabels } from '../rentals/rules.ts'

/** Usage of each resource in a period: past reservations, no-shows, and amounts by the day of the payment or refund. */
export const rentalUse = defineList('muni/return/rental/use', 'Resource Usage', {
  nouns: ['resource', 'resources'],
  summary: 'Lists the usage, income and no-shows of each resource',
  access: viewAccess,
  ofCompany: true,
  columns: {
    name: text('Name', { primary: true, sort: 'asc', chars: 24 }),
    kind: choice('Kind', kindLabels, { priority: 2 }),
    used: whole('Reservations', { sort: 'desc', total: 'Reservations:', priority: 1 }),
    hours: whole('Hours', { sort: 'desc', total: 'Hours:', priority: 1 }),
    guests: whole('People', { total: 'People:', priority: 3 }),
    rentCents: cents('Rent', { sort: 'desc', total: 'Rent:', priority: 2 }),
    retainedCents: cents('Security deposits retained', { total: 'Security deposits retained:', priority: 3 }),
    receivedCents: cents('Payments received', { total: 'Payments received:', priority: 2 }),
    refundCents: cents('Refunded', { total: 'Refunded:', priority: 3 }),
    missed: whole('No-shows', { sort: 'desc', total: 'No-shows:', priority: 1 }),
    cancelled: whole('Cancelled', { total: 'Cancelled:', priority: 2 }),
  },
  usualSort: 'name',
  days: { usual: 30, needed: true },
  filters: { kind: filters.choice('Kind', kindLabels, 'All kinds') },
  csv: { path: 'muni/export/rental/use', file: 'use-of-resources' },
})
