import { choice, day, defineList, filters, text } from '../../shared/list.ts'
import { channels } from '../payments/rules-fees.ts'
import { settings } from './contract.ts'

export const standings = { ahead: 'Ahead', in_force: 'In force', past: 'Over' } as const
export const methodNames = { 1: 'Card', 2: 'eCheck' } as const

/** All past, current and future rules of the company, newest first. */
export const feeRules = defineList('muni/return/fee/rules', 'Fee Rules', {
  nouns: ['rule', 'rules'],
  summary: 'The fee rules of the town by their days, a page at a time',
  access: settings,
  ofCompany: true,
  columns: {
    validFrom: day('From', { sort: 'desc', priority: 1 }),
    validTo: day('To', { priority: 3 }),
    paid: text('What is paid', { primary: true, letters: 16 }),
    method: choice('Method', methodNames, { letters: 7 }),
    channel: text('Channel', { letters: 8 }),
    card: text('Cards', { letters: 9, priority: 3 }),
    fee: text('Fee', { letters: 26, priority: 1 }),
    standing: choice('Status', standings, { group: true, priority: 1, letters: 8 }),
    against: text('Networks', { letters: 14 }),
    madeBy: text('Made by', { hidden: true }),
  },
  usualSort: 'validFrom',
  filters: {
    standing: filters.choice('Status', standings, 'All'),
    channel: filters.choice('Channel', channels, 'All channels'),
  },
})
