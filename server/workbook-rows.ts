/** Reads the rows of workbooks (XLSX) as text. Runs in a thread. */
import { SaxesParser } from 'saxes'
import { say } from '../shared/messages.ts'
import type { TableRecord } from './csv-parser.ts'
import { FileRefused } from './file-refused.ts'
import { messageTextOf } from './message-texts.ts'
import { type NumberFormat, numberFormatOf, plainText } from './number-formats.ts'
import { UNREADABLE_WORKBOOK, type Workbook } from './workbook-zip.ts'

/** Maximum number of columns. Later columns are refused with their row. */
const MAX_COLUMNS = 1000
/** Maximum length of a cell in a spreadsheet program. */
const MAX_CELL_CHARS = 32_767
const MAX_SHEETS = 200
const BATCH_ROWS = 500
const BATCH_CHARS = 500_000

interface Sheet {
  name: string
  /** Number of the last row, if the sheet states it. Known after the first rows are read. */
  lastRow: number | null
  rows(): AsyncGenerator<TableRecord[]>
}

/** Returns the visible sheets of a workbook in their order. */
export async function sheetsOf(workbook: Workbook): Promise<Sheet[]> {
  const main = await mainPartOf(workbook)
  const targets = await targetsOf(workbook, main)
  const sheets: { name: string; id: string }[] = []
  let uses1904 = false
  await readPart(workbook, main, {
    open(name, attributes) {
      if (name === 'workbookPr') uses1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '')
      if (name === 'sheet' && sheets.length < MAX_SHEETS && (attributes['state'] ?? 'visible') === 'visible')
        sheets.push({ name: attributes['name'] ?? '', id: attributeEnding(attributes, ':id') })
    },
  })
  const texts = await sharedTextsOf(workbook, targets.find(({ type }) => type === 'sharedStrings')?.path)
  const formats = await formatsOf(workbook, targets.find(({ type }) => type === 'styles')?.path, uses1904)
  return sheets.flatMap(({ name, id }) => {
    const target = targets.find((one) => one.id === id)
    // Sheets that contain only a chart or a macro have other types.
    if (target?.type !== 'worksheet' || !workbook.has(target.path)) return []
    const sheet: Sheet = { name, lastRow: null, rows: () => rowsOf(workbook, target.path, { texts, formats, sheet }) }
    return [sheet]
  })
}

interface Target {
  id: string
  /** Last word of the type, such as `worksheet`. */
  type: string
  path: string
}

async function mainPartOf(workbook: Workbook): Promise<string> {
  const main = (await targetsOf(workbook, '')).find(({ type }) => type === 'officeDocument')
  if (!main || !workbook.has(main.path)) throw new FileRefused(UNREADABLE_WORKBOOK)
  if (!main.path.startsWith('xl/')) throw new FileRefused(say`This file is not a workbook. Choose a CSV or XLSX file.`)
  return main.path
}

/** Returns the parts of the file that a part refers to. */
async function targetsOf(workbook: Workbook, part: string): Promise<Target[]> {
  const slash = part.lastIndexOf('/') + 1
  const folder = part.slice(0, slash)
  const name = `${folder}_rels/${part.slice(slash)}.rels`
  const targets: Target[] = []
  if (!workbook.has(name)) return targets
  await readPart(workbook, name, {
    open(tag, attributes) {
      const target = attributes['Target'] ?? ''
      if (tag !== 'Relationship' || attributes['TargetMode'] === 'External' || targets.length > MAX_SHEETS * 2) return
      const { pathname } = new URL(target, `file:///${folder}`)
      const type = (attributes['Type'] ?? '').split('/').at(-1) ?? ''
      targets.push({ id: attributes['Id'] ?? '', type, path: decodeURIComponent(pathname.slice(1)) })
    },
  })
  return targets
}

type Attributes = Record<string, string>
const attributeEnding = (attributes: Attributes, ending: string): string =>
  Object.entries(attributes).find(([name]) => name.endsWith(ending))?.[1] ?? ''

interface Handlers {
  open?: (name: string, attributes: Attributes) => void
  text?: (text: string) => void
  close?: (name: string) => void
}

/** Parses a part of the workbook chunk by chunk, and yields after each chunk. @throws FileRefused if it is damaged */
async function* parsePart(workbook: Workbook, part: string, on: Handlers): AsyncGenerator<void> {
  const parser = new SaxesParser({ position: false })
  const fail = (reason: string): never => {
    throw new FileRefused(reason)
  }
  // Entities of a document type can grow without end, and no spreadsheet program writes them.
  parser.on('doctype', () =>
    fail(say`The workbook contains a document type, which may be an attack. Save it again as XLSX.`),
  )
  parser.on('error', () => fail(UNREADABLE_WORKBOOK))
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !/^utf-?8$|^us-ascii$/i.test(encoding)) fail(UNREADABLE_WORKBOOK)
  })
  parser.on('opentag', ({ name, attributes }) => on.open?.(localName(name), attributes as Attributes))
  parser.on('closetag', ({ name }) => on.close?.(localName(name)))
  if (on.text) parser.on('text', on.text)
  if (on.text) parser.on('cdata', on.text)
  const decoder = new TextDecoder('utf-8')
  try {
    for await (const chunk of await workbook.open(part)) {
      parser.write(decoder.decode(chunk as Buffer, { stream: true }))
      yield
    }
    parser.write(decoder.decode()).close()
  } catch (error) {
    throw error instanceof FileRefused ? error : new FileRefused(UNREADABLE_WORKBOOK)
  }
  yield
}

