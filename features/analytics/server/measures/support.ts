import { sql } from 'kysely'
import { dayOf, during, type Measure } from './measure.ts'

/** Number of support requests in each state at the end of each day, from their transitions. */
export const requests: Measure = {
  name: 'requests',
  rows: (scope) => sql`
    SELECT d.day, s.status::text AS part, (sum(coalesce(n.count, 0)) OVER (PARTITION BY s.status ORDER BY d.day))::bigint AS count, 0::bigint AS cents
    FROM (SELECT g::date AS day FROM generate_series(${scope.fromDate}::date, ${scope.toDate}::date, interval '1 day') AS g) d
    CROSS JOIN generate_series(0, 4) AS s(status)
    LEFT JOIN (
      SELECT greatest(${dayOf('h.at', scope)}, ${scope.fromDate}::date) AS day, step.status, sum(step.by) AS count
      FROM status_history h CROSS JOIN LATERAL (VALUES (h.to_state, 1), (h.from_state, -1)) AS step(status, by)
      WHERE h.company_id = ${scope.company} AND h.machine = 'support_request' AND h.at < ${scope.until}::timestamptz GROUP BY 1, 2) n
      ON n.day = d.day AND n.status = s.status::text`,
}

export const requestsReceived: Measure = {
  name: 'requests_received',
  rows: (scope) => sql`
    SELECT ${dayOf('created_at', scope)} AS day, 'received' AS part, count(*) AS count, 0::bigint AS cents
    FROM support_request WHERE company_id = ${scope.company} AND ${during('created_at', scope)} GROUP BY 1`,
}

/** Requests that were closed on a day and are still closed, grouped by the time until they were closed. */
export const requestsClosed: Measure = {
  name: 'requests_closed',
  rows: (scope) => sql`
    SELECT ${dayOf('closed_at', scope)} AS day,
      CASE WHEN closed_at - created_at <= interval '1 day' THEN 'day' WHEN closed_at - created_at <= interval '3 days' THEN 'three_days'
        WHEN closed_at - created_at <= interval '7 days' THEN 'week' ELSE 'longer' END AS part, count(*) AS count, 0::bigint AS cents
    FROM support_request WHERE company_id = ${scope.company} AND closed_at IS NOT NULL AND ${during('closed_at', scope)} GROUP BY 1, 2`,
}
