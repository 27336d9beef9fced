/**
 * Server side of a declarative list (`shared/list.ts`): the SQL source of its rows. The page, count, totals, groups and
 * CSV are built from this source. `test/lists.test.ts` tests every list.
 */
import { sql } from 'kysely'
import type { Column, Filters, ListQuestion, Row } from '../shared/list.ts'
import { COUNT_CAP } from '../shared/table.ts'
import { type Call, type Handler, implement } from './call.ts'
import { implementCsv } from './csv.ts'
import { type CursorPosition, pageOf, readCursor } from './cursor.ts'
import { exportList } from './list-csv.ts'
import { HIDDEN, listConditions, listExpressions } from './list-expressions.ts'
import { pageOfRead, pageQuery } from './list-page.ts'
import type { Columns, ListDeclaration, ListQuery, ListSums, Source } from './list-source.ts'
import { allOf } from './list-sql.ts'
import { listSums } from './list-sums.ts'
import { keyFits, keyOf, plainValue } from './list-values.ts'
import type { Tx } from './tenancy.ts'

/** Call of a list, with data for the test of all lists. */
export interface ListHandler extends Handler {
  list: {
    declared: ListDeclaration<Columns, unknown>
    /** True if the list declares totals other than column sums. */
    hasOwnSums: boolean
    hasOwnFile: boolean
    /** True if each row is a sum of other rows. The database must then read all of those rows for a page. */
    addsUp: boolean
    /** Columns with a different value in the CSV. */
    ownCells: readonly string[]
    unindexed: Readonly<Record<string, string>>
  }
}

/** Creates a list's calls: the page and, if declared, the CSV. */
export function implementList<C extends Columns, F>(
  declared: ListDeclaration<C, F>,
  source: Source<C, F>,
): readonly Handler[] {
  const read = reader(declared as ListDeclaration<Columns, F>, source as unknown as Source<Columns, F>)
  const page: ListHandler = {
    ...implement(declared.call as never, ((call: Call) => read.response(call)) as never),
    list: {
      declared: declared as ListDeclaration<Columns, unknown>,
      hasOwnSums: source.sums !== undefined && declared.totals !== undefined,
      hasOwnFile: source.file !== undefined,
      addsUp: source.together === true,
      ownCells: Object.keys(source.csv ?? {}),
      unindexed: source.unindexed ?? {},
    },
  }
  const { csv } = declared
  if (!csv) return [page]
  return [page, implementCsv(csv.call as never, (call: Call) => read.download(call, csv.file))]
}

type RawRow = Record<string, unknown> & { id: number; _key: unknown }

