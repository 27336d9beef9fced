import * as z from 'zod/mini'
import { cents, choice, code, type Column, defineList, fact, filters, instant, text, whole } from '../../shared/list.ts'
import { viewAccess } from './contract.ts'
import { ticketStates } from './states.ts'

const day = (label: string, options: Partial<Column<string>> = {}): Column<string> => ({
  kind: 'day',
  label,
  value: z.string(),
  ...options,
})
const status = choice('Status', ticketStates.labels, { group: true, priority: 1 })
const statusFilter = filters.choice('Status', ticketStates.labels, 'All statuses')

/** Parking tickets for staff. */
export const tickets = defineList('muni/return/parking/tickets', 'Tickets', {
  nouns: ['ticket', 'tickets'],
  summary: 'Lists the parking tickets of the company',
  access: viewAccess,
  ofCompany: true,
  personal: true,
  columns: {
    citation: text('Citation number', { primary: true, chars: 12 }),
    issued: instant('Issued', { sort: 'desc' }),
    plate: text('Plate', { chars: 12, priority: 1 }),
    violation: text('Violation', { group: true, chars: 26 }),
    location: text('Location', { hidden: true }),
    officer: text('Officer', { group: true, hidden: true }),
    vehicle: text('Vehicle', { hidden: true }),
    dueOn: day('Due', { hidden: true }),
    status,
    unpaid: cents('Unpaid', { total: 'Total unpaid:', priority: 1 }),
    contestId: fact(z.nullable(z.number())),
    hearing: instant('Hearing', { hidden: true }),
  },
  usualSort: 'issued',
  days: { column: 'issued', label: 'Issued' },
  filters: { status: statusFilter },
  search: 'Citation number, plate or location',
  csv: { path: 'muni/export/parking/tickets', file: 'parking-tickets' },
})

/** Tickets issued in a period and their results. */
export const ticketReport = defineList('muni/return/parking/report', 'Parking Ticket Report', {
  nouns: ['ticket', 'tickets'],
  summary: 'Lists the parking tickets with fines, late fees and payments',
  access: viewAccess,
  ofCompany: true,
  personal: true,
  columns: {
    citation: text('Citation number', { primary: true, chars: 12 }),
    issued: instant('Issued', { sort: 'desc', group: true }),
    plate: text('Plate', { chars: 12, priority: 3 }),
    violation: text('Violation', { group: true, chars: 26 }),
    officer: text('Officer', { group: true, hidden: true }),
    status,
    fine: cents('Fine', { total: 'Total fines:' }),
    late: cents('Late fees', { total: 'Total late fees:' }),
    paid: cents('Paid', { total: 'Total paid:' }),
    unpaid: cents('Unpaid', { total: 'Total unpaid:' }),
  },
  usualSort: 'issued',
  days: { column: 'issued', label: 'Issued', usual: 30 },
  filters: { status: statusFilter },
  search: 'Citation number, plate or location',
  csv: { path: 'muni/export/parking/report', file: 'parking-ticket-report' },
})

/** Plates with enough old unpaid tickets for the car to be booted, according to the company's settings. */
export const bootList = defineList('muni/return/parking/boot/list', 'Boot List', {
  nouns: ['plate', 'plates'],
  summary: 'Lists the license plates with several old unpaid parking tickets',
  access: viewAccess,
  ofCompany: true,
  personal: true,
  columns: {
    plate: text('Plate', { primary: true, sort: 'asc', chars: 12 }),
    vehicle: text('Vehicle'),
    count: whole('Unpaid tickets', { sort: 'desc' }),
    oldest: instant('Oldest ticket', { sort: 'asc' }),
    lastLocation: text('Last location', { priority: 3 }),
    unpaid: cents('Unpaid', { total: 'Total unpaid:' }),
  },
  usualSort: 'count',
  search: 'Plate',
  csv: { path: 'muni/export/parking/boot/list', file: 'boot-list' },
})

const inUse = { 1: 'In use', 0: 'Not in use' }

/** Violation codes with their fines for new tickets. */
export const violations = defineList('muni/return/parking/violations', 'Violation Codes', {
  nouns: ['code', 'codes'],
  summary: 'Lists the violation codes of the company',
  access: viewAccess,
  ofCompany: true,
  columns: {
    code: text('Code', { primary: true, sort: 'asc', chars: 8 }),
    description: text('Violation'),
    amount: cents('Amount'),
    used: whole('Tickets', { csv: 'Tickets' }),
    active: code('Status', inUse),
  },
  filters: { active: filters.code('Status', inUse, 'All codes', '1') },
  search: 'Code or violation',
  csv: { path: 'muni/export/parking/violations', file: 'violation-codes' },
})
