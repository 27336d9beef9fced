import { cents, choice, defineList, filters, instant, text, whole } from '../../shared/list.ts'
import { drawerStates } from './states.ts'

/** Drawers of the counter with their over/short amounts. */
export const drawers = defineList('muni/return/drawers', 'Cash Drawers', {
  nouns: ['drawer', 'drawers'],
  summary: 'Lists the cash drawers of the counter',
  access: { audience: ['municipality', 'platform'], privilege: ['counter', 'view'] },
  ofCompany: true,
  columns: {
    cashier: text('Staff member', { primary: true }),
    openedAt: instant('Opened', { sort: 'desc', priority: 1 }),
    closedAt: instant('Closed', { priority: 4, empty: '–' }),
    status: choice('Status', drawerStates.labels, { priority: 1 }),
    payments: whole('Payments', { priority: 4 }),
    openingCents: cents('Opening cash', { priority: 3 }),
    closingCents: cents('Counted cash'),
    overShortCents: cents('Over/short', { priority: 1, total: 'Over/short:' }),
    correctedCents: cents('Corrections', { hidden: true, total: 'Corrections:' }),
    note: text('Note', { hidden: true }),
  },
  usualSort: 'openedAt',
  days: { column: 'openedAt', usual: 30 },
  filters: { status: filters.choice('Status', drawerStates.labels, 'All statuses') },
  csv: { path: 'muni/export/drawers', file: 'drawers' },
})
