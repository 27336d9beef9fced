import { type RawBuilder, sql } from 'kysely'
import { COMPANY_IDS, isText, isWhole, pageOf, readCursor } from '../../../server/cursor.ts'
import { hasWords, walkOf } from '../../../server/list-sql.ts'
import type { Tx } from '../../../server/tenancy.ts'

/** What a report by company is asked. */
export interface Question {
  search: string
  sort: string
  direction: 'asc' | 'desc'
  cursor?: string | undefined
  pageSize: number
  filters: { companyId?: number | undefined }
}

type Row<Figure extends string> = { id: number; name: string; name_key: string } & Record<Figure, number>

/**
 * The figures of each company that anything moved for, by `id`, `name` and `name_key`. `moved` are its rows in the period
 * as `m`, by the company `c` and its zone `z.zone`; the ledger is walked company by company along its index.
 */
export const byCompany = (
  { search, filters: { companyId } }: Pick<Question, 'search' | 'filters'>,
  moved: RawBuilder<unknown>,
  figures: RawBuilder<unknown>,
) => sql`
  SELECT c.id, c.name, c.name_key, f.*
  FROM company c JOIN timezone z ON z.id = c.timezone_id
  CROSS JOIN LATERAL (SELECT count(*)::int AS moves, ${figures} FROM ${moved}) f
  WHERE f.moves > 0 ${companyId === undefined ? sql`` : sql`AND c.id = ${companyId}`}
    AND ${hasWords(sql`c.name_key`, search)}`

/**
 * One page of the companies, by name or by a figure, with the totals of all of them: the totals need every company's
 * figures, so that these are worked out once and the page is cut from them.
 */
export async function pageOfCompanies<Figure extends string>(
  tx: Tx,
  companies: RawBuilder<unknown>,
  names: readonly Figure[],
  { sort, direction, cursor, pageSize }: Question,
  figureOf: Readonly<Record<string, Figure>>,
) {
  const figure = figureOf[sort]
  const place = figure ? readCursor(cursor, isWhole, COMPANY_IDS) : readCursor(cursor, isText, COMPANY_IDS)
  const { way, beyond: than } = walkOf(direction, place)
  const column = sql.ref(figure ?? 'name_key')
  const beyond = place
    ? sql`WHERE (${column}, id) ${than} (${place.key}${figure ? sql`::bigint` : sql``}, ${place.id}::int)`
    : sql``
  const sums = names.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0)::bigint AS ${sql.ref(name)}`)
  const { rows } = await sql<{ totals: Record<Figure, number> & { companies: number }; row: Row<Figure> | null }>`
    WITH sums AS MATERIALIZED (${companies}),
      page AS (SELECT *, row_number() OVER (ORDER BY ${column} ${way}, id ${way}) AS nth FROM sums ${beyond} ORDER BY ${column} ${way}, id ${way} LIMIT ${pageSize + 1})
    SELECT to_jsonb(t) AS totals, to_jsonb(p) AS row
    FROM (SELECT count(*)::int AS companies, ${sql.join(sums)} FROM sums) t LEFT JOIN page p ON true ORDER BY p.nth`.execute(
    tx,
  )
  const page = pageOf(
    rows.flatMap(({ row }) => row ?? []),
    place,
    pageSize,
    (row) => (figure ? row[figure] : row.name_key),
  )
  const totals = rows[0]?.totals
  if (!totals) throw new Error('an aggregate answers one row')
  return { page, totals, count: totals.companies }
}
