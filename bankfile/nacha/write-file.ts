import { join, type Layout, RECORD_LENGTH, type ValuesOf } from './fields.ts'
import { type AnyRecord, layouts, type NachaFile, recordTypes } from './layouts.ts'

/** The records of a file in the order of its lines. */
export const recordsOf = ({ header, batches, control }: NachaFile): AnyRecord[] => [
  header,
  ...batches.flatMap((batch) => [
    batch.header,
    ...batch.entries.flatMap(({ record, addenda }) => [record, ...addenda]),
    batch.control,
  ]),
  control,
]

/** One record as the line that it is in a file, 94 characters long. @throws RangeError where a value does not fit */
export const lineOf = ({ layout, fields }: AnyRecord): string =>
  join(recordTypes[layout], layouts[layout] as Layout, fields as ValuesOf<Layout>)

/**
 * A file as text of 7-bit characters: of a file that was read, what was read, byte for byte. It computes nothing: control
 * records say what they say.
 * @throws RangeError where a value does not fit its field
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
