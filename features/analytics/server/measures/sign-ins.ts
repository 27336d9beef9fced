import { sql } from 'kysely'
import { dayOf, during, type Measure } from './measure.ts'

/** Must repeat the condition of the Login Report's index exactly, so that PostgreSQL uses the index. */
export const OF_SIGN_INS = sql`e.action IN ('sign_in.accepted', 'sign_in.refused')`

/** Accepted sign-ins by their first step. A password with a code counts as a password. */
export const signIns: Measure = {
  name: 'sign_ins',
  rows: (scope) => sql`
    SELECT ${dayOf('e.at', scope)} AS day, coalesce(split_part(e.detail ->> 'how', ' + ', 1), '') AS part, count(*) AS count, 0::bigint AS cents
    FROM audit_event e
    WHERE e.company_id = ${scope.company} AND ${OF_SIGN_INS} AND e.action = 'sign_in.accepted' AND ${during('e.at', scope)}
    GROUP BY 1, 2`,
}
