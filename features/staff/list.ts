import * as z from 'zod/mini'
import type { Access } from '../../shared/endpoint.ts'
import { choice, defineList, fact, filters, instant, text } from '../../shared/list.ts'
import { accountStates } from '../../shared/account-states.ts'
import { rowId as id } from '../../shared/body-parts.ts'

const outcomes = { accepted: 'Signed in', refused: 'Denied' } as const

/** Login Report (spec 2.3): person, method and device of each successful or refused sign-in. */
export const loginReport = defineList('muni/return/login/report', 'Login Report', {
  nouns: ['sign-in', 'sign-ins'],
  summary: 'Lists the sign-ins of the Login Report',
  access: { audience: ['municipality', 'platform'], privilege: ['reports', 'view'] },
  ofCompany: true,
  personal: true,
  columns: {
    at: instant('Date', { sort: 'desc', seconds: true }),
    personId: fact(z.nullable(z.number())),
    name: text('Person', { primary: true, csv: 'Person', empty: 'Unknown email' }),
    email: text('Email', { hidden: true }),
    role: text('Role', { group: true, priority: 3, chars: 22 }),
    outcome: choice('Outcome', outcomes, { group: true, priority: 1 }),
    // Reason why a sign-in was refused. Empty for most sign-ins.
    reason: text('Reason', { group: true }),
    how: text('Method', { hidden: true, group: true }),
    address: text('Address', { group: true, chars: 17 }),
    device: text('Device', { priority: 4, chars: 20 }),
  },
  days: { column: 'at', usual: 30 },
  filters: {
    outcome: filters.choice('Outcome', outcomes, 'All outcomes'),
    personId: filters.hidden(z.optional(id)),
  },
  search: 'Name or email',
  csv: {
    path: 'muni/export/login/report',
    access: { audience: ['municipality', 'platform'], privilege: ['reports', 'create'] },
    file: 'sign-ins',
  },
})

/** Defines a column that appears only in the CSV file. */
const named = (csv: string) => ({ ...fact(z.string()), csv })

interface StaffListOptions {
  access: Access
  ofCompany: boolean
  csv?: { path: string; file: string }
}

/** Defines the staff list of a company or of the platform. */
const staffList = (path: string, title: string, options: StaffListOptions) =>
  defineList(path, title, {
    ...options,
    nouns: ['person', 'people'],
    summary: 'Lists the staff members',
    columns: {
      name: text('Name', { primary: true, sort: 'asc', csv: false }),
      lastName: named('Last name'),
      firstName: named('First name'),
      email: text('Email', { priority: 1 }),
      roleId: fact(z.number()),
      role: text('Role', { group: true, chars: 22 }),
      roleKey: fact(z.string()),
      position: text('Position', { priority: 3 }),
      department: text('Department', { group: true, empty: 'None' }),
      status: choice('Status', accountStates.labels, { group: true, priority: 1 }),
      lastSignIn: instant('Last sign-in', { priority: 3, empty: 'Never' }),
      // Number of sub-modules in which the person's privileges differ from the role's defaults.
      differs: fact(z.int()),
    },
    filters: {
      status: filters.choice('Status', accountStates.labels, 'All statuses'),
      departmentId: { ...filters.id('Department'), value: z.optional(id) },
    },
    search: 'Search',
  })

export const companyStaffList = staffList('muni/return/municipality/staff', 'Staff', {
  access: { audience: ['municipality', 'platform'], privilege: ['staff', 'view'] },
  ofCompany: true,
  csv: { path: 'muni/export/municipality/staff', file: 'staff' },
})

export const platformStaffList = staffList('admin/return/platform/staff', 'Admin users', {
  access: { audience: 'platform', privilege: ['user_management', 'view'] },
  ofCompany: false,
})
