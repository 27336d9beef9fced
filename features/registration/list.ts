import type { Access } from '../../shared/endpoint.ts'
import { choice, code, day, defineList, fact, filters, instant, text, whole } from '../../shared/list.ts'
import * as z from 'zod/mini'
import { kinds } from './rules.ts'
import { registrationStates } from './states.ts'

export const viewAccess: Access = {
  audience: ['municipality', 'platform'],
  privilege: ['registration', 'view'],
}

/** List of the company's registrations (spec 2.3, Registration Reports). */
export const registrations = defineList('muni/return/registrations', 'Registration Reports', {
  nouns: ['registration', 'registrations'],
  summary: 'Lists the registrations of households, businesses and rental properties',
  access: viewAccess,
  ofCompany: true,
  personal: true,
  columns: {
    number: text('Number', { primary: true, sort: 'asc', chars: 9 }),
    kind: code('Kind', kinds, { group: true, priority: 2 }),
    name: text('Name', { sort: 'asc', priority: 1 }),
    location: text('Address', { sort: 'asc', priority: 1 }),
    owner: text('Registered by', { hidden: true }),
    status: choice('Status', registrationStates.labels, { group: true, priority: 1 }),
    confirmBy: day('Confirmation due', { sort: 'asc', empty: 'None', priority: 2 }),
    inspectBy: day('Inspection due', { sort: 'asc', empty: 'None', hidden: true }),
    people: whole('People', { hidden: true }),
    units: whole('Units', { hidden: true }),
    changed: instant('Changed', { sort: 'desc', group: true, hidden: true }),
    email: fact(z.string()),
  },
  usualSort: 'changed',
  filters: {
    kind: filters.code('Kind', kinds, 'All kinds'),
    status: filters.choice('Status', registrationStates.labels, 'All statuses'),
  },
  days: { column: 'changed', label: 'Changed' },
  search: 'Address, name or number',
  csv: { path: 'muni/export/registrations', file: 'registrations' },
})
