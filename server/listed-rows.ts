/** First rows of an import by their result: new, changed (with the values before) and unchanged. */
import { type RawBuilder, sql } from 'kysely'
import { formatDate } from '../shared/dates.ts'
import type { ImportReport, ListedRow } from '../shared/imports.ts'
import { say } from '../shared/messages.ts'
import { formatCents } from '../shared/money.ts'
import type { Column, ImportColumns } from './columns.ts'
import { textsOf, titleOfColumn } from './import-columns.ts'
import type { CompanyId, Tx } from './tenancy.ts'

/** Result of a row of the file. */
export type RowResult = 'created' | 'changed' | 'unchanged'

/** Number of rows listed for each result. */
export const MAX_LISTED = 50
const MAX_CHARS = 200
/** Number of rows after which the portal compares the stored values with the new ones. */
const MAX_READ_BEFORE = MAX_LISTED
/** Number of rows read for one batch. A batch of addresses reads all addresses of its streets. */
const MAX_READ = 20_000
/** Name of the shape among the values of a row. */
const SHAPE = 'shape'
const HIDDEN = '••••'

const shortened = (text: string): string => (text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text)

/** Returns the values of a row in the file, by the titles of our columns. Null if the caller chose no columns. */
function fieldsOf(report: ImportReport, where: string, isListed = (_name: string) => true): ListedRow['fields'] | null {
  const row = textsOf(report, where)
  if (!row) return null
  return Object.entries<Column>(row.columns.columns).flatMap(([name, column]) => {
    const value = row.texts.get(name) ?? ''
    return value === '' || column.isSecret || !isListed(name)
      ? []
      : [{ title: titleOfColumn(column), value: shortened(value) }]
  })
}

/** Adds a row of the file to the list of its result. */
export function listRow(report: ImportReport, result: RowResult, where: string): void {
  const list = report.rows?.[result]
  if (!list || list.length >= MAX_LISTED) return
  const fields = fieldsOf(report, where)
  if (fields) list.push({ where, fields })
}

/** Counts a row of the file. Lists it, unless it is changed: `ChangedRows` lists these with the values before. */
export function countRow(report: ImportReport, result: RowResult, where: string): void {
  report[result] += 1
  if (result !== 'changed') listRow(report, result, where)
}

type Texts = Readonly<Record<string, string>>
type Stored = NonNullable<ImportColumns['stored']>

/**
 * Finds the first rows that an import changes. It reads the rows before their change and again later, many rows in one
 * query.
 */
export class ChangedRows {
  /** Label of the row in the file that the import writes now, if it writes row after row. */
  row = ''
  readonly #tx: Tx
  readonly #company: CompanyId
  readonly #report: ImportReport
  readonly #columns: ImportColumns
  readonly #stored: Stored
  readonly #before = new Map<string, { texts: Texts; where: string; more: ListedRow['fields'] }>()
  #lastRead: string | null = null

  constructor(tx: Tx, company: CompanyId, report: ImportReport, columns: ImportColumns & { stored: Stored }) {
    this.#tx = tx
    this.#company = company
    this.#report = report
    this.#columns = columns
    this.#stored = columns.stored
  }

  /** True if the import changes a stored row for the current row of the file. */
  get readsRow(): boolean {
    return this.#lastRead === this.row
  }

  get #isFull(): boolean {
    return (this.#report.rows?.changed.length ?? MAX_LISTED) >= MAX_LISTED
  }

  /** Reads rows before the import changes them. */
  async keep(table: string, column: string, values: readonly (string | number)[]): Promise<void> {
    if (table !== this.#stored.table || this.#isFull) return
    this.#lastRead = this.row
    if (this.#before.size >= MAX_READ_BEFORE) await this.end()
    const more = fieldsOf(this.#report, this.row, (name) => this.#stored.columns[name] === undefined) ?? []
    const key = sql.ref(`t.${column}`)
    const rows = await this.#read(sql`${key} = ANY (${values})`, key)
    // The order of the file.
    const positions = new Map(values.map((value, at) => [String(value), at]))
    const position = (row: { key: string }) => positions.get(row.key) ?? 0
    for (const { id, key: _, texts } of rows.toSorted((a, b) => position(a) - position(b)))
      if (!this.#before.has(id)) this.#before.set(id, { texts, where: this.row, more })
  }

  /** Lists the rows that changed. */
  async end(): Promise<void> {
    if (this.#before.size === 0) return
    const rows = await this.#read(sql`t.id = ANY (${[...this.#before.keys()]})`)
    const after = new Map(rows.map(({ id, texts }) => [id, texts]))
    for (const [id, before] of this.#before) {
      const texts = after.get(id)
      if (!texts || this.#isFull) continue
      const fields = this.#changesOf(before.texts, texts)
      if (fields.length > 0)
        this.#report.rows?.changed.push({
          where: before.where,
          fields: [...this.#identityOf(texts, fields), ...fields, ...before.more],
        })
    }
    this.#before.clear()
  }

  async #read(condition: RawBuilder<unknown>, key: RawBuilder<unknown> = sql`''`) {
    const { table, columns, shape = sql`''` } = this.#stored
    const values = [...Object.entries(columns), [SHAPE, shape] as const].map(([name, column]) => {
      const value = typeof column === 'string' ? sql.ref(`t.${column}`) : column
      return sql`${name}::text, coalesce(${value}::text, '')`
    })
    const { rows } = await sql<{ id: string; key: string; texts: Texts }>`
      SELECT t.id::text, ${key}::text AS key, json_build_object(${sql.join(values)}) AS texts FROM ${sql.table(table)} t
      WHERE t.company_id = ${this.#company} AND ${condition} ORDER BY t.id LIMIT ${MAX_READ}`.execute(this.#tx)
    return rows
  }

  #changesOf(before: Texts, after: Texts): ListedRow['fields'] {
    return Object.keys(after).flatMap((name) =>
      before[name] === after[name]
        ? []
        : name === SHAPE
          ? [{ title: say`Shape`, before: say`Previous shape`, value: say`New shape` }]
          : [{ ...this.#fieldOf(name, after), before: this.#fieldOf(name, before).value }],
    )
  }

  /** Returns the values of the required columns, so that staff recognize the record. */
  #identityOf(texts: Texts, changed: ListedRow['fields']): ListedRow['fields'] {
    const needs = this.#columns.needs.flatMap((need) => need.split('|')).filter((name) => texts[name])
    const names = needs.length > 0 ? needs : Object.keys(this.#stored.columns).slice(0, 1)
    return names
      .map((name) => this.#fieldOf(name, texts))
      .filter(({ title }) => !changed.some((field) => field.title === title))
      .slice(0, 2)
  }

  #fieldOf(name: string, texts: Texts): { title: string; value: string } {
    const column = this.#columns.columns[name]
    const text = texts[name] ?? ''
    const format = text === '' ? undefined : formats[column?.content ?? 'text']
    return { title: titleOfColumn(column), value: column?.isSecret ? HIDDEN : (format?.(text) ?? shortened(text)) }
  }
}

/** Formats of stored values. Amounts are in cents. */
const formats: Partial<Record<string, (text: string) => string>> = {
  money: (text) => formatCents(Number(text)),
  date: formatDate,
}
