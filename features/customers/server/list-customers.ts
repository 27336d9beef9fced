import { type RawBuilder, sql } from 'kysely'
import type { ListQuery } from '../../../server/list-source.ts'
import { implementList } from '../../../server/list.ts'
import { allOf, hasPart, matchesSearch, searchTerms } from '../../../server/list-sql.ts'
import { digitsOf } from '../../../shared/phone.ts'
import { may, roles } from '../../../shared/privileges.ts'
import { NO_PROFILE, utilityCustomers } from '../list.ts'

const part = (column: string, searchText: string) => hasPart(sql.ref(`r.${column}`), searchText)
const anyOf = (conditions: readonly RawBuilder<unknown>[]) => sql`(${sql.join(conditions, sql` OR `)})`
const ofProfiles = ({ question }: ListQuery<(typeof utilityCustomers)['filters']>) => question.filters.profiles

/**
 * Selects accounts linked by people with a matching email. The arrays let each part of the query use its own text
 * index.
 */
const linkedBy = (company: number | undefined, email: string) => sql`r.id = ANY (ARRAY(
  SELECT l.account_id FROM linked_account l WHERE l.company_id = ${company}
    AND l.person_id = ANY (ARRAY(SELECT id FROM found_person WHERE role_id = 1 AND ${hasPart(sql`email`, email)}))))`

const accounts = sql`found_utility_account`
const profiles = sql`(
  SELECT p.*, trim(p.first_name || ' ' || p.last_name) AS customer_name, p.mobile_no AS phone_no, ''::text AS account_number
  FROM found_person p WHERE p.role_id = ${sql.lit(roles.citizen)} AND NOT EXISTS (
    SELECT FROM linked_account l WHERE l.company_id = p.company_id AND l.person_id = p.id))`

/** Joins the first person who linked the account, and the numbers of all accounts that this person linked. */
const linkedPerson = sql`
  LEFT JOIN LATERAL (
    SELECT p.id, p.email, p.role_id, p.is_active, p.locked_at
    FROM linked_account l JOIN person p ON p.company_id = l.company_id AND p.id = l.person_id
    WHERE l.company_id = r.company_id AND l.account_id = r.id ORDER BY l.linked_at, l.person_id LIMIT 1) AS p ON true
  LEFT JOIN LATERAL (
    SELECT string_agg(u.account_number, ', ' ORDER BY u.account_number) AS numbers
    FROM linked_account l JOIN utility_account u ON u.company_id = l.company_id AND u.id = l.account_id
    WHERE l.company_id = r.company_id AND l.person_id = p.id) AS o ON true`
const themselves = sql`
  CROSS JOIN LATERAL (SELECT r.id, r.email, r.role_id, r.is_active, r.locked_at) AS p CROSS JOIN (SELECT ''::text AS numbers) AS o`

export const customerCalls = implementList(utilityCustomers, {
  table: (query) => (ofProfiles(query) ? profiles : accounts),
  joins: (query) => (ofProfiles(query) ? themselves : linkedPerson),
  columns: {
    userId: sql`p.id`,
    impersonable: sql`coalesce(p.role_id = ${roles.citizen} AND p.is_active = 1 AND p.locked_at IS NULL, false)`,
    name: 'customer_name',
    email: sql`coalesce(p.email, ${NO_PROFILE})`,
    serviceAddress: 'service_address',
    phone: 'phone_no',
    accountNumber: 'account_number',
    linkedAccounts: sql`coalesce(o.numbers, '')`,
  },
  sorts: { name: 'name_key' },
  filters: {
    name: (name) => matchesSearch(sql`r.name_key`, name),
    serviceAddress: (address) => part('service_address', address),
    // A phone number may be typed with dashes, but is stored without them.
    phone: (phone) => part('phone_no', digitsOf(phone) || phone),
    accountNumber: (number) => part('account_number', number),
    email: (email, query) => (ofProfiles(query) ? part('email', email) : linkedBy(query.company?.id, email)),
    // Few accounts have a shutoff, so a lookup through the index on shutoffs is fast.
    shutoff: (state, query) =>
      ofProfiles(query)
        ? sql`false`
        : sql`r.id = ANY (ARRAY(SELECT s.account_id FROM utility_shutoff s
            WHERE s.company_id = ${query.company?.id} AND s.state = ${state} AND s.state <> 'restored'))`,
    profiles: () => sql`true`,
  },
  search: (search, query) =>
    allOf(
      searchTerms(search).map((word) => {
        const either = [part('name_key', word), part('service_address', word)]
        if (ofProfiles(query)) return anyOf([...either, part('email', word)])
        const ofAccount = [part('phone_no', word), part('account_number', word)]
        return anyOf([...either, ...ofAccount, linkedBy(query.company?.id, word)])
      }),
    ),
  // `can.impersonate` is true if the viewer may impersonate that resident.
  row: ({ impersonable, accountNumber }, { session }) => {
    const entitled = session !== null && !session.impersonation && may(session.privileges, 'sign_in_as', 'view')
    return { can: { view: accountNumber !== '', impersonate: entitled && impersonable } }
  },
  exported: 'export.customers',
})
