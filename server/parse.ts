import type { Readable } from 'node:stream'
import { type ResourceLimits, Worker } from 'node:worker_threads'
import { retold, say } from '../shared/words.ts'
import { tooMany } from './errors.ts'
import { FairQueue } from './fair-queue.ts'
import { FileRefused } from './file-refused.ts'
import type { FromThread, Task, ToThread } from './parse-thread.ts'

/** Heap of one thread. A file that needs more ends its thread, and nothing else. */
export const RESOURCE_LIMITS: ResourceLimits = {
  maxOldGenerationSizeMb: 160,
  maxYoungGenerationSizeMb: 32,
  stackSizeMb: 4,
}
/** Time of one parser between two messages: for a whole file, or for the next rows of one. */
const STEP_MS = 10_000
/** Parsers that answer with one message. Callers take turns. */
const MAX_WHOLE = 2
/** Imports that read a file while they write its rows. */
const MAX_STREAMS = 12
/** Threads without work that stay for the next file, since loading the libraries takes longer than most files. */
const MAX_IDLE = 2

const TOO_LONG = 'This file takes too long to read. Simplify it, or send it in parts.'
const TOO_LARGE = 'This file takes too much memory to read. Simplify it, or send it in parts.'
const UNREADABLE = 'This file could not be read. Export it again and send it again.'

/** Hears of parsers that failed by an error or a limit: the portal logs them. */
export const parseFailures = { report: (_facts: { parser: string; err: unknown }): void => {} }

class Ended extends FileRefused {}

const idle: Worker[] = []
const turns = new FairQueue(MAX_WHOLE)
let streams = 0
let runs = 0

/** A thread that runs one parser, with an inbox that waits no longer than the limit. */
class Run {
  readonly #thread: Worker
  readonly #parser: string
  readonly #streams: boolean
  readonly #id = (runs += 1)
  #inbox: FromThread[] = []
  #wake: (() => void) | null = null
  #failure: unknown
  #clean = false

  constructor(task: Task) {
    this.#parser = task.name
    this.#streams = task.streams
    this.#thread =
      idle.pop() ?? new Worker(new URL('parse-thread.ts', import.meta.url), { resourceLimits: RESOURCE_LIMITS })
    this.#thread.removeAllListeners().ref()
    this.#thread.on('message', (message: FromThread & { of: number }) => {
      if (message.of !== this.#id) return
      this.#inbox.push(message)
      this.#wake?.()
    })
    this.#thread.on('error', (error) => this.#fail(error))
    this.#thread.on('exit', () => this.#fail(new Error('the thread ended')))
    this.send({ task })
  }

  send(message: { task: Task } | { chunk: Uint8Array | null } | { next: true }): void {
    const numbered: ToThread = { of: this.#id, ...message }
    this.#thread.postMessage(numbered)
  }

  /** @throws FileRefused if the parser refuses the file, fails or reaches a limit */
  async next(): Promise<Extract<FromThread, { want: true } | { batch: unknown } | { done: unknown }>> {
    let timer: NodeJS.Timeout | undefined
    if (this.#inbox.length === 0 && this.#failure === undefined)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        timer = setTimeout(() => this.#fail(new Ended(TOO_LONG)), STEP_MS)
      })
    clearTimeout(timer)
    this.#wake = null
    const message = this.#inbox.shift()
    if (!message) throw this.#refusalOf(this.#failure)
    if ('refused' in message) {
      this.#clean = true
      throw new FileRefused(retold(message.refused))
    }
    if ('failed' in message) {
      // The thread goes on after an error, but a stream may hold what nobody ends.
      this.#clean = !this.#streams
      throw this.#refusalOf(message.failed)
    }
    if ('done' in message) this.#clean = true
    return message
  }

  /** Keeps the thread for the next file, or ends it in the middle of one. */
  async end(): Promise<void> {
    this.#thread.removeAllListeners()
    if (!this.#clean || this.#failure !== undefined || idle.length >= MAX_IDLE)
      return void (await this.#thread.terminate())
    this.#thread.on('error', () => void idle.splice(idle.indexOf(this.#thread), 1))
    this.#thread.unref()
    idle.push(this.#thread)
  }

  #fail(error: unknown): void {
    this.#failure ??= error
    this.#wake?.()
  }

  #refusalOf(error: unknown): FileRefused {
    parseFailures.report({ parser: this.#parser, err: error })
    if (error instanceof Ended) return error
    return new Ended((error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY' ? TOO_LARGE : UNREADABLE)
  }
}

/**
 * Runs an exported function of a module in a thread, with limits of time and memory.
 * @param module address of the module, which the thread imports
 * @returns a function whose first argument is the caller, so that callers take turns
 */
export function parserOf<Args extends unknown[], Result>(
  module: URL,
  name: string,
): (caller: string, ...args: Args) => Promise<Result> {
  return (caller, ...args) =>
    turns.run(caller, async () => {
      const run = new Run({ module: module.href, name, args, streams: false })
      try {
        const message = await run.next()
        if (!('done' in message)) throw new Error(`${name} does not answer with one message`)
        return message.done as Result
      } finally {
        await run.end()
      }
    })
}

/**
 * Runs a generator of a module in a thread: it gets a file as a stream, and yields batches of rows. The thread reads on only if the
 * rows before were taken, so that neither side holds more than a batch.
 */
export function rowParserOf<Args extends unknown[], Row>(
  module: URL,
  name: string,
): (input: Readable, ...args: Args) => AsyncGenerator<Row> {
  return async function* (input, ...args) {
    if (streams >= MAX_STREAMS) throw tooMany(say`Too many files are being imported. Try again in a minute.`, 60)
    streams += 1
    const chunks = input[Symbol.asyncIterator]() as AsyncIterator<Buffer | string>
    const run = new Run({ module: module.href, name, args, streams: true })
    try {
      for (;;) {
        const message = await run.next()
        if ('done' in message) return
        if ('want' in message) {
          const { value, done } = await chunks.next()
          run.send({ chunk: done ? null : typeof value === 'string' ? Buffer.from(value) : value })
        } else {
          yield* message.batch as Row[]
          run.send({ next: true })
        }
      }
    } finally {
      streams -= 1
      input.destroy()
      await run.end()
    }
  }
}
