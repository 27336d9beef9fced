import { tooMany } from './errors.ts'

/** Maximum number of waiting items per caller. */
const MAX_QUEUED = 200

/**
 * Queue for CPU-intensive work, which limits the number of items that run in parallel. Callers take turns, so that a
 * caller with a hundred items does not delay others.
 */
export class FairQueue {
  readonly #atOnce: number
  #running = 0
  /** Waiting items by caller. The first caller in the map is next. */
  readonly #queues = new Map<string, (() => void)[]>()

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** Runs the work when it is the caller's turn. @throws 429 if too many items of this caller are waiting */
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
    const own = this.#queues.get(caller) ?? []
    if (own.length >= MAX_QUEUED) throw tooMany('Too many requests. Please wait a few seconds and try again.', 5)
    this.#queues.set(caller, own)
    return new Promise((resolve) => own.push(resolve))
  }

  /** Starts the next caller's item, then moves that caller to the end of the queue. */
  #next(): void {
    const [caller, queued] = this.#queues.entries().next().value ?? []
    const start = queued?.shift()
    if (caller === undefined || !queued || !start) {
      this.#running -= 1
      return
    }
    this.#queues.delete(caller)
    if (queued.length > 0) this.#queues.set(caller, queued)
    start()
  }
}
