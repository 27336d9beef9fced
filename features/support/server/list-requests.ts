import { type RawBuilder, sql } from 'kysely'
import { auditPlatform } from '../../../server/audit.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { csvLabels, csvOf, csvText } from '../../../server/csv.ts'
import { isInstant, pageOf, readCursor } from '../../../server/cursor.ts'
import { allOf, countUpTo, hasWords, walkOf } from '../../../server/list-sql.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { addDays, midnightIn } from '../../../shared/dates.ts'
import type { BodyOf } from '../../../shared/endpoint.ts'
import { LEAST_LETTERS, supportRequests, supportRequestsCsv } from '../contract.ts'
import { categories, idIn, statuses } from '../rules.ts'
import { OPEN } from './case.ts'
import { assigneeColumns, type RequestRow, rowOf } from './row.ts'

type Question = BodyOf<typeof supportRequests>

const columns = { date: sql`r.created_at`, activity: sql`r.updated_at` }

/** The requests of all towns, along the index that fits the filters. */
export const listRequestsCall = implement(supportRequests, async (call) => {
  const { house, body } = call
  const conditions = conditionsOf(body, signedIn(call).personId)
  if (!conditions) return { rows: [], next: null, previous: null, count: 0, totals: null }
  return house.acrossCompanies(async (tx) => {
    const page = await onePage(tx, body, conditions)
    const count = await countUpTo(tx, walk(body, conditions, walkOf('desc').way))
    return { ...page, rows: page.rows.map(rowOf), count, totals: null }
  })
})

/** Null where the search is too short to find anything. */
function conditionsOf({ search, filters }: Question, me: number): RawBuilder<unknown>[] | null {
  const { companyId, status, assignee, category, fromDate, toDate } = filters
  const conditions: RawBuilder<unknown>[] = []
  if (companyId !== undefined) conditions.push(sql`r.company_id = ${companyId}`)
  if (status === 'open') conditions.push(OPEN)
  else if (status !== undefined) conditions.push(sql`r.status = ${status}`)
  if (assignee === 'nobody') conditions.push(sql`r.assigned_to IS NULL`)
  else if (assignee !== undefined) conditions.push(sql`r.assigned_to = ${assignee === 'me' ? me : assignee}`)
  if (category !== undefined) conditions.push(sql`r.category = ${category}`)
  if (fromDate) conditions.push(sql`r.created_at >= ${midnightIn('UTC', fromDate)}`)
  if (toDate) conditions.push(sql`r.created_at < ${midnightIn('UTC', addDays(toDate, 1))}`)
  if (search) {
    const found = foundBy(search)
    if (!found) return null
    conditions.push(found)
  }
  return conditions
}

/** By the number, or by words of what was written; digits may be a part of a phone number, too. */
function foundBy(search: string): RawBuilder<unknown> | null {
  const id = idIn(search)
  const part = search.length >= LEAST_LETTERS ? hasWords(sql`r.search_text`, search) : null
  if (id === null) return part
  const byNumber = sql`r.id = ${id}`
  return part && /^\d/.test(search) ? sql`(${byNumber} OR ${part})` : byNumber
}

/** Those that match, in order. */
const walk = ({ sort }: Question, conditions: readonly RawBuilder<unknown>[], way: RawBuilder<unknown>) => sql`
  SELECT r.* FROM support_request r WHERE ${allOf(conditions)} ORDER BY ${columns[sort]} ${way}, r.id ${way}`

async function onePage(tx: Tx, question: Question, conditions: readonly RawBuilder<unknown>[]) {
  const place = readCursor(question.cursor, isInstant)
  const { way, beyond: than } = walkOf(question.direction, place)
  const beyond = place ? [sql`(${columns[question.sort]}, r.id) ${than} (${place.key}::timestamptz, ${place.id})`] : []
  const { rows } = await sql<RequestRow>`
    SELECT r.*, c.name AS company, ${assigneeColumns}
    FROM (${walk(question, [...conditions, ...beyond], way)} LIMIT ${question.pageSize + 1}) r
    JOIN company c ON c.id = r.company_id LEFT JOIN platform_person p ON p.id = r.assigned_to
    ORDER BY ${columns[question.sort]} ${way}, r.id ${way}`.execute(tx)
  const keyOf = (row: RequestRow) => (question.sort === 'date' ? row.created_at : row.updated_at).toISOString()
  return pageOf(rows, place, question.pageSize, keyOf)
}

/** The list as CSV, all of its pages. */
export const exportRequestsCall = implement(supportRequestsCsv, async (call: Call<Question>) => {
  const { house, body } = call
  await house.acrossCompanies((tx) =>
    auditPlatform(tx, house.clock, call, {
      action: 'export.support',
      detail: { filters: body.filters, search: body.search !== '' },
    }),
  )
  const conditions = conditionsOf(body, signedIn(call).personId) ?? [sql`false`]
  const { way } = walkOf(body.direction)
  const cell = (column: string) => csvText(sql.ref(`r.${column}`))
  const minute = (column: string) =>
    sql`coalesce(to_char(${sql.ref(`r.${column}`)} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI'), '')`
  const question = sql`
    SELECT 'S' || r.id AS "Number", ${csvText(sql`c.name`)} AS "Company", ${minute('created_at')} AS "Received",
      ${csvLabels('r.status', statuses)} AS "Status", ${csvLabels('r.category', categories)} AS "About",
      ${cell('name')} AS "Name", ${cell('email')} AS "Email", r.phone AS "Phone", ${cell('account_number')} AS "Account Number",
      ${csvText(sql`concat_ws(', ', nullif(r.address, ''), nullif(r.city, ''), nullif(trim(r.state || ' ' || r.zipcode), ''))`)} AS "Service Address",
      ${csvText(sql`coalesce(p.first_name || ' ' || p.last_name, (SELECT d.name FROM platform_department d WHERE d.id = r.department_id), '')`)} AS "Assigned to",
      ${minute('first_answered_at')} AS "First answer", ${minute('closed_at')} AS "Closed", ${cell('message')} AS "Message"
    FROM (${walk(body, conditions, way)}) r
    JOIN company c ON c.id = r.company_id LEFT JOIN platform_person p ON p.id = r.assigned_to
    ORDER BY ${columns[body.sort]} ${way}, r.id ${way}`
  return csvOf(house, null, 'support-requests', question)
})
