/** Columns of files that staff import: the guess, the choices of staff and the memory of both. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { dateIn } from '../shared/dates.ts'
import {
  type ColumnMapping,
  type ColumnsReport,
  downloadImportSample,
  fileMapping,
  type FileMapping,
  type ImportReport,
} from '../shared/imports.ts'
import { say, translated } from '../shared/messages.ts'
import { type Call, implement } from './call.ts'
import { type Column, columnKey, type Content, importColumns, type ImportColumns, unmappedIn } from './columns.ts'
import { csvFileOf } from './csv.ts'
import { malformed } from './errors.ts'
import { columnsToCheck, type Guess, guessColumns } from './guess-columns.ts'
import { exactMappingOf, openSheet, type Table, type TableRow, textsOfCells } from './table-rows.ts'
import type { CompanyId, Tx } from './tenancy.ts'
import { workbookOf, XLSX } from './write-workbook.ts'

const SAMPLES = 3
const MAX_SAMPLE_CHARS = 60

/** Ends an import that cannot continue until staff choose its columns. */
export class ColumnsNeeded extends Error {}

export interface ColumnsInput {
  company: CompanyId
  now: Date
  /** The field `columns` of the call. */
  chosen: string | undefined
}

/** Returns the details of a call that decide about the columns of its file. */
export const columnsInput = ({ company, context, body }: Call<{ columns?: string | undefined }>): ColumnsInput => ({
  company: company.id,
  now: context.clock.now(),
  chosen: body.columns,
})

/** Runs a query in its own transaction, because a transaction must not stay open while a thread opens a file. */
type InTransaction = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/**
 * Opens a file that staff import. In a workbook with several sheets, opens the sheet that they chose, else the sheet of
 * their last file with these sheets.
 */
export async function openTableOfStaff(
  tx: Tx | InTransaction,
  open: () => Readable,
  { company, chosen = '' }: Pick<ColumnsInput, 'company' | 'chosen'>,
  ...choices: readonly ImportColumns[]
): Promise<Table> {
  const sheet = sheetIn(chosen)
  const table = await openSheet(open(), sheet, ...choices)
  if (sheet !== '' || table.sheets.length < 2) return table
  const find = (own: Tx) => rememberedMapping(own, company, { columns: table.columns, hash: sheetsHashOf(table) })
  const mapping = await (typeof tx === 'function' ? tx(find) : find(tx))
  const remembered = mapping?.sheet ?? table.sheet
  if (remembered === table.sheet) return table
  await table.close()
  return openSheet(open(), remembered, ...choices)
}

/** Identifies workbooks with the same sheets. */
const sheetsHashOf = ({ sheets }: Pick<Table, 'sheets'>): string =>
  createHash('sha256')
    .update(JSON.stringify(['sheets', ...sheets.map(({ name }) => name)]))
    .digest('hex')

/** Returns the sheet in the field `columns` of a call. */
const sheetIn = (text: string): string => fileMapping.safeParse(jsonIn(text)).data?.sheet ?? ''

/**
 * Returns the rows of a file that staff import, by the columns that they chose, that the portal remembers, or that it
 * recognizes. Reports the columns.
 * @throws ColumnsNeeded if staff must first choose the columns
 */
export async function* rowsOfStaff(
  tx: Tx,
  table: Table,
  { company, now, chosen }: ColumnsInput,
  report: ImportReport,
): AsyncGenerator<TableRow> {
  try {
    if (chosen === undefined) return yield* table.rows(exactMappingOf(table))
    const choices = chosenIn(table, chosen)
    const { mapping, columns } = await settle(tx, table, { company, now, chosen: choices })
    report.columns = columns
    if (columns.isOpen) throw new ColumnsNeeded()
    await rememberMapping(tx, company, table, mapping, now)
    await rememberSheet(tx, company, table, now)
    const corrections = choices?.corrections ?? []
    if (corrections.length > 0) report.correctedRows = corrections.length
    lastRows.set(report, { table, mapping, rows: new Map() })
    for await (const row of table.rows({ ...mapping, corrections })) {
      noteCells(report, row)
      yield row
    }
  } finally {
    await table.close()
  }
}

