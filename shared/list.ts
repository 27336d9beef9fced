/**
 * Lists as data: a list, a report or a picker is declared once, and its call, cursor, filters, totals, groups, CSV, print
 * and screen come from that. `server/list.ts` says where its rows are; `web/list/` shows it.
 */
import * as z from 'zod/mini'
import { type Access, downloadCall, endpoint } from './endpoint.ts'
import { isoDate } from './iso-date.ts'
import { periodInOrder } from './period.ts'
import { PAGE_SIZE } from './table.ts'
import { companyId } from './body-parts.ts'
import { visible } from './visible.ts'

/** What a column holds: how it is shown, sorted, summed and exported follows from it. */
export type ColumnKind = 'text' | 'whole' | 'cents' | 'instant' | 'day' | 'choice' | 'flag' | 'fact'

interface ColumnOptions {
  /** It can be sorted by, along an index; this way first. */
  sort?: 'asc' | 'desc'
  /** Rows can be grouped by it. An instant is grouped by the town's day. */
  group?: boolean
  /** The label of its total over all that match: 'Total Fees:' (specification 2.19). Of cents and whole numbers alone. */
  total?: string
  /** Beside its total: which part of another column's total that is, in percent. */
  shareOf?: string
  /** Names the row: its header, the title of its card on a phone. */
  primary?: boolean
  /** 1 stays in view; where the width ends, the highest go to the row's second line first. 2 unless said. */
  priority?: 1 | 2 | 3 | 4
  /** About how many letters it has, where that is other than usual: by this it is known what has room beside it. */
  letters?: number
  /** On show only after somebody chose it. */
  hidden?: boolean
  /** Its head in the CSV where that is not its label; false: not in there. */
  csv?: string | false
  /** In the CSV alone. */
  screen?: false
  /** What stands where it is empty. */
  empty?: string
}

export interface Column<Value = unknown> extends ColumnOptions {
  kind: ColumnKind
  label: string
  value: z.ZodMiniType<Value>
  /** Of a choice: what each code is called. */
  labels?: Readonly<Record<string | number, string>>
  /** Of an instant: seconds are told, too. */
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
/** Integer cents. */
export const cents = (label: string, options: ColumnOptions = {}): Column<number> => ({
  kind: 'cents',
  label,
  value: z.number(),
  ...options,
})
/** A moment, ISO 8601 in UTC, `''` where there is none yet. Shown and exported by the town's clock. */
export const instant = (label: string, options: ColumnOptions & { seconds?: boolean } = {}): Column<string> => ({
  kind: 'instant',
  label,
  value: z.string(),
  ...options,
})
/** A calendar day, `YYYY-MM-DD`, `''` where there is none. */
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
/** The same where the codes are numbers. */
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
/** What a row carries for its screen, and no column shows. */
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
  /** Of a choice, in the order in which they are offered. */
  labels?: Readonly<Record<string | number, string>>
  /** Of a choice: what stands for none of them, 'All statuses'. */
  all?: string
  /** What it is when the address says nothing. */
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
  /** The same where the codes are numbers. */
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
  /** Chosen among things with an id; the screen brings the choice. */
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
  /** Set by the screen or a link, never by a field of its own. */
  hidden: <Value>(value: z.ZodMiniType<Value>): Filter<Value> => ({ kind: 'hidden', label: '', value }),
}

type Columns = Readonly<Record<string, Column<never> | Column<unknown>>>
type ValueOf<C> = C extends { value: infer Schema extends z.ZodMiniType } ? z.output<Schema> : never

/** What a row is: its id, its columns, and what may be done to it. */
export type Row<C> = { id: number; can: Record<string, boolean> } & { [Name in keyof C]: ValueOf<C[Name]> }
export type Filters<F> = { [Name in keyof F]: ValueOf<F[Name]> } & { fromDate?: string; toDate?: string }

/** Rows of one group, with what they come to. `value` is null where the column is empty. */
export interface Group {
  value: string | null
  count: number
  totals: Record<string, number>
}

/** How many groups one question tells at most; whoever wants more, narrows. */
export const MOST_GROUPS = 500

/** Rows that one page holds at most: a screen asks for 10, 25 or 100, a print for as many as this at a time. */
export const MOST_ROWS = 500

/** What a printed list ends with. */
export const PRINTED_ROWS = 5000

interface Declared<C extends Columns, F extends Readonly<Record<string, Filter>>> {
  /** 'payment', 'payments'. */
  nouns: readonly [string, string]
  /** What the API document says of it. */
  summary: string
  access: Access
  /** Of one town, which staff of the platform name in the body. Without it, over all towns, or the platform's own. */
  ofCompany?: boolean
  personal?: boolean
  columns: C
  /** The column that sorts until another is chosen; the first that can be sorted by, unless said. */
  usualSort?: string & keyof C
  filters?: F
  /**
   * A range of days, of this column (without one its rows are made of the range); how many days back it begins where
   * nothing is chosen. `needed`: both ends have to be said, in order and not too far apart. `ahead`: what counts is to come, so
   * that the days from today on are offered by name.
   */
  days?: { column?: string & keyof C; label?: string; usual?: number; needed?: true; ahead?: true }
  /** What the search field is called. Without one there is no search. */
  search?: string
  /** The shape of its totals where they are more than the sums of columns. */
  totals?: z.ZodMiniType
  /** Where it is exported, under which right. `file` begins the file's name. */
  csv?: { path: string; access?: Access; file: string }
}

type AnyList = ReturnType<typeof defineList>
export type List<
  C extends Columns = Columns,
  F extends Readonly<Record<string, Filter>> = Record<string, Filter>,
> = Omit<AnyList, 'columns' | 'filters'> & { columns: C; filters: F }
export type RowOf<L> = L extends { columns: infer C } ? Row<C> : never
export type FiltersOf<L> = L extends { filters: infer F } ? Filters<F> : never

/** What a list is asked. */
export interface ListQuestion<F = Record<string, unknown>> {
  companyId?: number | string | undefined
  search: string
  sort: string
  direction: 'asc' | 'desc'
  cursor?: string | undefined
  pageSize: number
  filters: F
  /**
   * Count and totals are asked once for a question, not for each page. `all`: also the totals of a search that finds more rows than
   * are counted.
   */
  totals: boolean | 'all'
  /** Without a value: the groups themselves. With one: the rows of that group. */
  group?: { by: string; value?: string | null | undefined } | undefined
}

/** Declares a list by the path of its call and the title of its screen: its two calls are made here. */
export function defineList<
  const C extends Columns,
  const F extends Readonly<Record<string, Filter>> = Record<never, Filter>,
>(path: string, title: string, declared: Declared<C, F>) {
  const { columns, access, ofCompany = false, personal = false } = declared
  const scope: 'company' | 'none' = ofCompany ? 'company' : 'none'
  const named = Object.entries(columns) as [string & keyof C, Column][]
  const namesOf = (wanted: (column: Column) => boolean) =>
    named.filter(([, column]) => wanted(column)).map(([name]) => name)
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
    pageSize: z._default(z.int().check(z.minimum(1), z.maximum(MOST_ROWS)), PAGE_SIZE),
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
      /** Counted up to the cap; null where totals were not asked for. */
      count: z.nullable(z.int()),
      /** Null where totals were not asked for, and for a search that finds more rows than are counted. */
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
