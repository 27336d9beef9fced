/** Worker thread that unpacks the zips of billing systems. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { Unzip, UnzipInflate } from 'fflate'
import { FileRefused } from '../../../server/file-refused.ts'
import { say } from '../../../shared/messages.ts'

/** Maximum size of the unpacked files. A larger zip is an attack. The limit allows 20,000 bills of 100 kB. */
const MAX_BYTES = 2 * 1024 ** 3
const MAX_FILES = 50_000
/** Part of every workbook. A workbook is a zip, but the portal reads it as it is. */
const WORKBOOK = 'xl/workbook.xml'
const UNREADABLE = 'The ZIP file could not be read. Create a new ZIP file and send it again.'

/**
 * Unpacks the zip into a folder as a stream. Yields the path of the table in the zip: a CSV file or a workbook. Yields
 * nothing if the zip itself is a workbook.
 * @throws FileRefused if the zip is not readable
 */
export async function* unpack(input: Readable, folder: string): AsyncGenerator<string[]> {
  const tables: string[] = []
  let isWorkbook = false
  const open = new Set<number>()
  let [bytes, files] = [0, 0]
  let problem = ''
  const unzip = new Unzip((file) => {
    if (file.name === WORKBOOK) isWorkbook = true
    const name = basename(file.name.replaceAll('\\', '/'))
    if (!/^[^.].*\.(?:csv|pdf|xlsx)$/i.test(name) || file.name.startsWith('__MACOSX/')) return
    files += 1
    if (files > MAX_FILES) return void (problem ||= say`A ZIP file can contain up to ${MAX_FILES} files.`)
    const path = join(folder, name)
    if (!/\.pdf$/i.test(name)) tables.push(path)
    const fd = openSync(path, 'w', 0o600)
    open.add(fd)
    file.ondata = (error, chunk, final) => {
      if (error) problem ||= UNREADABLE
      bytes += chunk?.length ?? 0
      if (bytes > MAX_BYTES)
        problem ||= say`The files in this ZIP file total more than ${MAX_BYTES / 1024 ** 3} GB. Split them into several ZIP files.`
      if (!problem) writeSync(fd, chunk)
      if (final) {
        closeSync(fd)
        open.delete(fd)
      }
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  try {
    for await (const chunk of input as AsyncIterable<Buffer>) {
      unzip.push(chunk)
      if (problem) break
    }
    if (!problem) unzip.push(new Uint8Array(0), true)
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') throw error
    throw new FileRefused(UNREADABLE)
  } finally {
    for (const fd of open) closeSync(fd)
  }
  if (problem) throw new FileRefused(problem)
  const [table] = tables
  if (!table && isWorkbook) return
  if (!table || tables.length > 1)
    throw new FileRefused(
      say`A ZIP file must contain one CSV or XLSX file with bills and the PDFs named in that file. This one contains ${tables.length} CSV or XLSX files.`,
    )
  yield [table]
}
