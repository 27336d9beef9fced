import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Sender } from '../../../server/attachments/keep.ts'
import { rowParserOf } from '../../../server/parse.ts'
import { type ArchiveReader, billDocuments, Documents } from '../../utility-accounts/api.ts'

/** Billing file with the PDFs that the sender included. */
export interface Bundle {
  open: () => Readable
  documents: Documents
}

const unpack = rowParserOf<[folder: string], string>(new URL('unpack.ts', import.meta.url), 'unpack')
const ZIP = Buffer.from('PK\u0003\u0004', 'latin1')

/**
 * Returns a function that reads PDFs from a folder. It reads an oversized PDF only up to the size limit, and the portal
 * then refuses the PDF.
 */
export function filesIn(folder: string): ArchiveReader {
  return async (name) => {
    const path = join(folder, basename(name))
    try {
      const { size } = await stat(path)
      return size > billDocuments.maxBytes ? Buffer.alloc(billDocuments.maxBytes + 1) : await readFile(path)
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT') return null
      throw error
    }
  }
}

/**
 * Runs `work` on a table, or on the table and PDFs of a zip. The unpacked files exist until `work` ends.
 * @throws FileRefused if the file is not readable
 */
export async function withBundle<T>(
  sender: Sender,
  open: () => Readable,
  work: (bundle: Bundle) => Promise<T>,
): Promise<T> {
  if (!(await isZip(open()))) return work({ open, documents: new Documents(sender, async () => null) })
  const folder = await mkdtemp(join(tmpdir(), 'mainstreet-bills-'))
  try {
    let table = ''
    for await (const path of unpack(open(), folder)) table = path
    const openTable = table === '' ? open : () => createReadStream(table)
    return await work({ open: openTable, documents: new Documents(sender, filesIn(folder)) })
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
