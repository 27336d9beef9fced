/** Reads the rows of CSV files, workbooks (XLSX) and GeoJSON files. Runs in a thread. */
import { Readable } from 'node:stream'
import { say } from '../shared/messages.ts'
import { columnKey } from './columns.ts'
import { csvBatches, type TableRecord } from './csv-parser.ts'
import { FileRefused } from './file-refused.ts'
import { type Feature, featureBatches } from './places/geojson-parser.ts'
import { sheetsOf } from './workbook-rows.ts'
import { withWorkbook } from './workbook-zip.ts'

/** Row with the column names. It comes first, except in GeoJSON files. */
export type HeadRecord = TableRecord & { unit: 'line' | 'row' }
/** Sheet of a workbook. `rows` is null if the sheet does not state its size. */
export interface SheetInfo {
  name: string
  rows: number | null
}
/** Sheets of a workbook, with the name of the sheet that the rows come from. */
export interface SheetsPart {
  sheets: SheetInfo[]
  sheet: string
}
export type TablePart = SheetsPart | { head: HeadRecord } | { record: TableRecord } | { feature: Feature }

const EMPTY = 'The file is empty.'
/** Maximum number of whitespace bytes before the first character. */
const MAX_BLANK_BYTES = 1024 * 1024
/** Number of rows at the start of a file or sheet that may contain the column names. */
const MAX_HEAD_ROWS = 30
/** Bytes at the start of a file that contains an older workbook, or a workbook with a password. */
const OLE = '\u00D0\u00CF\u0011\u00E0'
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le')

/**
 * Yields the column names of a file, then its rows, in batches. `names` contains the column names that the importer
 * knows, by which the parser finds the sheet and the row with the column names. `chosen` is the name of a sheet, or ''.
 * @throws FileRefused if the file has another format
 */
export async function* tableBatches(
  input: Readable,
  names: readonly string[],
  chosen: string,
): AsyncGenerator<TablePart[]> {
  const { begins, all } = await peek(input)
  const keys = new Set(names)
  if (begins.startsWith('{')) for await (const batch of featureBatches(all)) yield batch.map((feature) => ({ feature }))
  else if (begins === OLE) throw new FileRefused(await oldFormat(all))
  else if (begins.startsWith('PK\u0003\u0004'))
    yield* withWorkbook(all, async function* (workbook) {
      const sheets = await sheetsOf(workbook)
      const starts: TableRecord[][] = []
      for (const sheet of sheets) starts.push(await startOf(sheet.rows()))
      const hits = starts.map((rows) => headOf(rows, keys).hits)
      const best = sheets[Math.max(0, hits.indexOf(Math.max(...hits)))]
      const sheet = chosen === '' ? best : sheets.find(({ name }) => name === chosen)
      if (!best) throw new FileRefused(say`The workbook has no sheet with rows.`)
      if (!sheet) throw new FileRefused(say`The workbook has no sheet with the name “${chosen}”.`)
      const infos = sheets.map(({ name, lastRow }, at) => {
        const count = starts[at]?.length ?? 0
        return { name, rows: count < MAX_HEAD_ROWS ? count : lastRow }
      })
      yield [{ sheets: infos, sheet: sheet.name }]
      yield* withHead(sheet.rows(), keys, 'row')
    })
  else yield* withHead(csvBatches(Readable.from(all)), keys, 'line')
}

/** Returns the first characters, which show the format, and a stream of the whole file. */
async function peek(input: Readable): Promise<{ begins: string; all: AsyncGenerator<Buffer> }> {
  const chunks = input[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const leading: Buffer[] = []
  let blanks = 0
  let begins = ''
  while (begins.length < OLE.length) {
    const { value, done } = await chunks.next()
    if (done && begins === '') throw new FileRefused(EMPTY)
    if (done) break
    const text = value.toString('latin1')
    const rest = begins === '' ? (blanks === 0 ? text.replace(/^ï»¿/, '') : text).trimStart() : text
    begins += rest.slice(0, OLE.length - begins.length)
    if (begins === '') blanks += value.length
    if (blanks <= MAX_BLANK_BYTES) leading.push(value)
    else throw new FileRefused(say`The file starts with more than 1 MB of spaces. Remove them.`)
  }
  const all = async function* () {
    yield* leading
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  return { begins, all: all() }
}

async function oldFormat(all: AsyncIterable<Buffer>): Promise<string> {
  let end = Buffer.alloc(0)
  for await (const chunk of all) {
    const bytes = Buffer.concat([end, chunk])
    if (bytes.includes(ENCRYPTED))
      return say`The workbook is protected by a password. Save it without a password and choose it again.`
    end = bytes.subarray(-ENCRYPTED.length)
  }
  return say`This workbook has the older format XLS. Save it as XLSX and choose the new file.`
}

async function startOf(batches: AsyncGenerator<TableRecord[]>): Promise<TableRecord[]> {
  const rows: TableRecord[] = []
  for await (const batch of batches) {
    rows.push(...batch)
    if (rows.length >= MAX_HEAD_ROWS) break
  }
  return rows.slice(0, MAX_HEAD_ROWS)
}

/** Yields the head and the rows below it. Rows above it are titles. */
async function* withHead(
  batches: AsyncGenerator<TableRecord[]>,
  keys: ReadonlySet<string>,
  unit: HeadRecord['unit'],
): AsyncGenerator<TablePart[]> {
  let opening: TableRecord[] | null = []
  for await (const batch of batches) {
    if (opening === null) yield batch.map((record) => ({ record }))
    else opening.push(...batch)
    if (opening === null || opening.length < MAX_HEAD_ROWS) continue
    yield opened(opening)
    opening = null
  }
  if (opening) yield opened(opening)

  function opened(rows: readonly TableRecord[]): TablePart[] {
    const { at } = headOf(rows.slice(0, MAX_HEAD_ROWS), keys)
    const head = rows[at]
    if (!head) throw new FileRefused(EMPTY)
    return [{ head: { ...head, unit } }, ...rows.slice(at + 1).map((record) => ({ record }))]
  }
}

/**
 * Finds the row with the most known column names. If no row has two of them, the head is the first row that is as wide
 * as the table and contains no number.
 */
function headOf(rows: readonly TableRecord[], keys: ReadonlySet<string>): { at: number; hits: number } {
  const hitsIn = rows.map(({ cells }) => new Set(cells.map(columnKey).filter((key) => keys.has(key))).size)
  const hits = Math.max(0, ...hitsIn)
  if (hits >= 2) return { at: hitsIn.indexOf(hits), hits }
  const widthOf = ({ cells }: TableRecord) => cells.filter((cell) => cell.trim() !== '').length
  const width = Math.max(0, ...rows.map(widthOf))
  const at = rows.findIndex((row) => widthOf(row) * 2 > width && !row.cells.some((cell) => /^[\s$(-]*\d/.test(cell)))
  return { at: Math.max(0, at), hits }
}
