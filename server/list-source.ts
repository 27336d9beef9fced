import type { RawBuilder } from 'kysely'
import type { AuditAction } from '../shared/audit-actions.ts'
import type { Column, Filters, ListQuestion, Row } from '../shared/list.ts'
import type { Call } from './call.ts'
import type { Company } from './hosts.ts'
import type { Tx } from './tenancy.ts'

export type Sql = RawBuilder<unknown>
export type Columns = Readonly<Record<string, Column<never> | Column<unknown>>>
/** Part of a declared list (`shared/list.ts`) that its SQL depends on. */
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
  table: Sql | ((query: ListQuery<F>) => Sql)
  /** Fixed conditions, only on `r`. The company's condition is added for a list of one company. */
  where?: (query: ListQuery<F>) => readonly Sql[]
  /** LEFT JOINs for the shown columns, which never multiply rows. They apply only to the rows of the page. */
  joins?: Sql | ((query: ListQuery<F>) => Sql)
  /** Expression of each column, or the name of a column of `r`. Sort columns use only `r` and are never null. */
  columns: { readonly [Name in keyof C]: Sql | string }
  /** Sort expression of a column, if different from its value, such as a lowercase name. Only on `r`, never null. */
  sorts?: { readonly [Name in keyof C]?: Sql | string }
  /** Different value in the CSV. */
  csv?: { readonly [Name in keyof C]?: Sql }
  /** Condition of a filter. Default: its column equals the value. Only on `r`. */
  filters?: { readonly [Name in keyof F]?: (value: NonNullable<ValueIn<F[Name]>>, query: ListQuery<F>) => Sql }
  /** Lowercase text that must contain each search word, or the condition itself. Only on `r`. */
  search?: Sql | ((search: string, query: ListQuery<F>) => Sql)
  id?: Sql
  /** Largest row id, if not a bigint. */
  highestId?: number
  /** Extra columns for `row`. Never sent to the browser. */
  behind?: Readonly<Record<string, Sql>>
  /** Adds allowed actions and values that the database can't compute. */
  row?: (row: Row<C>, call: Call, behind: Record<string, unknown>) => Partial<Row<C>>
  /** Loads data for `row` from another connection, such as names. Available as `behind.lookup`. */
  lookup?: (behind: readonly Record<string, unknown>[], query: ListQuery<F>, tx: Tx) => Promise<unknown>
  /** Loads count and totals faster than by adding up all matching rows. Null if this question has no faster way. */
  sums?: (tx: Tx, listQuery: ListQuery<F>, matching: Matching<F>) => Promise<ListSums> | null
  /** Expression of a column's total, if different from its value. */
  totals?: { readonly [Name in keyof C]?: Sql }
  /** True if the rows are expensive. Then page, count and totals come from one read. */
  together?: boolean
  /** Sort expression with the index for counting rows if no totals are computed. It avoids reading more than needed. */
  countAlong?: Sql
  /** Search conditions with one index each. Rows are counted by each index, without duplicates, up to the cap. */
  searchParts?: (query: ListQuery<F>) => readonly Sql[]
  /** Reasons for conditions without an index, by filter name, or `all` for the list. The query plan test reads them. */
  unindexed?: Readonly<Record<string, string>>
  /** Runs before any query. */
  before?: (call: Call) => void
  /**
   * Loads the subject of the query, such as the company of a filter, or throws a 404. The result is in `asked.found`.
   */
  expect?: (tx: Tx, query: ListQuery<F>) => Promise<unknown>
  /** Audit action of an export. */
  exported?: AuditAction
  /** Extra CSV columns that depend on the query. */
  besides?: (query: ListQuery<F>) => readonly { head: string; cell: Sql }[]
  /** Different rows for the CSV. */
  file?: (query: ListQuery<F>) => Sql
}

/** Matching rows of a question. */
export interface Matching<F> {
  conditions(query: ListQuery<F>): readonly Sql[]
  /** Selects the matching rows, at most `COUNT_CAP`. */
  cutRows(query: ListQuery<F>): Sql
}

/** Count and totals of a question's rows. */
export interface ListSums {
  count: number
  /** Null if the search finds `COUNT_CAP` rows or more. */
  totals: unknown
}

type ValueIn<Filter> = Filter extends { value: { _zod: { output: infer Value } } } ? Value : never
