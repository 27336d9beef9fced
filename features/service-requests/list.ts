import * as z from 'zod/mini'
import { choice, code, defineList, fact, filters, instant, text, whole } from '../../shared/list.ts'
import { viewAccess } from './contract-staff.ts'
import { sources } from './rules.ts'
import { requestStates } from './states.ts'
import { rowId } from '../../shared/body-parts.ts'

const personId = rowId
/** Value of the department filter. `d12` means the department with id 12. */
const departmentId = z.string().check(z.regex(/^d[1-9]\d{0,8}$/))

const status = { ...code('Status', requestStates.labels, { group: true, priority: 1 }), value: requestStates.state }
const statusOptions = { open: 'Open', ...requestStates.labels, spam: 'Spam', merged: 'Merged', call_back: 'Call back' }
const statusFilter = (usual: 'open' | '') => ({
  ...filters.choice('Status', statusOptions, 'All statuses', usual),
  value: z.optional(z.union([z.enum(['open', 'spam', 'merged', 'call_back']), requestStates.state])),
})
const assigneeFilter = {
  ...filters.id('Assigned to'),
  value: z.optional(z.union([z.enum(['me', 'department', 'nobody']), personId, departmentId])),
}
const categoryFilter = filters.id('Category')

/** Request inbox for staff. Lists open requests by default. Spam appears only if staff choose its filter. */
export const inbox = defineList('muni/return/communications', 'Customer Communications', {
  nouns: ['request', 'requests'],
  summary: 'Lists the requests of residents',
  access: viewAccess,
  ofCompany: true,
  personal: true,
  columns: {
    number: text('Number', { primary: true, chars: 21 }),
    at: instant('Received', { sort: 'desc', priority: 4 }),
    title: text('Category', { group: true, chars: 26, priority: 1 }),
    subject: fact(z.string()),
    location: text('Location', { chars: 22, priority: 3 }),
    name: text('From', { chars: 16, priority: 3 }),
    email: text('Email', { hidden: true }),
    phone: text('Phone', { hidden: true }),
    status,
    // Reply status. The value `wrote again` means that the requester wrote the latest message, after a reply.
    replyStatus: fact(z.enum(['not yet', 'yes', 'wrote again'])),
    assignee: text('Assigned to', { group: true, empty: 'Unassigned', chars: 18 }),
    assigneeId: fact(z.nullable(z.number())),
    assigneeActive: fact(z.boolean()),
    dueAt: instant('Target date', { sort: 'asc', csv: 'Target day', chars: 18, priority: 1 }),
    late: fact(z.boolean()),
    followers: whole('Followers', { hidden: true }),
    updatedAt: instant('Last activity', { sort: 'desc', hidden: true }),
    closedAt: instant('Closed', { screen: false }),
    description: text('Description', { screen: false }),
    cameBy: choice('Source', sources, { screen: false }),
    callBack: fact(z.boolean()),
  },
  days: { column: 'at', label: 'Received' },
  filters: {
    status: statusFilter('open'),
    assignee: assigneeFilter,
    category: categoryFilter,
    late: filters.flag('Overdue only'),
  },
  search: 'Number, name, location or text',
  csv: { path: 'muni/export/communications', file: 'customer-communications' },
})

const yesNo = { yes: 'Overdue', no: 'On time' }

/** 'Communication Report' (spec 2.3): requests, their results, and the share of overdue requests. */
export const report = defineList('muni/return/communication/report', 'Communication Report', {
  nouns: ['request', 'requests'],
  summary: 'Lists the requests of the Communication Report with their results',
  access: viewAccess,
  ofCompany: true,
  personal: true,
  columns: {
    number: text('Number', { primary: true, chars: 16 }),
    at: instant('Received', { sort: 'desc', group: true }),
    title: text('Category', { group: true, chars: 26, priority: 1 }),
    department: text('Department', { group: true, empty: 'None', chars: 18 }),
    status,
    cameBy: choice('Source', sources, { group: true, hidden: true }),
    firstReplyAt: instant('First reply', { hidden: true }),
    closedAt: instant('Closed', { hidden: true }),
    dueAt: instant('Target date', { hidden: true }),
    timing: choice('Timeliness', yesNo, { group: true, hidden: true }),
    // Always 1. The sum is the denominator of the percentages.
    requests: whole('Requests', { total: '', screen: false, csv: false }),
    completed: whole('Completed', { total: 'Completed:', shareOf: 'requests', priority: 3 }),
    late: whole('Overdue', { total: 'Overdue:', shareOf: 'requests', priority: 1 }),
    days: whole('Days to close', { csv: 'Days until closed' }),
  },
  usualSort: 'at',
  days: { column: 'at', label: 'Received', usual: 30 },
  filters: { status: statusFilter(''), category: categoryFilter },
  search: 'Number, name, location or text',
  csv: { path: 'muni/export/communication/report', file: 'communication-report' },
})
