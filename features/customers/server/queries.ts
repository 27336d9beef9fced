import { type RawBuilder, sql } from 'kysely'
import { isText, pageOf, readCursor } from '../../../server/cursor.ts'
import { allOf, countUpTo, walkOf, wordsOf } from '../../../server/list-sql.ts'
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

const part = (column: string, wanted: string) => sql`${sql.ref(column)} LIKE like_part(${wanted})`
const lowerPart = (column: string, wanted: string) => sql`lower(${sql.ref(column)}) LIKE like_part(${wanted})`
const anyOf = (conditions: readonly RawBuilder<unknown>[]) => sql`(${sql.join(conditions, sql` OR `)})`

/** The accounts that are linked by whoever has such an email; an array, so that it stands beside the indexes of texts. */
const linkedBy = (company: CompanyId, email: string) => sql`id = ANY (ARRAY(
  SELECT l.account_id FROM linked_account l WHERE l.company_id = ${company}
    AND l.person_id IN (SELECT id FROM found_person WHERE role_id = 1 AND ${lowerPart('email', email)})))`

/** Which accounts, or which residents without one, are asked for. */
function conditionsOf(company: CompanyId, { search, filters }: CustomerQuestion): RawBuilder<unknown>[] {
  const { profiles, email, name, serviceAddress, phone, accountNumber } = filters
  const conditions = [sql`company_id = ${company}`]
  for (const word of wordsOf(name)) conditions.push(part('name_key', word))
  if (serviceAddress) conditions.push(lowerPart('service_address', serviceAddress))
  if (profiles) {
    conditions.push(sql`role_id = 1 AND NOT EXISTS (
      SELECT FROM linked_account l WHERE l.company_id = ${company} AND l.person_id = found_person.id)`)
    if (email) conditions.push(lowerPart('email', email))
    for (const word of wordsOf(search))
      conditions.push(anyOf([part('name_key', word), lowerPart('service_address', word), lowerPart('email', word)]))
    return conditions
  }
  // A phone number is typed with its dashes, and kept without.
  if (phone) conditions.push(part('phone_no', digitsOf(phone) || phone))
  if (accountNumber) conditions.push(lowerPart('account_number', accountNumber))
  if (email) conditions.push(linkedBy(company, email))
  for (const word of wordsOf(search))
    conditions.push(
      anyOf([
        ...[part('name_key', word), lowerPart('service_address', word), part('phone_no', word)],
        ...[lowerPart('account_number', word), linkedBy(company, word)],
      ]),
    )
  return conditions
}

const tableOf = ({ filters }: CustomerQuestion) => sql.ref(filters.profiles ? 'found_person' : 'found_utility_account')
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
