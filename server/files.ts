import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Clock } from './clock.ts'
import type { CompanyId } from './tenancy.ts'

export interface WrittenFile {
  /** The file's name in this store. What it is about is the caller's row in `stored_file`. */
  path: string
  bytes: number
  sha256: Buffer
}

/** Where uploads are kept. A store elsewhere (S3) has these three. */
export interface Files {
  /** Keeps a file for good before it answers. */
  write(company: CompanyId, content: Buffer | Readable): Promise<WrittenFile>
  read(path: string): Readable
  /** Removes a file; one that is gone already is fine. */
  remove(path: string): Promise<void>
}

const PATH = /^\d+\/\d{4}\/[0-9a-f-]{36}$/

/** Files on disk, below `folder`: one folder a town and year. */
export function filesOnDisk(folder: string, clock: Clock): Files {
  const placeOf = (path: string): string => {
    if (!PATH.test(path)) throw new Error('not a path of a stored file')
    return join(folder, path)
  }
  return {
    write: async (company, content) => {
      const path = `${company}/${clock.now().getUTCFullYear()}/${randomUUID()}`
      const place = placeOf(path)
      const unfinished = `${place}.unfinished`
      await mkdir(dirname(place), { recursive: true, mode: 0o700 })
      try {
        const measured = await writeThrough(unfinished, content)
        await rename(unfinished, place)
        await flush(dirname(place))
        return { path, ...measured }
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },
    read: (path) => createReadStream(placeOf(path)),
    remove: (path) => rm(placeOf(path), { force: true }),
  }
}

async function writeThrough(place: string, content: Buffer | Readable): Promise<{ bytes: number; sha256: Buffer }> {
  const hash = createHash('sha256')
  let bytes = 0
  const measure = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  const source = content instanceof Readable ? content : Readable.from([content])
  await pipeline(source, measure, createWriteStream(place, { flush: true, mode: 0o600 }))
  return { bytes, sha256: hash.digest() }
}

/** Makes a new name in a folder survive a loss of power. Windows does so by itself, and refuses to be asked. */
async function flush(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
