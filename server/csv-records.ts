import type { Readable } from 'node:stream'
import type { CsvRecord } from './csv-parser.ts'
import { rowParserOf } from './parse.ts'

export { NOT_UTF8 } from './csv-parser.ts'
export { FileRefused } from './file-refused.ts'

/**
 * The records of a CSV with the line where each begins, read in a thread as they come. One that is never closed comes last, with its
 * reason. What is not UTF-8 becomes U+FFFD, which the reader of a line refuses.
 * @throws FileRefused for a file in another encoding
 */
export const csvRecords: (input: Readable) => AsyncGenerator<CsvRecord> = rowParserOf(
  new URL('csv-parser.ts', import.meta.url),
  'csvBatches',
)
