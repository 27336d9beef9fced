import { type RawBuilder, sql } from 'kysely'
import { type ListQuery, implementList } from '../../../server/list.ts'
import { allOf, hasPart, hasWords, wordsOf } from '../../../server/list-sql.ts'
import { digitsOf } from '../../../shared/phone.ts'
import { may, roles } from '../../../shared/privileges.ts'
import { NO_PROFILE, utilityCustomers } from '../list.ts'

const part = (column: string, wanted: string) => hasPart(sql.ref(`r.${column}`), wanted)
const anyOf = (conditions: readonly RawBuilder<unknown>[]) => sql`(${sql.join(conditions, sql` OR `)})`
const ofProfiles = ({ question }: ListQuery<(typeof utilityCustomers)['filters']>) => question.filters.profiles

/** The accounts that are linked by whoever has such an email; arrays, so that each part walks its own index of texts. */
const linkedBy = (company: number | undefined, email: string) => sql`r.id = ANY (ARRAY(
  SELECT l.account_id FROM linked_account l WHERE l.company_id = ${company}
    AND l.person_id = ANY (ARRAY(SELECT id FROM found_person WHERE role_id = 1 AND ${hasPart(sql`email`, email)}))))`

const accounts = sql`found_utility_account`
const profiles = sql`(
  SELECT p.*, trim(p.first_name || ' ' || p.last_name) AS customer_name, p.mobile_no AS phone_no, ''::text AS account_number
  FROM found_person p WHERE p.role_id = ${sql.lit(roles.citizen)} AND NOT EXISTS (
    SELECT FROM linked_account l WHERE l.company_id = p.company_id AND l.person_id = p.id))`

/** Who linked the account first, and all the accounts they have. */
const whoLinkedIt = sql`
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
  table: (asked) => (ofProfiles(asked) ? profiles : accounts),
  joins: (asked) => (ofProfiles(asked) ? themselves : whoLinkedIt),
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
    name: (name) => hasWords(sql`r.name_key`, name),
    serviceAddress: (address) => part('service_address', address),
    // A phone number is typed with its dashes, and kept without.
    phone: (phone) => part('phone_no', digitsOf(phone) || phone),
    accountNumber: (number) => part('account_number', number),
    email: (email, asked) => (ofProfiles(asked) ? part('email', email) : linkedBy(asked.company?.id, email)),
    // Few accounts have one, so that they are found by its own index.
    shutoff: (state, asked) =>
      ofProfiles(asked)
        ? sql`false`
        : sql`r.id = ANY (ARRAY(SELECT s.account_id FROM utility_shutoff s
            WHERE s.company_id = ${asked.company?.id} AND s.state = ${state} AND s.state <> 'restored'))`,
    profiles: () => sql`true`,
  },
  search: (search, asked) =>
    allOf(
      wordsOf(search).map((word) => {
        const either = [part('name_key', word), part('service_address', word)]
        if (ofProfiles(asked)) return anyOf([...either, part('email', word)])
        const ofAccount = [part('phone_no', word), part('account_number', word)]
        return anyOf([...either, ...ofAccount, linkedBy(asked.company?.id, word)])
      }),
    ),
  // Whether its viewer may be that resident.
  row: ({ impersonable, accountNumber }, { session }) => {
    const entitled = session !== null && !session.impersonation && may(session.privileges, 'login_logout', 'view')
    return { can: { view: accountNumber !== '', impersonate: entitled && impersonable } }
  },
  exported: 'export.customers',
})
