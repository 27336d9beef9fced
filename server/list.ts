/**
 * Server side of a declarative list (`shared/list.ts`): the SQL source of its rows. Page, count, totals, groups and CSV
 * derive from it. `test/lists.test.ts` tests every list.
 */
import { type RawBuilder, sql } from 'kysely'
import { addDays, midnightIn } from '../shared/dates.ts'
import type { AuditAction } from '../shared/audit-actions.ts'
import {
  type Column,
  type Filter,
  type Filters,
  type Group,
  type ListQuestion,
  MAX_GROUPS,
  type Row,
} from '../shared/list.ts'
import { COUNT_CAP } from '../shared/table.ts'
import { say, translated } from '../shared/words.ts'
import { auditCompanyOrPlatform } from './audit.ts'
import { type Call, type Handler, implement } from './call.ts'
import { csvDollars, csvHead, csvLabels, csvText, implementCsv } from './csv.ts'
import { isCents, isInstant, isText, isWhole, pageOf, type CursorPosition, readCursor } from './cursor.ts'
import type { Company } from './hosts.ts'
import { allOf, belowCap, cappedCount, cutRows, matchesSearch, NEAR, walkOf } from './list-sql.ts'
import type { Tx } from './tenancy.ts'

type Sql = RawBuilder<unknown>
type Columns = Readonly<Record<string, Column<never> | Column<unknown>>>
interface ListDeclaration<C, F> {
  columns: C
  filters: F
  sorts: readonly string[]
  groupable: readonly string[]
  totalled: readonly string[]
  days?: { column?: string; usual?: number; needed?: true } | undefined
  search?: string | undefined
  totals?: unknown
  call: { path: string }
  csv?: { file: string; call: { path: string } } | undefined
  scope: 'company' | 'none'
}

/** The caller and the query. `company` is null for a list of all companies. */
export interface ListQuery<F = unknown> {
  call: Call
  company: Company | null
  question: ListQuestion<Filters<F>>
  /** Result of `expect`. */
  found?: unknown
}

/** SQL source of a list. Expressions use alias `r` for a row, and the aliases in `joins`. */
export interface Source<C, F> {
  /** Table or view of the rows: a name, or a query in parentheses. */
  table: Sql | ((asked: ListQuery<F>) => Sql)
  /** Fixed conditions, only on `r`. The company's condition is added for a list of one company. */
  where?: (asked: ListQuery<F>) => readonly Sql[]
  /** LEFT JOINs for the shown columns, which never multiply rows. They apply only to the rows of the page. */
  joins?: Sql | ((asked: ListQuery<F>) => Sql)
  /** Expression of each column, or the name of a column of `r`. Sort columns use only `r` and are never null. */
  columns: { readonly [Name in keyof C]: Sql | string }
  /** Sort expression of a column, if different from its value, such as a lowercase name. Only on `r`, never null. */
  sorts?: { readonly [Name in keyof C]?: Sql | string }
  /** Different value in the CSV. */
  csv?: { readonly [Name in keyof C]?: Sql }
  /** Condition of a filter. Default: its column equals the value. Only on `r`. */
  filters?: { readonly [Name in keyof F]?: (value: NonNullable<ValueIn<F[Name]>>, asked: ListQuery<F>) => Sql }
  /** Lowercase text that must contain each search word, or the condition itself. Only on `r`. */
  search?: Sql | ((search: string, asked: ListQuery<F>) => Sql)
  id?: Sql
  /** Largest row id, if not a bigint. */
  highestId?: number
  /** Extra columns for `row`. Never sent to the browser. */
  behind?: Readonly<Record<string, Sql>>
  /** Adds allowed actions and values that the database can't compute. */
  row?: (row: Row<C>, call: Call, behind: Record<string, unknown>) => Partial<Row<C>>
  /** Loads data for `row` from another connection, such as names. Available as `behind.known`. */
  known?: (behind: readonly Record<string, unknown>[], asked: ListQuery<F>, tx: Tx) => Promise<unknown>
  /** Loads count and totals faster than by adding up all matching rows. Null if this question has no faster way. */
  sums?: (tx: Tx, asked: ListQuery<F>, matching: Matching<F>) => Promise<Sums> | null
  /** Expression of a column's total, if different from its value. */
  totals?: { readonly [Name in keyof C]?: Sql }
  /** True if the rows are expensive. Then page, count and totals come from one read. */
  together?: boolean
  /** Sort expression with the index for counting rows if no totals are computed. It avoids reading more than needed. */
  countAlong?: Sql
  /** Search conditions with one index each. Rows are counted by each index, without duplicates, up to the cap. */
  searchParts?: (asked: ListQuery<F>) => readonly Sql[]
  /** Reasons for conditions without an index, by filter name, or `all` for the list. The query plan test reads them. */
  unindexed?: Readonly<Record<string, string>>
  /** Runs before any query. */
  before?: (call: Call) => void
  /**
   * Loads the subject of the query, such as the company of a filter, or throws a 404. The result is in `asked.found`.
   */
  expect?: (tx: Tx, asked: ListQuery<F>) => Promise<unknown>
  /** Audit action of an export. */
  exported?: AuditAction
  /** Extra CSV columns that depend on the query. */
  besides?: (asked: ListQuery<F>) => readonly { head: string; cell: Sql }[]
  /** Different rows for the CSV. */
  file?: (asked: ListQuery<F>) => Sql
}

