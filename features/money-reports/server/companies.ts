import { type RawBuilder, sql } from 'kysely'
import { matchesSearch } from '../../../server/list-sql.ts'

/** Search text and company filter of a report by company. */
interface Question {
  search: string
  filters: { companyId?: number | undefined }
}

/**
 * Returns SQL for one row per company with money movements: its `id`, `name`, `name_key` and figures. `moved` selects
 * the rows of company `c` in the period as `m`. PostgreSQL finds each company's rows through an index.
 */
export const byCompany = (
  { search, filters: { companyId } }: Question,
  moved: RawBuilder<unknown>,
  figures: RawBuilder<unknown>,
) => sql`(
  SELECT c.id, c.name, c.name_key, f.*
  FROM company c
  CROSS JOIN LATERAL (SELECT count(*)::int AS moves, ${figures} FROM ${moved}) f
  WHERE f.moves > 0 ${companyId === undefined ? sql`` : sql`AND c.id = ${companyId}`}
    AND ${matchesSearch(sql`c.name_key`, search)})`

/**
 * Filters that the sums already apply. The conditions are always true here, so that they do not filter the resulting
 * rows as well.
 */
export const MADE_OF_THE_QUESTION = {
  search: () => sql`true`,
  filters: {
    companyId: () => sql`true`,
    absorbFee: () => sql`true`,
    program: () => sql`true`,
    countedBy: () => sql`true`,
  },
}

/** Maps each figure to the column of the same name. */
export const figuresAs = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, name])) as Record<Name, Name>
