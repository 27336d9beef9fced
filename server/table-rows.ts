import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { CORRECTION } from '../shared/csv.ts'
import { say, translateMessageText } from '../shared/messages.ts'
import type { ColumnMapping, CorrectedRow, FileMapping } from '../shared/imports.ts'
import { withComma } from '../shared/person-names.ts'
import { columnKey, exactMapping, type ImportColumns, missingIn } from './columns.ts'
import { NOT_UTF8, type TableRecord } from './csv-parser.ts'
import { FileRefused } from './file-refused.ts'
import { rowParserOf } from './parse.ts'
import type { Feature } from './places/geojson-parser.ts'
import type { Geometry } from './places/rings.ts'
import type { HeadRecord, SheetsPart, TablePart } from './table-parser.ts'

/** Row of a CSV file or workbook, or feature of a GeoJSON file. The values are keyed by our column names. */
export interface TableRow {
  /** Label of the row in reports, such as 'Line 12'. */
  where: string
  /** Number of the line, row or feature in the file, starting at 1. */
  line: number
  texts: ReadonlyMap<string, string>
  /** All cells of the row, in the order of the headers. */
  cells: readonly string[]
  /** Reason to refuse the entire row. */
  reason?: string | undefined
  /** Shape of a GeoJSON feature. */
  geometry: Geometry | null
}

/** File with its column names. The caller chooses the mapping and reads all rows, or closes the file. */
export interface Table {
  columns: ImportColumns
  /** Column names of the file, as it spells them. */
  headers: readonly string[]
  /** Number of columns in the file, with those that the portal added for corrections. */
  width: number
  /** Identifies files with the same columns. */
  hash: string
  /** Sheets of a workbook, in their order. Empty for other files. */
  sheets: SheetsPart['sheets']
  /** Name of the sheet with the rows. Empty for other files. */
  sheet: string
  /** True for GeoJSON, because only its features have shapes. */
  hasShapes: boolean
  /** Values of the first rows, by column of the file. */
  valuesOf: (index: number) => string[]
  /** Reads the rows, with the corrections of staff. */
  rows: (mapping: FileMapping) => AsyncGenerator<TableRow>
  close: () => Promise<void>
}

/** Returns the hash of column names. Spelling does not change it. */
export const headersHash = (headers: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify(headers.map(columnKey)))
    .digest('hex')

const read = rowParserOf<[names: readonly string[], sheet: string], TablePart>(
  new URL('table-parser.ts', import.meta.url),
  'tableBatches',
)

/** Number of rows at the start of a file that show the content of its columns. */
const OPENING_ROWS = 200

/**
 * Opens a CSV file, a workbook or a GeoJSON file in a thread. `choices` are the layouts that the file may have. The
 * layout with the most known column names applies. In a workbook, so does the sheet with the most known column names.
 * @throws FileRefused if the file has another format
 */
export const openTable = (input: Readable, ...choices: readonly ImportColumns[]): Promise<Table> =>
  openSheet(input, '', ...choices)

/** Opens a file as `openTable` does. In a workbook, opens the sheet with this name. */
export async function openSheet(input: Readable, name: string, ...choices: readonly ImportColumns[]): Promise<Table> {
  const parts = read(input, [...new Set(choices.flatMap(({ names }) => [...names.keys()]))], name)
  const opening: TablePart[] = []
  let sheets: SheetsPart = { sheets: [], sheet: '' }
  try {
    while (opening.length < OPENING_ROWS) {
      const { value, done } = await parts.next()
      if (done) break
      if ('sheets' in value) sheets = value
      else opening.push(value)
    }
    const [first] = opening
    if (!first) throw new FileRefused(say`The file is empty.`)
    const head = 'head' in first ? first.head : null
    if (head?.reason) throw new FileRefused(translateMessageText(head.reason))
    const names = head ? withoutEmptyEnd(head.cells) : propertiesOf(opening)
    const headers = names.filter((name, at) => at < names.length - 1 || columnKey(name) !== columnKey(CORRECTION))
    if (headers.some((header) => /[\uFFFD\0]/.test(header))) throw new FileRefused(NOT_UTF8)
    const best = bestOf(choices, headers)
    // The shape of a feature replaces the columns of its position, and its row reports other missing values.
    const columns = head ? best : { ...best, needs: [] }
    const samples = opening.flatMap((part) => cellsOf(part, headers))
    return {
      columns,
      ...sheets,
      headers,
      width: names.length,
      hasShapes: head === null,
      hash: headersHash(headers),
      valuesOf: (index) => samples.map((cells) => plainCell(cells[index] ?? '')).filter((value) => value !== ''),
      rows: (mapping) => rowsOf(both(opening, parts), { columns, headers, head, mapping }),
      close: async () => void (await parts.return(undefined)),
    }
  } catch (error) {
    await parts.return(undefined)
    throw error
  }
}

/**
 * Reads the rows of a file by the exact names of its columns.
 * @throws FileRefused if a required column is missing
 */
export async function* tableRows(input: Readable, columns: ImportColumns): AsyncGenerator<TableRow> {
  const table = await openTable(input, columns)
  try {
    yield* table.rows(exactMappingOf(table))
  } finally {
    await table.close()
  }
}

