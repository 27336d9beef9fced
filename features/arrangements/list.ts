import * as z from 'zod/mini'
import { cents, choice, day, defineList, fact, filters, instant, text } from '../../shared/list.ts'
import { arrangementStates } from './states.ts'

export const arrangementList = defineList('muni/return/arrangements', 'Payment Arrangements', {
  nouns: ['arrangement', 'arrangements'],
  summary: 'Lists the payment arrangements',
  access: { audience: ['municipality', 'platform'], privilege: ['payments', 'view'] },
  ofCompany: true,
  personal: true,
  columns: {
    reference: text('Account', { primary: true, chars: 10 }),
    name: text('Name', { priority: 1 }),
    status: choice('Status', arrangementStates.labels, { priority: 1, chars: 10 }),
    totalCents: cents('Agreed amount', { priority: 1 }),
    paidCents: cents('Paid', { priority: 2 }),
    nextOn: day('Next installment', { priority: 2, empty: 'None' }),
    nextCents: { ...cents('Amount', { priority: 3 }), value: z.nullable(z.number()) },
    madeAt: instant('Created', { sort: 'desc', priority: 3 }),
    madeBy: text('Created by', { hidden: true }),
    kind: fact(z.string()),
    payableId: fact(z.number()),
  },
  usualSort: 'madeAt',
  filters: { status: filters.choice('Status', arrangementStates.labels, 'All statuses') },
  search: 'Account or name',
  csv: { path: 'muni/export/arrangements', file: 'payment-arrangements' },
})
