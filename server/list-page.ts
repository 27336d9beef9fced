import { sql } from 'kysely'
import type { CursorPosition } from './cursor.ts'
import type { ListConditions, ListExpressions } from './list-expressions.ts'
import { allOf, NEAR, walkOf } from './list-sql.ts'
import type { ListQuery, Sql } from './list-source.ts'
import { keyValue } from './list-values.ts'

interface PageParts<F> {
  expressions: ListExpressions<F>
  conditions: ListConditions<F>
  /** Column to which the list's date range applies. */
  dayColumn: string | undefined
}

/**
 * Builds the query for a page. The query first finds the rows in order, then joins the tables that the displayed
 * columns need.
 */
export function pageQuery<F>(
  { expressions, conditions, dayColumn }: PageParts<F>,
  query: ListQuery<F>,
  position: CursorPosition | null,
): Sql {
  const { question } = query
  const days = conditions.days(query)
  // If the list is sorted by the day column, the date range is part of one index scan. In any other order, a scan might
  // read many rows before it finds a match.
  const isAlongDays = question.sort === dayColumn
  const beyond = beyondPosition(expressions, query, position)
  const narrow = [...conditions.narrow(query), ...beyond, ...(isAlongDays ? days : [])]
  const searched = [...(isAlongDays ? [] : days), ...conditions.text(query)]
  const { order, limit, selection } = pageParts(expressions, query, position)
  const table = expressions.tableOf(query)
  const joins = expressions.joinsOf(query)
  const group = conditions.openedGroup(query)
  if (group.length > 0)
    return sql`${selection} FROM ${table} ${joins} WHERE ${allOf([...narrow, ...searched, ...group])} ${order} ${limit}`
  const rows =
    searched.length > 0
      ? searchedRows({ table, narrow, searched, order, pageSize: question.pageSize })
      : sql`SELECT r.* FROM ${table} WHERE ${allOf(narrow)} ${order} ${limit}`
  return sql`${selection} FROM (${rows}) r ${joins} ${order}`
}

/**
 * Builds the query for a page from rows that were already read. Those rows meet all conditions except those of the
 * position and the group.
 */
export function pageOfRead<F>(
  { expressions, conditions }: Pick<PageParts<F>, 'expressions' | 'conditions'>,
  read: Sql,
  query: ListQuery<F>,
  position: CursorPosition | null,
): Sql {
  const { order, limit, selection } = pageParts(expressions, query, position)
  const joins = expressions.joinsOf(query)
  const beyond = beyondPosition(expressions, query, position)
  const group = conditions.openedGroup(query)
  if (group.length > 0)
    return sql`${selection} FROM ${read} r ${joins} WHERE ${allOf([...beyond, ...group])} ${order} ${limit}`
  const rows = sql`SELECT r.* FROM ${read} r WHERE ${allOf(beyond)} ${order} ${limit}`
  return sql`${selection} FROM (${rows}) r ${joins} ${order}`
}

function pageParts<F>(
  { id, sortedBy, selected }: ListExpressions<F>,
  { question }: ListQuery<F>,
  position: CursorPosition | null,
) {
  const key = sortedBy(question.sort)
  const { sqlDirection } = walkOf(question.direction, position)
  return {
    order: sql`ORDER BY ${key} ${sqlDirection}, ${id} ${sqlDirection}`,
    limit: sql`LIMIT ${question.pageSize + 1}`,
    selection: sql`SELECT ${id} AS id, ${key} AS _key, ${selected()}`,
  }
}

/** Returns the condition for rows after a position. Empty for the first page. */
function beyondPosition<F>(
  { id, sortedBy, columnOf }: ListExpressions<F>,
  { question }: ListQuery<F>,
  position: CursorPosition | null,
): Sql[] {
  if (!position) return []
  const { beyond } = walkOf(question.direction, position)
  const value = keyValue(columnOf(question.sort), position)
  return [sql`(${sortedBy(question.sort)}, ${id}) ${beyond} (${value}, ${position.id})`]
}

/**
 * Selects the rows of a page for a search. For a common word, the first `NEAR` rows contain enough matches. A rare word
 * needs the text index, and OFFSET 0 forces the planner to use it. The planner can't know how common a word is, and a
 * wrong guess would read all rows.
 */
function searchedRows({
  table,
  narrow,
  searched,
  order,
  pageSize,
}: {
  table: Sql
  narrow: readonly Sql[]
  searched: readonly Sql[]
  order: Sql
  pageSize: number
}): Sql {
  const limit = sql`LIMIT ${pageSize + 1}`
  const near = sql`SELECT r.* FROM ${table} WHERE ${allOf(narrow)} ${order} LIMIT ${NEAR}`
  const all = sql`SELECT r.* FROM ${table} WHERE ${allOf([...narrow, ...searched])} OFFSET 0`
  return sql`
    WITH near AS MATERIALIZED (SELECT r.* FROM (${near}) r WHERE ${allOf(searched)} ${order} ${limit}), known AS (SELECT count(*) AS n FROM near)
    SELECT r.* FROM near r WHERE (SELECT n FROM known) > ${pageSize}
    UNION ALL
    SELECT r.* FROM (SELECT r.* FROM (${all}) r ${order} ${limit}) r WHERE (SELECT n FROM known) <= ${pageSize}`
}
