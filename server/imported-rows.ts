import { sql } from 'kysely'
import type { ImportKind } from '../shared/imports.ts'
import { say, translated } from '../shared/messages.ts'
import type { Schema } from './db/schema.ts'
import type { Call } from './call.ts'
import { conflict } from './errors.ts'
import type { ChangedRows } from './listed-rows.ts'
import { sessionName } from './sessions.ts'
import type { CompanyId, Tx } from './tenancy.ts'

/** Reason why an import cannot be undone. */
export type UndoCause = 'paid' | 'emailed' | 'answered' | 'linked' | 'edited'

type Table = keyof Schema
type Values = Readonly<Record<string, string>>

/** Table in which an import creates rows. */
export interface ImportedTable {
  table: Table
  /** Column with the id of the new row, or of its new parent. The default is 'id'. */
  column?: string
  /** Table of the parent, if `column` has its id. */
  of?: Table
  /** Values of further columns of all new rows. */
  only?: Values
}

/** Column without a foreign key that refers to imported rows. Its later rows prevent the undo. */
export interface LaterUse {
  /** Table of the later rows. */
  from: Table
  column: string
  /** Imported table, and its column. The default is 'id'. */
  of: Table
  ofColumn?: string
  only?: Values
  /**
   * Column with a growing number, and the table that it comes from. Rows with higher numbers also prevent the undo if
   * the import changed the row that they refer to.
   */
  after?: readonly [column: string, table: Table]
  cause: UndoCause
}

export interface UndoRules {
  tables: readonly ImportedTable[]
  uses?: readonly LaterUse[]
}

/** Entries and files that prevent the undo of imported cases. `kind` is their subject kind. */
export const usesOfCase = (of: Table, kind: string): LaterUse[] => [
  { from: 'case_entry', column: 'subject_id', of, only: { subject_kind: kind }, cause: 'answered' },
  fileUse(of, kind),
]

/** Files that prevent the undo of imported records. `kind` is their subject kind. */
export const fileUse = (of: Table, kind: string): LaterUse => ({
  ...{ from: 'attachment', column: 'subject_id', of, only: { subject_kind: kind }, cause: 'linked' },
})

/** Origin of an import. */
export interface ImportSource {
  company: CompanyId
  kind: ImportKind | 'preview'
  file: string
  /** Name of the person or program. */
  by: string
  now: Date
}

/** Returns the source of an import by staff. */
export const importSource = (call: Call, kind: ImportKind, { name }: { name: string }): ImportSource => ({
  company: call.company.id,
  kind,
  file: name,
  by: call.session ? sessionName(call.session) : '',
  now: call.context.clock.now(),
})

/** Returns the tables of an entity with states. */
export const withHistory = (table: Table, machine: string): UndoRules['tables'] => [
  { table },
  { table: 'status_history', column: 'subject_id', of: table, only: { machine } },
]

const highestIn = async (tx: Tx, { company }: ImportSource, table: Table, column = 'id'): Promise<number> => {
  const { rows } = await sql<{ max: number }>`
    SELECT coalesce(max(${sql.ref(column)}), 0)::bigint AS max FROM ${sql.table(table)} WHERE company_id = ${company}`.execute(
    tx,
  )
  return rows[0]?.max ?? 0
}

const only = (values: Values = {}) => sql`${JSON.stringify(values)}::jsonb`

