import * as z from 'zod/mini'
import { rowId } from '../../shared/body-parts.ts'
import type { Access } from '../../shared/endpoint.ts'
import { cents, choice, code, defineList, fact, filters, instant, text, whole } from '../../shared/list.ts'
import { categories, audiences, feeKinds } from './rules.ts'
import { formTypeStates, submissionStates } from './states.ts'

export const viewAccess: Access = { audience: 'municipality', privilege: ['forms', 'view'] }
export const viewSubmissions: Access = { audience: 'municipality', privilege: ['submissions', 'view'] }

/** The company's forms (spec 2.3). */
export const formTypes = defineList('muni/return/form/types', 'Forms and Documents', {
  nouns: ['form', 'forms'],
  summary: 'Lists the forms of the company',
  access: viewAccess,
  ofCompany: true,
  columns: {
    title: text('Title', { primary: true, sort: 'asc' }),
    category: choice('Category', categories, { group: true }),
    fee: choice('Fee', feeKinds, { priority: 3 }),
    feeCents: fact(z.nullable(z.number())),
    seenBy: choice('Visible to', audiences, { hidden: true }),
    pending: whole('Open submissions', { priority: 1 }),
    year: whole('Submitted in past year', { priority: 3 }),
    version: whole('Version', { priority: 3 }),
    status: choice('Status', formTypeStates.labels, { group: true, priority: 1 }),
  },
  filters: {
    category: filters.choice('Category', categories, 'All categories'),
    status: filters.choice('Status', formTypeStates.labels, 'All statuses'),
  },
  search: 'Search by title',
})

const personId = rowId
/** Filter value of a department: `d` and the department's id, for example `d12`. */
const departmentId = z.string().check(z.regex(/^d[1-9]\d{0,8}$/))
const { 10: _draft, ...sent } = submissionStates.labels

/** Submissions for reviewers: the queue and the report (spec 2.3). */
export const submissions = defineList('muni/return/form/submissions', 'Forms and Documents Report', {
  nouns: ['submission', 'submissions'],
  summary: 'Lists the form submissions of residents',
  access: viewSubmissions,
  ofCompany: true,
  personal: true,
  columns: {
    number: text('Number', { primary: true, chars: 16 }),
    at: instant('Submitted', { sort: 'desc', group: true, priority: 3 }),
    title: text('Form', { group: true, chars: 26, priority: 1 }),
    name: text('From', { chars: 18 }),
    email: text('Email', { hidden: true }),
    phone: text('Phone', { hidden: true }),
    status: { ...code('Status', submissionStates.labels, { group: true, priority: 1 }), value: submissionStates.state },
    rounds: whole('Times submitted', { hidden: true }),
    assignee: text('Assigned to', { group: true, empty: 'Unassigned', chars: 18, priority: 3 }),
    assigneeId: fact(z.nullable(z.number())),
    assigneeActive: fact(z.boolean()),
    fee: cents('Fee', { hidden: true, total: 'Total Fees:' }),
    paid: cents('Paid', { hidden: true, total: 'Total paid:' }),
    updatedAt: instant('Last activity', { sort: 'desc', hidden: true }),
    decidedAt: instant('Decided', { hidden: true }),
    decidedBy: text('Decided by', { hidden: true }),
  },
  usualSort: 'at',
  days: { column: 'at', label: 'Submitted' },
  filters: {
    status: {
      ...filters.choice('Status', { open: 'Open', ...sent }, 'All statuses', 'open'),
      value: z.optional(z.union([z.literal('open'), submissionStates.state])),
    },
    typeId: filters.id('Form'),
    assignee: {
      ...filters.id('Assigned to'),
      value: z.optional(z.union([z.enum(['me', 'department', 'nobody']), personId, departmentId])),
    },
  },
  search: 'Number, name, email or answer',
  csv: { path: 'muni/export/form/submissions', file: 'form-submissions' },
})
