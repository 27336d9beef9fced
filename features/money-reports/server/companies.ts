import { type RawBuilder, sql } from 'kysely'
import { hasWords } from '../../../server/list-sql.ts'

/** What a report by company is asked. */
interface Question {
  search: string
  filters: { companyId?: number | undefined }
}

/**
 * The figures of each company that anything moved for, by `id`, `name` and `name_key`. `moved` are its rows in the period
 * as `m`, by the company `c`; they are read company by company along their index.
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
    AND ${hasWords(sql`c.name_key`, search)})`

/** What narrows these reports narrows what they add up, not the rows that come of it. */
export const MADE_OF_THE_QUESTION = {
  search: () => sql`true`,
  filters: {
    companyId: () => sql`true`,
    absorbFee: () => sql`true`,
    program: () => sql`true`,
    countedBy: () => sql`true`,
  },
}

/** Columns that are called as the figures are. */
export const figuresAs = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, name])) as Record<Name, Name>
