import * as z from 'zod/mini'
import { choice, day, defineList, filters, instant, text, whole } from '../../shared/list.ts'
import { viewAccess } from '../rentals/contract.ts'
import { applicationStates, roundStates } from './states.ts'

/** Allocation rounds, in which residents apply for recurring times of a season. */
export const rounds = defineList('muni/return/rental/rounds', 'Seasons', {
  nouns: ['round', 'rounds'],
  summary: 'Lists the allocation rounds',
  access: viewAccess,
  ofCompany: true,
  columns: {
    name: text('Name', { primary: true, chars: 24 }),
    status: { ...choice('Status', roundStates.labels, { priority: 1 }), value: roundStates.state },
    seasonFrom: day('Season start', { sort: 'desc', priority: 1 }),
    seasonUntil: day('Season end', { priority: 2 }),
    opensAt: instant('Applications open', { priority: 3 }),
    closesAt: instant('Last day to apply', { priority: 2 }),
    applications: whole('Applications', { priority: 1 }),
  },
  usualSort: 'seasonFrom',
  filters: {
    status: { ...filters.choice('Status', roundStates.labels, 'All statuses'), value: z.optional(roundStates.state) },
  },
})

/** Applications of residents to allocation rounds. */
export const applications = defineList('muni/return/rental/applications', 'Applications', {
  nouns: ['application', 'applications'],
  summary: 'Lists the applications to allocation rounds',
  access: viewAccess,
  ofCompany: true,
  personal: true,
  columns: {
    number: text('Number', { primary: true, chars: 9 }),
    name: text('Name', { chars: 18, priority: 1 }),
    club: text('Team or club', { chars: 18, priority: 1 }),
    status: {
      ...choice('Status', applicationStates.labels, { group: true, priority: 1 }),
      value: applicationStates.state,
    },
    group: text('Group', { chars: 14, priority: 2 }),
    rankedChoices: whole('Choices', { priority: 2 }),
    purpose: text('Purpose', { chars: 18, priority: 3 }),
    email: text('Email', { hidden: true }),
    phone: text('Phone', { screen: false }),
    createdAt: instant('Applied', { sort: 'desc', priority: 3 }),
  },
  usualSort: 'createdAt',
  filters: {
    status: {
      ...filters.choice('Status', applicationStates.labels, 'All statuses'),
      value: z.optional(applicationStates.state),
    },
    round: filters.id('Round'),
  },
  search: 'Number, name, club or purpose',
  csv: { path: 'muni/export/rental/applications', file: 'applications' },
})
