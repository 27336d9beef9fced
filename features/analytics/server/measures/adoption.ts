import { sql } from 'kysely'
import { dayOf, during, type Measure, standing } from './measure.ts'

const RESIDENT = sql.lit(1)

/** Who signed up, and who opened the link in their mail. */
export const residents: Measure = {
  name: 'residents',
  rows: (scope) => sql`
    ${standing(scope, 'signed_up', 'created_at', sql`person WHERE company_id = ${scope.company} AND role_id = ${RESIDENT}`)}
    UNION ALL
    ${standing(scope, 'confirmed', 'email_confirmed_at', sql`person WHERE company_id = ${scope.company} AND role_id = ${RESIDENT}`)}`,
}

export const signUps: Measure = {
  name: 'sign_ups',
  rows: (scope) => sql`
    SELECT ${dayOf('created_at', scope)} AS day, 'new' AS part, count(*) AS count, 0::bigint AS cents
    FROM person WHERE company_id = ${scope.company} AND role_id = ${RESIDENT} AND ${during('created_at', scope)} GROUP BY 1`,
}

/** An account counts as linked once, however many residents share it. */
export const utilityAccounts: Measure = {
  name: 'utility_accounts',
  rows: (scope) => sql`
    ${standing(scope, 'all', 'created_at', sql`utility_account WHERE company_id = ${scope.company}`)}
    UNION ALL
    ${standing(
      scope,
      'linked',
      'linked_at',
      sql`(SELECT min(linked_at) AS linked_at FROM linked_account WHERE company_id = ${scope.company} GROUP BY account_id) l WHERE true`,
    )}`,
}