type LastRow = Pick<TableRow, 'cells' | 'line'>

interface LastRows {
  table: Table
  mapping: ColumnMapping
  rows: Map<string, LastRow>
}

/** Cells of the last rows of each import by their label, so that a report can list rows. */
const lastRows = new WeakMap<ImportReport, LastRows>()
/** Number of stored rows. No importer writes larger batches, and a batch can still find errors in its rows. */
const MAX_LAST = 6000

function noteCells(report: ImportReport, { where, cells, line }: TableRow): void {
  const rows = lastRows.get(report)?.rows
  if (!rows) return
  rows.set(where, { cells, line })
  const [oldest] = rows.keys()
  if (rows.size > MAX_LAST && oldest !== undefined) rows.delete(oldest)
}

/** Returns the cells and the number of a row that an import read recently. Undefined for shapes. */
export function cellsOf(report: ImportReport, where: string): LastRow | undefined {
  const last = lastRows.get(report)
  return last?.table.hasShapes ? undefined : last?.rows.get(where)
}

/** Returns the values of a row that an import read recently, by our names of the columns. */
export function textsOf(report: ImportReport, where: string) {
  const last = lastRows.get(report)
  const cells = last?.rows.get(where)?.cells
  if (!last || !cells) return null
  const { columns } = last.table
  return { columns, texts: textsOfCells(columns, last.mapping, cells) }
}

/** Parses the mapping that staff chose. Null if staff have not chosen one. */
function chosenIn(table: Table, text: string): FileMapping | null {
  if (text === '') return null
  const { data, error } = fileMapping.safeParse(jsonIn(text))
  const issue = error?.issues.find(({ path }) => path[0] === 'corrections')
  if (issue) throw malformed(issue.message)
  if (data?.sheet !== undefined && data.columns.length === 0) return null
  if (!data || !isValidMapping(table, data)) throw malformed('Choose the columns again.')
  return data
}

/** Returns the corrected rows in the field `columns` of a call. */
export const correctionsIn = (text: string) => fileMapping.safeParse(jsonIn(text)).data?.corrections ?? []

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** False if the mapping belongs to another file or uses a column twice. */
export function isValidMapping(
  { headers, columns }: Pick<Table, 'headers' | 'columns'>,
  mapping: ColumnMapping,
): boolean {
  const used = mapping.columns.filter((name) => name !== '')
  const names = [...used, ...Object.keys(mapping.values)]
  const isOther =
    mapping.columns.length !== headers.length || names.some((name) => !Object.hasOwn(columns.columns, name))
  return !isOther && new Set(used).size === used.length
}

/**
 * Settles the columns of a file: chosen by staff, else remembered, else of a preset, else guessed. Staff check the
 * columns of a preset once. Then the portal remembers them.
 */
export async function settle(
  tx: Tx,
  table: Table,
  { company, now, chosen }: { company: CompanyId; now: Date; chosen: ColumnMapping | null },
): Promise<{ mapping: ColumnMapping; columns: ColumnsReport }> {
  const remembered = chosen ?? (await rememberedMapping(tx, company, table))
  const guess = guessColumns(table.columns, table.headers, table.valuesOf)
  const preset = remembered ? null : await presetFor(tx, table)
  const isAsGuessed = isCertain(guess) && (!preset || sameColumns(preset.mapping, guess.mapping))
  const mapping = remembered ?? preset?.mapping ?? guess.mapping
  const isUnsure = remembered === null && !isAsGuessed
  const presets = await presetsOf(tx, company, now)
  const columns = {
    ...(preset && !isAsGuessed && { preset: preset.name }),
    ...(table.sheets.length > 1 && { sheets: table.sheets, sheet: table.sheet }),
    isOpen: isUnsure || unmappedIn(table.columns, mapping).length > 0,
    ...describe(table, mapping, guess, presets),
  }
  return { mapping, columns }
}

/** True if staff need not check a guess: each used column has its exact name, and its values fit. */
const isCertain = ({ bases, contradictions, leftOut }: Guess): boolean =>
  contradictions.size === 0 && leftOut.size === 0 && bases.every((basis) => basis === 'exact' || basis === '')

