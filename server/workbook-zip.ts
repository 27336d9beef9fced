/** Opens the parts of a workbook (XLSX), which is a zip. Runs in a thread. */
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl'
import { say } from '../shared/messages.ts'
import { FileRefused } from './file-refused.ts'

const MB = 1024 * 1024
/** Limits of the zip directory. The portal checks them before it inflates a part. */
const MAX_ENTRIES = 2000
const MAX_ENTRY_BYTES = 400 * MB
const MAX_TOTAL_BYTES = 600 * MB
const MAX_RATIO = 200
const MAX_STRINGS_BYTES = 64 * MB
/** Size of an empty text after compression. */
const EMPTY_BYTES = 2

export const UNREADABLE_WORKBOOK =
  'The workbook is damaged. Open it in your spreadsheet program, save it again as XLSX, and choose the new file.'

/** Parts of a workbook by their name in lower case, because names of parts ignore case. */
export interface Workbook {
  has(name: string): boolean
  open(name: string): Promise<Readable>
}

/**
 * Runs `work` on the parts of a workbook. The file is on disk during this time, because the directory of a zip is at its
 * end.
 * @throws FileRefused if the file is not a workbook, has a password or exceeds a limit
 */
export async function* withWorkbook<Row>(
  chunks: AsyncIterable<Buffer>,
  work: (workbook: Workbook) => AsyncGenerator<Row>,
): AsyncGenerator<Row> {
  const path = join(tmpdir(), `mainstreet-${randomUUID()}.xlsx`)
  const fd = openSync(path, 'wx+', 0o600)
  try {
    // The system deletes the file when the thread closes it or ends.
    unlinkSync(path)
    for await (const chunk of chunks) writeSync(fd, chunk)
    const zip = await fromFdPromise(fd, { autoClose: false }).catch(refuseDamaged)
    const entries = await checkedEntries(zip)
    const entryOf = (name: string) => entries.get(name.toLowerCase())
    yield* work({
      has: (name) => entryOf(name) !== undefined,
      open: (name) => {
        const entry = entryOf(name)
        return entry ? zip.openReadStreamPromise(entry).catch(refuseDamaged) : refuseDamaged()
      },
    })
  } finally {
    closeSync(fd)
  }
}

const refuseDamaged = (): never => {
  throw new FileRefused(UNREADABLE_WORKBOOK)
}

/** Reads the directory of the zip. @throws FileRefused if an entry exceeds a limit */
async function checkedEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > MAX_ENTRIES)
    throw new FileRefused(say`The workbook has more than ${MAX_ENTRIES} parts. Save only the sheet as a new XLSX file.`)
  const entries = new Map<string, Entry>()
  let total = 0
  try {
    for await (const entry of zip.eachEntry()) {
      total += entry.uncompressedSize
      const reason = refusalOf(entry, total)
      if (reason !== null) throw new FileRefused(reason)
      entries.set(entry.fileName.toLowerCase(), entry)
    }
  } catch (error) {
    throw error instanceof FileRefused ? error : new FileRefused(UNREADABLE_WORKBOOK)
  }
  const other = otherFormat(entries)
  if (other !== null) throw new FileRefused(other)
  return entries
}

/** Returns the reason to refuse an entry of the directory. `total` is the size of all entries up to this one. */
function refusalOf({ fileName, compressedSize, uncompressedSize, ...entry }: Entry, total: number): string | null {
  if ((entry.generalPurposeBitFlag & 1) === 1)
    return say`The workbook is protected by a password. Save it without a password and choose it again.`
  if (uncompressedSize > MAX_ENTRY_BYTES || total > MAX_TOTAL_BYTES)
    return say`The unpacked workbook is larger than ${MAX_TOTAL_BYTES / MB} MB. Split it into smaller files.`
  if (/(?:^|\/)sharedstrings\.xml$/i.test(fileName) && uncompressedSize > MAX_STRINGS_BYTES)
    return say`The texts of the workbook take more than ${MAX_STRINGS_BYTES / MB} MB. Split it into smaller files, or save it as CSV.`
  // A part can declare no size to escape the limits above.
  const hidesSize = uncompressedSize === 0 && compressedSize > EMPTY_BYTES
  if (hidesSize || uncompressedSize > compressedSize * MAX_RATIO) return UNREADABLE_WORKBOOK
  return null
}

/** Returns the reason to refuse another kind of zip. */
function otherFormat(entries: ReadonlyMap<string, Entry>): string | null {
  if (entries.has('xl/workbook.bin'))
    return say`This workbook has the binary format XLSB. Save it as XLSX and choose the new file.`
  if (entries.has('content.xml') && entries.has('mimetype'))
    return say`This is an OpenDocument file. Save it as XLSX or CSV and choose the new file.`
  return entries.has('[content_types].xml') && entries.has('_rels/.rels')
    ? null
    : say`This file is not a workbook. Choose a CSV or XLSX file.`
}
