import { readFileSync } from 'node:fs'
import { termsOf } from './search-words.ts'

/** Language data of the search for all companies. Loaded with the first search and cached: four megabytes. */
export class English {
  /** English words, most common first. The index of a word is called its row. */
  readonly terms: readonly string[]
  readonly #rowOf: ReadonlyMap<string, number>
  readonly #dimensions: number
  readonly #vectors: Int8Array
  readonly #lengths: Float32Array
  /** Official terms by the stem of the everyday word. */
  readonly #called = new Map<string, Set<string>>()
  /** All words of the thesaurus. They count as spelled correctly. */
  readonly civic = new Set<string>()

  constructor() {
    const bytes = readFileSync(new URL('../vocabulary/english.bin', import.meta.url))
    const end = bytes.indexOf('\n')
    this.terms = bytes.toString('latin1', 0, end).split(' ')
    this.#rowOf = new Map(this.terms.map((word, row) => [word, row]))
    this.#vectors = new Int8Array(bytes.buffer, bytes.byteOffset + end + 1, bytes.length - end - 1)
    this.#dimensions = this.#vectors.length / this.terms.length
    this.#lengths = Float32Array.from(this.terms, (_, row) => {
      let sum = 0
      for (const part of this.#partsOf(row)) sum += part * part
      return Math.sqrt(sum) || 1
    })
    this.#readCivic(readFileSync(new URL('../vocabulary/civic.txt', import.meta.url), 'utf8'))
  }

  #readCivic(text: string) {
    for (const line of text.split('\n')) {
      const [heads = [], related = []] = line.split(':').map(termsOf)
      const both = [...heads, ...related]
      for (const { text: word } of both) this.civic.add(word)
      for (const { stem } of both)
        for (const head of heads)
          if (head.stem !== stem) this.#called.set(stem, (this.#called.get(stem) ?? new Set()).add(head.stem))
    }
  }

  #partsOf(row: number): Int8Array {
    return this.#vectors.subarray(row * this.#dimensions, (row + 1) * this.#dimensions)
  }

  rowOf(word: string): number | null {
    return this.#rowOf.get(word) ?? null
  }

  called(stem: string): Iterable<string> {
    return this.#called.get(stem) ?? []
  }

  /** Returns the similarity of two words: 1 for equal meaning, 0 or less for unrelated words. */
  likeness(one: number, other: number): number {
    const [vectors, size] = [this.#vectors, this.#dimensions]
    const [a, b] = [one * size, other * size]
    let sum = 0
    for (let at = 0; at < size; at += 1) sum += (vectors[a + at] ?? 0) * (vectors[b + at] ?? 0)
    return sum / ((this.#lengths[one] ?? 1) * (this.#lengths[other] ?? 1))
  }

  /** Returns the average direction of words as a vector of length 1. Null if the vocabulary has none of the words. */
  meaningOf(terms: readonly { row: number | null; weight: number }[]): Float32Array | null {
    const sum = new Float32Array(this.#dimensions)
    for (const { row, weight } of terms) {
      if (row === null) continue
      const much = weight / (this.#lengths[row] ?? 1)
      this.#partsOf(row).forEach((part, at) => {
        sum[at] = (sum[at] ?? 0) + much * part
      })
    }
    const length = Math.sqrt(dot(sum, sum))
    return length === 0 ? null : sum.map((part) => part / length)
  }
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}

let read: English | null = null
export function english(): English {
  read ??= new English()
  return read
}
