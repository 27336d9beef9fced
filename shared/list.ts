/**
 * Lists as data. A list, report or picker is declared once. Its call, cursor, filters, totals, groups, CSV, print and
 * screen follow from that. `server/list.ts` defines the rows, `web/list/` shows them.
 */
import * as z from 'zod/mini'
import { type Access, downloadCall, endpoint } from './endpoint.ts'
import { isoDate } from './iso-date.ts'
import { periodInOrder } from './period.ts'
import { PAGE_SIZE } from './table.ts'
import { companyId } from './body-parts.ts'
import { visible } from './visible.ts'

/** Content type of a column. It determines display, sorting, sums and export. */
export type ColumnKind = 'text' | 'whole' | 'cents' | 'instant' | 'day' | 'choice' | 'flag' | 'fact'

interface ColumnOptions {
  /** Makes the column sortable by an index. The value is the first direction. */
  sort?: 'asc' | 'desc'
  /** True if rows can be grouped by the column. An instant is grouped by the company's day. */
  group?: boolean
  /** Label of the total over all matches: 'Total Fees:' (specification 2.19). Only for cents and whole numbers. */
  total?: string
  /** Column with the base amount: the total also shows its share of that column's total, in percent. */
  shareOf?: string
  /** True if the column names the row: its header, and the title of its card on a phone. */
  primary?: boolean
  /**
   * 1 stays in view. If the width is too small, columns with the highest numbers move to the second line first. Default
   * 2.
   */
  priority?: 1 | 2 | 3 | 4
  /** Approximate number of letters, if unusual. The layout uses it to estimate the width. */
  chars?: number
  /** True if the column is hidden until the person chooses it. */
  hidden?: boolean
  /** CSV header if it differs from the label. False omits the column from the CSV. */
  csv?: string | false
  /** False if the column is only in the CSV. */
  screen?: false
  /** Text shown for an empty value. */
  empty?: string
}

export interface Column<Value = unknown> extends ColumnOptions {
  kind: ColumnKind
  label: string
  value: z.ZodMiniType<Value>
  /** Labels of a choice, by code. */
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
/** An instant, ISO 8601 in UTC, or `''` if it has not happened yet. Shown and exported in the company's time zone. */
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
/** One of a few codes, shown by its label. */
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
/** One of a few numeric codes, shown by its label. */
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
/** Data of a row for its screen that no column shows. */
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
  /** Options of a choice, in display order. */
  labels?: Readonly<Record<string | number, string>>
  /** Option for no filter, such as 'All statuses'. */
  all?: string
  /** Default if the address has no value. */
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
  /** A choice among numeric codes. */
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
    value: z.optional(z.int().check(z.refine((value) => value in labels, 'Choose one of the list.'))),
  }),
  /** Id of a record. The screen provides the picker. */
  id: (label: string): Filter<number | undefined> => ({ kind: 'id', label, value: z.optional(anId) }),
  text: (label: string): Filter<string> => ({
    kind: 'text',
    label,
    value: z._default(
      z.string().check(z.overwrite(visible), z.trim(), z.maxLength(100, 'Search for at most 100 characters.')),
      '',
    ),
  }),
  flag: (label: string): Filter<boolean> => ({ kind: 'flag', label, value: z._default(z.boolean(), false) }),
  /** A filter set by the screen or a link, without its own field. */
  hidden: <Value>(value: z.ZodMiniType<Value>): Filter<Value> => ({ kind: 'hidden', label: '', value }),
}

type Columns = Readonly<Record<string, Column<never> | Column<unknown>>>
type ValueOf<C> = C extends { value: infer Schema extends z.ZodMiniType } ? z.output<Schema> : never

/** A row: its id, its columns, and its permitted actions. */
export type Row<C> = { id: number; can: Record<string, boolean> } & { [Name in keyof C]: ValueOf<C[Name]> }
export type Filters<F> = { [Name in keyof F]: ValueOf<F[Name]> } & { fromDate?: string; toDate?: string }

/** Rows of one group with their totals. `value` is null if the column is empty. */
export interface Group {
  value: string | null
  count: number
  totals: Record<string, number>
}

/** Maximum groups of one request. For more, the person must narrow the filters. */
export const MAX_GROUPS = 500

/** Maximum rows of one page. A screen requests 10, 25 or 100, a print requests this many at a time. */
export const MAX_ROWS = 500

/** Maximum rows of a printed list. */
export const PRINTED_ROWS = 5000

interface ListInput<C extends Columns, F extends Readonly<Record<string, Filter>>> {
  /** 'payment', 'payments'. */
  nouns: readonly [string, string]
  /** Summary in the API document. */
  summary: string
  access: Access
  /**
   * True if the list belongs to one company, which platform staff name in the body. Otherwise, it covers all companies
   * or the platform.
   */
  ofCompany?: boolean
  personal?: boolean
  columns: C
  /** Default sort column. Without it, the first sortable column. */
  usualSort?: string & keyof C
  filters?: F
  /**
   * Date range filter. `column` is the filtered column, or none if the range produces the rows. `usual` is the default
   * start, in days back. `needed` requires both ends, in order and not too far apart. `ahead` offers future ranges,
   * starting today.
   */
  days?: { column?: string & keyof C; label?: string; usual?: number; needed?: true; ahead?: true }
  /** Label of the search field. Without it, the list has no search. */
  search?: string
  /** Schema of the totals if they are more than column sums. */
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
   * Count and totals are requested once for a question, not for each page. `all` also includes the totals of a search
   * with more than `COUNT_CAP` rows.
   */
  totals: boolean | 'all'
  /** Without a value: the groups. With one: the rows of that group. */
  group?: { by: string; value?: string | null | undefined } | undefined
}

/** Declares a list by its call path and screen title, and creates its two calls. */
export function defineList<
  const C extends Columns,
  const F extends Readonly<Record<string, Filter>> = Record<never, Filter>,
>(path: string, title: string, declared: ListInput<C, F>) {
  const { columns, access, ofCompany = false, personal = false } = declared
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
      z.string().check(z.overwrite(visible), z.trim(), z.maxLength(100, 'Search for at most 100 characters.')),
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
    ...(groupable.length > 0 && {
      group: z.optional(
        z.object({
          by: z.enum(groupable as [string]),
          value: z.optional(z.nullable(z.string().check(z.maxLength(300)))),
        }),
      ),
    }),
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
    body,
    answer: z.object({
      rows: z.array(row),
      next: z.nullable(z.string()),
      previous: z.nullable(z.string()),
      /** Count up to the cap. Null if totals were not requested. */
      count: z.nullable(z.int()),
      /** Null if not requested, or for a search with more than `COUNT_CAP` rows. */
      totals: z.nullable(declared.totals ?? sums),
      groups: z.nullable(z.array(z.object({ value: z.nullable(z.string()), count: z.int(), totals: sums }))),
    }),
  })
  const csv = declared.csv && {
    file: declared.csv.file,
    call: downloadCall({
      path: declared.csv.path,
      summary: `${declared.summary.replace(/, a page at a time$/, '')}, as CSV`,
      access: declared.csv.access ?? access,
      scope,
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
