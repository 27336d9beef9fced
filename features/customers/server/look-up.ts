import { type RawBuilder, sql } from 'kysely'
import { implement, signedIn } from '../../../server/call.ts'
import { isText, pageOf, readCursor } from '../../../server/cursor.ts'
import { allOf, walkOf, hasPart, searchTerms } from '../../../server/list-sql.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { digitsOf } from '../../../shared/phone.ts'
import { may, type Privileges, roles } from '../../../shared/privileges.ts'
import { COUNT_CAP } from '../../../shared/table.ts'
import { say } from '../../../shared/messages.ts'
import { companyRoles } from '../../staff/rules.ts'
import { MIN_LENGTH, lookup } from '../contract.ts'
import { NO_PROFILE } from '../list.ts'

type Question = RequestOf<typeof lookup>
type Filters = Question['filters']

interface CustomerRow {
  id: number
  company_id: number
  company: string
  user_id: number | null
  name: string
  email: string | null
  service_address: string
  phone: string
  numbers: string[]
  role_id: number | null
  is_active: number | null
  locked_at: Date | null
  email_confirmed_at: Date | null
  key: string
}

/**
 * Finds matching ids first, up to a limit. Each condition uses its own index over all companies, so this call does not
 * use `implementList`.
 */
export const lookupCall = implement(lookup, async (call) => {
  const { context, body } = call
  const { privileges } = signedIn(call)
  const matches = selectMatches(body.filters)
  if (!matches) return { rows: [], next: null, previous: null, count: 0, totals: null }
  const page = await context.acrossCompanies((tx) => onePage(tx, body, matches))
  return { ...page, rows: page.rows.map((row) => customerView(row, privileges)), totals: null }
})

/** Matches a column that contains the search text. Uses the trigram indexes. */
const part = (column: string, searchText: string) => hasPart(sql.ref(column), searchText)

/**
 * Returns the words of a name for a search in any order. If no word is long enough for the index, returns the name as
 * typed.
 */
const longTermsOf = (name: string) => {
  const all = searchTerms(name)
  return all.some(({ length }) => length >= MIN_LENGTH) ? all : name === '' ? [] : [name]
}

/** Selects matching ids, up to the limit. Each condition uses its own index. Null if no filter is long enough. */
function selectMatches({ mode, companyId, profiles, ...typed }: Filters): RawBuilder<unknown> | null {
  if (mode === 'user' && companyId === undefined) return null
  const long = (text: string) => (text.length >= MIN_LENGTH ? text : '')
  const accounts = mode === 'customer' && !profiles
  const email = long(typed.email)
  const name = long(typed.name)
  const address = long(typed.serviceAddress)
  const phone = profiles ? '' : long(digitsOf(typed.phone) || typed.phone)
  const number = profiles ? '' : long(typed.accountNumber)
  if (!email && !name && !address && !phone && !number) return null
  const conditions: RawBuilder<unknown>[] = []
  if (companyId !== undefined) conditions.push(sql`x.company_id = ${companyId}`)
  for (const word of longTermsOf(name)) conditions.push(part('x.name_key', word))
  if (address) conditions.push(part('x.service_address', address))
  if (accounts) {
    if (phone) conditions.push(part('x.phone_no', phone))
    if (number) conditions.push(part('x.account_number', number))
  } else {
    if (email) conditions.push(part('x.email', email))
    const linked = (condition: RawBuilder<unknown>) => sql`(x.company_id, x.id) IN (
      SELECT l.company_id, l.person_id FROM linked_account l JOIN utility_account a ON a.company_id = l.company_id AND a.id = l.account_id
      WHERE ${condition})`
    if (phone) conditions.push(linked(part('a.phone_no', phone)))
    if (number) conditions.push(linked(part('a.account_number', number)))
    if (profiles)
      // Counts the links of each person separately, because few rows are needed. NOT EXISTS would read all links.
      conditions.push(sql`x.role_id = 1 AND (
        SELECT count(*) FROM (SELECT FROM linked_account l WHERE l.company_id = x.company_id AND l.person_id = x.id LIMIT 1) AS any_link) = 0`)
  }
  return sql`SELECT x.company_id, x.id, x.name_key FROM ${accounts ? accountsOf(email) : sql`person x`}
    WHERE ${allOf(conditions)} LIMIT ${COUNT_CAP}`
}

/**
 * Selects the accounts `x`. With an email, first finds the people with this email, up to the limit. The inner limit
 * forces a separate lookup of each person's links, because a join would read all links.
 */
