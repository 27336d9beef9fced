import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Clock } from './clock.ts'
import { type StreamDigest, Meter } from './streams.ts'
import type { CompanyId } from './tenancy.ts'

export interface WrittenFile extends StreamDigest {
  /** The file's name in this store. What it is about is the caller's row, in `attachment`. */
  path: string
}

/** Whose file it is: a town's, or the platform's own (`PLATFORM` in `audit.ts`). */
export type FileOwner = CompanyId | 0

/** Some bytes of a file, both ends included. */
export interface Part {
  start: number
  end: number
}

/** Where uploads are kept: on disk here, or in a bucket (`files-on-s3.ts`). */
export interface Files {
  /** Keeps a file for good before it answers. */
  write(owner: FileOwner, content: Buffer | Readable): Promise<WrittenFile>
  /** Likewise, under the path that another store gave it: a backup's files come back so. */
  put(path: string, content: Buffer | Readable): Promise<StreamDigest>
  /** The file's content, or this part of it. Where it is missing, the stream fails with the code ENOENT. */
  read(path: string, part?: Part): Readable
  /** Removes a file; one that is gone already is fine. */
  remove(path: string): Promise<void>
}

const PATH = /^\d+\/\d{4}\/[0-9a-f-]{36}$/

/** A name that nothing else has: one folder a town and year, the platform's own under 0. */
export const newPath = (owner: FileOwner, clock: Clock): string =>
  `${owner}/${clock.now().getUTCFullYear()}/${randomUUID()}`

/** @throws Error for what is no path of a stored file, and might lead out of the store */
export function checkPath(path: string): string {
  if (!PATH.test(path)) throw new Error('not a path of a stored file')
  return path
}

/** Files on disk, below `folder`. */
export function filesOnDisk(folder: string, clock: Clock): Files {
  const placeOf = (path: string): string => join(folder, checkPath(path))
  const put: Files['put'] = async (path, content) => {
    const place = placeOf(path)
    const unfinished = `${place}.unfinished`
    await mkdir(dirname(place), { recursive: true, mode: 0o700 })
    try {
      const meter = new Meter()
      await pipeline(meter.of(content), createWriteStream(unfinished, { flush: true, mode: 0o600 }))
      await rename(unfinished, place)
      await flush(dirname(place))
      return meter.measured()
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
  }
  return {
    put,
    write: async (owner, content) => {
      const path = newPath(owner, clock)
      return { path, ...(await put(path, content)) }
    },
    read: (path, part) => createReadStream(placeOf(path), part),
    remove: (path) => rm(placeOf(path), { force: true }),
  }
}

/** Makes a new name in a folder survive a loss of power. Windows does so by itself, and refuses to be asked. */
export async function flush(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
