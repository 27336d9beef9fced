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
  /** Path of the file in this store. All other data about the file is in its row of the table `attachment`. */
  path: string
}

/** Owner of a file: a company, or 0 (`PLATFORM` in `audit.ts`) for the platform. */
export type FileOwner = CompanyId | 0

/** Byte range of a file. Both ends are included. */
export interface Part {
  start: number
  end: number
}

/** Store of uploads: on disk, or in a bucket (`files-on-s3.ts`). */
export interface Files {
  /** Stores a file. After the promise resolves, the file survives a crash. */
  write(owner: FileOwner, content: Buffer | Readable): Promise<WrittenFile>
  /**
   * Restores a file from another store, such as a backup, under its original path. After the promise resolves, the file
   * survives a crash.
   */
  put(path: string, content: Buffer | Readable): Promise<StreamDigest>
  /** Reads a file or a part of it. If the file is missing, the stream fails with the code ENOENT. */
  read(path: string, part?: Part): Readable
  /** Removes a file. Does nothing if it does not exist. */
  remove(path: string): Promise<void>
}

const PATH = /^\d+\/\d{4}\/[0-9a-f-]{36}$/

/** Creates a unique path with folders for the owner and the year. The platform's folder is 0. */
export const newPath = (owner: FileOwner, clock: Clock): string =>
  `${owner}/${clock.now().getUTCFullYear()}/${randomUUID()}`

/** Returns the path if it is valid. @throws Error if the path could lead outside the store */
export function checkPath(path: string): string {
  if (!PATH.test(path)) throw new Error('not a path of a stored file')
  return path
}

/** Stores files on disk below `folder`. */
export function filesOnDisk(folder: string, clock: Clock): Files {
  const diskPathOf = (path: string): string => join(folder, checkPath(path))
  const put: Files['put'] = async (path, content) => {
    const location = diskPathOf(path)
    const unfinished = `${location}.unfinished`
    await mkdir(dirname(location), { recursive: true, mode: 0o700 })
    try {
      const meter = new Meter()
      await pipeline(meter.of(content), createWriteStream(unfinished, { flush: true, mode: 0o600 }))
      await rename(unfinished, location)
      await flush(dirname(location))
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
    read: (path, part) => createReadStream(diskPathOf(path), part),
    remove: (path) => rm(diskPathOf(path), { force: true }),
  }
}

/**
 * Flushes a folder to disk, so that new file names in it survive a power failure. Windows does this automatically and
 * refuses the call.
 */
export async function flush(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