const accountsOf = (email: string) =>
  email === ''
    ? sql`utility_account x`
    : sql`(
        SELECT DISTINCT l.company_id, l.account_id FROM (
          SELECT p.company_id, p.id FROM person p WHERE ${part('p.email', email)} LIMIT ${COUNT_CAP}) p
        CROSS JOIN LATERAL (
          SELECT k.company_id, k.account_id FROM linked_account k
          WHERE k.company_id = p.company_id AND k.person_id = p.id LIMIT ${COUNT_CAP}) l) e
      JOIN utility_account x ON x.company_id = e.company_id AND x.id = e.account_id`

const rowsOf = ({ mode, profiles }: Filters, chosen: RawBuilder<unknown>) =>
  mode === 'customer' && !profiles
    ? sql<CustomerRow>`
      SELECT a.id, a.company_id, c.name AS company, p.id AS user_id, a.customer_name AS name, p.email, a.service_address,
        a.phone_no AS phone, ARRAY[a.account_number] AS numbers, p.role_id, p.is_active, p.locked_at, p.email_confirmed_at, a.name_key AS key
      FROM (${chosen}) f JOIN utility_account a ON a.company_id = f.company_id AND a.id = f.id JOIN company c ON c.id = a.company_id
      LEFT JOIN LATERAL (
        SELECT p.* FROM linked_account l JOIN person p ON p.company_id = l.company_id AND p.id = l.person_id
        WHERE l.company_id = a.company_id AND l.account_id = a.id ORDER BY l.linked_at, l.person_id LIMIT 1) p ON true`
    : sql<CustomerRow>`
      SELECT p.id, p.company_id, c.name AS company, p.id AS user_id, trim(p.first_name || ' ' || p.last_name) AS name, p.email,
        p.service_address, p.mobile_no AS phone, coalesce(o.numbers, '{}') AS numbers, p.role_id, p.is_active, p.locked_at,
        p.email_confirmed_at, p.name_key AS key
      FROM (${chosen}) f JOIN person p ON p.company_id = f.company_id AND p.id = f.id JOIN company c ON c.id = p.company_id
      LEFT JOIN LATERAL (
        SELECT array_agg(a.account_number ORDER BY a.account_number) AS numbers
        FROM linked_account l JOIN utility_account a ON a.company_id = l.company_id AND a.id = l.account_id
        WHERE l.company_id = p.company_id AND l.person_id = p.id) o ON true`

async function onePage(tx: Tx, { filters, cursor, direction, pageSize }: Question, matches: RawBuilder<unknown>) {
  const position = readCursor(cursor, isText)
  const { sqlDirection, beyond: than } = walkOf(direction, position)
  const beyond = position ? sql`WHERE (f.name_key, f.id) ${than} (${position.key}, ${position.id})` : sql``
  const chosen = sql`SELECT * FROM matches f ${beyond} ORDER BY name_key ${sqlDirection}, id ${sqlDirection} LIMIT ${pageSize + 1}`
  const { rows } = await sql<CustomerRow & { matched: number }>`
    WITH matches AS MATERIALIZED (${matches})
    SELECT r.*, (SELECT count(*)::int FROM matches) AS matched FROM (${rowsOf(filters, chosen)}) r
    ORDER BY key ${sqlDirection}, id ${sqlDirection}`.execute(tx)
  return { ...pageOf(rows, position, pageSize, ({ key }) => key), count: rows[0]?.matched ?? 0 }
}

function customerView(row: CustomerRow, privileges: Privileges) {
  const hasProfile = row.user_id !== null
  const status = hasProfile ? statusOf(row) : ''
  const open = status === 'active'
  return {
    ...{ id: row.id, companyId: row.company_id, company: row.company, user_id: row.user_id, name: row.name },
    ...{ email: row.email ?? NO_PROFILE, serviceAddress: row.service_address, phone: row.phone },
    accountNumbers: row.numbers,
    role: row.role_id === null ? '' : row.role_id === roles.citizen ? say`Resident` : (companyRoles[row.role_id] ?? ''),
    status,
    confirmed: row.email_confirmed_at !== null,
    can: {
      view: true,
      impersonate: open && row.role_id === roles.citizen && may(privileges, 'login_logout', 'view'),
      // Offered even if the person is not locked, because only the rate limiter stores the wait after too many wrong
      // passwords.
      unlock: hasProfile && status !== 'inactive' && may(privileges, 'user_management', 'deactivate'),
      resend: open && row.email_confirmed_at === null && may(privileges, 'user_management', 'update'),
      activity: hasProfile && may(privileges, 'company_setup', 'update'),
    },
  } as const
}

function statusOf({ is_active, locked_at }: CustomerRow): 'active' | 'locked' | 'inactive' {
  if (is_active !== 1) return 'inactive'
  return locked_at ? 'locked' : 'active'
}
