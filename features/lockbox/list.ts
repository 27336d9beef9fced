import { cents, choice, day, defineList, filters, instant, text } from '../../shared/list.ts'
import { lockboxStates } from './states.ts'

/** Lockbox payments and their status. */
export const lockboxPayments = defineList('muni/return/lockbox/payments', 'Lockbox Payments', {
  nouns: ['payment', 'payments'],
  summary: 'Lists the lockbox payments and their status',
  whenOff: 'finish',
  access: { audience: 'municipality', privilege: ['payments', 'view'] },
  ofCompany: true,
  columns: {
    receivedAt: instant('Received', { sort: 'desc' }),
    trace: text('Trace number', { primary: true }),
    account: text('Account'),
    payer: text('Payer'),
    paidOn: day('Paid on', { priority: 3 }),
    amount: cents('Amount', { total: 'Amount:' }),
    state: choice('Status', lockboxStates.labels, { group: true, priority: 1 }),
    reason: text('Reason', { chars: 30, priority: 1 }),
    receipt: text('Receipt', { empty: '–', priority: 3 }),
    file: text('File', { hidden: true }),
  },
  filters: { state: filters.choice('Status', lockboxStates.labels, 'All statuses') },
  days: { column: 'receivedAt' },
  search: 'Trace number, account or payer',
  csv: { path: 'muni/export/lockbox/payments', file: 'bank-payments' },
})
