import { tooMany } from './errors.ts'

/** How many of one caller may wait. */
const MAX_QUEUED = 200

/**
 * Work that keeps a processor busy: at most so much of it at once. Those who wait are served in turns, one piece of work of
 * each caller, so that whoever sends a hundred delays themselves and nobody else.
 */
export class FairQueue {
  readonly #atOnce: number
  #running = 0
  /** Whose turn it is next stands first. */
  readonly #waiting = new Map<string, (() => void)[]>()

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** @throws 429 where too much of this caller waits already */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#atOnce) await this.#turnOf(caller)
    else this.#running += 1
    try {
      return await work()
    } finally {
      this.#next()
    }
  }

  #turnOf(caller: string): Promise<void> {
    const mine = this.#waiting.get(caller) ?? []
    if (mine.length >= MAX_QUEUED) throw tooMany('Too much at once. Please wait a few seconds and try again.', 5)
    this.#waiting.set(caller, mine)
    return new Promise((resolve) => mine.push(resolve))
  }

  /** Hands the place over to the next caller, who goes to the end of the line. */
  #next(): void {
    const [caller, theirs] = this.#waiting.entries().next().value ?? []
    const start = theirs?.shift()
    if (caller === undefined || !theirs || !start) {
      this.#running -= 1
      return
    }
    this.#waiting.delete(caller)
    if (theirs.length > 0) this.#waiting.set(caller, theirs)
    start()
  }
}
