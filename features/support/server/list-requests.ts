import { type RawBuilder, sql } from 'kysely'
import { signedIn } from '../../../server/call.ts'
import { csvLabels } from '../../../server/csv.ts'
import { implementList } from '../../../server/list.ts'
import { matchesSearch } from '../../../server/list-sql.ts'
import { midnightIn } from '../../../shared/dates.ts'
import { requestList } from '../list.ts'
import { idIn } from '../rules.ts'
import { requestStates } from '../states.ts'
import { OPEN } from './case.ts'
import { replyStatus, assigneeActive, assigneeName, departmentName, subjectOf } from './row.ts'

/** Minimum length of a search text, in characters. A search for a request number requires the complete number. */
const MIN_LENGTH = 3

/** Lists the requests of all companies, using the index that fits the filters. */
export const requestLists = implementList(requestList, {
  table: sql`support_request`,
  joins: sql`LEFT JOIN company c ON c.id = r.company_id LEFT JOIN platform_person p ON p.id = r.assigned_to`,
  // A request's last activity is never before its arrival, so a scan by activity can start at `fromDate`. With another
  // sort order, this extra condition would make the planner underestimate the number of rows.
  where: ({ question: { filters, sort } }) =>
    filters.fromDate && sort === 'updatedAt' ? [sql`r.updated_at >= ${midnightIn('UTC', filters.fromDate)}`] : [],
  columns: {
    number: sql`'S' || r.id`,
    companyId: 'company_id',
    company: sql`c.name`,
    at: 'created_at',
    statusInFile: csvLabels('r.status', requestStates.labels),
    category: 'category',
    subject: sql`''`,
    name: 'name',
    email: 'email',
    phone: 'phone',
    accountNumber: 'account_number',
    address: sql`concat_ws(', ', nullif(r.address, ''), nullif(r.city, ''), nullif(trim(r.state || ' ' || r.zipcode), ''))`,
    status: 'status',
    replyStatus,
    assignee: sql`coalesce(${assigneeName}, ${departmentName}, '')`,
    assigneeId: 'assigned_to',
    assigneeActive: sql`coalesce(${assigneeActive}, false)`,
    updatedAt: 'updated_at',
    firstReplyAt: 'first_reply_at',
    closedAt: 'closed_at',
    message: 'message',
  },
  filters: {
    status: (status) => (status === 'open' ? OPEN : sql`r.status = ${status}`),
    companyId: (company) => sql`r.company_id = ${company}`,
    assignee: (assignee, { call }) => {
      if (assignee === 'nobody') return sql`r.assigned_to IS NULL AND r.department_id IS NULL`
      if (assignee === 'me') return sql`r.assigned_to = ${signedIn(call).personId}`
      return typeof assignee === 'string'
        ? sql`r.department_id = ${Number(assignee.slice(1))}`
        : sql`r.assigned_to = ${assignee}`
    },
  },
  unindexed: { category: 'Only six categories exist. Each one contains enough requests for pages to load quickly.' },
  search: searchConditionOf,
  hidden: { message: sql`r.message` },
  row: (_row, _call, { message }) => ({ subject: subjectOf(String(message)), can: { view: true } }),
  exported: 'export.support',
})

/** Builds the SQL condition for a search by number or by text. Digits may also be part of a phone number. */
function searchConditionOf(search: string): RawBuilder<unknown> {
  const id = idIn(search)
  const part = search.length >= MIN_LENGTH ? matchesSearch(sql`r.search_text`, search) : sql`false`
  if (id === null) return part
  const byNumber = sql`r.id = ${id}`
  return /^\d/.test(search) && search.length >= MIN_LENGTH ? sql`(${byNumber} OR ${part})` : byNumber
}
