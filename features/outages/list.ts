import * as z from 'zod/mini'
import type { Access } from '../../shared/endpoint.ts'
import { cents, choice, defineList, fact, filters, instant, text, whole } from '../../shared/list.ts'
import { deferredPaymentStates, deferredActions } from './states.ts'

const access: Access = { audience: ['municipality', 'platform'], privilege: ['payments', 'view'] }

const columns = {
  since: instant('Started', { sort: 'desc', priority: 1, primary: true }),
  until: { ...instant('Ended', { priority: 1, empty: 'Ongoing' }), value: z.nullable(z.string()) },
  provider: text('Provider', { priority: 3 }),
  tried: whole('Payment attempts', { priority: 2 }),
  deferred: whole('Deferred payments', { priority: 3 }),
  paidLater: whole('Paid later', { priority: 3 }),
  unkept: whole('Failed', { priority: 2 }),
} as const

/** Outages of the company's card and bank account payments, and the people who tried to pay. */
export const paymentOutages = defineList('muni/return/payment/outages', 'Payment Outages', {
  nouns: ['outage', 'outages'],
  summary: 'Lists the payment outages with their numbers of attempted payments',
  access,
  ofCompany: true,
  columns,
  days: { column: 'since', label: 'Started' },
  csv: { path: 'muni/export/payment/outages', file: 'payment-outages' },
})

/** Deferred payments that run after an outage. */
export const deferredPayments = defineList('muni/return/deferred/payments', 'Payments after an Outage', {
  nouns: ['payment', 'payments'],
  summary: 'Lists the deferred payments after outages',
  access,
  ofCompany: true,
  personal: true,
  columns: {
    madeAt: instant('Attempted', { sort: 'desc', priority: 1 }),
    reference: text('Account', { primary: true, chars: 12 }),
    payer: text('Payer', { priority: 2, chars: 14 }),
    email: text('Email', { hidden: true }),
    totalCents: cents('Amount with fee', { priority: 1 }),
    action: choice('Requested', deferredActions, { priority: 3, chars: 18 }),
    methodLabel: text('Method', { priority: 4, empty: '–' }),
    status: choice('Status', deferredPaymentStates.labels, { priority: 1, chars: 18 }),
    finishedAt: { ...instant('Status since', { hidden: true }), value: z.nullable(z.string()) },
    paymentId: fact(z.nullable(z.number())),
    outageId: fact(z.number()),
  },
  days: { column: 'madeAt', label: 'Attempted' },
  filters: { status: filters.choice('Status', deferredPaymentStates.labels, 'All statuses') },
  csv: { path: 'muni/export/deferred/payments', file: 'payments-after-outages' },
})

/** Outages of all companies. */
export const allOutages = defineList('admin/return/payment/outages', 'Payment provider outages', {
  nouns: ['outage', 'outages'],
  summary: 'Lists the payment outages of all companies',
  access: { audience: 'platform', privilege: ['reports_admin', 'view'] },
  columns: {
    since: instant('Started', { sort: 'desc', priority: 1 }),
    company: text('Municipality', { primary: true, priority: 1 }),
    until: columns.until,
    provider: columns.provider,
    tried: columns.tried,
  },
  days: { column: 'since', label: 'Started' },
})