function reader<F>(declared: ListDeclaration<Columns, F>, source: Source<Columns, F>) {
  const expressions = listExpressions(declared, source)
  const conditions = listConditions(declared, source, expressions)
  const { sumsOf, groupsBy } = listSums(declared, source, expressions, conditions)
  const { id, columnOf, tableOf, joinsOf, selected, totals } = expressions

  const queryOf = (call: Call): ListQuery<F> => ({
    call,
    company: declared.scope === 'company' ? call.company : null,
    question: call.body as ListQuestion<Filters<F>>,
  })
  const read = <T>(call: Call, work: (tx: Tx) => Promise<T>): Promise<T> =>
    declared.scope === 'company' ? call.reading(work) : call.context.readingAll(work)

  async function response(call: Call) {
    source.before?.(call)
    const listQuery = queryOf(call)
    const { question } = listQuery
    const position = readCursor(question.cursor, keyFits(columnOf(question.sort)), source.highestId)
    const { group } = question
    return read(call, async (tx) => {
      const query = { ...listQuery, expected: await source.expect?.(tx, listQuery) }
      if (group && group.value === undefined) {
        const [groups, sums] = await Promise.all([
          groupsBy(tx, query, group),
          sumsOf(tx, { ...query, question: { ...question, group: undefined } }),
        ])
        return { rows: [], next: null, previous: null, ...sums, groups }
      }
      const [rows, sums] = source.together
        ? await rowsAndSums(tx, query, position)
        : await Promise.all([
            sql<RawRow>`${pageQuery({ expressions, conditions, dayColumn: declared.days?.column }, query, position)}`
              .execute(tx)
              .then((result) => result.rows),
            question.totals ? sumsOf(tx, query) : { count: null, totals: null },
          ])
      const page = pageOf(rows, position, question.pageSize, (row) => keyOf(row._key))
      return { ...page, rows: await toRows(tx, query, page.rows), ...sums, groups: null }
    })
  }

  /** Reads page, count and totals in one query. */
  async function rowsAndSums(
    tx: Tx,
    query: ListQuery<F>,
    position: CursorPosition | null,
  ): Promise<[RawRow[], ListSums]> {
    const page = pageOfRead({ expressions, conditions }, sql`listed`, query, position)
    const { rows } = await sql<Partial<RawRow> & { _sums: ListSums }>`
      WITH listed AS MATERIALIZED (SELECT r.* FROM ${tableOf(query)} WHERE ${allOf(conditions.all(query))})
      SELECT s._sums, p.* FROM (SELECT jsonb_build_object('count', least(count(*), ${COUNT_CAP}), 'totals', ${totals()}) AS _sums FROM listed r) s
      LEFT JOIN LATERAL (SELECT row_number() OVER () AS _nth, p.* FROM (${page}) p) p ON true ORDER BY p._nth`.execute(
      tx,
    )
    const { count = 0, totals: sums = {} } = rows[0]?._sums ?? {}
    const listed = rows.flatMap(({ _sums, _nth, ...row }: Record<string, unknown>) =>
      row['id'] === null ? [] : [row as RawRow],
    )
    return [listed, { count, totals: sums }]
  }

  const hiddenOf = (raw: RawRow) =>
    Object.fromEntries(Object.keys(source.hidden ?? {}).map((name) => [name, raw[HIDDEN + name]]))

  /** Converts database rows to rows of the list, and loads the data that `row` needs. */
  async function toRows(tx: Tx, query: ListQuery<F>, rows: readonly RawRow[]): Promise<Row<Columns>[]> {
    const loaded = await source.lookup?.(rows.map(hiddenOf), query, tx)
    return rows.map((raw) => {
      const { _key, ...columnValues } = raw
      const values = Object.entries(columnValues)
        .filter(([name]) => !name.startsWith(HIDDEN))
        .map(([name, value]) => [name, plainValue(value, (declared.columns as Record<string, Column>)[name])])
      const row = { can: {}, ...Object.fromEntries(values) } as Row<Columns>
      return { ...row, ...source.row?.(row, query.call, { ...hiddenOf(raw), lookup: loaded }) }
    })
  }

  async function download(call: Call, file: string) {
    source.before?.(call)
    return { subject: file, ...(await exportList(declared, source, { expressions, conditions }, call, queryOf(call))) }
  }

  /**
   * Reads one row in the form that the list returns, for example for the row's slide-out. Null if this company has no
   * row with this id.
   */
  async function one(tx: Tx, call: Call, rowId: number): Promise<Row<Columns> | null> {
    const query = queryOf(call)
    const own = query.company ? sql`r.company_id = ${query.company.id} AND ` : sql``
    const { rows } = await sql<RawRow>`
      SELECT ${id} AS id, ${selected()} FROM ${tableOf(query)} ${joinsOf(query)} WHERE ${own}${id} = ${rowId}`.execute(
      tx,
    )
    return rows[0] ? ((await toRows(tx, query, [rows[0]]))[0] ?? null) : null
  }

  return { response, download, one }
}

/** Returns a function that reads one row by id, in the form that the list returns. */
export const rowsOf =
  <C extends Columns, F>(declared: ListDeclaration<C, F>, source: Source<C, F>) =>
  (tx: Tx, call: Call, id: number) =>
    reader(declared as ListDeclaration<Columns, F>, source as unknown as Source<Columns, F>).one(
      tx,
      call,
      id,
    ) as Promise<Row<C> | null>
