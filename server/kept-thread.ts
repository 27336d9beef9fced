import { once } from 'node:events'
import { type ResourceLimits, Worker } from 'node:worker_threads'

interface Limits {
  resourceLimits: ResourceLimits
  /** A question that takes longer has failed, and its thread is ended. */
  longestMs: number
}

/**
 * Work that would hold up the event loop, done in a thread of its own, which answers each message with one message. One thread
 * is kept for the next question, since loading its libraries takes longer than most answers; whoever asks while it is
 * busy gets another, which ends afterwards. A thread that failed is never asked again.
 */
export class KeptThread<Question, Answer> {
  readonly #source: URL
  readonly #limits: Limits
  #kept: Worker | null = null

  constructor(source: URL, limits: Limits) {
    this.#source = source
    this.#limits = limits
  }

  /** @throws what the thread failed with, or that it took too long */
  async ask(question: Question): Promise<Answer> {
    const thread = this.#take()
    try {
      thread.postMessage(question)
      const signal = AbortSignal.timeout(this.#limits.longestMs)
      const [answer] = (await once(thread, 'message', { signal })) as [Answer]
      if (this.#kept) await thread.terminate()
      else this.#keep(thread)
      return answer
    } catch (error) {
      await thread.terminate()
      throw error
    }
  }

  #take(): Worker {
    const kept = this.#kept
    this.#kept = null
    kept?.removeAllListeners('error').ref()
    return kept ?? new Worker(this.#source, { resourceLimits: this.#limits.resourceLimits })
  }

  #keep(thread: Worker): void {
    this.#kept = thread
    thread.unref()
    thread.on('error', () => {
      if (this.#kept === thread) this.#kept = null
    })
  }
}
