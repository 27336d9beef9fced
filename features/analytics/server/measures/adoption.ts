import { sql } from 'kysely'
import { dayOf, during, type Measure, stockCounts } from './measure.ts'

const RESIDENT = sql.lit(1)

/** Residents who signed up, and those who confirmed their email. */
export const residents: Measure = {
  name: 'residents',
  rows: (scope) => sql`
    ${stockCounts(scope, 'signed_up', 'created_at', sql`person WHERE company_id = ${scope.company} AND role_id = ${RESIDENT}`)}
    UNION ALL
    ${stockCounts(scope, 'confirmed', 'email_confirmed_at', sql`person WHERE company_id = ${scope.company} AND role_id = ${RESIDENT}`)}`,
}

export const signUps: Measure = {
  name: 'sign_ups',
  rows: (scope) => sql`
    SELECT ${dayOf('created_at', scope)} AS day, 'new' AS part, count(*) AS count, 0::bigint AS cents
    FROM person WHERE company_id = ${scope.company} AND role_id = ${RESIDENT} AND ${during('created_at', scope)} GROUP BY 1`,
}

/** Utility accounts. A shared account counts as linked once. */
export const utilityAccounts: Measure = {
  name: 'utility_accounts',
  rows: (scope) => sql`
    ${stockCounts(scope, 'all', 'created_at', sql`utility_account WHERE company_id = ${scope.company}`)}
    UNION ALL
    ${stockCounts(
      scope,
      'linked',
      'linked_at',
      sql`(SELECT min(linked_at) AS linked_at FROM linked_account WHERE company_id = ${scope.company} GROUP BY account_id) l WHERE true`,
    )}`,
}
