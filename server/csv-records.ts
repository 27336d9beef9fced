import type { Readable } from 'node:stream'
import type { CsvRecord } from './csv-parser.ts'
import { rowParserOf } from './parse.ts'

export { NOT_UTF8 } from './csv-parser.ts'
export { FileRefused } from './file-refused.ts'

/**
 * Reads the records of a CSV in a thread, each with the line where it starts. If a quotation mark is never closed, that
 * record comes last, with the reason. Bytes that are not UTF-8 become U+FFFD, which the readers of the records refuse.
 * @throws FileRefused for a file in another encoding
 */
export const csvRecords: (input: Readable) => AsyncGenerator<CsvRecord> = rowParserOf(
  new URL('csv-parser.ts', import.meta.url),
  'csvBatches',
)