/** Matching rows of a question. */
export interface Matching<F> {
  conditions(asked: ListQuery<F>): readonly Sql[]
  /** Selects the matching rows, at most `COUNT_CAP`. */
  cutRows(asked: ListQuery<F>): Sql
}

interface Sums {
  count: number
  /** Null if the search finds `COUNT_CAP` rows or more. */
  totals: unknown
}

type ValueIn<Filter> = Filter extends { value: { _zod: { output: infer Value } } } ? Value : never

const UTC = 'UTC'
const zoneOf = (company: Company | null): string => company?.timeZone ?? UTC

/** Finished list: its call, and data for the test of all lists. */
export interface ListHandler extends Handler {
  list: {
    declared: ListDeclaration<Columns, unknown>
    /** Its totals have a shape of their own. */
    hasOwnSums: boolean
    hasOwnFile: boolean
    /** True if rows are sums, so that a page reads all the rows behind them. */
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
    ...implement(declared.call as never, ((call: Call) => read.answer(call)) as never),
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

/** Prefix of the columns that only `row` reads. */
const BEHIND = '_behind_'

type Raw = Record<string, unknown> & { id: number; _key: unknown }

function reader<F>(declared: ListDeclaration<Columns, F>, source: Source<Columns, F>) {
  const { columns, totalled } = declared
  const hidden = Object.entries(source.behind ?? {})
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
    return column as Column
  }
  const id = source.id ?? sql`r.id`
  const resolve = <T>(part: T | ((asked: ListQuery<F>) => T), query: ListQuery<F>): T =>
    typeof part === 'function' ? (part as (asked: ListQuery<F>) => T)(query) : part
  const tableOf = (query: ListQuery<F>) => sql`${resolve(source.table, query)} r`
  const joinsOf = (query: ListQuery<F>) => (source.joins ? resolve(source.joins, query) : sql``)

  const conditionsOf = (query: ListQuery<F>): Sql[] => [...narrowedBy(query), ...daysOf(query), ...searchOf(query)]

  /** Conditions of the search and of filters with typed text. */
  function searchOf(query: ListQuery<F>): Sql[] {
    const { search } = source
    const searchText = query.question.search
    const typed = filteredBy(query, ({ kind }) => kind === 'text')
    if (!searchText || !search) return typed
    return [...typed, typeof search === 'function' ? search(searchText, query) : matchesSearch(search, searchText)]
  }

  /** Conditions other than text. */
  function narrowedBy(query: ListQuery<F>): Sql[] {
    const { company } = query
    return [
      ...(company && declared.scope === 'company' ? [sql`r.company_id = ${company.id}`] : []),
      ...(source.where?.(query) ?? []),
      ...filteredBy(query, ({ kind }) => kind !== 'text'),
    ]
  }

  function daysOf({ company, question }: ListQuery<F>): Sql[] {
    const { fromDate, toDate } = question.filters as { fromDate?: string; toDate?: string }
    const { column } = declared.days ?? {}
    return column ? within(column, fromDate, toDate, zoneOf(company)) : []
  }

  const filteredBy = (query: ListQuery<F>, matches: (filter: Filter) => boolean): Sql[] =>
    Object.entries(query.question.filters as Record<string, unknown>).flatMap(([name, value]) => {
      const filter = (declared.filters as Record<string, Filter>)[name]
      if (!filter || !matches(filter) || value === undefined || value === '' || value === false) return []
      const condition = source.filters?.[name as keyof F] as ((value: unknown, asked: ListQuery<F>) => Sql) | undefined
      return condition ? condition(value, query) : sql`${sqlOf(name)} = ${value}`
    })

  function within(name: string, from: string | undefined, to: string | undefined, zone: string): Sql[] {
    const expression = sqlOf(name)
    const isDay = columnOf(name).kind === 'day'
    return [
      ...(from ? [sql`${expression} >= ${isDay ? sql`${from}::date` : midnightIn(zone, from)}`] : []),
      ...(to ? [sql`${expression} < ${isDay ? sql`${addDays(to, 1)}::date` : midnightIn(zone, addDays(to, 1))}`] : []),
    ]
  }

  /** Group expression of a row, as text. */
  function groupOf(by: string, zone: string): Sql {
    const expression = sqlOf(by)
    const { kind } = columnOf(by)
    if (kind === 'instant') return sql`to_char(${expression} AT TIME ZONE ${zone}, 'YYYY-MM-DD')`
    return sql`nullif((${expression})::text, '')`
  }

  const selected = () =>
    sql.join(
      Object.entries(columns as Record<string, Column>)
        .filter(([, { kind, screen }]) => kind === 'fact' || screen !== false)
        .map(([name]) => sql`${sqlOf(name)} AS ${sql.ref(name)}`)
        .concat(hidden.map(([name, value]) => sql`${value} AS ${sql.ref(BEHIND + name)}`)),
    )

  /** Query of a page. Finds the rows in order first, then joins the shown columns. */
  function page(query: ListQuery<F>, position: CursorPosition | null, read?: Sql): Sql {
    const { question, company } = query
    const key = sortedBy(question.sort)
    const { way, beyond } = walkOf(question.direction, position)
    const table = read ? sql`${read} r` : tableOf(query)
    const conditions = read ? [] : narrowedBy(query)
    if (position)
      conditions.push(sql`(${key}, ${id}) ${beyond} (${keyValue(columnOf(question.sort), position)}, ${position.id})`)
    const order = sql`ORDER BY ${key} ${way}, ${id} ${way}`
    const limit = sql`LIMIT ${question.pageSize + 1}`
    const { group } = question
    const selection = sql`SELECT ${id} AS id, ${key} AS _key, ${selected()}`
    const days = read ? [] : daysOf(query)
    // If the list is sorted by the day column, a range of days is one index scan. In another order its rows may come
    // last.
    const isAlongDays = question.sort === declared.days?.column
    if (isAlongDays) conditions.push(...days)
    const searched = read ? [] : [...(isAlongDays ? [] : days), ...searchOf(query)]
    if (group && group.value !== undefined) {
      conditions.push(...searched, sql`${groupOf(group.by, zoneOf(company))} IS NOT DISTINCT FROM ${group.value}::text`)
      return sql`${selection} FROM ${table} ${joinsOf(query)} WHERE ${allOf(conditions)} ${order} ${limit}`
    }
    const rows =
      searched.length > 0 ? found() : sql`SELECT r.* FROM ${table} WHERE ${allOf(conditions)} ${order} ${limit}`
    return sql`${selection} FROM (${rows}) r ${joinsOf(query)} ${order}`

    /**
     * A common search word matches among the first rows. A rare one needs its index, which OFFSET 0 enforces. The
     * planner can't know the frequency, and a wrong guess would read all rows.
     */
    function found(): Sql {
      const near = sql`SELECT r.* FROM ${table} WHERE ${allOf(conditions)} ${order} LIMIT ${NEAR}`
      const all = sql`SELECT r.* FROM ${table} WHERE ${allOf([...conditions, ...searched])} OFFSET 0`
      return sql`
        WITH near AS MATERIALIZED (SELECT r.* FROM (${near}) r WHERE ${allOf(searched)} ${order} ${limit}), known AS (SELECT count(*) AS n FROM near)
        SELECT r.* FROM near r WHERE (SELECT n FROM known) > ${question.pageSize}
        UNION ALL
        SELECT r.* FROM (SELECT r.* FROM (${all}) r ${order} ${limit}) r WHERE (SELECT n FROM known) <= ${question.pageSize}`
    }
  }

  const totalsOf = () =>
    sql`jsonb_build_object(${sql.join(totalled.flatMap((name) => [sql`${sql.lit(name)}`, sql`coalesce(sum(${source.totals?.[name] ?? sqlOf(name)}), 0)`]))})`

  function cut(asked: ListQuery<F>): Sql {
    const { column } = declared.days ?? {}
    const isAlongDays = column !== undefined && declared.sorts.includes(column)
    const by = isAlongDays ? column : asked.question.sort
    const days = daysOf(asked)
    return cutRows({
      table: tableOf(asked),
      conditions: [...narrowedBy(asked), ...(isAlongDays ? days : [])],
      searched: [...(isAlongDays ? [] : days), ...searchOf(asked)],
      order: sql`ORDER BY ${sortedBy(by)} DESC, ${id} DESC`,
    })
  }

  async function sums(tx: Tx, asked: ListQuery<F>): Promise<Sums> {
    const kept = asked.question.group ? null : source.sums?.(tx, asked, { conditions: conditionsOf, cutRows: cut })
    if (kept) return kept
    const parts = asked.question.search && totalled.length === 0 ? (source.searchParts?.(asked) ?? []) : []
    // If the condition appeared twice, the planner would underestimate the matches.
    const conditions = conditionsOf(
      parts.length > 0 ? { ...asked, question: { ...asked.question, search: '' } } : asked,
    )
    const { group } = asked.question
    const grouped = group && group.value !== undefined
    if (grouped)
      conditions.push(sql`${groupOf(group.by, zoneOf(asked.company))} IS NOT DISTINCT FROM ${group.value}::text`)
    const from = sql`FROM ${tableOf(asked)} ${grouped ? joinsOf(asked) : sql``} WHERE ${allOf(conditions)}`
    if (totalled.length === 0) {
      const order = source.countAlong ? sql`ORDER BY ${source.countAlong}` : sql``
      const rowsOf = (part: Sql) => sql`(SELECT ${id} ${from} AND ${part} ${order} LIMIT ${COUNT_CAP})`
      const all = parts.length > 0 ? sql.join(parts.map(rowsOf), sql` UNION `) : sql`SELECT 1 ${from} ${order}`
      const { rows } = await cappedCount(all).execute(tx)
      return { count: rows[0]?.n ?? 0, totals: {} }
    }
    const all = sql`SELECT r.* ${from}`
    const isCut = !grouped && asked.question.search !== '' && asked.question.totals !== 'all'
    const { rows } = await sql<Sums>`
      SELECT least(count(*), ${COUNT_CAP})::int AS count, ${isCut ? belowCap(totalsOf()) : totalsOf()} AS totals
      FROM (${isCut ? cut(asked) : all}) r ${joinsOf(asked)}`.execute(tx)
    const { count = 0, totals = {} } = rows[0] ?? {}
    // The totals of a group came with the groups. Those of the whole list may have another shape.
    return { count, totals: grouped && declared.totals ? null : totals }
  }

  async function atOnce(tx: Tx, query: ListQuery<F>, position: CursorPosition | null) {
    const { rows } = await sql<Partial<Raw> & { _sums: { count: number; totals: unknown } }>`
      WITH listed AS MATERIALIZED (SELECT r.* FROM ${tableOf(query)} WHERE ${allOf(conditionsOf(query))})
      SELECT s._sums, p.* FROM (SELECT jsonb_build_object('count', least(count(*), ${COUNT_CAP}), 'totals', ${totalsOf()}) AS _sums FROM listed r) s
      LEFT JOIN LATERAL (SELECT row_number() OVER () AS _nth, p.* FROM (${page(query, position, sql`listed`)}) p) p ON true ORDER BY p._nth`.execute(
      tx,
    )
    const { count = 0, totals = {} } = rows[0]?._sums ?? {}
    const found = rows.flatMap(({ _sums, _nth, ...row }: Record<string, unknown>) =>
      row['id'] === null ? [] : [row as Raw],
    )
    return [found, { count, totals }] as const
  }

  async function groups(tx: Tx, query: ListQuery<F>, by: string): Promise<Group[]> {
    const { rows } = await sql<Group>`
      SELECT ${groupOf(by, zoneOf(query.company))} AS value, count(*)::int AS count, ${totalsOf()} AS totals
      FROM ${tableOf(query)} ${joinsOf(query)} WHERE ${allOf(conditionsOf(query))}
      GROUP BY 1 ORDER BY 1 NULLS LAST LIMIT ${MAX_GROUPS}`.execute(tx)
    return rows
  }

  const queryOf = (call: Call): ListQuery<F> => ({
    call,
    company: declared.scope === 'company' ? call.company : null,
    question: call.body as ListQuestion<Filters<F>>,
  })
  const inPlace = <T>(call: Call, work: (tx: Tx) => Promise<T>): Promise<T> =>
    declared.scope === 'company' ? call.reading(work) : call.context.readingAll(work)

  async function answer(call: Call) {
    source.before?.(call)
    const query = queryOf(call)
    const { question } = query
    const position = readCursor(question.cursor, keyFits(columnOf(question.sort)), source.highestId)
    const { group } = question
    return inPlace(call, async (tx) => {
      query.found = await source.expect?.(tx, query)
      const nothing = { count: null, totals: null }
      if (group && group.value === undefined) {
        const [found, all] = await Promise.all([
          groups(tx, query, group.by),
          sums(tx, { ...query, question: { ...question, group: undefined } }),
        ])
        return { rows: [], next: null, previous: null, ...all, groups: found }
      }
      const [rows, all] = source.together
        ? await atOnce(tx, query, position)
        : await Promise.all([
            sql<Raw>`${page(query, position)}`.execute(tx).then((read) => read.rows),
            question.totals ? sums(tx, query) : nothing,
          ])
      const found = pageOf(rows, position, question.pageSize, (row) => keyOf(row._key))
      const loaded = await source.known?.(found.rows.map(behindOf), query, tx)
      return { ...found, rows: found.rows.map((row) => toRow(row, call, loaded)), ...all, groups: null }
    })
  }

  const behindOf = (raw: Raw) => Object.fromEntries(hidden.map(([name]) => [name, raw[BEHIND + name]]))

  function toRow({ _key, ...raw }: Raw, call: Call, loaded: unknown): Row<Columns> {
    const behind = { ...behindOf(raw as Raw), known: loaded }
    const visible = Object.entries(raw).filter(([name]) => !name.startsWith(BEHIND))
    const values = visible.map(([name, value]) => [name, plain(value, (columns as Record<string, Column>)[name])])
    const row = { can: {}, ...Object.fromEntries(values) } as Row<Columns>
    return { ...row, ...source.row?.(row, call, behind) }
  }

  async function download(call: Call, file: string) {
    source.before?.(call)
    const query = queryOf(call)
    const { question, company } = query
    const action = source.exported
    if (!action) throw new Error(`${declared.call.path}: an export has a name in the audit log`)
    const auditEntry = { action, detail: { filters: question.filters, search: question.search } }
    const write = async (tx: Tx) => {
      query.found = await source.expect?.(tx, query)
      await auditCompanyOrPlatform(tx, call.context.clock, company?.id ?? null, call, auditEntry)
    }
    await (company ? call.inCompany(write) : call.context.acrossCompanies(write))
    const { way } = walkOf(question.direction)
    const heads = Object.entries(columns as Record<string, Column>).filter(([, { csv }]) => csv !== false)
    const cells = heads.map(([name, column]) => {
      const cell = source.csv?.[name] ?? cellOf(column, sqlOf(name), zoneOf(company))
      return sql`${cell} AS ${csvHead(translated(column.csv || column.label))}`
    })
    for (const { head, cell } of source.besides?.(query) ?? []) cells.push(sql`${cell} AS ${csvHead(head)}`)
    if (source.file) return { company, subject: file, question: source.file(query) }
    return {
      company,
      subject: file,
      question: sql`SELECT ${sql.join(cells)} FROM ${tableOf(query)} ${joinsOf(query)} WHERE ${allOf(conditionsOf(query))}
        ORDER BY ${sortedBy(question.sort)} ${way}, ${id} ${way}`,
    }
  }

  /**
   * Reads one row as the list shows it, for example for its slide-out. Null if this company has no row with this id.
   */
  async function one(tx: Tx, call: Call, rowId: number): Promise<Row<Columns> | null> {
    const query = queryOf(call)
    const own = query.company ? sql`r.company_id = ${query.company.id} AND ` : sql``
    const { rows } = await sql<Raw>`
      SELECT ${id} AS id, ${selected()} FROM ${tableOf(query)} ${joinsOf(query)} WHERE ${own}${id} = ${rowId}`.execute(
      tx,
    )
    if (!rows[0]) return null
    return toRow(rows[0], call, await source.known?.([behindOf(rows[0])], query, tx))
  }

  return { answer, download, one }
}

/** Reads single rows in the form of a list. */
export const rowsOf =
  <C extends Columns, F>(declared: ListDeclaration<C, F>, source: Source<C, F>) =>
  (tx: Tx, call: Call, id: number) =>
    reader(declared as ListDeclaration<Columns, F>, source as unknown as Source<Columns, F>).one(
      tx,
      call,
      id,
    ) as Promise<Row<C> | null>

/** Converts a row's value to JSON. */
function plain(value: unknown, column: Column | undefined): unknown {
  if (value instanceof Date) return value.toISOString()
  if (value === null && (column?.kind === 'text' || column?.kind === 'instant' || column?.kind === 'day')) return ''
  if (column?.kind === 'flag') return value === true || value === 1
  return value
}

/** Returns the cursor key of a sort value. */
const keyOf = (value: unknown): string | number =>
  value instanceof Date ? value.toISOString() : typeof value === 'number' ? value : String(value)

type KeyCheck = (key: string | number) => key is string | number

function keyFits({ kind, labels = {} }: Column): KeyCheck {
  const fits = (key: string | number): boolean => {
    if (kind === 'instant') return isInstant(key)
    if (kind === 'cents') return isWhole(key) || isCents(key)
    if (kind === 'whole' || kind === 'flag') return isWhole(key)
    if (kind === 'day') return typeof key === 'string' && /^\d{4}-\d\d-\d\d$/.test(key)
    // A code, or its number if the column sorts by number.
    if (kind === 'choice') return isWhole(key) || key in labels
    return isText(key)
  }
  return fits as KeyCheck
}

function keyValue({ kind }: Column, { key }: CursorPosition): Sql {
  if (kind === 'instant') return sql`${key}::timestamptz`
  if (kind === 'cents') return sql`${key}::bigint`
  if (kind === 'day') return sql`${key}::date`
  return sql`${key}`
}

/** CSV cell of a column: text is disarmed, amounts are dollars, instants use the company's time zone. */
function cellOf({ kind, labels, seconds }: Column, value: Sql, zone: string): Sql {
  if (kind === 'cents') return csvDollars(value)
  if (kind === 'instant')
    // Same result as to_char, in a third of the time.
    return sql`coalesce(left((${value} AT TIME ZONE ${zone})::text, ${sql.lit(seconds ? 19 : 16)}), '')`
  if (kind === 'choice' && labels) return csvLabels(value, labels)
  if (kind === 'flag') return sql`CASE WHEN ${value} THEN ${say`Yes`} ELSE ${say`No`} END`
  if (kind === 'text') return csvText(sql`coalesce(${value}, '')`)
  return value
}
