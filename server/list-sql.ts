import { type RawBuilder, sql } from 'kysely'
import { COUNT_CAP } from '../shared/table.ts'
import type { CursorPosition } from './cursor.ts'
import type { Tx } from './tenancy.ts'

/** Splits a search text into words. A match must contain all of them. */
export const searchTerms = (search: string): string[] => search.split(/\s+/).filter(Boolean)

/**
 * Builds the condition that a text contains `part`. The comparison ignores case, accents and apostrophes, as the
 * trigram indexes do.
 */
export const hasPart = (text: RawBuilder<unknown>, part: string): RawBuilder<boolean> =>
  sql<boolean>`folded(${text}) LIKE like_part(${part})`

/** Builds the condition that a text contains each word of the search, in any order. */
export const matchesSearch = (text: RawBuilder<unknown>, search: string): RawBuilder<boolean> =>
  allOf(searchTerms(search).map((word) => hasPart(text, word)))

/** Writes values into the query as constants, because PostgreSQL does not use partial indexes with parameters. */
export const litList = (values: readonly (string | number)[]): RawBuilder<unknown> =>
  sql.join(values.map((value) => sql.lit(value)))

/** Joins conditions with AND. Returns `true` if the list is empty. */
export const allOf = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> =>
  conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` AND `)}`

/**
 * Returns the direction in which to read a list from a position. For a position that points back, the direction is
 * reversed, and `pageOf` reverses the rows again. `sqlDirection` is for ORDER BY and `order` for the query builder.
 * `beyond` is the operator that compares with the position: `(name, id) > (…)`.
 */
export function walkOf(direction: 'asc' | 'desc', position: CursorPosition | null = null) {
  const up = (direction === 'desc') === Boolean(position?.back)
  return {
    order: up ? ('asc' as const) : ('desc' as const),
    sqlDirection: sql.raw(up ? 'ASC' : 'DESC'),
    beyond: sql.raw(up ? '>' : '<'),
  }
}

/** Builds a query that counts rows up to `COUNT_CAP`, so that a count never becomes too expensive. */
export const cappedCount = (rows: RawBuilder<unknown>): RawBuilder<{ n: number }> =>
  sql`SELECT count(*)::int AS n FROM (${rows} LIMIT ${COUNT_CAP}) AS counted`

/** Counts rows up to `COUNT_CAP`, with a separate query. */
export async function countUpTo(tx: Tx, rows: RawBuilder<unknown>): Promise<number> {
  const { rows: counted } = await cappedCount(rows).execute(tx)
  return counted[0]?.n ?? 0
}

/** Makes the totals null if `cutRows` reached its row limit, because a partial sum would be wrong. */
export const belowCap = (totals: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`CASE WHEN count(*) < ${COUNT_CAP} THEN ${totals} END`

/** Number of rows in list order that a search checks before it uses the text index. */
export const NEAR = 1000
/**
 * Minimum number of matches among the first `NEAR` rows for which reading in list order is faster than using the text
 * index.
 */
const OFTEN = 30

interface Cut {
  table: RawBuilder<unknown>
  /** `conditions` can use the index for the list's order. `searched` contains the conditions of the search. */
  conditions: readonly RawBuilder<unknown>[]
  searched: readonly RawBuilder<unknown>[]
  order: RawBuilder<unknown>
}

/**
 * Selects the matching rows `r`, at most `COUNT_CAP`. Stored sums can't be used for a search, because a search can
 * match any rows. Frequent words are found faster in list order, because the text index collects all matches before it
 * returns the first row.
 */
export function cutRows({ table, conditions, searched, order }: Cut): RawBuilder<unknown> {
  const along = (limit: RawBuilder<unknown>) =>
    sql`(SELECT r.* FROM ${table} WHERE ${allOf(conditions)} ${order} LIMIT ${limit}) r WHERE ${allOf(searched)}`
  const all = sql`SELECT r.* FROM ${table} WHERE ${allOf([...conditions, ...searched])}`
  if (searched.length === 0) return sql`${all} LIMIT ${COUNT_CAP}`
  const rows = sql`(SELECT CASE WHEN hits >= ${OFTEN} THEN ${1.5 * NEAR * COUNT_CAP} / hits ELSE 0 END FROM near)`
  return sql`
    WITH near AS MATERIALIZED (SELECT count(*) AS hits FROM ${along(sql`${NEAR}`)}),
      walked AS MATERIALIZED (SELECT r.* FROM ${along(rows)} LIMIT ${COUNT_CAP})
    SELECT r.* FROM walked r WHERE (SELECT count(*) FROM walked) = ${COUNT_CAP}
    UNION ALL
    (${all} AND (SELECT count(*) FROM walked) < ${COUNT_CAP} LIMIT ${COUNT_CAP})`
}
