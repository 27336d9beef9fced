import { type RawBuilder, sql } from 'kysely'
import { isText, pageOf, readCursor } from '../../../server/cursor.ts'
import { allOf, countUpTo, walkOf } from '../../../server/list-sql.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { BodyOf } from '../../../shared/endpoint.ts'
import { digitsOf } from '../../../shared/phone.ts'
import type { utilityCustomers } from '../contract.ts'

export type CustomerQuestion = BodyOf<typeof utilityCustomers>

export interface Customer {
  id: number
  user_id: number | null
  name: string
  email: string | null
  service_address: string
  phone: string
  account_number: string
  linked: string[]
  role_id: number | null
  is_active: number | null
  locked_at: Date | null
  key: string
}

/** What a search by text looks at: this many matches at most. */
const MOST_MATCHES = 5000

/** Which accounts, or which residents without one, are asked for. Texts go through the searches of migration 0009. */
function conditionsOf(company: CompanyId, { search, filters }: CustomerQuestion): RawBuilder<unknown>[] {
  const { profiles, email, name, serviceAddress, phone, accountNumber } = filters
  const conditions = [sql`company_id = ${company}`]
  if (profiles) {
    conditions.push(sql`role_id = 1 AND NOT EXISTS (
      SELECT FROM linked_account l WHERE l.company_id = ${company} AND l.person_id = person.id)`)
    if (search || name || serviceAddress || email)
      conditions.push(
        sql`id = ANY (ARRAY(SELECT search_residents(${search}, ${name}, ${serviceAddress}, ${email}, ${MOST_MATCHES})))`,
      )
    return conditions
  }
  const linkedBy = (text: string) => sql`
    SELECT l.account_id FROM linked_account l WHERE l.company_id = ${company}
      AND l.person_id = ANY (ARRAY(SELECT search_residents('', '', '', ${text}, ${MOST_MATCHES})))`
  const accounts = (any: string, ...[who, where, digits, number]: [string, string, string, string]) =>
    sql`SELECT search_utility_accounts(${any}, ${who}, ${where}, ${digits}, ${number}, ${MOST_MATCHES})`
  // A phone number is typed with its dashes, and kept without.
  const digits = digitsOf(phone) || phone
  if (search) conditions.push(sql`id = ANY (ARRAY(${accounts(search, '', '', '', '')} UNION ${linkedBy(search)}))`)
  if (name || serviceAddress || phone || accountNumber)
    conditions.push(sql`id = ANY (ARRAY(${accounts('', name, serviceAddress, digits, accountNumber)}))`)
  if (email) conditions.push(sql`id = ANY (ARRAY(${linkedBy(email)}))`)
  return conditions
}

const tableOf = ({ filters }: CustomerQuestion) => sql.ref(filters.profiles ? 'person' : 'utility_account')
/** The column that a sort walks, with the index behind it; the id completes the order. */
const columnOf = ({ sort, filters }: CustomerQuestion) =>
  sql.ref(sort === 'account' && !filters.profiles ? 'account_number' : 'name_key')

/** The rows of the list, of those accounts or residents that `chosen` picks. */
export function customersOf(company: CompanyId, question: CustomerQuestion, chosen: RawBuilder<unknown>) {
  if (question.filters.profiles)
    return sql<Customer>`
      SELECT id, id AS user_id, trim(first_name || ' ' || last_name) AS name, email, service_address, mobile_no AS phone,
        '' AS account_number, '{}'::text[] AS linked, role_id, is_active, locked_at, name_key AS key FROM (${chosen}) AS chosen`
  return sql<Customer>`
    SELECT a.id, p.id AS user_id, a.customer_name AS name, p.email, a.service_address, a.phone_no AS phone,
      a.account_number, coalesce(o.numbers, '{}') AS linked, p.role_id, p.is_active, p.locked_at, a.${columnOf(question)} AS key
    FROM (${chosen}) AS a
    LEFT JOIN LATERAL (
      SELECT p.id, p.email, p.role_id, p.is_active, p.locked_at
      FROM linked_account l JOIN person p ON p.company_id = l.company_id AND p.id = l.person_id
      WHERE l.company_id = ${company} AND l.account_id = a.id ORDER BY l.linked_at, l.person_id LIMIT 1) AS p ON true
    LEFT JOIN LATERAL (
      SELECT array_agg(u.account_number ORDER BY u.account_number) AS numbers
      FROM linked_account l JOIN utility_account u ON u.company_id = l.company_id AND u.id = l.account_id
      WHERE l.company_id = ${company} AND l.person_id = p.id) AS o ON true`
}

/** All that match, in order: the base of a page, of the count and of the export. */
export const matching = (company: CompanyId, question: CustomerQuestion, more: readonly RawBuilder<unknown>[] = []) =>
  sql`SELECT * FROM ${tableOf(question)} WHERE ${allOf([...conditionsOf(company, question), ...more])}`

/** One page, walked along an index from the cursor, with the cursors of its neighbours. */
export async function listCustomers(tx: Tx, company: CompanyId, question: CustomerQuestion) {
  const at = readCursor(question.cursor, isText)
  const { way, beyond } = walkOf(question.direction, at)
  const column = columnOf(question)
  const from = at ? [sql`(${column}, id) ${beyond} (${at.key}, ${at.id})`] : []
  const chosen = sql`${matching(company, question, from)} ORDER BY ${column} ${way}, id ${way} LIMIT ${question.pageSize + 1}`
  const { rows } = await sql<Customer>`
    ${customersOf(company, question, chosen)} ORDER BY key ${way}, id ${way}`.execute(tx)
  return pageOf(rows, at, question.pageSize, ({ key }) => key)
}

/** How many match, up to the cap. */
export const countCustomers = (tx: Tx, company: CompanyId, question: CustomerQuestion): Promise<number> =>
  countUpTo(tx, sql`SELECT 1 FROM (${matching(company, question)}) AS m`)
