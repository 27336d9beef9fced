import * as z from 'zod/mini'
import type { Access } from '../../shared/endpoint.ts'
import { cents, choice, day, defineList, fact, filters, flag, instant, text, whole } from '../../shared/list.ts'
import { lineResolutionLabels, exceptionKinds } from './rules.ts'
import { exceptionStates } from './states.ts'

const viewAccess: Access = { audience: 'municipality', privilege: ['reconcile', 'view'] }

/** Provider events of all companies that the portal could not apply yet. The list is usually empty. */
export const pendingEvents = defineList('admin/return/provider/events', 'Reconciliation', {
  nouns: ['event', 'events'],
  summary: 'Lists the provider events that could not be applied',
  access: { audience: 'platform', privilege: ['reports_admin', 'view'] },
  columns: {
    at: instant('Time', { sort: 'desc' }),
    // Type of the event and the provider's id of its object, for example `refund` and the refund's id.
    about: text('About', { primary: true }),
    company: text('Municipality', { empty: 'Unknown', group: true }),
    nextTry: instant('Next attempt'),
    abandoned: flag('Retries ended', { group: true, hidden: true }),
    tries: whole('Attempts'),
    error: text('Error', { priority: 1 }),
  },
  search: 'Search',
})

/** Reconciliation status of each company, with its exceptions. */
export const reconciledCompanies = defineList('admin/return/reconciled/companies', 'Reconciliation by municipality', {
  nouns: ['municipality', 'municipalities'],
  summary: 'Lists the reconciliation status of each company',
  access: { audience: 'platform', privilege: ['reports_admin', 'view'] },
  columns: {
    name: text('Municipality', { primary: true, sort: 'asc' }),
    closedThrough: text('Closed through', { empty: 'Not closed yet', priority: 1 }),
    open: whole('Open exceptions', { total: 'Open exceptions:', priority: 1 }),
    oldest: text('Oldest exception', { empty: '–', priority: 2 }),
    openCents: cents('Total', { priority: 2 }),
    pendingPayments: whole('Payouts in transit', { total: '', priority: 3 }),
    pendingCents: cents('In transit', { total: 'In transit:', priority: 2 }),
  },
  search: 'Municipality',
})

/** Payouts from providers to the company's bank. */
export const payouts = defineList('muni/return/payouts', 'Payouts', {
  nouns: ['payout', 'payouts'],
  summary: "Lists the provider payouts to the company's bank",
  access: viewAccess,
  ofCompany: true,
  columns: {
    paidAt: instant('Date', { sort: 'desc', priority: 1 }),
    trace: text('Trace number', { primary: true, chars: 18 }),
    payments: whole('Transactions', { priority: 3 }),
    gross: cents('Gross', { total: 'Gross:', priority: 2 }),
    cost: cents('Provider cost', { total: 'Provider cost:', priority: 2 }),
    net: cents('Paid out', { total: 'Paid out:', priority: 1 }),
    arrivesOn: day('Arrival date', { priority: 2 }),
    deposited: text('At the bank', { empty: 'Not yet arrived', priority: 1, chars: 21 }),
    differs: fact(z.boolean()),
    provider: text('Provider', { hidden: true }),
    /** True if the company has several providers, so that each payout must name its provider. */
    hasSeveralProviders: fact(z.boolean()),
  },
  usualSort: 'paidAt',
  filters: { arrived: filters.choice('At the bank', { yes: 'Arrived', no: 'Not yet arrived' }, 'All') },
  days: { column: 'paidAt' },
  search: 'Trace number',
  csv: { path: 'muni/export/payouts', file: 'payouts' },
})

/** Bank statement lines with their matches. */
export const bankLines = defineList('muni/return/bank/lines', 'Bank Statements', {
  nouns: ['line', 'lines'],
  summary: 'Lists the bank statement lines and their matches',
  access: viewAccess,
  ofCompany: true,
  columns: {
    day: day('Day', { sort: 'desc', priority: 1 }),
    text: text('Bank description', { primary: true, chars: 36 }),
    reference: text('Reference', { priority: 3 }),
    account: text('Account', { priority: 3, chars: 6 }),
    amount: cents('Amount', { total: 'Amount:', priority: 1 }),
    became: choice('Match', lineResolutionLabels, { group: true, priority: 1 }),
    decidedBy: text('By', { empty: '–', hidden: true }),
    reason: text('Reason', { hidden: true }),
  },
  filters: { became: filters.choice('Match', lineResolutionLabels, 'All') },
  days: { column: 'day' },
  search: 'Description or reference',
  csv: { path: 'muni/export/bank/lines', file: 'bank-lines' },
})

/** Exceptions with their age and owner. */
export const exceptions = defineList('muni/return/recon/exceptions', 'Exceptions', {
  nouns: ['exception', 'exceptions'],
  summary: 'Lists the exceptions between bills, ledger, provider and bank',
  access: viewAccess,
  ofCompany: true,
  columns: {
    day: day('Day', { sort: 'desc', priority: 1 }),
    kind: choice('Exception type', exceptionKinds, { group: true, priority: 1 }),
    about: text('Subject', { primary: true, chars: 32 }),
    amount: cents('Amount', { priority: 1 }),
    /**
     * Counts only open exceptions. Shortages and overages have separate totals, so that they do not offset each other.
     */
    shortCents: cents('Short', { hidden: true, csv: false, total: 'Open shortages:' }),
    overCents: cents('Over', { hidden: true, csv: false, total: 'Open overages:' }),
    status: { ...choice('Status', exceptionStates.labels, { group: true, priority: 1 }), value: exceptionStates.state },
    owner: text('Owner', { empty: 'Unassigned', group: true, priority: 2 }),
    age: whole('Age in days', { priority: 2, csv: false }),
    reason: text('Result', { empty: '–', chars: 24 }),
  },
  usualSort: 'day',
  filters: {
    status: {
      ...filters.choice('Status', exceptionStates.labels, 'All statuses'),
      value: z.optional(exceptionStates.state),
    },
    kind: filters.choice('Exception type', exceptionKinds, 'All types'),
  },
  days: { column: 'day' },
  search: 'Subject, owner or reason',
  csv: { path: 'muni/export/recon/exceptions', file: 'exceptions' },
})
