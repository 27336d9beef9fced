import * as z from 'zod/mini'
import { choice, code, day, defineList, fact, filters, instant, text } from '../../shared/list.ts'
import { viewAccess } from './contract.ts'
import { moveStates } from './states.ts'

/** Short labels for a table column. */
const kinds = { 1: 'Move in', 2: 'Move out', 3: 'Move within' } as const
const moveStatus = { ...choice('Status', moveStates.labels, { group: true, priority: 1 }), value: moveStates.state }

/**
 * 'Move In and Out' (spec 2.3). `icon, moveStatus, email, acctId` are column names from section 3 of the specification.
 */
export const moves = defineList('muni/return/moves', 'Move In and Out', {
  nouns: ['move', 'moves'],
  summary: 'Lists the move requests',
  access: viewAccess,
  ofCompany: true,
  personal: true,
  columns: {
    number: text('Number', { primary: true, chars: 9 }),
    icon: fact(z.enum(['move_in', 'move_out', 'move_within'])),
    kind: {
      ...code('Move', kinds, { group: true, priority: 1 }),
      value: z.union([z.literal(1), z.literal(2), z.literal(3)]),
    },
    movesOn: day('Day', { sort: 'asc', priority: 1 }),
    name: text('Name', { chars: 18 }),
    email: text('Email', { hidden: true }),
    phone: text('Phone', { screen: false }),
    leaves: text('From', { chars: 20, priority: 2 }),
    enters: text('To', { chars: 20, priority: 2 }),
    acctId: text('Account', { chars: 12, hidden: true }),
    owner: choice(
      'Owner',
      { none: 'Not asked', asked: 'Awaiting answer', agreed: 'Agreed', refused: 'Declined' },
      { hidden: true },
    ),
    moveStatus,
    at: instant('Requested', { sort: 'desc', group: true, hidden: true }),
    closedAt: instant('Closed', { screen: false }),
  },
  usualSort: 'at',
  days: { column: 'at', label: 'Requested' },
  filters: {
    status: { ...filters.choice('Status', moveStates.labels, 'All statuses'), value: z.optional(moveStates.state) },
    kind: filters.choice('Move', kinds, 'All moves'),
  },
  search: 'Number, name or address',
  csv: { path: 'muni/export/moves', file: 'moves' },
})
