import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { say } from '../shared/messages.ts'
import { FileRefused } from './file-refused.ts'

export const NOT_UTF8 = 'The file is not UTF-8 text. Save it as "CSV UTF-8" and import it again.'
const UNCLOSED =
  'This line has an opening quotation mark that is never closed. This line and all later lines were not read.'
/**
 * Maximum length of a line, in bytes. Real lines are shorter. Only text after a quotation mark that is never closed
 * exceeds this length.
 */
const MAX_LINE_BYTES = 65_536

export interface CsvRecord {
  cells: string[]
  /** Line of the file on which the record starts, counted from 1. */
  line: number
  reason?: string
}

/** Maximum size of a batch, in records and characters. */
const BATCH_RECORDS = 500
const BATCH_CHARS = 500_000

/** Parses a CSV in batches. @throws FileRefused if the file is not UTF-8 text */
export async function* csvBatches(input: Readable): AsyncGenerator<CsvRecord[]> {
  let batch: CsvRecord[] = []
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

async function* csvRecords(input: Readable): AsyncGenerator<CsvRecord> {
  const parser = parse({
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_LINE_BYTES,
  })
  const source = Readable.from(linesOf(input))
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  let end = 0
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      const line = end + 1
      end = line + record.reduce((breaks, cell) => breaks + (cell.match(/\n/g)?.length ?? 0), 0)
      if (record.some((cell) => cell.trim() !== '')) yield { cells: record, line }
    }
  } catch (error) {
    const { code } = error as { code?: string }
    if (code !== 'CSV_QUOTE_NOT_CLOSED' && code !== 'CSV_MAX_RECORD_SIZE') throw error
    yield { cells: [], line: end + 1, reason: UNCLOSED }
  } finally {
    source.destroy()
  }
}

/** Returns the reason why a file is not a CSV, based on its first bytes. Null if the file may be a CSV. */
function noCsv(bytes: Buffer): string | null {
  const begins = bytes.subarray(0, 4).toString('latin1')
  if (/^(?:\xff\xfe|\xfe\xff)/.test(begins)) return NOT_UTF8
  if (begins === '%PDF') return say`This file is a PDF. Choose a CSV file.`
  if (begins === 'PK\x03\x04' || begins === '\xd0\xcf\x11\xe0')
    return say`This file is a spreadsheet workbook. Save it as "CSV UTF-8" and choose that file.`
  return bytes.subarray(0, 1000).includes(0) ? say`This file is not a text file. Choose a CSV file.` : null
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
