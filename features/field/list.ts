import { choice, defineList, filters, instant, text } from '../../shared/list.ts'
import { viewAccess } from './contract.ts'
import { conflictStates } from './states.ts'

/** Offline actions that conflict with other changes. */
export const conflicts = defineList('muni/return/field/conflicts', 'Sync Conflicts', {
  nouns: ['sync conflict', 'sync conflicts'],
  summary: 'Lists the sync conflicts of offline work',
  access: viewAccess,
  ofCompany: true,
  columns: {
    subject: text('Subject', { primary: true, chars: 24 }),
    label: text('Action taken', { chars: 28, priority: 1 }),
    by: text('By', { chars: 16, priority: 2 }),
    madeAt: instant('Date', { sort: 'desc', priority: 2 }),
    status: choice('Decision', conflictStates.labels, { priority: 1 }),
    decidedBy: text('Decided by', { hidden: true }),
  },
  usualSort: 'madeAt',
  filters: { status: filters.choice('Decision', conflictStates.labels, 'All decisions', 'open') },
})
