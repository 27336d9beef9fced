import * as z from 'zod/mini'
import type { Access } from '../../shared/endpoint.ts'
import { cents, choice, day, defineList, filters, instant, text, whole } from '../../shared/list.ts'
import { lineKinds, sources } from './rules.ts'
import { billingFileStates } from './states.ts'
import { rowId } from '../../shared/body-parts.ts'

export const viewAccess: Access = { audience: 'municipality', privilege: ['billing_files', 'view'] }

/** Billing files from the billing system, by every import source. */
export const billingFiles = defineList('muni/return/billing/files', 'Billing Files', {
  nouns: ['file', 'files'],
  summary: 'Lists the billing files and their status',
  access: viewAccess,
  ofCompany: true,
  columns: {
    receivedAt: instant('Received', { sort: 'desc' }),
    name: text('File', { primary: true, chars: 28 }),
    source: choice('Source', sources, { group: true }),
    sender: text('From', { priority: 3 }),
    state: choice('Status', billingFileStates.labels, { group: true, priority: 1 }),
    billsCreated: whole('New bills', { total: 'New bills:' }),
    billsChanged: whole('Paid amounts changed', { priority: 3 }),
    accounts: whole('New accounts', { priority: 3 }),
    errors: whole('Lines with errors', { total: 'Lines with errors:' }),
    billed: cents('Amount billed', { total: 'Amount billed:' }),
  },
  filters: {
    state: filters.choice('Status', billingFileStates.labels, 'All statuses'),
    source: filters.choice('Source', sources, 'All sources'),
  },
  days: { column: 'receivedAt' },
})

const fileId = rowId

/**
 * Changes of one file, and its lines with errors, which come first. A line with a new account and its bill makes two
 * changes.
 */
export const billingLines = defineList('muni/return/billing/lines', 'Changes and Errors', {
  nouns: ['change or error', 'changes and errors'],
  summary: 'Lists the changed and invalid lines of a billing file',
  access: viewAccess,
  ofCompany: true,
  personal: true,
  columns: {
    line: whole('Line', { primary: true, sort: 'asc' }),
    what: choice('Record type', lineKinds, { sort: 'asc' }),
    account: text('Account'),
    customer: text('Customer', { priority: 3 }),
    bill: text('Bill or record number'),
    before: cents('Previous amount', { priority: 3 }),
    amount: cents('Amount'),
    reason: text('Reason', { chars: 36, priority: 1 }),
  },
  usualSort: 'what',
  filters: {
    file: filters.hidden(z.optional(fileId)),
    what: filters.choice('Record type', lineKinds, 'All changes and errors'),
  },
  csv: { path: 'muni/export/billing/lines', file: 'billing-lines' },
})

/** Daily files of payments made through the portal. */
export const remittanceFiles = defineList('muni/return/remittance/files', 'Remittances', {
  nouns: ['file', 'files'],
  summary: 'Lists the daily remittance files',
  access: viewAccess,
  ofCompany: true,
  columns: {
    number: whole('Number', { primary: true, sort: 'desc' }),
    day: day('Period end'),
    credits: whole('Payments', { total: 'Payments:' }),
    creditCents: cents('Amount paid', { total: 'Amount paid:' }),
    reversals: whole('Reversals', { total: 'Reversals:' }),
    reversalCents: cents('Amount reversed', { total: 'Amount reversed:' }),
    madeAt: instant('Created', { priority: 3 }),
  },
})
