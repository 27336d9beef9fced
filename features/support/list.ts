import * as z from 'zod/mini'
import { choice, code, type Column, defineList, fact, filters, instant, text } from '../../shared/list.ts'
import { categories } from './rules.ts'
import { requestStates } from './states.ts'
import { rowId } from '../../shared/body-parts.ts'

/** Defines a column that appears only in the CSV file. */
const filed = (label: string): Column<string> => text(label, { screen: false })

const companyId = z.int().check(z.minimum(1), z.maximum(2_147_483_647))
const personId = rowId
/** Department filter. `d12` is the department with id 12. */
const departmentId = z.string().check(z.regex(/^d[1-9]\d{0,8}$/))
/** Status filter. `open` includes all statuses except completed and invalid. */
const statuses = { open: 'Open', ...requestStates.labels }

/** Requests of all companies. Shows open requests by default. Dates are days in UTC. */
export const requestList = defineList('admin/return/support/requests', 'Support Requests', {
  nouns: ['request', 'requests'],
  summary: 'Lists the support requests of all companies',
  access: { audience: 'platform', privilege: ['communication_management', 'view'] },
  personal: true,
  columns: {
    number: text('Number', { primary: true }),
    companyId: fact(z.number()),
    company: text('Company', { hidden: true, group: true }),
    at: instant('Received', { sort: 'desc' }),
    statusInFile: filed('Status'),
    category: choice('About', categories, { group: true }),
    // Beginning of the message, as one line.
    subject: fact(z.string()),
    name: text('From', { csv: 'Name' }),
    email: text('Email', { hidden: true }),
    phone: filed('Phone'),
    accountNumber: filed('Account Number'),
    address: filed('Service Address'),
    status: { ...code('Status', requestStates.labels, { group: true, csv: false }), value: requestStates.state },
    // `wrote again` means that the requester wrote the latest message, after a reply.
    replyStatus: fact(z.enum(['not yet', 'yes', 'wrote again'])),
    assignee: text('Assigned to', { group: true, empty: 'Unassigned' }),
    assigneeId: fact(z.nullable(z.number())),
    // False for former staff. Their requests stay assigned to them until someone reassigns them.
    assigneeActive: fact(z.boolean()),
    updatedAt: instant('Last activity', { sort: 'desc', hidden: true, csv: false }),
    firstReplyAt: instant('First reply', { screen: false }),
    closedAt: instant('Closed', { screen: false }),
    message: filed('Message'),
  },
  days: { column: 'at', label: 'Received' },
  filters: {
    companyId: { ...filters.id('Company'), value: z.optional(companyId) },
    status: {
      ...filters.choice('Status', statuses, 'All statuses', 'open'),
      value: z.optional(z.union([z.literal('open'), requestStates.state])),
    },
    assignee: {
      ...filters.id('Assigned to'),
      value: z.optional(z.union([z.literal('me'), z.literal('nobody'), personId, departmentId])),
    },
    category: filters.choice('About', categories, 'Everything'),
  },
  search: 'Number, name, email or text',
  csv: { path: 'admin/export/support/requests', file: 'support-requests' },
})
