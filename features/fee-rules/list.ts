import { choice, day, defineList, filters, text } from '../../shared/list.ts'
import { channels } from '../payments/rules-fees.ts'
import { viewAccess } from './contract.ts'

export const standings = { ahead: 'Upcoming', in_force: 'Active', past: 'Ended' } as const
export const methodNames = { 1: 'Card', 2: 'eCheck' } as const

/** All past, current and future rules of the company, newest first. */
export const feeRules = defineList('muni/return/fee/rules', 'Fee Rules', {
  nouns: ['rule', 'rules'],
  summary: "Lists the company's past, current and future fee rules",
  access: viewAccess,
  ofCompany: true,
  columns: {
    validFrom: day('From', { sort: 'desc', priority: 1 }),
    validTo: day('To', { priority: 3 }),
    paid: text('Items to pay', { primary: true, chars: 28 }),
    method: choice('Method', methodNames, { chars: 7 }),
    channel: text('Channel', { chars: 8 }),
    card: text('Cards', { chars: 9, priority: 3 }),
    fee: text('Fee', { chars: 26, priority: 1 }),
    status: choice('Status', standings, { group: true, priority: 1, chars: 8 }),
    against: text('Card networks', { chars: 14, priority: 1 }),
    madeBy: text('Created by', { hidden: true }),
  },
  usualSort: 'validFrom',
  filters: {
    status: filters.choice('Status', standings, 'All'),
    channel: filters.choice('Channel', channels, 'All channels'),
  },
})
