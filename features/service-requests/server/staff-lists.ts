import { byAssignee } from '../../../server/cases/by-assignee.ts'
import { type RawBuilder, sql } from 'kysely'
import { implementList } from '../../../server/list.ts'
import { matchesSearch } from '../../../server/list-sql.ts'
import { midnightIn } from '../../../shared/dates.ts'
import { inbox, report } from '../list.ts'
import { idIn, requestStatus } from '../rules.ts'
import { sumsOf } from './request-sums.ts'
import { OPEN } from './row.ts'

/** Minimum length of a text search. A search by request number needs the full number. */
const MIN_LENGTH = 3
/** Maximum characters of the description in a row. */
const SUBJECT = 90

const person = sql`trim(p.first_name || ' ' || p.last_name)`
/** Builds the SQL condition for a search by number or by text. */
function searchConditionOf(search: string): RawBuilder<unknown> {
  const id = idIn(search)
  if (id !== null) return sql`r.id = ${id}`
  return search.length >= MIN_LENGTH ? matchesSearch(sql`r.search_text`, search) : sql`false`
}

/** Spam and merged requests appear in lists only with their own filter. */
const byStatus = (status: string | number) => {
  if (status === 'spam') return sql`r.is_spam`
  if (status === 'merged') return sql`r.merged_into IS NOT NULL`
  if (status === 'call_back') return sql`r.call_back_since IS NOT NULL`
  return status === 'open' ? OPEN : sql`r.status = ${status}`
}

const byCategory = {
  unindexed: { category: 'A municipality has a few dozen categories, and each category has its own requests.' },
}

export const inboxLists = implementList(inbox, {
  table: sql`found_service_request`,
  joins: sql`LEFT JOIN person p ON p.company_id = r.company_id AND p.id = r.assigned_to
    LEFT JOIN department d ON d.company_id = r.company_id AND d.id = r.department_id`,
  columns: {
    number: 'number',
    at: 'created_at',
    title: 'title',
    subject: sql`''`,
    location: 'location',
    name: 'name',
    email: 'email',
    phone: 'phone',
    status: 'status',
    replyStatus: sql`CASE WHEN r.first_reply_at IS NULL THEN 'not yet' WHEN r.last_from = 'person' THEN 'wrote again' ELSE 'yes' END`,
    assignee: sql`coalesce(${person}, d.name, '')`,
    assigneeId: 'assigned_to',
    assigneeActive: sql`coalesce(p.is_active = 1 AND p.locked_at IS NULL, false)`,
    dueAt: 'due_at',
    late: sql`false`,
    followers: sql`(SELECT count(*)::int FROM request_follower f WHERE f.company_id = r.company_id AND f.request_id = r.id
      AND f.verified_at IS NOT NULL AND f.stopped_at IS NULL)`,
    updatedAt: 'updated_at',
    closedAt: 'closed_at',
    description: 'description',
    cameBy: 'came_by',
    callBack: sql`r.call_back_since IS NOT NULL`,
  },
  // No request changes or becomes due before it arrives. An index scan by either date can therefore start at
  // `fromDate`, as in the support list.
  where: ({ question: { filters, sort }, company }) =>
    filters.fromDate && (sort === 'updatedAt' || sort === 'dueAt')
      ? [
          sql`${sort === 'dueAt' ? sql`r.due_at` : sql`r.updated_at`} >= ${midnightIn(company?.timeZone ?? 'UTC', filters.fromDate)}`,
        ]
      : [],
  filters: {
    status: byStatus,
    category: (category) => sql`r.category_id = ${category}`,
    late: (_late, { call }) => sql`${OPEN} AND r.due_at < ${call.context.clock.now()}`,
    assignee: byAssignee,
  },
  ...byCategory,
  search: searchConditionOf,
  hidden: { description: sql`r.description`, closed: sql`r.closed_at` },
  row: ({ dueAt }, { context }, { description, closed }) => ({
    subject: subjectOf(String(description)),
    late: new Date(dueAt) < (closed instanceof Date ? closed : context.clock.now()),
    can: { view: true },
  }),
  exported: 'export.communications',
})

/** Shortens a description to one line. */
export function subjectOf(description: string): string {
  const line = description.replaceAll(/\s+/g, ' ')
  return line.length > SUBJECT ? `${line.slice(0, SUBJECT).replace(/\s\S*$/, '')} …` : line
}

const DAY_SECONDS = 86_400

export const reportLists = implementList(report, {
  table: ({ call }) => sql`(
    SELECT f.*, f.due_at < coalesce(f.closed_at, ${call.context.clock.now()}::timestamptz) AS is_late FROM found_service_request f)`,
  joins: sql`JOIN request_category c ON c.company_id = r.company_id AND c.id = r.category_id`,
  columns: {
    number: 'number',
    at: 'created_at',
    title: 'title',
    department: sql`coalesce((SELECT d.name FROM department d WHERE d.company_id = r.company_id AND d.id = c.department_id), '')`,
    status: 'status',
    cameBy: 'came_by',
    firstReplyAt: 'first_reply_at',
    closedAt: 'closed_at',
    dueAt: 'due_at',
    timing: sql`CASE WHEN r.is_late THEN 'yes' ELSE 'no' END`,
    requests: sql`1`,
    completed: sql`CASE WHEN r.status = ${sql.lit(requestStatus.completed)} THEN 1 ELSE 0 END`,
    late: sql`CASE WHEN r.is_late THEN 1 ELSE 0 END`,
    days: sql`coalesce(ceil(extract(epoch FROM r.closed_at - r.created_at) / ${DAY_SECONDS})::int, 0)`,
  },
  // Excludes spam. A merged request counts only once, as the request that it was merged into.
  where: ({ question: { filters } }) =>
    filters.status === 'spam' || filters.status === 'merged' ? [] : [sql`NOT r.is_spam AND r.merged_into IS NULL`],
  filters: {
    status: byStatus,
    category: (category) => sql`r.category_id = ${category}`,
  },
  ...byCategory,
  search: searchConditionOf,
  sums: sumsOf,
  row: () => ({ can: { view: true } }),
  exported: 'export.communication_report',
})
