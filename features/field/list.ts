import { choice, defineList, filters, instant, text } from '../../shared/list.ts'
import { viewAccess } from './contract.ts'
import { conflictStates } from './states.ts'

/** Offline actions that conflict with other changes. */
export const conflicts = defineList('muni/return/field/conflicts', 'Conflicts', {
  nouns: ['conflict', 'conflicts'],
  summary: 'What was done without a connection and met what others had done, a page at a time',
  access: viewAccess,
  ofCompany: true,
  columns: {
    subject: text('What it is about', { primary: true, chars: 24 }),
    label: text('What was done', { chars: 28, priority: 1 }),
    by: text('By', { chars: 16, priority: 2 }),
    madeAt: instant('When', { sort: 'desc', priority: 2 }),
    status: choice('Choice', conflictStates.labels, { priority: 1 }),
    settledBy: text('Chosen by', { hidden: true }),
  },
  usualSort: 'madeAt',
  filters: { status: filters.choice('Choice', conflictStates.labels, 'All choices', 'open') },
})