const sameColumns = (one: ColumnMapping, other: ColumnMapping): boolean =>
  JSON.stringify(one.columns) === JSON.stringify(other.columns)

/** Returns the columns of a file for a preset: chosen, else guessed. @throws 400 for columns of another file */
export function columnsForPreset(table: Table, chosen: string): { mapping: ColumnMapping; columns: ColumnsReport } {
  const guess = guessColumns(table.columns, table.headers, table.valuesOf)
  const { columns } = chosenIn(table, chosen) ?? guess.mapping
  const mapping = { columns, values: {} }
  return { mapping, columns: { isOpen: true, ...describe(table, mapping, guess, null) } }
}

/**
 * Returns the preset for a file: with the same column names, else the one with the most columns, if the file has all of
 * them.
 */
async function presetFor(
  tx: Tx,
  { columns, headers, hash }: Table,
): Promise<{ name: string; mapping: ColumnMapping } | null> {
  const presets = await tx
    .selectFrom('import_preset')
    .select(['name', 'header_hash', 'headers', 'mapping'])
    .where('kind', '=', columns.kind)
    .orderBy('name_key')
    .execute()
  const keys = headers.map(columnKey)
  const matches = presets.flatMap(({ name, header_hash, headers: names, mapping }) => {
    const used = names.flatMap((header, at) =>
      mapping.columns[at] ? [[columnKey(header), mapping.columns[at]] as const] : [],
    )
    const isMatch = used.length > 0 && used.every(([key]) => keys.includes(key))
    return isMatch ? [{ name, used: new Map(used), score: header_hash === hash ? Infinity : used.length }] : []
  })
  const [best] = matches.toSorted((a, b) => b.score - a.score)
  if (!best) return null
  // A later version of the portal may have renamed a column.
  const to = keys
    .map((key) => best.used.get(key) ?? '')
    .map((name) => (Object.hasOwn(columns.columns, name) ? name : ''))
  const first = to.map((name, at) => (to.indexOf(name) === at ? name : ''))
  return { name: best.name, mapping: { columns: first, values: {} } }
}

function describe(
  { columns, headers, valuesOf }: Table,
  mapping: ColumnMapping,
  guess: Guess,
  presets: Presets | null,
): Omit<ColumnsReport, 'isOpen'> {
  const toCheck = columnsToCheck(columns, headers, mapping.columns)
  const warningAt = (at: number): string => {
    const name = mapping.columns[at] ?? ''
    const leftOut = columns.columns[guess.leftOut.get(at) ?? '']
    if (name === '' && leftOut) return translated(leftOut.unless?.why ?? '')
    if (toCheck.has(at)) return translated(columns.columns[name]?.check?.warning ?? '')
    const isGuess = name !== '' && name === guess.mapping.columns[at]
    if (isGuess && guess.contradictions.has(at)) return misfitOf(columns.columns[name]?.content ?? 'text')
    return isGuess && guess.bases[at] === 'content' ? say`The portal guessed this column by its values.` : ''
  }
  const titleOf = (name: string) => titleOfColumn(columns.columns[name])
  return {
    headers: headers.map((name, at) => ({
      name,
      samples: [...new Set(valuesOf(at))].slice(0, SAMPLES).map((value) => value.slice(0, MAX_SAMPLE_CHARS)),
      to: mapping.columns[at] ?? '',
      warning: warningAt(at),
    })),
    options: Object.keys(columns.columns).map((name) => ({ name, title: titleOf(name) })),
    required: columns.needs.map((need) => {
      const { preset, made = '' } = columns.columns[need] ?? {}
      return {
        name: need,
        title: need.split('|').map(titleOf).join(' / '),
        value: mapping.values[need] ?? (preset === undefined || !presets ? null : presetOf(preset, presets)),
        made: translated(made),
      }
    }),
  }
}

/** Returns the title of a column. */
export const titleOfColumn = (column: Column | undefined): string =>
  column ? `${translated(column.title)}${column.nth ? ` ${column.nth}` : ''}` : ''

/** Returns the titles of columns for a sentence. */
export const titlesOf = ({ columns }: ImportColumns, needs: readonly string[]): string =>
  needs
    .map((need) =>
      need
        .split('|')
        .map((name) => titleOfColumn(columns[name]))
        .join(' / '),
    )
    .join(', ')

