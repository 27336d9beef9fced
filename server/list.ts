/**
 * The server's side of a list that is data (`shared/list.ts`): where its rows are, in SQL. Page, count, totals, groups and
 * CSV are made from it, and `test/lists.test.ts` tries every list that is made here.
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
  MOST_GROUPS,
  type Row,
} from '../shared/list.ts'
import { COUNT_CAP } from '../shared/table.ts'
import { say, translated } from '../shared/words.ts'
import { auditAt } from './audit.ts'
import { type Call, type Implemented, implement } from './call.ts'
import { csvDollars, csvHead, csvLabels, csvText, implementCsv } from './csv.ts'
import { isCents, isInstant, isText, isWhole, pageOf, type Place, readCursor } from './cursor.ts'
import type { Company } from './hosts.ts'
import { allOf, belowCap, cappedCount, cutRows, hasWords, NEAR, walkOf } from './list-sql.ts'
import type { Tx } from './tenancy.ts'

type Sql = RawBuilder<unknown>
type Columns = Readonly<Record<string, Column<never> | Column<unknown>>>
interface Declared<C, F> {
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

/** Who asks what: the town, or null where the list is of all towns. */
export interface Asked<F = unknown> {
  call: Call
  company: Company | null
  question: ListQuestion<Filters<F>>
  /** What `expect` found. */
  found?: unknown
}

/** Where a list's rows are. Every expression calls a row `r`, and what is joined to it by the names of `joins`. */
export interface Source<C, F> {
  /** The table or view whose rows are listed: a name, or a query in parentheses. */
  table: Sql | ((asked: Asked<F>) => Sql)
  /** What always holds, of `r` alone. The company's condition is added where the list is of one town. */
  where?: (asked: Asked<F>) => readonly Sql[]
  /** What the shown columns need besides: LEFT JOINs that keep one row a row. The rows of the page alone are joined. */
  joins?: Sql | ((asked: Asked<F>) => Sql)
  /** Each column: an expression, or the name of a column of `r`. What sorts is of `r` alone and never null. */
  columns: { readonly [Name in keyof C]: Sql | string }
  /** What a column is sorted by where that is not what it shows, such as a name in lower case. Of `r` alone, never null. */
  sorts?: { readonly [Name in keyof C]?: Sql | string }
  /** What a CSV says instead. */
  csv?: { readonly [Name in keyof C]?: Sql }
  /** What a filter asks for; without one here it asks for the column of its name. Of `r` alone. */
  filters?: { readonly [Name in keyof F]?: (value: NonNullable<ValueIn<F[Name]>>, asked: Asked<F>) => Sql }
  /** The text in which each word of a search is looked for, in lower case; or the condition itself. Of `r` alone. */
  search?: Sql | ((search: string, asked: Asked<F>) => Sql)
  id?: Sql
  /** The largest id that rows can have, where that is not a bigint. */
  highestId?: number
  /** What `row` has to know besides, and nobody is told. */
  behind?: Readonly<Record<string, Sql>>
  /** What may be done to a row, and what of it the database can't say. */
  row?: (row: Row<C>, call: Call, behind: Record<string, unknown>) => Partial<Row<C>>
  /** What `row` needs of a page and its database can't say, such as names that another connection reads. In `behind.known`. */
  known?: (behind: readonly Record<string, unknown>[], asked: Asked<F>, tx: Tx) => Promise<unknown>
  /** Count and totals if there is a quicker way than adding up all rows that match. Null if this question has none. */
  sums?: (tx: Tx, asked: Asked<F>, matching: Matching<F>) => Promise<Sums> | null
  /** What a column's total adds up where that is not what it shows. */
  totals?: { readonly [Name in keyof C]?: Sql }
  /** The rows are worked out by much work, so that page, count and totals are cut from one reading of them. */
  together?: boolean
  /** Whose index the rows are counted along where no total is summed up, so that no more is read than is counted. */
  countAlong?: Sql
  /**
   * What a search finds, in parts that have an index each: rows are counted along each of them, a row of several once, and
   * none further than the count goes.
   */
  searchParts?: (asked: Asked<F>) => readonly Sql[]
  /** What no index carries, and why that does: by the name of a filter, or `all` of the list. Known to the test of plans. */
  unindexed?: Readonly<Record<string, string>>
  /** Runs before anything is asked. */
  before?: (call: Call) => void
  /** Finds what the question is about, such as the company of a filter, or throws a 404. It stands in `asked.found`. */
  expect?: (tx: Tx, asked: Asked<F>) => Promise<unknown>
  /** What an export is called in the audit log. */
  exported?: AuditAction
  /** Columns that a file has besides, where it depends on the question which they are. */
  besides?: (asked: Asked<F>) => readonly { head: string; cell: Sql }[]
  /** A file that has other rows than the list. */
  file?: (asked: Asked<F>) => Sql
}