/** Maps the columns of a file by their exact names. @throws FileRefused if a required column is missing */
export function exactMappingOf({ columns, headers }: Pick<Table, 'columns' | 'headers'>): ColumnMapping {
  const mapping = exactMapping(columns, headers)
  const missing = missingIn(columns, mapping).map((need) => need.split('|').join(' or '))
  if (missing.length > 0)
    throw new FileRefused(say`The first line must contain the column names. Missing: ${missing.join(', ')}.`)
  return mapping
}

async function* both(opening: readonly TablePart[], others: AsyncGenerator<TablePart>): AsyncGenerator<TablePart> {
  try {
    yield* opening
    yield* others
  } finally {
    await others.return(undefined)
  }
}

interface Reading {
  columns: ImportColumns
  headers: readonly string[]
  head: HeadRecord | null
  mapping: FileMapping
}

async function* rowsOf(parts: AsyncGenerator<TablePart>, reading: Reading): AsyncGenerator<TableRow> {
  const isRow = reading.head?.unit === 'row'
  const corrections = new Map(reading.mapping.corrections?.map((row) => [row.line, row.cells]))
  for await (const part of parts) {
    if ('record' in part) yield rowOf(corrected(part.record, corrections), isRow, reading)
    else if ('feature' in part) yield featureOf(part.feature, reading)
  }
}

/** Values that a spreadsheet shows for an error, such as #N/A. */
const CELL_ERROR = /^#(?:[A-Z][A-Z_]*[!?]|N\/A|DIV\/0!)$/

/** Returns a row with the corrections of staff. They also remove an error of the row itself, such as #N/A in a cell. */
function corrected(record: TableRecord, corrections: ReadonlyMap<number, CorrectedRow['cells']>): TableRecord {
  const changes = corrections.get(record.line)
  if (!changes || record.cells.length === 0) return record
  const cells = [...record.cells]
  for (const { at, text } of changes) {
    while (cells.length < at) cells.push('')
    cells[at] = text
  }
  const { reason, ...row } = { ...record, cells }
  return reason && cells.some((cell) => CELL_ERROR.test(cell.trim())) ? { ...row, reason } : row
}

/** Returns the values of a row by our names of the columns. */
export function textsOfCells({ columns }: ImportColumns, mapping: ColumnMapping, cells: readonly string[]) {
  const texts = new Map(Object.entries(mapping.values))
  for (const [at, cell] of cells.entries()) {
    const name = mapping.columns[at]
    const replaced = columns[name ?? '']?.lastFirst
    if (replaced) texts.set(replaced, withComma(plainCell(cell)))
    else if (name) texts.set(name, plainCell(cell))
  }
  return texts
}

function rowOf({ cells, line, reason }: TableRecord, isRow: boolean, { columns, mapping }: Reading): TableRow {
  const texts = textsOfCells(columns, mapping, cells)
  const where = isRow ? say`Row ${line}` : say`Line ${line}`
  return { where, line, texts, cells, geometry: null, ...(reason && { reason: translateMessageText(reason) }) }
}

function featureOf({ nth, properties, geometry, problem }: Feature, { columns, headers, mapping }: Reading): TableRow {
  const texts = new Map(Object.entries(mapping.values))
  const cells = headers.map(() => '')
  const taken = new Set<string>()
  for (const [property, value] of properties) {
    const at = headers.indexOf(property)
    if (at >= 0) cells[at] = value
    // The first features may lack a property that later features have.
    const name = at >= 0 ? mapping.columns[at] : columns.names.get(columnKey(property))
    if (!name || taken.has(name)) continue
    taken.add(name)
    texts.set(name, value)
  }
  const reason = problem && { reason: translateMessageText(problem) }
  return { where: say`Feature ${nth}`, line: nth, texts, cells, geometry, ...reason }
}

/** Removes the characters that spreadsheets add to store numbers as text, as in '000123 and ="000123". */
export function plainCell(cell: string): string {
  const text = cell.trim()
  // Returns early for speed, because most cells do not start with these characters.
  if (!text.startsWith("'") && !text.startsWith('=')) return text
  return text
    .replace(/^="(.*)"$/s, '$1')
    .replace(/^'(?=[\d=+@.$(\-＝＋－＠])/, '')
    .trim()
}

function withoutEmptyEnd(cells: readonly string[]): string[] {
  const headers = cells.map((cell) => plainCell(cell.replace(/^\uFEFF/, '')))
  while (headers.at(-1) === '') headers.pop()
  return headers
}

/** Returns the names of all properties of the first features. */
const propertiesOf = (parts: readonly TablePart[]): string[] => [
  ...new Set(parts.flatMap((part) => ('feature' in part ? part.feature.properties.map(([name]) => name) : []))),
]

function cellsOf(part: TablePart, headers: readonly string[]): string[][] {
  if ('record' in part) return [part.record.cells]
  if (!('feature' in part)) return []
  const values = new Map(part.feature.properties)
  return [headers.map((header) => values.get(header) ?? '')]
}

function bestOf(choices: readonly ImportColumns[], headers: readonly string[]): ImportColumns {
  const hitsOf = ({ names }: ImportColumns) => headers.filter((header) => names.has(columnKey(header))).length
  const [best] = choices.toSorted((a, b) => hitsOf(b) - hitsOf(a))
  if (!best) throw new Error('an importer has no columns')
  return best
}