/** Creates the record of an import. @returns its id */
export async function createImport(tx: Tx, source: ImportSource, { uses = [] }: UndoRules): Promise<number> {
  const stored = []
  for (const { after, ...use } of uses)
    stored.push({ ...use, ...(after && { above: [after[0], await highestIn(tx, source, after[1])] }) })
  const { id } = await tx
    .insertInto('data_import')
    .values({
      company_id: source.company,
      kind: source.kind,
      file_name: source.file.slice(0, 200),
      imported_at: source.now,
      imported_by: source.by,
      uses: JSON.stringify(stored),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Rows that one transaction of an import creates and changes. The portal stores them, so that staff can undo the import.
 */
export class ImportedRows {
  /** Stores nothing. */
  static readonly none = new ImportedRows(null, null)

  /** Creates an object that stores nothing, for a preview. */
  static preview = (): ImportedRows => new ImportedRows(null, null)

  /** Id of the import. */
  readonly id: number | null
  /** Lists the changed rows for the report. */
  changed: ChangedRows | undefined
  readonly #of: { tx: Tx; source: ImportSource; rules: UndoRules } | null
  /** Highest id of each table before the transaction. */
  readonly #before = new Map<Table, number>()

  private constructor(id: number | null, of: { tx: Tx; source: ImportSource; rules: UndoRules } | null) {
    this.id = id
    this.#of = of
  }

  /** Starts a transaction of an import. Call it before the first row is written. */
  static async start(tx: Tx, source: ImportSource, rules: UndoRules, id: number): Promise<ImportedRows> {
    const rows = new ImportedRows(id, { tx, source, rules })
    for (const { table, of = table } of rules.tables)
      if (!rows.#before.has(of)) rows.#before.set(of, await highestIn(tx, source, of))
    return rows
  }

  /** Stores existing rows before the import changes them. Call it before the change. Unchanged rows do no harm. */
  async keep(table: Table, column: string, values: readonly (string | number)[], more?: Values): Promise<void> {
    if (values.length === 0) return
    await this.changed?.keep(table, column, values)
    if (!this.#of) return
    const { tx, source } = this.#of
    await sql`SELECT keep_import_rows(${source.company}, ${this.id}, ${table}, ${column}, ${values.map(String)}::text[], ${only(more)})`.execute(
      tx,
    )
  }

  /** Notes new rows of a table without an id. Call it after their creation, in the same transaction. */
  async note(table: Table, column: string, values: readonly (string | number)[], more?: Values): Promise<void> {
    if (values.length > 0) await this.#note(table, column, values, more)
  }

  async #note(table: Table, column: string, values: readonly (string | number)[], more?: Values, isAbove = false) {
    if (!this.#of) return
    const { tx, source } = this.#of
    await sql`SELECT note_import_rows(${source.company}, ${this.id}, ${table}, ${column}, ${isAbove}, ${values.map(String)}::text[], ${only(more)})`.execute(
      tx,
    )
  }

  /** Notes the new rows of all declared tables. Call it after the last row of the transaction. */
  async end(counts: { created: number; changed: number }): Promise<void> {
    if (!this.#of) return
    const { tx, source, rules } = this.#of
    for (const { table, column = 'id', of = table, only: more } of rules.tables)
      await this.#note(table, column, [this.#before.get(of) ?? 0], more, true)
    await sql`SELECT seal_import_rows(${source.company}, ${this.id})`.execute(tx)
    await sql`UPDATE data_import SET created_count = created_count + ${counts.created}, changed_count = changed_count + ${counts.changed}
      WHERE company_id = ${source.company} AND id = ${this.id}`.execute(tx)
  }
}

/** Removes the record of an import that changed nothing. */
export async function removeImport(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('data_import').where('id', '=', id).execute()
}

const causes: Record<UndoCause, string> = {
  paid: 'Payments were made or started.',
  emailed: 'Emails were sent about the imported records.',
  answered: 'Messages or notes were added to the imported records.',
  linked: 'Other records refer to the imported records.',
  edited: 'Imported records were edited.',
}

/** Causes by the table of the dependent rows. A use without an entry is a link. */
const causeOf = ({ cause, named }: { cause: string; named: string }): UndoCause => {
  if (cause in causes && cause !== 'edited') return cause as UndoCause
  // A job deletes these rows after it sent the emails.
  if (named === 'utility_update' || named === 'invitation') return 'emailed'
  if (cause === 'edited') return 'edited'
  return /^(?:payment_|remittance|ledger_|autopay|deferred_)|_settlement$|_receipt$/.test(named) ? 'paid' : 'linked'
}

const UNDO_TIMEOUT_MS = 120_000

/**
 * Undoes an import: deletes the rows that it created, and restores the rows that it changed.
 * @throws 409 if later records depend on these rows
 */
export async function undoRows(
  tx: Tx,
  company: CompanyId,
  id: number,
  { by, now }: { by: string; now: Date },
): Promise<void> {
  await sql`SET LOCAL statement_timeout = ${sql.lit(UNDO_TIMEOUT_MS)}`.execute(tx)
  const { rows } = await sql<{ cause: string; named: string }>`
    SELECT cause, named FROM undo_import(${company}, ${id})`.execute(tx)
  if (rows.length > 0) {
    const matches = new Set(rows.map(causeOf))
    // A payment or a note also changes columns of the record, so it is the only cause.
    if (matches.size > 1) matches.delete('edited')
    const sentences = (Object.keys(causes) as UndoCause[]).filter((cause) => matches.has(cause))
    const reasons = sentences.map((cause) => translated(causes[cause])).join(' ')
    throw conflict('import_used', say`This import cannot be undone. ${reasons}`, { causes: sentences })
  }
  await tx
    .updateTable('data_import')
    .set({ undone_at: now, undone_by: by })
    .where('company_id', '=', company)
    .where('id', '=', id)
    .execute()
}
