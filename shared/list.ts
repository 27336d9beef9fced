/**
 * Each list, report or picker is declared once. The declaration determines its call, cursor, filters, totals, groups,
 * CSV, printout and screen. `server/list.ts` provides the rows and `web/list/` shows them.
 */
import * as z from 'zod/mini'
import { type Access, downloadCall, type Endpoint, endpoint } from './endpoint.ts'
import { isoDate } from './iso-date.ts'
import { periodInOrder } from './period.ts'
import { PAGE_SIZE } from './table.ts'
import { companyId } from './body-parts.ts'
import { visible } from './visible.ts'

/** Content type of a column. It determines how values are displayed, sorted, summed and exported. */
export type ColumnKind = 'text' | 'whole' | 'cents' | 'instant' | 'day' | 'choice' | 'flag' | 'fact'

interface ColumnOptions {
  /** Initial sort direction. If set, people can sort by the column, so the column needs an index. */
  sort?: 'asc' | 'desc'
  /** True if people can group rows by the column. An instant is grouped by a period of the company's clock. */
  group?: boolean
  /** Label of the total over all matching rows: 'Total Fees:' (spec 2.19). Only for cents and whole numbers. */
  total?: string
  /** Name of another column. The total is also shown as a percentage of that column's total. */
  shareOf?: string
  /** True if the column names the row. It becomes the row's header, and the title of its card on a phone. */
  primary?: boolean
  /**
   * Priority of the column. The list drops the columns with the highest numbers first if they do not fit. The peek
   * shows the dropped columns. Default 2, or 1 for amounts.
   */
  priority?: 1 | 2 | 3 | 4
  /**
   * Approximate number of characters in a value, if it is unusually small or large. The layout estimates the column
   * width from it.
   */
  chars?: number
  /** True if the column is hidden until the person chooses it. */
  hidden?: boolean
  /** CSV header, if it differs from the label. If false, the CSV omits the column. */
  csv?: string | false
  /** False if the screen omits the column, so that only the CSV has it. */
  screen?: false
  /** Text shown for an empty value. */
  empty?: string
}

export interface Column<Value = unknown> extends ColumnOptions {
  kind: ColumnKind
  label: string
  value: z.ZodMiniType<Value>
  /** Label of each code, for a choice column. */
  labels?: Readonly<Record<string | number, string>>
  seconds?: boolean
}

export const text = (label: string, options: ColumnOptions = {}): Column<string> => ({
  kind: 'text',
  label,
  value: z.string(),
  ...options,
})
export const whole = (label: string, options: ColumnOptions = {}): Column<number> => ({
  kind: 'whole',
  label,
  value: z.number(),
  ...options,
})
/** Amount in integer cents. */
export const cents = (label: string, options: ColumnOptions = {}): Column<number> => ({
  kind: 'cents',
  label,
  value: z.number(),
  ...options,
})
/**
 * Instant in ISO 8601 and UTC, or `''` if the event has not happened yet. Screens and exports use the company's time
 * zone.
 */
export const instant = (label: string, options: ColumnOptions & { seconds?: boolean } = {}): Column<string> => ({
  kind: 'instant',
  label,
  value: z.string(),
  ...options,
})
/** A calendar day, `YYYY-MM-DD`, or `''` for none. */
export const day = (label: string, options: ColumnOptions = {}): Column<string> => ({
  kind: 'day',
  label,
  value: z.string(),
  ...options,
})
/** Choice from a few text codes. Screens show the label of the code. */
export const choice = <Code extends string>(
  label: string,
  labels: Readonly<Record<Code, string>>,
  options: ColumnOptions = {},
): Column<Code> => ({
  kind: 'choice',
  label,
  value: z.enum(Object.keys(labels) as [Code]) as z.ZodMiniType<Code>,
  labels,
  ...options,
})
/** Choice from a few numeric codes. Screens show the label of the code. */
export const code = (
  label: string,
  labels: Readonly<Record<number, string>>,
  options: ColumnOptions = {},
): Column<number> => ({ kind: 'choice', label, value: z.number(), labels, ...options })
export const flag = (label: string, options: ColumnOptions = {}): Column<boolean> => ({
  kind: 'flag',
  label,
  value: z.boolean(),
  ...options,
})
/** Data that the screen needs but no column shows. */
export const fact = <Value>(value: z.ZodMiniType<Value>): Column<Value> => ({
  kind: 'fact',
  label: '',
  value,
  csv: false,
  screen: false,
})

export interface Filter<Value = unknown> {
  kind: 'choice' | 'id' | 'text' | 'flag' | 'hidden'
  label: string
  value: z.ZodMiniType<Value>
  /** Labels of the options of a choice, in display order. */
  labels?: Readonly<Record<string | number, string>>
  /** Label of the option that turns the filter off, such as 'All statuses'. */
  all?: string
  /** Default value if the URL has none. */
  usual?: string
}

const anId = z.int().check(z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER))

