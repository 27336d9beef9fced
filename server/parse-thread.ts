/**
 * Thread that runs parsers of files and external responses, so that no parser blocks the portal or exhausts its memory.
 */
import { setPriority } from 'node:os'
import { Readable } from 'node:stream'
import { parentPort } from 'node:worker_threads'
import type { MessageText } from '../shared/messages.ts'
import { FileRefused } from './file-refused.ts'
import { recordMessageTexts, messageTextOf } from './message-texts.ts'

export interface Task {
  module: string
  name: string
  args: unknown[]
  /** True if the parser reads a stream and yields batches. */
  streams: boolean
}

/**
 * Message to the thread. The message contains the id of its task, because messages of an earlier, refused task may
 * still arrive.
 */
export type ToThread = { of: number } & ({ task: Task } | { chunk: Uint8Array | null } | { next: true })
export type FromThread =
  | { want: true }
  | { batch: unknown }
  | { done: unknown }
  | { refused: MessageText }
  /** Stack of an unexpected parser error. */
  | { failed: string }

/** Niceness of the thread. Its priority is low, so that pages are served first under load. */
const NICENESS = 5

if (!parentPort) throw new Error('this is a thread')
const port = parentPort
// Only Linux supports a priority for each thread.
if (process.platform === 'linux') setPriority(NICENESS)

recordMessageTexts()

/**
 * Queue of messages of one kind. A parser reads ahead, so it may wait for a chunk and for permission to continue at the
 * same time. Each kind therefore has its own queue.
 */
class Inbox<Message> {
  readonly #messages: Message[] = []
  #wake: (() => void) | null = null

  put(message: Message): void {
    this.#messages.push(message)
    this.#wake?.()
  }

  async take(): Promise<Message> {
    for (;;) {
      const message = this.#messages.shift()
      if (message !== undefined) return message
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}

/** Task with its incoming messages. */
class Work {
  readonly id: number
  readonly #task: Task
  readonly parts = new Inbox<Uint8Array | null>()
  readonly nexts = new Inbox<true>()

  constructor(id: number, task: Task) {
    this.id = id
    this.#task = task
  }

  async run(): Promise<void> {
    try {
      this.#send({ done: await this.#parse() })
    } catch (error) {
      if (error instanceof FileRefused) this.#send({ refused: messageTextOf(error.message) })
      else this.#send({ failed: String((error as Error).stack ?? error) })
    }
  }

  async #parse(): Promise<unknown> {
    const { module, name, args, streams } = this.#task
    const parse = ((await import(module)) as Record<string, unknown>)[name]
    if (typeof parse !== 'function') throw new Error(`${module} has no parser ${name}`)
    if (!streams) return parse(...args) as unknown
    for await (const batch of parse(Readable.from(this.#chunks()), ...args) as AsyncIterable<unknown>) {
      this.#send({ batch })
      await this.nexts.take()
    }
    return null
  }

  async *#chunks(): AsyncGenerator<Buffer> {
    for (;;) {
      this.#send({ want: true })
      const chunk = await this.parts.take()
      if (chunk === null) return
      yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    }
  }

  #send(message: FromThread): void {
    const { user, system } = process.threadCpuUsage()
    if (work === this) port.postMessage({ of: this.id, usedMs: (user + system) / 1000, ...message })
  }
}

let work: Work | null = null
port.on('message', (message: ToThread) => {
  if ('task' in message) {
    work = new Work(message.of, message.task)
    void work.run()
  } else if (message.of !== work?.id) return
  else if ('chunk' in message) work.parts.put(message.chunk)
  else work.nexts.put(message.next)
})
