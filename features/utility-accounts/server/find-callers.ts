import { type RawBuilder, sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { hasPart, searchTerms } from '../../../server/list-sql.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { digitsOf, nationalDigits } from '../../../shared/phone.ts'
import { roles } from '../../../shared/privileges.ts'
import { type Caller, findCallers } from '../contract-callers.ts'

/** Maximum number of callers in the response. */
const MAX_CALLERS = 8

const part = (column: string, text: string) => hasPart(sql.ref(`r.${column}`), text)

/** Builds the condition that each word occurs in one of the columns. */
const eachIn = (search: string, columns: readonly string[]): RawBuilder<unknown> =>
  sql.join(
    searchTerms(search).map(
      (word) =>
        sql`(${sql.join(
          columns.map((column) => part(column, word)),
          sql` OR `,
        )})`,
    ),
    sql` AND `,
  )

const isNumber = (search: string) => !/\p{L}/u.test(search)

/** Finds active residents. A number matches only a whole phone number. */
async function residentsOf(tx: Tx, company: CompanyId, search: string): Promise<Caller[]> {
  const condition = isNumber(search)
    ? sql`r.mobile_no <> '' AND r.mobile_no = ${nationalDigits(search)}`
    : eachIn(search, ['name_key', 'service_address', 'email'])
  const { rows } = await sql<Omit<Caller, 'key' | 'accountNumber'>>`
    SELECT r.id AS "personId", trim(r.first_name || ' ' || r.last_name) AS name, r.email, r.mobile_no AS phone,
      r.service_address AS address
    FROM ${isNumber(search) ? sql`person` : sql`found_person`} r
    WHERE r.company_id = ${company} AND r.role_id = ${sql.lit(roles.citizen)} AND r.is_active = 1 AND ${condition}
    ORDER BY r.name_key, r.id LIMIT ${MAX_CALLERS}`.execute(tx)
  return rows.map((row) => ({ ...row, key: `p${row.personId}`, accountNumber: '' }))
}

/** Finds utility accounts with the first person who linked each. */
async function customersOf(tx: Tx, company: CompanyId, search: string): Promise<Caller[]> {
  const digits = digitsOf(search)
  const byNumber =
    digits === ''
      ? part('account_number', search)
      : sql`(${part('phone_no', digits)} OR ${part('account_number', search)} OR ${part('account_number', digits)})`
  const condition = isNumber(search) ? byNumber : eachIn(search, ['name_key', 'service_address', 'account_number'])
  const { rows } = await sql<Omit<Caller, 'key'> & { id: number }>`
    SELECT r.id, p.id AS "personId", r.customer_name AS name, coalesce(p.email, r.customer_email) AS email,
      r.phone_no AS phone, r.service_address AS address, r.account_number AS "accountNumber"
    FROM found_utility_account r
    LEFT JOIN LATERAL (
      SELECT p.id, p.email FROM linked_account l JOIN person p ON p.company_id = l.company_id AND p.id = l.person_id
      WHERE l.company_id = r.company_id AND l.account_id = r.id AND p.is_active = 1
      ORDER BY l.linked_at, l.person_id LIMIT 1) AS p ON true
    WHERE r.company_id = ${company} AND ${condition}
    ORDER BY r.name_key, r.id LIMIT ${MAX_CALLERS}`.execute(tx)
  return rows.map(({ id, ...row }) => ({ ...row, key: `a${id}` }))
}

/** Finds the caller. A resident appears once, even if the resident's account also matches. */
export const findCallersCall = implement(findCallers, (call) =>
  call.reading(async (tx) => {
    const { search } = call.body
    const residents = await residentsOf(tx, call.company.id, search)
    const customers = await customersOf(tx, call.company.id, search)
    const residentIds = new Set(residents.map(({ personId }) => personId))
    const others = customers.filter(({ personId }) => personId === null || !residentIds.has(personId))
    return { callers: [...residents, ...others].slice(0, MAX_CALLERS) }
  }),
)
