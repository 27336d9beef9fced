import { createHash } from 'node:crypto'
import type { StreamDigest } from '../streams.ts'
import type { Manifest } from './manifest.ts'

/** One digest of all files, so that the manifest stays small for any number of files. */
export class FilesDigest {
  readonly #hash = createHash('sha256')
  #count = 0
  #bytes = 0

  add(path: string, { bytes, sha256 }: StreamDigest): void {
    this.#hash.update(`${path}\n`).update(sha256)
    this.#count++
    this.#bytes += bytes
  }

  summary(): Manifest['files'] {
    return { count: this.#count, bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }
}
