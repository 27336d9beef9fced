import { closeSync, createReadStream, openSync, writeSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { Unzip, UnzipInflate } from 'fflate'
import type { Sender } from '../../../server/attachments/keep.ts'
import { FileRefused } from '../../../server/csv-records.ts'
import { say } from '../../../shared/words.ts'
import { type Along, billDocuments, Documents } from '../../utility-accounts/server/documents.ts'

/** A file of bills, and the PDFs that came along with it. */
export interface Bundle {
  open: () => Readable
  documents: Documents
}

/** What unpacks to more is a trap: some 20,000 bills of 100 kB. */
const MOST_BYTES = 2 * 1024 ** 3
const MOST_FILES = 50_000
const BROKEN = 'The zip could not be read. Pack it again and send it once more.'
const ZIP = Buffer.from('PK\u0003\u0004', 'latin1')

/** The PDFs that lie in a folder. One that is too large is read as far as it takes to be refused. */
export function filesIn(folder: string): Along {
  return async (name) => {
    const path = join(folder, basename(name))
    try {
      const { size } = await stat(path)
      return size > billDocuments.mostBytes ? Buffer.alloc(billDocuments.mostBytes + 1) : await readFile(path)
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT') return null
      throw error
    }
  }
}

/** Works on a CSV, or on the CSV and the PDFs of a zip, which is unpacked for so long. @throws FileRefused */
export async function withBundle<T>(
  sender: Sender,
  open: () => Readable,
  work: (bundle: Bundle) => Promise<T>,
): Promise<T> {
  if (!(await isZip(open()))) return work({ open, documents: new Documents(sender, async () => null) })
  const folder = await mkdtemp(join(tmpdir(), 'mainstreet-bills-'))
  try {
    const csv = await unpack(open(), folder)
    return await work({ open: () => createReadStream(csv), documents: new Documents(sender, filesIn(folder)) })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export async function isZip(input: Readable): Promise<boolean> {
  for await (const chunk of input as AsyncIterable<Buffer>) {
    input.destroy()
    return chunk.subarray(0, ZIP.length).equals(ZIP)
  }
  return false
}

/** Writes what is in the zip into a folder, as it comes. @returns where its CSV is */
async function unpack(input: Readable, folder: string): Promise<string> {
  const csvs: string[] = []
  const open = new Set<number>()
  let [bytes, files] = [0, 0]
  let problem = ''
  const unzip = new Unzip((file) => {
    const name = basename(file.name.replaceAll('\\', '/'))
    if (!/^[^.].*\.(?:csv|pdf)$/i.test(name) || file.name.startsWith('__MACOSX/')) return
    files += 1
    if (files > MOST_FILES) return void (problem ||= say`A zip holds at most ${MOST_FILES} files.`)
    const path = join(folder, name)
    if (/\.csv$/i.test(name)) csvs.push(path)
    const fd = openSync(path, 'w', 0o600)
    open.add(fd)
    file.ondata = (error, chunk, final) => {
      if (error) problem ||= BROKEN
      bytes += chunk?.length ?? 0
      if (bytes > MOST_BYTES) problem ||= say`What is in the zip is more than is taken. Send it in several.`
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
    throw new FileRefused(BROKEN)
  } finally {
    for (const fd of open) closeSync(fd)
  }
  if (problem) throw new FileRefused(problem)
  const [csv] = csvs
  if (!csv || csvs.length > 1)
    throw new FileRefused(
      say`A zip has to hold one CSV of bills and the PDFs that it names; this one holds ${csvs.length} CSV files.`,
    )
  return csv
}
