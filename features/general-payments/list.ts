import type { Access } from '../../shared/endpoint.ts'
import * as z from 'zod/mini'
import { cents, choice, defineList, fact, filters, instant, text } from '../../shared/list.ts'
import { amountKinds, audiences, categories, chargeStatuses } from './rules.ts'
import { paymentTypeStates } from './states.ts'

/** Platform staff have the same permissions as municipal staff, in every company (product rules, section 8). */
export const staff = ['municipality', 'platform'] as const
const viewAccess: Access = { audience: staff, privilege: ['general_payments', 'view'] }
export const seesPayments: Access = { audience: staff, privilege: ['payments', 'view'] }

/** Payment types of the company other than utility bills (spec 2.3). */
export const paymentTypes = defineList('muni/return/general/payment/types', 'General Payments', {
  nouns: ['payment type', 'payment types'],
  summary: 'Lists the payment types of the company',
  access: viewAccess,
  ofCompany: true,
  columns: {
    title: text('Title', { primary: true, sort: 'asc' }),
    category: choice('Category', categories, { group: true }),
    amountKind: choice('Amount', amountKinds, { priority: 3 }),
    amountCents: fact(z.nullable(z.number())),
    seenBy: choice('Visible to', audiences, { hidden: true }),
    // Number and total of paid charges.
    payments: fact(z.number()),
    collected: cents('Collected', { priority: 1 }),
    status: choice('Status', paymentTypeStates.labels, { group: true, priority: 1 }),
  },
  filters: {
    category: filters.choice('Category', categories, 'All categories'),
    status: filters.choice('Status', paymentTypeStates.labels, 'All statuses'),
  },
  search: 'Search by title',
})

/** Payments received, plus open items and payment links that are still unpaid. */
export const generalCharges = defineList('muni/return/general/payments', 'General Payments Received', {
  nouns: ['payment', 'payments'],
  summary: "Lists the company's general payments and unpaid open items",
  whenOff: 'finish',
  access: seesPayments,
  ofCompany: true,
  personal: true,
  columns: {
    at: instant('Date', { sort: 'desc' }),
    number: text('Number', { primary: true, chars: 15 }),
    type: text('Payment', { priority: 1 }),
    payer: text('Payer'),
    email: text('Email', { hidden: true }),
    address: text('Address', { hidden: true }),
    stockNumber: text('Issued number', { hidden: true, chars: 10 }),
    answers: text('Answers', { screen: false }),
    amount: cents('Amount', { total: 'Total Amount:' }),
    paid: cents('Paid', { total: 'Total paid:', priority: 1 }),
    status: choice('Status', chargeStatuses, { group: true, priority: 1 }),
  },
  filters: {
    typeId: filters.id('Payment'),
    status: filters.choice('Status', chargeStatuses, 'All', 'paid'),
  },
  days: { column: 'at', label: 'Date' },
  search: 'Name, number, email or answer',
  csv: { path: 'muni/export/general/payments', file: 'general-payments' },
})
