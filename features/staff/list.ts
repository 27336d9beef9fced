import * as z from 'zod/mini'
import { choice, defineList, fact, filters, instant, text } from '../../shared/list.ts'

const outcomes = { accepted: 'Signed in', refused: 'Refused' } as const

/** The Login Report: who signed in, how, from where, and what was refused (specification 2.3). */
export const loginReport = defineList({
  path: 'muni/return/login/report',
  title: 'Login Report',
  nouns: ['sign-in', 'sign-ins'],
  summary: 'The Login Report, a page at a time',
  access: { audience: ['municipality', 'platform'], privilege: ['reports_management', 'view'] },
  ofCompany: true,
  personal: true,
  columns: {
    at: instant('Date', { sort: 'desc', seconds: true }),
    personId: fact(z.nullable(z.number())),
    name: text('Person', { primary: true, csv: 'Person', empty: 'Unknown email' }),
    email: text('Email', { hidden: true }),
    role: text('Role', { group: true }),
    outcome: choice('Outcome', outcomes, { group: true, priority: 1 }),
    // Most sign-ins have none: it stands in the second line of those that were refused.
    reason: text('Reason', { group: true, priority: 4 }),
    how: text('How', { hidden: true, group: true }),
    address: text('Address', { group: true, priority: 3 }),
    device: text('Device', { priority: 3 }),
  },
  days: { column: 'at', usual: 30 },
  filters: {
    outcome: filters.choice('Outcome', outcomes, 'All outcomes'),
    personId: filters.hidden(z.optional(z.int().check(z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER)))),
  },
  search: 'Name or email',
  csv: {
    path: 'muni/export/login/report',
    access: { audience: ['municipality', 'platform'], privilege: ['reports_management', 'create'] },
    file: 'sign-ins',
  },
})