const misfits: Record<Content, string> = {
  text: 'These values look like dates, amounts, emails or phone numbers, not like text.',
  code: 'These values look like dates, amounts, emails or phone numbers, not like numbers of records.',
  date: 'These values do not look like dates.',
  money: 'These values do not look like amounts.',
  number: 'These values do not look like numbers.',
  zip: 'These values do not look like ZIP codes.',
  state: 'These values do not look like states of two letters.',
  phone: 'These values do not look like phone numbers.',
  email: 'These values do not look like email addresses.',
  latitude: 'These values do not look like degrees of latitude.',
  longitude: 'These values do not look like degrees of longitude.',
}
const misfitOf = (content: Content): string => translated(misfits[content])

/** Values for columns that the file lacks. */
type Presets = Record<'today' | 'city' | 'state' | 'zip', string>

const presetOf = (preset: string, presets: Presets): string => {
  const values: Record<string, string> = presets
  return values[preset] ?? preset
}

async function presetsOf(tx: Tx, company: CompanyId, now: Date): Promise<Presets> {
  const { zone, ...address } = await tx
    .selectFrom('company')
    .innerJoin('timezone', 'timezone.id', 'company.timezone_id')
    .select(['city', 'state', 'zipcode as zip', 'zone'])
    .where('company.id', '=', company)
    .executeTakeFirstOrThrow()
  return { ...address, today: dateIn(zone, now) }
}

/** Returns the mapping of the last import with the same column names. */
export async function rememberedMapping(
  tx: Tx,
  company: CompanyId,
  { columns, hash }: Pick<Table, 'columns' | 'hash'>,
): Promise<FileMapping | null> {
  const row = await tx
    .selectFrom('import_mapping')
    .select('mapping')
    .where('company_id', '=', company)
    .where('kind', '=', columns.kind)
    .where('header_hash', '=', hash)
    .executeTakeFirst()
  return row?.mapping ?? null
}

/** Remembers the mapping of a file, except dates for all rows, because the next file needs other dates. */
export async function rememberMapping(
  tx: Tx,
  company: CompanyId,
  { columns, hash }: { columns: ImportColumns; hash: string },
  { columns: names, values }: ColumnMapping,
  now: Date,
): Promise<void> {
  const lasting = Object.entries(values).filter(([name]) => columns.columns[name]?.content !== 'date')
  const mapping = JSON.stringify({ columns: names, values: Object.fromEntries(lasting) })
  const row = { company_id: company, kind: columns.kind, header_hash: hash, mapping, saved_at: now }
  await tx
    .insertInto('import_mapping')
    .values(row)
    .onConflict((on) => on.columns(['company_id', 'kind', 'header_hash']).doUpdateSet({ mapping, saved_at: now }))
    .execute()
}

/** Remembers the sheet of a workbook with several sheets. */
export async function rememberSheet(
  tx: Tx,
  company: CompanyId,
  table: Pick<Table, 'columns' | 'sheets' | 'sheet'>,
  now: Date,
): Promise<void> {
  if (table.sheets.length < 2) return
  const { kind } = table.columns
  const mapping = JSON.stringify({ columns: [], values: {}, sheet: table.sheet })
  await tx
    .insertInto('import_mapping')
    .values({ company_id: company, kind, header_hash: sheetsHashOf(table), mapping, saved_at: now })
    .onConflict((on) => on.columns(['company_id', 'kind', 'header_hash']).doUpdateSet({ mapping, saved_at: now }))
    .execute()
}

const sample = implement(downloadImportSample, async ({ body: { kind, format } }) => {
  const columns = Object.values<Column>(importColumns.get(kind)?.columns ?? {}).filter((column) => column.sample)
  const rows = [columns.map(titleOfColumn), columns.map((column) => column.sample ?? '')]
  const name = `sample-${kind.replaceAll('_', '-')}.${format}`
  return format === 'csv'
    ? csvFileOf(name, rows)
    : { name, contentType: XLSX, stream: Readable.from([workbookOf(rows)]) }
})

export const importCalls = [sample]
