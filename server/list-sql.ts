import { type RawBuilder, sql } from 'kysely'
import { COUNT_CAP } from '../shared/table.ts'
import type { Place } from './cursor.ts'
import type { Tx } from './tenancy.ts'

/** The words of a search, each of which has to be found. */
export const wordsOf = (search: string): string[] => search.split(/\s+/).filter(Boolean)

/** True if this is a part of the text, whatever the case, accents and apostrophes of both. Trigram indexes fold texts too. */
export const hasPart = (text: RawBuilder<unknown>, wanted: string): RawBuilder<boolean> =>
  sql<boolean>`folded(${text}) LIKE like_part(${wanted})`

/** True if each word of the search is a part of the text, in any order. */
export const hasWords = (text: RawBuilder<unknown>, search: string): RawBuilder<boolean> =>
  allOf(wordsOf(search).map((word) => hasPart(text, word)))

/** All of these conditions; none at all is always met. */
export const allOf = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> =>
  conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` AND `)}`

/**
 * Which way a list is read from a place: going back reads the other way round (`pageOf` turns the rows again). `way` stands
 * in ORDER BY, `order` is the same for the query builder, and `beyond` compares with the place: `(name, id) > (…)`.
 */
export function walkOf(direction: 'asc' | 'desc', place: Place | null = null) {
  const up = (direction === 'desc') === Boolean(place?.back)
  return {
    order: up ? ('asc' as const) : ('desc' as const),
    way: sql.raw(up ? 'ASC' : 'DESC'),
    beyond: sql.raw(up ? '>' : '<'),
  }
}

/** A query that says how many rows another answers, counted up to the cap, so that the price of counting has an end. */
export const cappedCount = (rows: RawBuilder<unknown>): RawBuilder<{ n: number }> =>
  sql`SELECT count(*)::int AS n FROM (${rows} LIMIT ${COUNT_CAP}) AS counted`

/** The same, asked by itself. */
export async function countUpTo(tx: Tx, rows: RawBuilder<unknown>): Promise<number> {
  const { rows: counted } = await cappedCount(rows).execute(tx)
  return counted[0]?.n ?? 0
}

/** Totals of rows that `cutRows` limits. Null if there may be more rows, because a part of a sum is a wrong sum. */
export const belowCap = (totals: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`CASE WHEN count(*) < ${COUNT_CAP} THEN ${totals} END`

/** Among so many rows, in the order of the list, a search is tried first. */
export const NEAR = 1000
/** With fewer hits among those, the index of texts is quicker than the order of the list. */
const OFTEN = 30

interface Cut {
  table: RawBuilder<unknown>
  /** Conditions that the order's index carries, and those of the search. */
  conditions: readonly RawBuilder<unknown>[]
  searched: readonly RawBuilder<unknown>[]
  order: RawBuilder<unknown>
}

/**
 * Rows `r` that match, no more than are counted. What people type can match any part of the rows, so no kept sum answers it. Frequent
 * words are found along the order of the list: for them, the index of texts would collect all rows before it gave the first.
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