async function readPart(workbook: Workbook, part: string, on: Handlers): Promise<void> {
  for await (const _ of parsePart(workbook, part, on));
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Decodes characters that XML cannot contain, such as _x000D_. */
const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([\dA-F]{4})_/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    : text

async function sharedTextsOf(workbook: Workbook, part: string | undefined): Promise<string[]> {
  const texts: string[] = []
  if (part === undefined || !workbook.has(part)) return texts
  let [text, isText, isReading] = ['', false, false]
  await readPart(workbook, part, {
    open(name) {
      if (name === 'si') text = ''
      // Texts in rPh are the pronunciation of Asian characters.
      if (name === 'rPh') isReading = true
      isText = name === 't' && !isReading
    },
    text(piece) {
      if (isText) text += piece
    },
    close(name) {
      isText = false
      if (name === 'rPh') isReading = false
      if (name === 'si') texts.push(unescaped(text))
    },
  })
  return texts
}

/** Returns the number format of each cell style. */
async function formatsOf(workbook: Workbook, part: string | undefined, uses1904: boolean): Promise<NumberFormat[]> {
  const codes = new Map<number, string>()
  const formats: NumberFormat[] = []
  if (part === undefined || !workbook.has(part)) return formats
  let isCellStyles = false
  await readPart(workbook, part, {
    open(name, attributes) {
      if (name === 'numFmt') codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '')
      if (name === 'cellXfs') isCellStyles = true
      if (name !== 'xf' || !isCellStyles) return
      const id = Number(attributes['numFmtId'] ?? 0)
      formats.push(numberFormatOf(id, codes.get(id), uses1904))
    },
    close(name) {
      if (name === 'cellXfs') isCellStyles = false
    },
  })
  return formats
}

interface Shared {
  sheet: Sheet
  texts: readonly string[]
  formats: readonly NumberFormat[]
}

/** Yields the rows of a sheet that contain text, in batches. */
async function* rowsOf(workbook: Workbook, part: string, shared: Shared): AsyncGenerator<TableRecord[]> {
  let batch: TableRecord[] = []
  let chars = 0
  const take = (record: TableRecord): void => {
    if (!record.reason && record.cells.every((cell) => cell.trim() === '')) return
    batch.push(record)
    for (const cell of record.cells) chars += cell.length + 1
  }
  for await (const _ of parsePart(workbook, part, rowReader(shared, take))) {
    if (batch.length < BATCH_ROWS && chars < BATCH_CHARS) continue
    yield batch
    batch = []
    chars = 0
  }
  yield batch
}

/** Returns the handlers that pass each row of a sheet to `take`. */
function rowReader({ texts, formats, sheet }: Shared, take: (record: TableRecord) => void): Handlers {
  let row: TableRecord = { cells: [], line: 0 }
  let [column, type, style, value, isValue, isReading] = [0, '', 0, '', false, false]
  const refuse = (reason: string) => void (row.reason ??= messageTextOf(reason))
  return {
    open(name, attributes) {
      if (name === 'row') {
        row = { cells: [], line: Number(attributes['r']) || row.line + 1 }
        column = -1
      } else if (name === 'c') {
        column = attributes['r'] ? columnOf(attributes['r']) : column + 1
        type = attributes['t'] ?? 'n'
        style = Number(attributes['s'] ?? 0)
        value = ''
      } else if (name === 'rPh') isReading = true
      else if (name === 'dimension') sheet.lastRow = Number(/\d+$/.exec(attributes['ref'] ?? '')?.[0] ?? 0) || null
      isValue = name === 'v' || (name === 't' && !isReading)
    },
    text(piece) {
      if (isValue && value.length <= MAX_CELL_CHARS) value += piece
    },
    close(name) {
      isValue = false
      if (name === 'rPh') isReading = false
      if (name === 'row') take(row)
      if (name !== 'c' || value === '') return
      if (column >= MAX_COLUMNS) return refuse(say`The row has more than ${MAX_COLUMNS} columns.`)
      while (row.cells.length < column) row.cells.push('')
      row.cells[column] = cellText()
    },
  }

  function cellText(): string {
    if (value.length > MAX_CELL_CHARS) refuse(say`A cell has more than ${MAX_CELL_CHARS} characters.`)
    if (type === 's') return texts[Number(value)] ?? ''
    if (type === 'str' || type === 'inlineStr') return unescaped(value)
    if (type === 'b') return value === '1' || value === 'true' ? 'TRUE' : 'FALSE'
    if (type === 'd') return value.replace(/T00:00:00(?:\.0+)?Z?$/, '').replace('T', ' ')
    if (type === 'e') {
      refuse(
        say`The cell ${nameOf(column)}${row.line} contains the error ${value}. Correct the cell and choose the file again.`,
      )
      return value
    }
    const number = Number(value)
    const text = Number.isFinite(number) ? (formats[style] ?? plainText)(number) : null
    if (text === null)
      refuse(
        say`The cell ${nameOf(column)}${row.line} contains “${value.slice(0, 40)}”, which is not a number or date.`,
      )
    return text ?? value
  }
}

/** Returns the index of a cell's column: 0 for A1, 27 for AB7. */
function columnOf(cell: string): number {
  let index = 0
  for (const char of cell) {
    const code = char.charCodeAt(0) & 0xdf
    if (code < 65 || code > 90) break
    index = index * 26 + code - 64
  }
  return index === 0 ? MAX_COLUMNS : Math.min(index - 1, MAX_COLUMNS)
}

/** Returns the letters of a column: A for 0, AB for 27. */
const nameOf = (index: number): string =>
  index < 26 ? String.fromCharCode(65 + index) : nameOf(Math.floor(index / 26) - 1) + nameOf(index % 26)
