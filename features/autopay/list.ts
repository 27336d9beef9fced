import * as z from 'zod/mini'
import { cents, choice, day, defineList, fact, filters, instant, text } from '../../shared/list.ts'
import { chargeStates, endReasons } from './rules.ts'
import { autopayStates } from './states.ts'

const view = { audience: ['municipality', 'platform'], privilege: ['reports', 'view'] } as const
const csv = { audience: ['municipality', 'platform'], privilege: ['reports', 'create'] } as const

const reported = { active: autopayStates.labels.active, paused: autopayStates.labels.paused }
const results = { none: 'None yet', ...chargeStates }

/** AutoPay enrollments with method, next charge and last charge (spec 2.3). */
export const autopayReport = defineList('muni/return/autopay', 'AutoPay', {
  nouns: ['account', 'accounts'],
  summary: 'Lists the accounts enrolled in AutoPay',
  access: view,
  ofCompany: true,
  personal: true,
  usualSort: 'enrolledAt',
  columns: {
    reference: text('Account', { primary: true, sort: 'asc', csv: 'Account', chars: 10 }),
    name: text('Name', { priority: 1, chars: 16 }),
    email: text('Email', { hidden: true }),
    methodLabel: text('Method', { priority: 2, empty: 'Removed' }),
    status: choice('Status', reported, { group: true, priority: 1 }),
    nextOn: day('Next charge', { priority: 1, empty: 'None planned' }),
    nextCents: { ...cents('Next amount', { priority: 2 }), value: z.nullable(z.number()) },
    lastOn: day('Last charge', { priority: 3, empty: 'None yet' }),
    lastResult: choice('Last result', results, { priority: 2, chars: 15 }),
    enrolledAt: instant('Enrolled', { sort: 'desc', priority: 3 }),
    pausedBy: text('Paused by', { hidden: true }),
    pauseReason: text('Pause reason', { hidden: true }),
    // Id of the person with the account, for a link to the activity log.
    personId: fact(z.number()),
  },
  days: { column: 'enrolledAt', label: 'Enrolled' },
  filters: { status: filters.choice('Status', reported, 'All') },
  search: 'Account, name or email',
  csv: { path: 'muni/export/autopay', access: csv, file: 'autopay' },
})

/** Ended enrollments with their reasons (spec 2.3). */
export const autopayRemovals = defineList('muni/return/autopay/removals', 'AutoPay Removals', {
  nouns: ['removal', 'removals'],
  summary: 'Lists the AutoPay removals with their reasons',
  access: view,
  ofCompany: true,
  personal: true,
  columns: {
    at: instant('Date', { sort: 'desc' }),
    reference: text('Account', { primary: true, csv: 'Account' }),
    name: text('Name', { priority: 1 }),
    email: text('Email', { hidden: true }),
    reason: choice('Reason', endReasons, { group: true, priority: 1, chars: 34 }),
    endedBy: text('Ended by', { priority: 4, empty: 'AutoPay' }),
    note: text('Reason entered by staff', { hidden: true }),
    code: text('Code', { group: true, priority: 3 }),
    methodLabel: text('Method', { priority: 2 }),
    lastCents: { ...cents('Last amount', { priority: 3 }), value: z.nullable(z.number()) },
    enrolledAt: instant('Enrolled', { hidden: true }),
  },
  days: { column: 'at', label: 'Removed', usual: 365 },
  filters: { reason: filters.choice('Reason', endReasons, 'All reasons') },
  search: 'Account, name or email',
  csv: { path: 'muni/export/autopay/removals', access: csv, file: 'autopay-removals' },
})
