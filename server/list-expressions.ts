import { sql } from 'kysely'
import { addDays, midnightIn } from '../shared/dates.ts'
import type { Column, Filter, Grouping, GroupUnit } from '../shared/list.ts'
import type { Company } from './hosts.ts'
import { matchesSearch } from './list-sql.ts'
import type { Columns, ListDeclaration, ListQuery, Source, Sql } from './list-source.ts'

const UTC = 'UTC'
export const zoneOf = (company: Company | null): string => company?.timeZone ?? UTC

/** Prefix of the hidden SQL columns, which only the list's `row` function reads. */
export const HIDDEN = '_hidden_'

export type ListExpressions<F> = ReturnType<typeof listExpressions<F>>
export type ListConditions<F> = ReturnType<typeof listConditions<F>>

const resolve = <T, F>(part: T | ((query: ListQuery<F>) => T), query: ListQuery<F>): T =>
  typeof part === 'function' ? (part as (query: ListQuery<F>) => T)(query) : part

/** Returns the SQL for the first day of the period with a local time, as text. */
function firstDayOf(time: Sql, unit: GroupUnit): Sql {
  if (unit === 'day') return sql`to_char(${time}, 'YYYY-MM-DD')`
  // The database starts weeks on Monday.
  const shift = unit === 'week' ? sql`interval '1 day'` : sql`interval '0 days'`
  return sql`to_char(date_trunc(${sql.lit(unit)}, ${time} + ${shift}) - ${shift}, 'YYYY-MM-DD')`
}

/** Builds the SQL expressions of a list: its columns, sort keys, groups and totals, and the tables that they read. */
export function listExpressions<F>(declared: ListDeclaration<Columns, F>, source: Source<Columns, F>) {
  const columns = declared.columns as Record<string, Column>
  const id = source.id ?? sql`r.id`
  const sqlOf = (name: string): Sql => {
    const expression = source.columns[name]
    if (expression === undefined) throw new Error(`${declared.call.path}: ${name} has no expression`)
    return typeof expression === 'string' ? sql`r.${sql.ref(expression)}` : expression
  }
  const sortedBy = (name: string): Sql => {
    const other = source.sorts?.[name]
    return typeof other === 'string' ? sql`r.${sql.ref(other)}` : (other ?? sqlOf(name))
  }
  const columnOf = (name: string): Column => {
    const column = columns[name]
    if (!column) throw new Error(`${declared.call.path}: there is no column ${name}`)
    return column
  }
  const tableOf = (query: ListQuery<F>): Sql => sql`${resolve(source.table, query)} r`
  const joinsOf = (query: ListQuery<F>): Sql => (source.joins ? resolve(source.joins, query) : sql``)

  /** Returns the SQL expression for a row's group, as text. */
  function groupOf({ by, unit = 'day' }: Pick<Grouping, 'by' | 'unit'>, zone: string): Sql {
    const expression = sqlOf(by)
    if (columnOf(by).kind === 'instant') return firstDayOf(sql`${expression} AT TIME ZONE ${zone}`, unit)
    return sql`nullif((${expression})::text, '')`
  }

  const selected = (): Sql =>
    sql.join(
      Object.entries(columns)
        .filter(([, { kind, screen }]) => kind === 'fact' || screen !== false)
        .map(([name]) => sql`${sqlOf(name)} AS ${sql.ref(name)}`)
        .concat(Object.entries(source.hidden ?? {}).map(([name, value]) => sql`${value} AS ${sql.ref(HIDDEN + name)}`)),
    )

  const totals = (): Sql =>
    sql`jsonb_build_object(${sql.join(declared.totalled.flatMap((name) => [sql`${sql.lit(name)}`, sql`coalesce(sum(${source.totals?.[name] ?? sqlOf(name)}), 0)`]))})`

  return { id, sqlOf, sortedBy, columnOf, tableOf, joinsOf, groupOf, selected, totals }
}

/** Builds the SQL conditions for the rows of a list: fixed conditions, filters, date range and search. */
export function listConditions<F>(
  declared: ListDeclaration<Columns, F>,
  source: Source<Columns, F>,
  { sqlOf, columnOf, groupOf }: Pick<ListExpressions<F>, 'sqlOf' | 'columnOf' | 'groupOf'>,
) {
  const filteredBy = (query: ListQuery<F>, matches: (filter: Filter) => boolean): Sql[] =>
    Object.entries(query.question.filters as Record<string, unknown>).flatMap(([name, value]) => {
      const filter = (declared.filters as Record<string, Filter>)[name]
      if (!filter || !matches(filter) || value === undefined || value === '' || value === false) return []
      const condition = source.filters?.[name as keyof F] as ((value: unknown, query: ListQuery<F>) => Sql) | undefined
      return condition ? condition(value, query) : sql`${sqlOf(name)} = ${value}`
    })

  /** Returns the fixed conditions and the filters, except filters with typed text. */
  const narrow = (query: ListQuery<F>): Sql[] => [
    ...(query.company && declared.scope === 'company' ? [sql`r.company_id = ${query.company.id}`] : []),
    ...(source.where?.(query) ?? []),
    ...filteredBy(query, ({ kind }) => kind !== 'text'),
  ]

  function days({ company, question }: ListQuery<F>): Sql[] {
    const { column } = declared.days ?? {}
    if (!column) return []
    const { fromDate: from, toDate: to } = question.filters as { fromDate?: string; toDate?: string }
    const expression = sqlOf(column)
    const startOf = (day: string) =>
      columnOf(column).kind === 'day' ? sql`${day}::date` : midnightIn(zoneOf(company), day)
    return [
      ...(from ? [sql`${expression} >= ${startOf(from)}`] : []),
      ...(to ? [sql`${expression} < ${startOf(addDays(to, 1))}`] : []),
    ]
  }

  /** Returns the conditions of the search and of filters with typed text. */
  function text(query: ListQuery<F>): Sql[] {
    const { search } = source
    const searchText = query.question.search
    const typed = filteredBy(query, ({ kind }) => kind === 'text')
    if (!searchText || !search) return typed
    return [...typed, typeof search === 'function' ? search(searchText, query) : matchesSearch(search, searchText)]
  }

  /** Returns the condition that selects the rows of an opened group. Empty if the query is for the whole list. */
  function openedGroup({ question: { group }, company }: ListQuery<F>): Sql[] {
    if (!group || group.value === undefined) return []
    return [sql`${groupOf(group, zoneOf(company))} IS NOT DISTINCT FROM ${group.value}::text`]
  }

  const all = (query: ListQuery<F>): Sql[] => [...narrow(query), ...days(query), ...text(query)]

  return { narrow, days, text, openedGroup, all }
}
