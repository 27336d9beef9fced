import * as z from 'zod/mini'
import { cents, choice, defineList, fact, filters, instant, text } from '../../shared/list.ts'
import { refundStates } from '../payments/states.ts'
import { refundKinds } from './contract.ts'

/** Refunds that staff requested, including refunds that await approval. */
export const refundList = defineList('muni/return/refunds', 'Refunds and Voids', {
  nouns: ['refund', 'refunds'],
  summary: 'Lists the refunds and voids requested by staff',
  access: { audience: ['municipality', 'platform'], privilege: ['refunds', 'view'] },
  ofCompany: true,
  personal: true,
  columns: {
    receipt: text('Payment', { primary: true, chars: 10 }),
    paymentId: fact(z.number()),
    requestedAt: instant('Requested', { sort: 'desc', priority: 1 }),
    kind: choice('Kind', refundKinds, { chars: 7 }),
    payer: text('Payer', { chars: 14 }),
    amountCents: cents('Amount', { priority: 1 }),
    status: choice('Status', refundStates.labels, { priority: 1, chars: 24 }),
    requestedBy: text('Requested by', { chars: 12 }),
    decidedBy: text('Decided by', { priority: 4, chars: 12, csv: 'Approved or declined by' }),
    reason: text('Reason', { priority: 4 }),
    note: text('Note', { hidden: true }),
  },
  usualSort: 'requestedAt',
  days: { column: 'requestedAt' },
  filters: { status: filters.choice('Status', refundStates.labels, 'All statuses') },
  csv: { path: 'muni/export/refunds', file: 'refunds' },
})
