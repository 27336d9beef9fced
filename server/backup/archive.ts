import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import * as tar from 'tar-stream'
import { inParts, type StreamDigest, Meter } from '../streams.ts'

/**
 * Maximum size of one archive entry, in bytes. An archive is a compressed tar file. Content of unknown length is split
 * into several entries, `name/000001`, `name/000002` …, so that only one entry is in memory.
 */
const PART_BYTES = 4 * 1024 * 1024
const PART = /\/\d{6}$/

export class ArchiveWriter {
  readonly #pack = tar.pack()
  readonly #written: Promise<void>

  /** Creates a file that only its owner may read. */
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

  /** Adds a small item as one entry and closes the file. The file is on disk when the promise resolves. */
  async finish(name: string, content: string): Promise<void> {
    await this.#entry(name, Buffer.from(content))
    this.#pack.finalize()
    await this.#written
  }

  /** Closes and deletes the unfinished file. */
  async discard(): Promise<void> {
    this.#pack.destroy()
    await this.#written.catch(() => {})
  }

  async #entry(name: string, content: Buffer): Promise<void> {
    const written = new Promise<void>((resolve, reject) => {
      const entry = this.#pack.entry({ name, mode: 0o600 }, content, (error) => (error ? reject(error) : resolve()))
      // If the file fails, the entry fails too. Without a listener, that error would end the process.
      entry.on('error', reject)
    })
    await Promise.race([written, this.#written]).catch(async (error: unknown) => {
      // The write stream reports the reason, such as a full disk.
      await this.#written
      throw error
    })
  }
}

/** Receiver of one archive item, part by part. */
export interface ArchiveConsumer {
  take(part: Buffer): Promise<void> | void
  end(): Promise<void> | void
  /** Releases a partly read item, because the archive ended too early or another part failed. */
  abort?(): Promise<void>
}

/**
 * Reads an archive once, from start to end. Passes each item to the consumer that `open` returns. Rethrows file errors
 * unchanged.
 */
export async function readArchive(
  path: string,
  open: (item: string) => Promise<ArchiveConsumer> | ArchiveConsumer,
): Promise<void> {
  const extract = tar.extract()
  const [file, gunzip] = [createReadStream(path), createGunzip()]
  let streamError: Error | null = null
  for (const stream of [file, gunzip]) stream.once('error', (error: Error) => (streamError ??= error))
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
    // If a stream breaks, the later streams end too, but without the reason. So the code throws the first error.
    throw (error as Error).message === 'Stream was destroyed' ? (streamError ?? error) : error
  }
}
