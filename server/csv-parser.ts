import type { Readable } from 'node:stream'
import { parse, type Parser } from 'csv-parse'
import { type MessageText, say } from '../shared/messages.ts'
import { FileRefused } from './file-refused.ts'
import { messageTextOf } from './message-texts.ts'

export const NOT_UTF8 = 'The file is not UTF-8 text. Save it as "CSV UTF-8" and import it again.'
const UNCLOSED =
  'This line has an opening quotation mark that is never closed. This line and all later lines were not read.'
/**
 * Maximum length of a line, in bytes. Real lines are shorter. Only text after a quotation mark that is never closed
 * exceeds this length.
 */
const MAX_LINE_BYTES = 65_536

/** Line of a CSV file, or row of a workbook. */
export interface TableRecord {
  cells: string[]
  /** Line of the file on which the record starts, or row of the sheet, counted from 1. */
  line: number
  reason?: MessageText
}

/** Maximum size of a batch, in records and characters. */
const BATCH_RECORDS = 500
const BATCH_CHARS = 500_000

/** Parses a CSV in batches. @throws FileRefused if the file is not UTF-8 text */
export async function* csvBatches(input: Readable): AsyncGenerator<TableRecord[]> {
  let batch: TableRecord[] = []
  let chars = 0
  for await (const record of csvRecords(input)) {
    batch.push(record)
    for (const cell of record.cells) chars += cell.length + 1
    if (batch.length < BATCH_RECORDS && chars < BATCH_CHARS) continue
    yield batch
    batch = []
    chars = 0
  }
  yield batch
}

async function* csvRecords(input: Readable): AsyncGenerator<TableRecord> {
  const texts = linesOf(input)
  const { opening, delimiter, skipped } = await openingOf(texts)
  const parser = parse({
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_LINE_BYTES,
  })
  let end = skipped
  try {
    for await (const record of recordsOf(parser, opening, texts)) {
      const line = end + 1
      end = line + record.reduce((breaks, cell) => breaks + (cell.match(/\n/g)?.length ?? 0), 0)
      if (record.some((cell) => cell.trim() !== '')) yield { cells: record, line }
    }
  } catch (error) {
    const { code } = error as { code?: string }
    if (code !== 'CSV_QUOTE_NOT_CLOSED' && code !== 'CSV_MAX_RECORD_SIZE') throw error
    yield { cells: [], line: end + 1, reason: messageTextOf(UNCLOSED) }
  } finally {
    parser.destroy()
    await texts.return(undefined)
  }
}

/** Reads all records of a text before it writes the next text, because an error discards unread records. */
async function* recordsOf(parser: Parser, opening: string, texts: AsyncGenerator<string>): AsyncGenerator<string[]> {
  parser.on('error', () => {})
  function* write(text: string): Generator<string[]> {
    parser.write(text)
    for (let record; (record = parser.read() as string[] | null) !== null;) yield record
  }
  yield* write(opening)
  for await (const text of texts) {
    if (parser.errored) throw parser.errored
    yield* write(text)
  }
  if (parser.errored) throw parser.errored
  parser.end()
  yield* parser as AsyncIterable<string[]>
}

/** Length of the text that shows the delimiter of a file, in characters. */
const OPENING_CHARS = 8192
const DELIMITERS = [',', ';', '\t', '|'] as const

/**
 * Reads the start of a file. The delimiter is the one that a line such as `sep=;` names, else the one that is most
 * frequent outside quotation marks.
 */
async function openingOf(
  texts: AsyncGenerator<string>,
): Promise<{ opening: string; delimiter: string; skipped: number }> {
  let opening = ''
  while (opening.length < OPENING_CHARS) {
    const { value, done } = await texts.next()
    if (done) break
    opening += value
  }
  const [line, named] = /^sep=([^\n])\n/i.exec(opening) ?? []
  if (line !== undefined && named !== undefined)
    return { opening: opening.slice(line.length), delimiter: named, skipped: 1 }
  const bare = opening.slice(0, OPENING_CHARS).replaceAll(/"[^"]*"/g, '')
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length)
  return { opening, delimiter: DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',', skipped: 0 }
}

/** Returns the reason why a file is not a CSV, based on its first bytes. Null if the file may be a CSV. */
function noCsv(bytes: Buffer): string | null {
  const begins = bytes.subarray(0, 4).toString('latin1')
  if (/^(?:\xff\xfe|\xfe\xff)/.test(begins)) return NOT_UTF8
  if (begins === '%PDF') return say`This file is a PDF. Choose a CSV or XLSX file.`
  return bytes.subarray(0, 1000).includes(0) ? say`This file is not a text file. Choose a CSV or XLSX file.` : null
}

/** Decodes the file chunk by chunk and converts all line ends to LF. */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8')
  let first = true
  let carried = ''
  for await (const chunk of input as AsyncIterable<Buffer | string>) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    const why = first ? noCsv(bytes) : null
    if (why) throw new FileRefused(why)
    first = false
    const text = carried + decoder.decode(bytes, { stream: true })
    // A line end (CR LF) may be split between two chunks.
    carried = text.endsWith('\r') ? '\r' : ''
    yield text.slice(0, text.length - carried.length).replaceAll(/\r\n?/g, '\n')
  }
  yield (carried + decoder.decode()).replaceAll(/\r\n?/g, '\n')
}
