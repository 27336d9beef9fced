import { type RawBuilder, sql } from 'kysely'

/** The words of a search, each of which has to be found. */
export const wordsOf = (search: string): string[] => search.split(/\s+/).filter(Boolean)

/** All of these conditions; none at all is always met. */
export const allOf = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` AND `)}`
