import { once } from 'node:events'
import { type ResourceLimits, Worker } from 'node:worker_threads'
import { mayStay } from './thread-memory.ts'

interface Limits {
  resourceLimits: ResourceLimits
  /** Time limit of a request, in milliseconds. After this time, the request fails and its thread ends. */
  timeoutMs: number
}

/**
 * Runs blocking work in a separate thread, one request at a time. The thread stays idle until the next request, because
 * loading its libraries takes longer than most requests. Parallel requests get temporary threads. A failed thread is
 * never reused.
 */
export class ReusableThread<Question, Result> {
  readonly #source: URL
  readonly #limits: Limits
  #idle: Worker | null = null

  constructor(source: URL, limits: Limits) {
    this.#source = source
    this.#limits = limits
  }

  /**
   * Sends a request to the thread and returns the result.
   * @throws the thread's error, or an error if the time limit passes
   */
  async run(question: Question): Promise<Result> {
    const thread = this.#take()
    try {
      thread.postMessage(question)
      const signal = AbortSignal.timeout(this.#limits.timeoutMs)
      const [response] = (await once(thread, 'message', { signal })) as [Result]
      // Ignores an error after the response. Otherwise it would end the process.
      thread.on('error', () => {})
      if ((await mayStay(thread)) && !this.#idle) this.#keep(thread)
      else await thread.terminate()
      return response
    } catch (error) {
      await thread.terminate()
      throw error
    }
  }

  #take(): Worker {
    const idleThread = this.#idle
    this.#idle = null
    idleThread?.removeAllListeners('error').ref()
    return idleThread ?? new Worker(this.#source, { resourceLimits: this.#limits.resourceLimits })
  }

  #keep(thread: Worker): void {
    this.#idle = thread
    thread.unref()
    thread.on('error', () => {
      if (this.#idle === thread) this.#idle = null
    })
  }
}
