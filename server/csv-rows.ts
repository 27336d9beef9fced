import type { Readable } from 'node:stream'
import { say } from '../shared/messages.ts'
import type { CsvRecord } from './csv-parser.ts'
import { csvRecords, FileRefused, NOT_UTF8 } from './csv-records.ts'

/** Row of a CSV file. The values are keyed by our column names, not by the names in the file. */
export interface CsvRow {
  /** Label of the row in reports, such as 'Line 12'. */
  where: string
  texts: ReadonlyMap<string, string>
  /** Reason to refuse the entire row. */
  reason?: string | undefined
}

/** Function that maps a file's column name to ours. Returns undefined if the name is unknown. */
export type NameOf = (name: string) => string | undefined

/**
 * Builds a lookup from the column names in files to ours. For example, `{ zip: 'zip zipcode postal_code' }` lists three
 * names of our column `zip`. The listed names are in lowercase with underscores.
 */
export function namesOfColumns(names: Readonly<Record<string, string>>): NameOf {
  const ours = new Map(
    Object.entries(names).flatMap(([name, others]) => others.split(' ').map((other) => [other, name] as const)),
  )
  return (name) =>
    ours.get(
      name
        .trim()
        .replace(/^\uFEFF/, '')
        .toLowerCase()
        .replaceAll(/[\s:.-]+/g, '_'),
    )
}

/**
 * Reads the lines of a CSV that starts with its column names.
 * @param needs required columns: 'lat', or alternatives such as 'address|street'
 * @throws FileRefused for an empty file, a file not in UTF-8, or a missing column
 */
export const csvRows = (input: Readable, nameOf: NameOf, needs: readonly string[]): AsyncGenerator<CsvRow> =>
  namedRows(csvRecords(input), nameOf, needs)

/**
 * Converts CSV records to rows that are keyed by our column names. The first record contains the column names of the
 * file.
 */
export async function* namedRows(
  records: AsyncIterable<CsvRecord>,
  nameOf: NameOf,
  needs: readonly string[],
): AsyncGenerator<CsvRow> {
  let columns: (string | undefined)[] | null = null
  for await (const { cells, line, reason } of records) {
    if (!columns) {
      if (reason) throw new FileRefused(reason)
      if (cells.some((cell) => /[\uFFFD\0]/.test(cell))) throw new FileRefused(NOT_UTF8)
      columns = cells.map(nameOf)
      refuseMissing(columns, needs)
      continue
    }
    const texts = new Map<string, string>()
    for (const [at, cell] of cells.entries()) {
      const name = columns[at]
      if (name && !texts.has(name)) texts.set(name, cell.trim())
    }
    yield { where: say`Line ${line}`, texts, reason }
  }
  if (!columns) throw new FileRefused(say`The file is empty.`)
}

function refuseMissing(columns: readonly (string | undefined)[], needs: readonly string[]): void {
  const missing = needs.filter((need) => need.split('|').every((name) => !columns.includes(name)))
  if (missing.length === 0) return
  const labels = missing.map((need) => need.split('|').join(' or '))
  throw new FileRefused(say`The first line must contain the column names. Missing: ${labels.join(', ')}.`)
}
