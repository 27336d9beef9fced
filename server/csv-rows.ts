import type { Readable } from 'node:stream'
import { say } from '../shared/words.ts'
import type { CsvRecord } from './csv-parser.ts'
import { csvRecords, FileRefused, NOT_UTF8 } from './csv-records.ts'

/** A line of a CSV, by our names of its columns, whatever the file calls them. */
export interface CsvRow {
  /** 'Line 12', as it is reported. */
  where: string
  texts: ReadonlyMap<string, string>
  /** What is wrong with the line as such. */
  reason?: string | undefined
}

/** Our name of a column, by any of the names that files have for it. */
export type NameOf = (name: string) => string | undefined

/** `{ zip: 'zip zipcode postal_code' }`: our name, and what files call it, in lower case and with underscores. */
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
 * The lines of a CSV whose first line names its columns, as they are read.
 * @param needs 'lat', or several of which one does: 'address|street'
 * @throws FileRefused for an empty file, one that is not UTF-8, and one without a column that is needed
 */
export const csvRows = (input: Readable, nameOf: NameOf, needs: readonly string[]): AsyncGenerator<CsvRow> =>
  namedRows(csvRecords(input), nameOf, needs)

/** The same of records that are read already. */
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
  const told = missing.map((need) => need.split('|').join(' or '))
  throw new FileRefused(say`The first line has to name the columns, and it lacks ${told.join(', ')}.`)
}
