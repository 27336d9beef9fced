import { type RawBuilder, sql } from 'kysely'
import type { MeasureName } from '../../rules.ts'

/** One town and some days of it, one after another. */
export interface Scope {
  company: number
  zone: string
  fromDate: string
  toDate: string
  /** When the first of them begins and the last one ends. */
  from: Date
  until: Date
}

/** Counts one thing. `rows` answers `day`, `part`, `count`, `cents`, each day and part once. */
export interface Measure {
  name: MeasureName
  rows: (scope: Scope) => RawBuilder<unknown>
}

/** The town's day of an instant. */
export const dayOf = (at: string, { zone }: Scope) => sql`(${sql.ref(at)} AT TIME ZONE ${zone}::text)::date`

export const during = (at: string, { from, until }: Scope) =>
  sql`${sql.ref(at)} >= ${from}::timestamptz AND ${sql.ref(at)} < ${until}::timestamptz`

/**
 * How many there were at the end of each day, from what there is now and since when: `since` is a column of `source`,
 * which ends in a condition. What was taken away since is not in any day.
 */
export const standing = (scope: Scope, part: string, since: string, source: RawBuilder<unknown>) => sql`
  SELECT d.day, ${part}::text AS part, (sum(coalesce(n.count, 0)) OVER (ORDER BY d.day))::bigint AS count, 0::bigint AS cents
  FROM (SELECT g::date AS day FROM generate_series(${scope.fromDate}::date, ${scope.toDate}::date, interval '1 day') AS g) d
  LEFT JOIN (
    SELECT greatest(${dayOf(since, scope)}, ${scope.fromDate}::date) AS day, count(*) AS count
    FROM ${source} AND ${sql.ref(since)} < ${scope.until}::timestamptz GROUP BY 1) n ON n.day = d.day`
