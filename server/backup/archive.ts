import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import * as tar from 'tar-stream'
import { inParts, type StreamDigest, Meter } from '../streams.ts'

/**
 * An archive is a compressed tar. What has no known length beforehand (a table, a file) is an item of several entries,
 * `name/000001`, `name/000002` …, of which one at a time is in memory.
 */
const PART_BYTES = 4 * 1024 * 1024
const PART = /\/\d{6}$/

export class ArchiveWriter {
  readonly #pack = tar.pack()
  readonly #written: Promise<void>

  /** Begins a new file, which its owner alone may read. */
  static async create(path: string): Promise<ArchiveWriter> {
    await rm(path, { force: true })
    return new ArchiveWriter(path)
  }

  private constructor(path: string) {
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
    this.#written = pipeline(this.#pack as unknown as Readable, createGzip(), file)
    this.#written.catch(() => {})
  }

  async add(item: string, content: Buffer | AsyncIterable<unknown>): Promise<StreamDigest> {
    const meter = new Meter()
    let no = 0
    for await (const part of inParts(meter.of(content), PART_BYTES))
      await this.#entry(`${item}/${String(++no).padStart(6, '0')}`, part)
    return meter.measured()
  }

  /** Adds what is small, as one entry, and ends the file. It is on the disk when this answers. */
  async finish(name: string, content: string): Promise<void> {
    await this.#entry(name, Buffer.from(content))
    this.#pack.finalize()
    await this.#written
  }

  /** Gives the file up. */
  async discard(): Promise<void> {
    this.#pack.destroy()
    await this.#written.catch(() => {})
  }

  async #entry(name: string, content: Buffer): Promise<void> {
    const taken = new Promise<void>((resolve, reject) => {
      const entry = this.#pack.entry({ name, mode: 0o600 }, content, (error) => (error ? reject(error) : resolve()))
      // It fails with the file that is written, and would end the process if nobody listened.
      entry.on('error', reject)
    })
    await Promise.race([taken, this.#written]).catch(async (error: unknown) => {
      // A full disk says why where the file is written.
      await this.#written
      throw error
    })
  }
}

/** Takes one item, part by part. */
export interface ArchiveConsumer {
  take(part: Buffer): Promise<void> | void
  end(): Promise<void> | void
  /** Lets go in the middle of the item: the archive ended too early, or somebody else failed. */
  abort?(): Promise<void>
}

/**
 * Reads an archive once, from its beginning to its end. Each item is handed to the taker that `open` answers for it.
 * Whatever is wrong with the file is thrown as it is.
 */
export async function readArchive(
  path: string,
  open: (item: string) => Promise<ArchiveConsumer> | ArchiveConsumer,
): Promise<void> {
  const extract = tar.extract()
  const [file, gunzip] = [createReadStream(path), createGunzip()]
  let broken: Error | null = null
  for (const stream of [file, gunzip]) stream.once('error', (error: Error) => (broken ??= error))
  const reading = pipeline(file, gunzip, extract as unknown as NodeJS.WritableStream)
  reading.catch(() => {})
  let item = ''
  let taker: ArchiveConsumer = { take: () => {}, end: () => {} }
  try {
    for await (const entry of extract) {
      const name = entry.header.name.replace(PART, '')
      if (name !== item) {
        await taker.end()
        taker = await open(name)
        item = name
      }
      await taker.take(await buffer(entry as unknown as Readable))
    }
    await reading
    await taker.end()
  } catch (error) {
    await taker.abort?.()
    // A stream that breaks ends those behind it, which know nothing of the reason.
    throw (error as Error).message === 'Stream was destroyed' ? (broken ?? error) : error
  }
}
