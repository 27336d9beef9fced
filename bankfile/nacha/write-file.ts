import { join, type Layout, RECORD_LENGTH, type ValuesOf } from './fields.ts'
import { type AnyRecord, layouts, type NachaFile, recordTypes } from './layouts.ts'

/** Lists the records of a file in line order. */
export const recordsOf = ({ header, batches, control }: NachaFile): AnyRecord[] => [
  header,
  ...batches.flatMap((batch) => [
    batch.header,
    ...batch.entries.flatMap(({ record, addenda }) => [record, ...addenda]),
    batch.control,
  ]),
  control,
]

/**
 * Returns a record as a line of 94 characters.
 * @throws RangeError if a value does not fit
 */
export const lineOf = ({ layout, fields }: AnyRecord): string =>
  join(recordTypes[layout], layouts[layout] as Layout, fields as ValuesOf<Layout>)

/**
 * Returns a file as 7-bit text. Reproduces a file from `readNachaFile` byte for byte. Writes control records unchanged,
 * without computing totals.
 * @throws RangeError if a value does not fit its field
 */
export function writeNachaFile(file: NachaFile): string {
  const { lineEnd, isOneLine, lineEndsAtEnd, fillerLines, otherLengths } = file.form
  const lines = [
    ...recordsOf(file).map(lineOf),
    ...Array.from({ length: fillerLines }, () => '9'.repeat(RECORD_LENGTH)),
  ].map((line, at) => resize(line, otherLengths[at]))
  return lines.join(isOneLine ? '' : lineEnd) + lineEnd.repeat(lineEndsAtEnd)
}

const resize = (line: string, length: number | undefined): string =>
  length === undefined ? line : line.slice(0, length).padEnd(length)
