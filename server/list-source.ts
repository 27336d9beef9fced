import type { RawBuilder } from 'kysely'
import type { AuditAction } from '../shared/audit-actions.ts'
import type { Column, Filters, ListQuestion, Row } from '../shared/list.ts'
import type { Call } from './call.ts'
import type { Company } from './hosts.ts'
import type { Tx } from './tenancy.ts'

export type Sql = RawBuilder<unknown>
export type Columns = Readonly<Record<string, Column<never> | Column<unknown>>>
/** Part of a list declaration (`shared/list.ts`) that the list's SQL is built from. */
export interface ListDeclaration<C, F> {
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

/** Caller and query of a list request. `company` is null for a list of all companies. */
export interface ListQuery<F = unknown> {
  call: Call
  company: Company | null
  question: ListQuestion<Filters<F>>
  /** Value that `expect` returned. */
  expected?: unknown
}

/** SQL source of a list. Expressions refer to a row as `r`, and to joined tables by the aliases in `joins`. */
export interface Source<C, F> {
  /** Table or view that contains the rows: its name, or a query in parentheses. */
  table: Sql | ((query: ListQuery<F>) => Sql)
  /**
   * Fixed conditions, which use only `r`. For a list of one company, the condition on the company is added
   * automatically.
   */
  where?: (query: ListQuery<F>) => readonly Sql[]
  /**
   * LEFT JOINs for the displayed columns. They must not multiply rows. They are applied only to the rows of the page.
   */
  joins?: Sql | ((query: ListQuery<F>) => Sql)
  /** Expression of each column, or the name of a column of `r`. Sort columns use only `r` and are never null. */
  columns: { readonly [Name in keyof C]: Sql | string }
  /**
   * Sort expression of a column, if different from its value, such as a lowercase name. It uses only `r` and is never
   * null.
   */
  sorts?: { readonly [Name in keyof C]?: Sql | string }
  /** Expression of a column in the CSV, if different from the column's value. */
  csv?: { readonly [Name in keyof C]?: Sql }
  /** Condition of a filter, using only `r`. Default: the column equals the filter's value. */
  filters?: { readonly [Name in keyof F]?: (value: NonNullable<ValueIn<F[Name]>>, query: ListQuery<F>) => Sql }
  /**
   * Expression for the lowercase text in which each search word must occur, or the search condition itself. Uses only
   * `r`.
   */
  search?: Sql | ((search: string, query: ListQuery<F>) => Sql)
  id?: Sql
  /** Largest possible row id. Only needed if ids are not bigint. */
  highestId?: number
  /** Extra columns for `row`. Never sent to the browser. */
  hidden?: Readonly<Record<string, Sql>>
  /** Adds to a row the allowed actions and the values that the database can't compute. */
  row?: (row: Row<C>, call: Call, hidden: Record<string, unknown>) => Partial<Row<C>>
  /** Loads data for `row` that the query of the list can't read, such as names. Available as `hidden.lookup`. */
  lookup?: (hidden: readonly Record<string, unknown>[], query: ListQuery<F>, tx: Tx) => Promise<unknown>
  /** Loads the count and totals without adding up all matching rows. Null if this is not possible for the query. */
  sums?: (tx: Tx, listQuery: ListQuery<F>, matching: Matching<F>) => Promise<ListSums> | null
  /** Expression that a column's total adds up, if different from the column's value. */
  totals?: { readonly [Name in keyof C]?: Sql }
  /** True if the rows are expensive to compute. Page, count and totals then come from one query. */
  together?: boolean
  /**
   * Sort expression that has an index, for counts without totals. In this order, the database can stop counting early.
   */
  countAlong?: Sql
  /**
   * Search conditions, each with its own index. The count runs one query per condition, up to the cap, and removes
   * duplicates.
   */
  searchParts?: (query: ListQuery<F>) => readonly Sql[]
  /**
   * Reasons why a condition has no index, by filter name, or `all` for the whole list. The query plan test reads them.
   */
  unindexed?: Readonly<Record<string, string>>
  /** Runs before any query of the list. */
  before?: (call: Call) => void
  /**
   * Loads the entity that the query refers to, such as the company of a filter. Throws 404 if the entity does not
   * exist. The result is stored in the query as `expected`.
   */
  expect?: (tx: Tx, query: ListQuery<F>) => Promise<unknown>
  /** Audit action for an export of the list. */
  exported?: AuditAction
  /** Extra CSV columns that depend on the query. */
  besides?: (query: ListQuery<F>) => readonly { head: string; cell: Sql }[]
  /** SQL query for the rows of the CSV, if different from the list's query. */
  file?: (query: ListQuery<F>) => Sql
}

/** Conditions of a query, and the rows that match them. */
export interface Matching<F> {
  conditions(query: ListQuery<F>): readonly Sql[]
  /** Returns a query for the matching rows, limited to `COUNT_CAP` rows. */
  cutRows(query: ListQuery<F>): Sql
}

/** Count and totals of the matching rows. */
export interface ListSums {
  count: number
  /** Null if the search matches `COUNT_CAP` rows or more. */
  totals: unknown
}

type ValueIn<Filter> = Filter extends { value: { _zod: { output: infer Value } } } ? Value : never