export const filters = {
  choice: <Code extends string>(
    label: string,
    labels: Readonly<Record<Code, string>>,
    all: string,
    usual = '',
  ): Filter<Code | undefined> => ({
    kind: 'choice',
    label,
    labels,
    all,
    usual,
    value: z.optional(z.enum(Object.keys(labels) as [Code])) as z.ZodMiniType<Code | undefined>,
  }),
  /** Choice filter with numeric codes. */
  code: (
    label: string,
    labels: Readonly<Record<number, string>>,
    all: string,
    usual = '',
  ): Filter<number | undefined> => ({
    kind: 'choice',
    label,
    labels,
    all,
    usual,
    value: z.optional(z.int().check(z.refine((value) => value in labels, 'Choose an option from the list.'))),
  }),
  /** Filter by the id of a record. The screen provides the picker. */
  id: (label: string): Filter<number | undefined> => ({ kind: 'id', label, value: z.optional(anId) }),
  text: (label: string): Filter<string> => ({
    kind: 'text',
    label,
    value: z._default(
      z.string().check(z.overwrite(visible), z.trim(), z.maxLength(100, 'Enter up to 100 characters.')),
      '',
    ),
  }),
  flag: (label: string): Filter<boolean> => ({ kind: 'flag', label, value: z._default(z.boolean(), false) }),
  /** Filter without a visible field. The screen or a link sets its value. */
  hidden: <Value>(value: z.ZodMiniType<Value>): Filter<Value> => ({ kind: 'hidden', label: '', value }),
}

type Columns = Readonly<Record<string, Column<never> | Column<unknown>>>
type ValueOf<C> = C extends { value: infer Schema extends z.ZodMiniType } ? z.output<Schema> : never

/** Row of a list: its id, its columns, and the permitted actions. */
export type Row<C> = { id: number; can: Record<string, boolean> } & { [Name in keyof C]: ValueOf<C[Name]> }
export type Filters<F> = { [Name in keyof F]: ValueOf<F[Name]> } & { fromDate?: string; toDate?: string }

/** Group of rows with its totals. `value` is null for rows in which the grouping column is empty. */
export interface Group {
  value: string | null
  count: number
  totals: Record<string, number>
}

/** Periods of the company's clock by which people group instants. A week starts on Sunday. */
export const groupUnits = ['day', 'week', 'month', 'quarter', 'year'] as const
export type GroupUnit = (typeof groupUnits)[number]

/** Grouping column. Without `value`, the response has the groups. With `value`, it has the rows of that group. */
export interface Grouping {
  by: string
  /** Period of an instant. The default is the day. The value of a group is the first day of its period. */
  unit?: GroupUnit | undefined
  value?: string | null | undefined
}

/** Maximum number of groups in one response. If a list has more, the person must narrow the filters. */
export const MAX_GROUPS = 500

/**
 * Maximum number of rows in one response. A screen requests 10, 25 or 100 rows. To print, it requests this many at a
 * time.
 */
export const MAX_ROWS = 500

/** Maximum number of rows that a person can print. */
export const PRINTED_ROWS = 5000

interface ListInput<C extends Columns, F extends Readonly<Record<string, Filter>>> {
  /** Singular and plural noun for the rows, such as 'payment' and 'payments'. */
  nouns: readonly [string, string]
  /** Summary of the call in the API document. */
  summary: string
  access: Access
  /**
   * True if the list belongs to one company. Platform staff name that company in the body. Otherwise the list covers
   * all companies or the platform.
   */
  ofCompany?: boolean
  personal?: boolean
  /** Whether the list stays available while its module is off. */
  whenOff?: Endpoint['whenOff']
  columns: C
  /** Column that the list is sorted by at first. If missing, this is the first sortable column. */
  usualSort?: string & keyof C
  filters?: F
  /**
   * Filter by a date range. `column` is the filtered column. Without `column`, the list's own query must apply the
   * range. `usual` is the default start, in days before today. `needed` requires both dates, in order and not too far
   * apart. `ahead` offers future ranges, starting today.
   */
  days?: { column?: string & keyof C; label?: string; usual?: number; needed?: true; ahead?: true }
  /** Label of the search field. If missing, the list has no search. */
  search?: string
  /** Schema of the totals. Needed only if they contain more than column sums. */
  totals?: z.ZodMiniType
  /** Path and access of the export. `file` is the first part of the file name. */
  csv?: { path: string; access?: Access; file: string }
}

type AnyList = ReturnType<typeof defineList>
export type List<
  C extends Columns = Columns,
  F extends Readonly<Record<string, Filter>> = Record<string, Filter>,
> = Omit<AnyList, 'columns' | 'filters'> & { columns: C; filters: F }
export type RowOf<L> = L extends { columns: infer C } ? Row<C> : never
export type FiltersOf<L> = L extends { filters: infer F } ? Filters<F> : never

