import * as z from 'zod/mini'
import type { Access } from '../../shared/endpoint.ts'
import { programs } from '../payments/rules-fees.ts'
import { cents, defineList, fact, filters, flag, text, whole } from '../../shared/list.ts'

const exported: Access = { audience: 'platform', privilege: ['reports_admin', 'create'] }

const companyId = { ...filters.id('Company'), value: z.optional(z.int().check(z.minimum(1), z.maximum(2_147_483_647))) }
/** Options of the filter for absorbed fees (spec 9.5). */
const absorbs = { 1: 'Yes', 0: 'No' } as const
/**
 * Labels of the two ways to date an amount. `payment` is the payment date, as in the Payment Transaction Report, even
 * for later refunds. `money` is the day on which the money moved, as in the bank account.
 */
const days = { payment: 'Payment date', money: 'Date the money moved' } as const

/**
 * Convenience fee report from the ledger (spec 2.12, 2.18), with one row for each company that has money movements in
 * the period. `payments` is the number of payments. `amountCents` is the net amount for the municipality. `paidCents`
 * are fees charged to payers, `absorbedCents` fees absorbed by the municipality, and `refundCents` refunds of both.
 * `feeCents` is `paidCents` + `absorbedCents` − `refundCents`. `totalCents` is the net amount that payers paid.
 */
export const feeReport = defineList('admin/return/fee/report', 'Convenience Fee Report', {
  nouns: ['company', 'companies'],
  summary: 'Lists the convenience fees of each company from the ledger',
  access: { audience: 'platform', privilege: ['reports_admin', 'view'] },
  columns: {
    companyId: { ...fact(z.number()), csv: 'ID' },
    name: text('Company', { primary: true, sort: 'asc' }),
    payments: whole('Payments', { total: 'Total payments:' }),
    amountCents: cents('Amount', { sort: 'desc', total: 'Total Amount:', priority: 1 }),
    paidCents: cents('Fees paid', { total: 'Total fees paid:' }),
    absorbedCents: cents('Fees absorbed', { total: 'Total fees absorbed:' }),
    refundCents: cents('Refunded', { total: 'Total refunded:', csv: 'Fees refunded' }),
    feeCents: cents('Net fees', { sort: 'desc', total: 'Total Fees:', priority: 1 }),
    totalCents: cents('Payment', { total: 'Total Payment:', priority: 1 }),
    cardPayments: whole('Card payments', { hidden: true, total: '' }),
    cardAmountCents: cents('Card amount', { hidden: true, total: '' }),
    cardFeeCents: cents('Card fees', { hidden: true, total: '' }),
    echeckPayments: whole('eCheck payments', { hidden: true, total: '' }),
    echeckAmountCents: cents('eCheck amount', { hidden: true, total: '' }),
    echeckFeeCents: cents('eCheck fees', { hidden: true, total: '' }),
    // Current setting of the company. The setting may have been different for earlier payments.
    absorbsNow: flag('Current Absorb setting', { hidden: true, csv: false }),
  },
  days: { usual: 30, needed: true },
  filters: {
    companyId,
    absorbFee: filters.choice('Absorb', absorbs, 'All'),
    program: filters.choice('Program', programs, 'All programs'),
    countedBy: {
      ...filters.choice('Date used', days, '', 'payment'),
      value: z._default(z.enum(['payment', 'money']), 'payment'),
    },
  },
  search: 'Company',
  csv: { path: 'admin/export/fee/report', access: exported, file: 'convenience-fees' },
})

/**
 * Earnings of the platform, from the ledger. Revenue is credits less debits of the revenue accounts: `paidCents` from
 * payers, and `absorbedCents` from the absorbed-fee account. Expenses are debits less credits of the expense accounts.
 */
export const profitReport = defineList('admin/return/profit/report', 'Profit and Loss Report', {
  nouns: ['company', 'companies'],
  summary: 'Lists the profit and loss of each company from the ledger',
  access: { audience: 'platform', privilege: ['reports_admin', 'view'] },
  columns: {
    name: text('Company', { primary: true, sort: 'asc' }),
    paidCents: cents('Fees from payers', { total: 'Total fees from payers:' }),
    absorbedCents: cents('Absorbed fees', { total: 'Total absorbed fees:' }),
    revenueCents: cents('Revenue', { sort: 'desc', total: 'Total revenue:', priority: 1 }),
    absorbedExpenseCents: cents('Absorbed-fee expense', { hidden: true, total: '' }),
    providerCostCents: cents('Provider cost', { hidden: true, total: '' }),
    expenseCents: cents('Expenses', { total: 'Total expenses:', priority: 1 }),
    netCents: cents('Net', { sort: 'desc', total: 'Net total:', priority: 1 }),
  },
  days: { usual: 30, needed: true },
  filters: { companyId },
  search: 'Company',
  // The file has a row for each municipality, month and account, for use in spreadsheets.
  csv: { path: 'admin/export/profit/report', access: exported, file: 'profit-and-loss' },
})
