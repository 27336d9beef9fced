import { createHash } from 'node:crypto'

export interface StreamDigest {
  bytes: number
  sha256: Buffer
}

/** Meter that counts and hashes the bytes of a stream. */
export class Meter {
  readonly #hash = createHash('sha256')
  #bytes = 0

  async *of(content: Buffer | AsyncIterable<unknown>): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of Buffer.isBuffer(content) ? [content] : (content as AsyncIterable<Buffer>)) {
      this.add(chunk)
      yield chunk
    }
  }

  add(chunk: Buffer): void {
    this.#hash.update(chunk)
    this.#bytes += chunk.length
  }

  /** Returns the number of bytes and their hash. Call it only once, at the end. */
  measured(): StreamDigest {
    return { bytes: this.#bytes, sha256: this.#hash.digest() }
  }
}

/** Splits a stream of unknown length into parts of this many bytes. The last part is shorter and may be empty. */
export async function* inParts(
  content: AsyncIterable<Buffer>,
  partBytes: number,
): AsyncGenerator<Buffer, void, undefined> {
  let chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of content) {
    chunks.push(chunk)
    bytes += chunk.length
    while (bytes >= partBytes) {
      const joined = Buffer.concat(chunks)
      yield joined.subarray(0, partBytes)
      // Copies the remaining bytes, so that the memory of the finished part can be freed.
      chunks = [Buffer.from(joined.subarray(partBytes))]
      bytes -= partBytes
    }
  }
  yield Buffer.concat(chunks)
}
