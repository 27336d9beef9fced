import { sql } from 'kysely'
import { type Group, type Grouping, MAX_GROUPS } from '../shared/list.ts'
import { COUNT_CAP } from '../shared/table.ts'
import { type ListConditions, type ListExpressions, zoneOf } from './list-expressions.ts'
import { allOf, belowCap, cappedCount, cutRows } from './list-sql.ts'
import type { Columns, ListDeclaration, ListQuery, ListSums, Source, Sql } from './list-source.ts'
import type { Tx } from './tenancy.ts'

/** Builds the functions that compute counts, totals and groups of a list. */
export function listSums<F>(
  declared: ListDeclaration<Columns, F>,
  source: Source<Columns, F>,
  expressions: ListExpressions<F>,
  conditions: ListConditions<F>,
) {
  const { id, sortedBy, tableOf, joinsOf, groupOf, totals } = expressions
  const hasTotals = declared.totalled.length > 0

  /** Selects the matching rows, at most `COUNT_CAP`, through the index for the list's order. */
  function matchingRows(query: ListQuery<F>): Sql {
    const { column } = declared.days ?? {}
    const isAlongDays = column !== undefined && declared.sorts.includes(column)
    const by = isAlongDays ? column : query.question.sort
    const days = conditions.days(query)
    return cutRows({
      table: tableOf(query),
      conditions: [...conditions.narrow(query), ...(isAlongDays ? days : [])],
      searched: [...(isAlongDays ? [] : days), ...conditions.text(query)],
      order: sql`ORDER BY ${sortedBy(by)} DESC, ${id} DESC`,
    })
  }

  /** Returns count and totals of the list or of an opened group. */
  async function sumsOf(tx: Tx, query: ListQuery<F>): Promise<ListSums> {
    if (!query.question.group) {
      const stored = source.sums?.(tx, query, { conditions: conditions.all, cutRows: matchingRows })
      if (stored) return stored
    }
    return hasTotals ? addUp(tx, query) : { count: await count(tx, query), totals: {} }
  }

  /**
   * Returns the FROM and WHERE clauses of a query. Includes the joins for an opened group, because its condition may
   * use joined columns.
   */
  function matching(query: ListQuery<F>): Sql {
    const group = conditions.openedGroup(query)
    const joins = group.length > 0 ? joinsOf(query) : sql``
    return sql`FROM ${tableOf(query)} ${joins} WHERE ${allOf([...conditions.all(query), ...group])}`
  }

  async function count(tx: Tx, query: ListQuery<F>): Promise<number> {
    const parts = query.question.search ? (source.searchParts?.(query) ?? []) : []
    const order = source.countAlong ? sql`ORDER BY ${source.countAlong}` : sql``
    // Leaves out the search condition, because each part already contains it. If the condition appeared twice, the
    // planner would expect too few matches.
    const withoutSearch = matching({ ...query, question: { ...query.question, search: '' } })
    const rowsOf = (part: Sql) => sql`(SELECT ${id} ${withoutSearch} AND ${part} ${order} LIMIT ${COUNT_CAP})`
    const all = parts.length > 0 ? sql.join(parts.map(rowsOf), sql` UNION `) : sql`SELECT 1 ${matching(query)} ${order}`
    const { rows } = await cappedCount(all).execute(tx)
    return rows[0]?.n ?? 0
  }

  async function addUp(tx: Tx, query: ListQuery<F>): Promise<ListSums> {
    const { question } = query
    const isOpenedGroup = question.group !== undefined && question.group?.value !== undefined
    const isCut = !isOpenedGroup && question.search !== '' && question.totals !== 'all'
    const { rows } = await sql<ListSums>`
      SELECT least(count(*), ${COUNT_CAP})::int AS count, ${isCut ? belowCap(totals()) : totals()} AS totals
      FROM (${isCut ? matchingRows(query) : sql`SELECT r.* ${matching(query)}`}) r ${joinsOf(query)}`.execute(tx)
    const sums = rows[0] ?? { count: 0, totals: {} }
    // An opened group's totals were already sent with the list of groups. Totals of the whole list may have another
    // shape.
    return { count: sums.count, totals: isOpenedGroup && declared.totals ? null : sums.totals }
  }

  async function groupsBy(tx: Tx, query: ListQuery<F>, group: Grouping): Promise<Group[]> {
    const { rows } = await sql<Group>`
      SELECT ${groupOf(group, zoneOf(query.company))} AS value, count(*)::int AS count, ${totals()} AS totals
      FROM ${tableOf(query)} ${joinsOf(query)} WHERE ${allOf(conditions.all(query))}
      GROUP BY 1 ORDER BY 1 NULLS LAST LIMIT ${MAX_GROUPS}`.execute(tx)
    return rows
  }

  return { sumsOf, groupsBy }
}
