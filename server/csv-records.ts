import type { Readable } from 'node:stream'
import type { CsvRecord } from './csv-parser.ts'
import { rowParserOf } from './parse.ts'

export { NOT_UTF8 } from './csv-parser.ts'
export { FileRefused } from './file-refused.ts'

/**
 * Parses a CSV file in a worker thread and returns its records, each with the line on which it starts. If a quotation
 * mark is never closed, the affected record comes last and contains the reason. Bytes that are not UTF-8 become U+FFFD,
 * and code that reads the records refuses this character.
 * @throws FileRefused for a file in another encoding
 */
export const csvRecords: (input: Readable) => AsyncGenerator<CsvRecord> = rowParserOf(
  new URL('csv-parser.ts', import.meta.url),
  'csvBatches',
)
