import { type RawBuilder, sql } from 'kysely'
import type { MeasureName } from '../../rules.ts'

/** One company and a range of days. */
export interface Scope {
  company: number
  zone: string
  fromDate: string
  toDate: string
  /** Start of the first day. `until` is the end of the last day. */
  from: Date
  until: Date
}

/** Definition of one measure. `rows` selects `day`, `part`, `count` and `cents`, with one row for each day and part. */
export interface Measure {
  name: MeasureName
  rows: (scope: Scope) => RawBuilder<unknown>
}

/** Converts an instant to the company's day. */
export const dayOf = (at: string, { zone }: Scope) => sql`(${sql.ref(at)} AT TIME ZONE ${zone}::text)::date`

export const during = (at: string, { from, until }: Scope) =>
  sql`${sql.ref(at)} >= ${from}::timestamptz AND ${sql.ref(at)} < ${until}::timestamptz`

/**
 * Counts the records that exist at the end of each day, from the current rows. `since` is a column of `source`.
 * `source` must end with a condition, because the query appends AND. Deleted rows are missing from all days, including
 * earlier ones.
 */
export const stockCounts = (scope: Scope, part: string, since: string, source: RawBuilder<unknown>) => sql`
  SELECT d.day, ${part}::text AS part, (sum(coalesce(n.count, 0)) OVER (ORDER BY d.day))::bigint AS count, 0::bigint AS cents
  FROM (SELECT g::date AS day FROM generate_series(${scope.fromDate}::date, ${scope.toDate}::date, interval '1 day') AS g) d
  LEFT JOIN (
    SELECT greatest(${dayOf(since, scope)}, ${scope.fromDate}::date) AS day, count(*) AS count
    FROM ${source} AND ${sql.ref(since)} < ${scope.until}::timestamptz GROUP BY 1) n ON n.day = d.day`