export interface ListQuestion<F = Record<string, unknown>> {
  companyId?: number | string | undefined
  search: string
  sort: string
  direction: 'asc' | 'desc'
  cursor?: string | undefined
  pageSize: number
  filters: F
  /**
   * True if the response should include the count and totals. Screens request these once for each query, not for each
   * page. With `all`, the response includes the totals even if a search matches more than `COUNT_CAP` rows.
   */
  totals: boolean | 'all'
  group?: Grouping | undefined
}

/** Returns the schema of a list's grouping. Only instants have periods. */
const groupingOf = (groupable: readonly string[], columns: Columns) =>
  z.object({
    by: z.enum(groupable as [string]),
    ...(groupable.some((name) => columns[name]?.kind === 'instant') && { unit: z.optional(z.enum(groupUnits)) }),
    value: z.optional(z.nullable(z.string().check(z.maxLength(300)))),
  })

/**
 * Declares a list with its call path and screen title. Creates two calls: one for a page of rows, and one for the
 * export.
 */
export function defineList<
  const C extends Columns,
  const F extends Readonly<Record<string, Filter>> = Record<never, Filter>,
>(path: string, title: string, declared: ListInput<C, F>) {
  const { columns, access, ofCompany = false, personal = false, whenOff = null } = declared
  const scope: 'company' | 'none' = ofCompany ? 'company' : 'none'
  const named = Object.entries(columns) as [string & keyof C, Column][]
  const namesOf = (matches: (column: Column) => boolean) =>
    named.filter(([, column]) => matches(column)).map(([name]) => name)
  const sorts = namesOf(({ sort }) => sort !== undefined)
  const groupable = namesOf(({ group }) => group === true)
  const totalled = namesOf(({ total }) => total !== undefined)
  const usualSort = declared.usualSort ?? sorts[0]
  if (usualSort === undefined) throw new Error(`${path}: one column has to sort`)
  const filterList = (declared.filters ?? {}) as F
  const isNeeded = declared.days?.needed === true
  const range = isNeeded
    ? { fromDate: isoDate, toDate: isoDate }
    : { fromDate: z.optional(isoDate), toDate: z.optional(isoDate) }
  const values = Object.entries(filterList).map(([name, { value }]) => [name, value])
  const filterShape = { ...Object.fromEntries(values), ...(declared.days && range) } as Record<string, z.ZodMiniType>
  const body = z.object({
    ...(ofCompany && { companyId }),
    search: z._default(
      z.string().check(z.overwrite(visible), z.trim(), z.maxLength(100, 'Enter up to 100 characters.')),
      '',
    ),
    sort: z._default(z.enum(sorts as [string]), usualSort),
    direction: z._default(z.enum(['asc', 'desc']), columns[usualSort]?.sort ?? 'desc'),
    cursor: z.optional(z.string().check(z.maxLength(400))),
    pageSize: z._default(z.int().check(z.minimum(1), z.maximum(MAX_ROWS)), PAGE_SIZE),
    filters: isNeeded
      ? z.object(filterShape).check(...(periodInOrder() as z.core.$ZodCheck<Record<string, unknown>>[]))
      : z._default(z.object(filterShape), z.object(filterShape).parse({})),
    totals: z._default(z.union([z.boolean(), z.literal('all')]), true),
    ...(groupable.length > 0 && { group: z.optional(groupingOf(groupable, columns)) }),
  }) as z.ZodMiniType<ListQuestion<Filters<F>>, Partial<ListQuestion<Partial<Filters<F>>>>>
  const row = z.object({
    id: z.number(),
    can: z.record(z.string(), z.boolean()),
    ...Object.fromEntries(
      named
        .filter(([, { kind, screen }]) => kind === 'fact' || screen !== false)
        .map(([name, column]) => [name, column.value]),
    ),
  }) as unknown as z.ZodMiniType<Row<C>>
  const sums = z.record(z.string(), z.number())
  const call = endpoint({
    path,
    summary: declared.summary,
    access,
    scope,
    personal,
    whenOff,
    body,
    response: z.object({
      rows: z.array(row),
      next: z.nullable(z.string()),
      previous: z.nullable(z.string()),
      /** Number of matching rows, up to the cap. Null if the request did not include `totals`. */
      count: z.nullable(z.int()),
      /** Totals of the matching rows. Null without `totals` in the request, or above `COUNT_CAP` matches. */
      totals: z.nullable(declared.totals ?? sums),
      groups: z.nullable(z.array(z.object({ value: z.nullable(z.string()), count: z.int(), totals: sums }))),
    }),
  })
  const csv = declared.csv && {
    file: declared.csv.file,
    call: downloadCall({
      path: declared.csv.path,
      summary: `${declared.summary.replace(/^Lists /, 'Exports ')} as CSV`,
      access: declared.csv.access ?? access,
      scope,
      whenOff,
      body,
    }),
  }
  return {
    ...declared,
    path,
    title,
    scope,
    columns,
    filters: filterList,
    sorts,
    groupable,
    totalled,
    usualSort,
    call,
    row,
    csv,
  }
}
