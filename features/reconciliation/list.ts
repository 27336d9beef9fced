import { defineList, flag, instant, text, whole } from '../../shared/list.ts'

/** What the payment provider told and could not be written down yet: of all towns, as a rule nothing at all. */
export const waitingEvents = defineList('admin/return/provider/events', 'Reconciliation', {
  nouns: ['event', 'events'],
  summary: "The payment provider's events that could not be applied, a page at a time",
  access: { audience: 'platform', privilege: ['reports_admin', 'view'] },
  columns: {
    at: instant('Time', { sort: 'desc' }),
    // As the provider names it: `refund`, and the id of the object.
    about: text('About', { primary: true }),
    town: text('Municipality', { empty: 'Not known', group: true }),
    nextTry: instant('Next try'),
    givenUp: flag('Given up', { group: true, hidden: true }),
    tries: whole('Tries'),
    error: text('What is against it', { priority: 1 }),
  },
  search: 'Search',
})
