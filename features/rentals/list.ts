import * as z from 'zod/mini'
import { choice, cents, defineList, fact, filters, instant, text, whole } from '../../shared/list.ts'
import { viewAccess } from './contract.ts'
import { agreementLabels, kindLabels } from './rules.ts'
import { rentalStates } from './states.ts'

/** Reservations of a company, for the approval queue, the day sheet and the report. */
export const reservations = defineList('muni/return/rentals', 'Reservations', {
  nouns: ['reservation', 'reservations'],
  summary: "Lists the reservations of the company's resources",
  access: viewAccess,
  ofCompany: true,
  personal: true,
  columns: {
    number: text('Number', { primary: true, chars: 9 }),
    title: text('Resource', { chars: 22, priority: 1, group: true }),
    startsAt: instant('From', { sort: 'desc', group: true, priority: 1 }),
    endsAt: instant('Until', { priority: 3 }),
    status: { ...choice('Status', rentalStates.labels, { group: true, priority: 1 }), value: rentalStates.state },
    name: text('Name', { chars: 18, priority: 2 }),
    email: text('Email', { hidden: true }),
    phone: text('Phone', { screen: false }),
    purpose: text('Purpose', { chars: 18, priority: 4 }),
    guests: whole('Guests', { hidden: true }),
    priceCents: cents('Price', { total: 'Total price:', priority: 3 }),
    depositCents: cents('Security deposit', { hidden: true }),
    refundCents: cents('Refund due', { hidden: true, total: 'Refunds due:' }),
    agreement: choice('Agreement', agreementLabels, { hidden: true }),
    createdAt: instant('Reserved', { hidden: true }),
  },
  usualSort: 'startsAt',
  days: { column: 'startsAt', label: 'Day', ahead: true },
  filters: {
    status: { ...filters.choice('Status', rentalStates.labels, 'All statuses'), value: z.optional(rentalStates.state) },
    resource: filters.id('Resource'),
    series: filters.id('Recurring reservation'),
    approve: filters.flag('Needs approval (recurring requests listed once)'),
    owed: filters.flag('Refund due'),
    unsigned: filters.flag('Unsigned agreement'),
    certificate: filters.flag('Certificate pending review'),
  },
  search: 'Number, name or purpose',
  csv: { path: 'muni/export/rentals', file: 'rentals' },
})

const statuses = { draft: 'Draft', open: 'Open', closed: 'Closed' }

export const resources = defineList('muni/return/rental/resources', 'Resources', {
  nouns: ['resource', 'resources'],
  summary: 'Lists the resources for rent with their usage in the last year',
  access: viewAccess,
  ofCompany: true,
  columns: {
    name: text('Name', { primary: true, sort: 'asc', chars: 24 }),
    kind: choice('Kind', kindLabels, { group: true, priority: 1 }),
    status: choice('Status', statuses, { group: true, priority: 1 }),
    residentCents: cents('Residents', { priority: 2 }),
    otherCents: cents('Nonresidents', { priority: 3 }),
    used: whole('Reservations', { priority: 2 }),
    hours: whole('Hours', { priority: 2 }),
    income: cents('Income', { priority: 2 }),
    missed: whole('No-shows', { priority: 3 }),
    chargedBy: fact(z.enum(['hour', 'day'])),
  },
  usualSort: 'name',
  filters: { kind: filters.choice('Kind', kindLabels, 'All kinds') },
})
