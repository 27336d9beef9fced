import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { type ResourceLimits, Worker } from 'node:worker_threads'
import { translateMessageText, say } from '../shared/messages.ts'
import { tooMany } from './errors.ts'
import { FairQueue } from './fair-queue.ts'
import { FileRefused } from './file-refused.ts'
import type { FromThread, Task, ToThread } from './parse-thread.ts'
import { mayStay } from './thread-memory.ts'

/** Memory limits of one thread. If a file needs more memory, only its thread ends. */
export const RESOURCE_LIMITS: ResourceLimits = {
  maxOldGenerationSizeMb: 160,
  maxYoungGenerationSizeMb: 32,
  stackSizeMb: 4,
}
/**
 * Time limits, in milliseconds, for the wait between two messages from a parser. A message is the result of a whole
 * file, or a batch of rows.
 */
export const TIME_LIMITS = {
  /** Limit of processor time. A limit of elapsed time would refuse ordinary files on a busy machine. */
  processorMs: 10_000,
  totalMs: 60_000,
  /** Maximum time in which a busy thread must report its processor time. */
  responseMs: 5000,
}
/** Maximum number of parallel parsers that return one message. Further callers wait in a queue. */
const MAX_WHOLE = 2
/** Maximum number of parallel imports that write rows while they read the file. */
const MAX_STREAMS = 12
/** Maximum number of idle threads kept for the next file. Loading the libraries takes longer than most files. */
const MAX_IDLE = 2

const TOO_LONG = 'This file took too long to read. Simplify it, or split it into smaller files.'
const TOO_LARGE = 'This file needs too much memory to read. Simplify it, or split it into smaller files.'
const UNREADABLE = 'This file could not be read. Export it again and upload the new file.'

/** Hook that receives parser errors and exceeded limits, so that the portal can log them. */
export const parseFailures = { report: (_details: { parser: string; err: unknown }): void => {} }

class Ended extends FileRefused {}

const idle: Worker[] = []
const turns = new FairQueue(MAX_WHOLE)
let streams = 0
let runs = 0

/** Processor time of each thread at its last message, in milliseconds. */
const usedBefore = new WeakMap<Worker, number>()

/**
 * Returns a thread's processor time in milliseconds. Infinity if the thread does not respond, because native code
 * blocks it.
 */
const usedNow = (thread: Worker): Promise<number> =>
  Promise.race([
    thread.cpuUsage().then(
      ({ user, system }) => (user + system) / 1000,
      () => Infinity,
    ),
    wait(TIME_LIMITS.responseMs, Infinity, { ref: false }),
  ])

/** A single run of a parser in a thread. Reading the next message fails after the time limit. */
class Run {
  readonly #thread: Worker
  readonly #parser: string
  readonly #streams: boolean
  readonly #id = (runs += 1)
  #inbox: FromThread[] = []
  #wake: (() => void) | null = null
  #timer: NodeJS.Timeout | undefined
  #failure: unknown
  #clean = false

  constructor(task: Task) {
    this.#parser = task.name
    this.#streams = task.streams
    this.#thread =
      idle.pop() ?? new Worker(new URL('parse-thread.ts', import.meta.url), { resourceLimits: RESOURCE_LIMITS })
    this.#thread.removeAllListeners().ref()
    this.#thread.on('message', (message: FromThread & { of: number; usedMs: number }) => {
      if (message.of !== this.#id) return
      usedBefore.set(this.#thread, message.usedMs)
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

  /** Awaits the next message. @throws FileRefused if the parser refuses the file, fails or reaches a limit */
  async next(): Promise<Extract<FromThread, { want: true } | { batch: unknown } | { done: unknown }>> {
    if (this.#inbox.length === 0 && this.#failure === undefined)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        this.#timer = setTimeout(() => void this.#endIfTooLong(TIME_LIMITS.processorMs), TIME_LIMITS.processorMs)
      })
    clearTimeout(this.#timer)
    this.#wake = null
    const message = this.#inbox.shift()
    if (!message) throw this.#refusalOf(this.#failure)
    if ('refused' in message) {
      this.#clean = true
      throw new FileRefused(translateMessageText(message.refused))
    }
    if ('failed' in message) {
      // After an error, the thread could continue, but an interrupted stream may still hold resources. So threads that
      // read streams are not reused.
      this.#clean = !this.#streams
      throw this.#refusalOf(message.failed)
    }
    if ('done' in message) this.#clean = true
    return message
  }

  /**
   * Keeps the thread for the next file. If the file is unfinished or enough threads are idle, ends the thread instead.
   */
  async end(): Promise<void> {
    // Ignores an error after the last message. Otherwise it would end the process.
    this.#thread.removeAllListeners().on('error', () => {})
    const isReusable = this.#clean && this.#failure === undefined && (await mayStay(this.#thread))
    if (!isReusable || idle.length >= MAX_IDLE) return void (await this.#thread.terminate())
    this.#thread.on('error', () => void idle.splice(idle.indexOf(this.#thread), 1))
    this.#thread.unref()
    idle.push(this.#thread)
  }

  /**
   * Ends the parser if it has used up its processor time. If other programs kept the processor busy, waits longer.
   * `waited` is the time since the last message, in milliseconds.
   */
  async #endIfTooLong(waited: number): Promise<void> {
    const wake = this.#wake
    const used = await usedNow(this.#thread)
    // A message arrived while the thread reported its processor time.
    if (this.#wake !== wake || wake === null) return
    const rest = TIME_LIMITS.processorMs - (used - (usedBefore.get(this.#thread) ?? 0))
    if (rest <= 0 || waited >= TIME_LIMITS.totalMs) return this.#fail(new Ended(TOO_LONG))
    this.#timer = setTimeout(() => void this.#endIfTooLong(waited + rest), rest)
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
 * Returns a function that runs an exported function of a module in a thread, with limits on time and memory.
 * @param module URL of the module, which the thread imports
 * @returns A function with the caller as first argument, so that callers take turns
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
 * Returns a function that runs a module's generator in a thread. The generator reads a file as a stream and yields
 * batches of rows. It continues only after the caller has read the last batch, so that neither side holds more than one
 * batch.
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
          // Sends a copy, because sending a view would send its whole buffer.
          run.send({ chunk: done ? null : new Uint8Array(typeof value === 'string' ? Buffer.from(value) : value) })
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