/** What matches a question. */
export interface Matching<F> {
  conditions(asked: Asked<F>): readonly Sql[]
  /** A query of the rows that match, no more than are counted. */
  cutRows(asked: Asked<F>): Sql
}

interface Sums {
  count: number
  /** Null if the search finds `COUNT_CAP` rows or more. */
  totals: unknown
}

type ValueIn<Filter> = Filter extends { value: { _zod: { output: infer Value } } } ? Value : never

const UTC = 'UTC'
const zoneOf = (company: Company | null): string => company?.timeZone ?? UTC

/** A list that was made: its call, and what the test over all lists has to know. */
export interface ImplementedList extends Implemented {
  list: {
    declared: Declared<Columns, unknown>
    /** Its totals have a shape of their own. */
    hasOwnSums: boolean
    hasOwnFile: boolean
    /** Its rows are sums themselves, so that a page reads all that is summed up. */
    addsUp: boolean
    /** Columns that the CSV says otherwise. */
    ownCells: readonly string[]
    unindexed: Readonly<Record<string, string>>
  }
}

/** Makes a list's calls: the page, and where it has one, the CSV. */
export function implementList<C extends Columns, F>(
  declared: Declared<C, F>,
  source: Source<C, F>,
): readonly Implemented[] {
  const read = reader(declared as Declared<Columns, F>, source as unknown as Source<Columns, F>)
  const page: ImplementedList = {
    ...implement(declared.call as never, ((call: Call) => read.answer(call)) as never),
    list: {
      declared: declared as Declared<Columns, unknown>,
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

/** Begins the names of what is read for `row` alone. */
const BEHIND = '_behind_'

type Raw = Record<string, unknown> & { id: number; _key: unknown }

function reader<F>(declared: Declared<Columns, F>, source: Source<Columns, F>) {
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
  const given = <T>(part: T | ((asked: Asked<F>) => T), asked: Asked<F>): T =>
    typeof part === 'function' ? (part as (asked: Asked<F>) => T)(asked) : part
  const tableOf = (asked: Asked<F>) => sql`${given(source.table, asked)} r`
  const joinsOf = (asked: Asked<F>) => (source.joins ? given(source.joins, asked) : sql``)

  const conditionsOf = (asked: Asked<F>): Sql[] => [...narrowedBy(asked), ...daysOf(asked), ...searchOf(asked)]

  /** The words of the search, and of filters in which something is typed. */
  function searchOf(asked: Asked<F>): Sql[] {
    const { search } = source
    const words = asked.question.search
    const typed = filteredBy(asked, ({ kind }) => kind === 'text')
    if (!words || !search) return typed
    return [...typed, typeof search === 'function' ? search(words, asked) : hasWords(search, words)]
  }

  /** What is asked for besides words. */
  function narrowedBy(asked: Asked<F>): Sql[] {
    const { company } = asked
    return [
      ...(company && declared.scope === 'company' ? [sql`r.company_id = ${company.id}`] : []),
      ...(source.where?.(asked) ?? []),
      ...filteredBy(asked, ({ kind }) => kind !== 'text'),
    ]
  }

  function daysOf({ company, question }: Asked<F>): Sql[] {
    const { fromDate, toDate } = question.filters as { fromDate?: string; toDate?: string }
    const { column } = declared.days ?? {}
    return column ? within(column, fromDate, toDate, zoneOf(company)) : []
  }

  const filteredBy = (asked: Asked<F>, wanted: (filter: Filter) => boolean): Sql[] =>
    Object.entries(asked.question.filters as Record<string, unknown>).flatMap(([name, value]) => {
      const filter = (declared.filters as Record<string, Filter>)[name]
      if (!filter || !wanted(filter) || value === undefined || value === '' || value === false) return []
      const condition = source.filters?.[name as keyof F] as ((value: unknown, asked: Asked<F>) => Sql) | undefined
      return condition ? condition(value, asked) : sql`${sqlOf(name)} = ${value}`
    })

  function within(name: string, from: string | undefined, to: string | undefined, zone: string): Sql[] {
    const expression = sqlOf(name)
    const isDay = columnOf(name).kind === 'day'
    return [
      ...(from ? [sql`${expression} >= ${isDay ? sql`${from}::date` : midnightIn(zone, from)}`] : []),
      ...(to ? [sql`${expression} < ${isDay ? sql`${addDays(to, 1)}::date` : midnightIn(zone, addDays(to, 1))}`] : []),
    ]
  }

  /** What a row is grouped by, as text. */
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

  /** The rows of a page: found along the order first, and joined to what is shown of them afterwards. */
  function page(asked: Asked<F>, place: Place | null, read?: Sql): Sql {
    const { question, company } = asked
    const key = sortedBy(question.sort)
    const { way, beyond } = walkOf(question.direction, place)
    const table = read ? sql`${read} r` : tableOf(asked)
    const conditions = read ? [] : narrowedBy(asked)
    if (place)
      conditions.push(sql`(${key}, ${id}) ${beyond} (${keyValue(columnOf(question.sort), place)}, ${place.id})`)
    const order = sql`ORDER BY ${key} ${way}, ${id} ${way}`
    const limit = sql`LIMIT ${question.pageSize + 1}`
    const { group } = question
    const shown = sql`SELECT ${id} AS id, ${key} AS _key, ${selected()}`
    const days = read ? [] : daysOf(asked)
    // Along its own column a range of days is one walk of an index. Along another order its rows may be the last of all.
    const isAlongDays = question.sort === declared.days?.column
    if (isAlongDays) conditions.push(...days)
    const searched = read ? [] : [...(isAlongDays ? [] : days), ...searchOf(asked)]
    if (group && group.value !== undefined) {
      conditions.push(...searched, sql`${groupOf(group.by, zoneOf(company))} IS NOT DISTINCT FROM ${group.value}::text`)
      return sql`${shown} FROM ${table} ${joinsOf(asked)} WHERE ${allOf(conditions)} ${order} ${limit}`
    }
    const rows =
      searched.length > 0 ? found() : sql`SELECT r.* FROM ${table} WHERE ${allOf(conditions)} ${order} ${limit}`
    return sql`${shown} FROM (${rows}) r ${joinsOf(asked)} ${order}`

    /**
     * What many rows have stands among the first of them; what few have is found by its index, which OFFSET 0 holds to. Nobody
     * can guess which of both it is, and a wrong guess would read all that there is.
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

  function cut(asked: Asked<F>): Sql {
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

  async function sums(tx: Tx, asked: Asked<F>): Promise<Sums> {
    const kept = asked.question.group ? null : source.sums?.(tx, asked, { conditions: conditionsOf, cutRows: cut })
    if (kept) return kept
    const parts = asked.question.search && totalled.length === 0 ? (source.searchParts?.(asked) ?? []) : []
    // Said twice, the database would take what is found for much rarer than it is.
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
    // A group's own totals came with the groups; those of the whole list may have another shape.
    return { count, totals: grouped && declared.totals ? null : totals }
  }

  async function atOnce(tx: Tx, asked: Asked<F>, place: Place | null) {
    const { rows } = await sql<Partial<Raw> & { _sums: { count: number; totals: unknown } }>`
      WITH listed AS MATERIALIZED (SELECT r.* FROM ${tableOf(asked)} WHERE ${allOf(conditionsOf(asked))})
      SELECT s._sums, p.* FROM (SELECT jsonb_build_object('count', least(count(*), ${COUNT_CAP}), 'totals', ${totalsOf()}) AS _sums FROM listed r) s
      LEFT JOIN LATERAL (SELECT row_number() OVER () AS _nth, p.* FROM (${page(asked, place, sql`listed`)}) p) p ON true ORDER BY p._nth`.execute(
      tx,
    )
    const { count = 0, totals = {} } = rows[0]?._sums ?? {}
    const found = rows.flatMap(({ _sums, _nth, ...row }: Record<string, unknown>) =>
      row['id'] === null ? [] : [row as Raw],
    )
    return [found, { count, totals }] as const
  }

  async function groups(tx: Tx, asked: Asked<F>, by: string): Promise<Group[]> {
    const { rows } = await sql<Group>`
      SELECT ${groupOf(by, zoneOf(asked.company))} AS value, count(*)::int AS count, ${totalsOf()} AS totals
      FROM ${tableOf(asked)} ${joinsOf(asked)} WHERE ${allOf(conditionsOf(asked))}
      GROUP BY 1 ORDER BY 1 NULLS LAST LIMIT ${MOST_GROUPS}`.execute(tx)
    return rows
  }

  const askedOf = (call: Call): Asked<F> => ({
    call,
    company: declared.scope === 'company' ? call.company : null,
    question: call.body as ListQuestion<Filters<F>>,
  })
  const inPlace = <T>(call: Call, work: (tx: Tx) => Promise<T>): Promise<T> =>
    declared.scope === 'company' ? call.reading(work) : call.house.readingAll(work)

  async function answer(call: Call) {
    source.before?.(call)
    const asked = askedOf(call)
    const { question } = asked
    const place = readCursor(question.cursor, keyFits(columnOf(question.sort)), source.highestId)
    const { group } = question
    return inPlace(call, async (tx) => {
      asked.found = await source.expect?.(tx, asked)
      const nothing = { count: null, totals: null }
      if (group && group.value === undefined) {
        const [found, all] = await Promise.all([
          groups(tx, asked, group.by),
          sums(tx, { ...asked, question: { ...question, group: undefined } }),
        ])
        return { rows: [], next: null, previous: null, ...all, groups: found }
      }
      const [rows, all] = source.together
        ? await atOnce(tx, asked, place)
        : await Promise.all([
            sql<Raw>`${page(asked, place)}`.execute(tx).then((read) => read.rows),
            question.totals ? sums(tx, asked) : nothing,
          ])
      const found = pageOf(rows, place, question.pageSize, (row) => keyOf(row._key))
      const known = await source.known?.(found.rows.map(behindOf), asked, tx)
      return { ...found, rows: found.rows.map((row) => shown(row, call, known)), ...all, groups: null }
    })
  }

  const behindOf = (raw: Raw) => Object.fromEntries(hidden.map(([name]) => [name, raw[BEHIND + name]]))

  function shown({ _key, ...raw }: Raw, call: Call, known: unknown): Row<Columns> {
    const behind = { ...behindOf(raw as Raw), known }
    const told = Object.entries(raw).filter(([name]) => !name.startsWith(BEHIND))
    const values = told.map(([name, value]) => [name, plain(value, (columns as Record<string, Column>)[name])])
    const row = { can: {}, ...Object.fromEntries(values) } as Row<Columns>
    return { ...row, ...source.row?.(row, call, behind) }
  }

  async function download(call: Call, file: string) {
    source.before?.(call)
    const asked = askedOf(call)
    const { question, company } = asked
    const action = source.exported
    if (!action) throw new Error(`${declared.call.path}: an export has a name in the audit log`)
    const deed = { action, detail: { filters: question.filters, search: question.search } }
    const write = async (tx: Tx) => {
      asked.found = await source.expect?.(tx, asked)
      await auditAt(tx, call.house.clock, company?.id ?? null, call, deed)
    }
    await (company ? call.inCompany(write) : call.house.acrossCompanies(write))
    const { way } = walkOf(question.direction)
    const heads = Object.entries(columns as Record<string, Column>).filter(([, { csv }]) => csv !== false)
    const cells = heads.map(([name, column]) => {
      const cell = source.csv?.[name] ?? cellOf(column, sqlOf(name), zoneOf(company))
      return sql`${cell} AS ${csvHead(translated(column.csv || column.label))}`
    })
    for (const { head, cell } of source.besides?.(asked) ?? []) cells.push(sql`${cell} AS ${csvHead(head)}`)
    if (source.file) return { company, subject: file, question: source.file(asked) }
    return {
      company,
      subject: file,
      question: sql`SELECT ${sql.join(cells)} FROM ${tableOf(asked)} ${joinsOf(asked)} WHERE ${allOf(conditionsOf(asked))}
        ORDER BY ${sortedBy(question.sort)} ${way}, ${id} ${way}`,
    }
  }

  /** One row as the list shows it, such as for its slide-out; null where this town has none of that number. */
  async function one(tx: Tx, call: Call, wanted: number): Promise<Row<Columns> | null> {
    const asked = askedOf(call)
    const own = asked.company ? sql`r.company_id = ${asked.company.id} AND ` : sql``
    const { rows } = await sql<Raw>`
      SELECT ${id} AS id, ${selected()} FROM ${tableOf(asked)} ${joinsOf(asked)} WHERE ${own}${id} = ${wanted}`.execute(
      tx,
    )
    if (!rows[0]) return null
    return shown(rows[0], call, await source.known?.([behindOf(rows[0])], asked, tx))
  }

  return { answer, download, one }
}

/** Reads single rows as a list shows them. */
export const rowsOf =
  <C extends Columns, F>(declared: Declared<C, F>, source: Source<C, F>) =>
  (tx: Tx, call: Call, id: number) =>
    reader(declared as Declared<Columns, F>, source as unknown as Source<Columns, F>).one(
      tx,
      call,
      id,
    ) as Promise<Row<C> | null>

/** A row's value as JSON carries it. */
function plain(value: unknown, column: Column | undefined): unknown {
  if (value instanceof Date) return value.toISOString()
  if (value === null && (column?.kind === 'text' || column?.kind === 'instant' || column?.kind === 'day')) return ''
  if (column?.kind === 'flag') return value === true || value === 1
  return value
}

/** What a sorted column's cursor is made of. */
const keyOf = (value: unknown): string | number =>
  value instanceof Date ? value.toISOString() : typeof value === 'number' ? value : String(value)

type Fits = (key: string | number) => key is string | number

function keyFits({ kind, labels = {} }: Column): Fits {
  const fits = (key: string | number): boolean => {
    if (kind === 'instant') return isInstant(key)
    if (kind === 'cents') return isWhole(key) || isCents(key)
    if (kind === 'whole' || kind === 'flag') return isWhole(key)
    if (kind === 'day') return typeof key === 'string' && /^\d{4}-\d\d-\d\d$/.test(key)
    // A code, or the number that stands for it where it is sorted by that.
    if (kind === 'choice') return isWhole(key) || key in labels
    return isText(key)
  }
  return fits as Fits
}

function keyValue({ kind }: Column, { key }: Place): Sql {
  if (kind === 'instant') return sql`${key}::timestamptz`
  if (kind === 'cents') return sql`${key}::bigint`
  if (kind === 'day') return sql`${key}::date`
  return sql`${key}`
}

/** A column in a CSV: texts are disarmed, amounts are dollars, moments are on the town's clock. */
function cellOf({ kind, labels, seconds }: Column, value: Sql, zone: string): Sql {
  if (kind === 'cents') return csvDollars(value)
  if (kind === 'instant')
    // As to_char would write it, in a third of the time.
    return sql`coalesce(left((${value} AT TIME ZONE ${zone})::text, ${sql.lit(seconds ? 19 : 16)}), '')`
  if (kind === 'choice' && labels) return csvLabels(value, labels)
  if (kind === 'flag') return sql`CASE WHEN ${value} THEN ${say`Yes`} ELSE ${say`No`} END`
  if (kind === 'text') return csvText(sql`coalesce(${value}, '')`)
  return value
}
