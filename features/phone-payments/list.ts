import { cents, choice, defineList, filters, instant, text } from '../../shared/list.ts'
import { outcomes } from './rules.ts'

/** Calls in which residents paid or tried to pay by phone. */
export const phoneCalls = defineList('muni/return/phone/calls', 'Pay by Phone', {
  nouns: ['call', 'calls'],
  summary: 'Lists the calls of residents for payments by phone',
  whenOff: 'finish',
  access: { audience: 'municipality', privilege: ['counter', 'view'] },
  ofCompany: true,
  personal: true,
  columns: {
    startedAt: instant('Call time', { sort: 'desc', primary: true }),
    phone: text('From'),
    reference: text('Account', { empty: '–' }),
    outcome: choice('Outcome', outcomes, { priority: 1 }),
    receipt: text('Receipt', { empty: '–' }),
    amount: cents('Paid'),
  },
  filters: { outcome: filters.choice('Outcome', outcomes, 'All outcomes') },
  days: { column: 'startedAt' },
})
