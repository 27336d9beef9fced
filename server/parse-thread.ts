/** Thread that runs parsers of files and of outside answers, so that none of them holds up or fills the portal. */
import { setPriority } from 'node:os'
import { Readable } from 'node:stream'
import { parentPort } from 'node:worker_threads'
import type { Saying } from '../shared/words.ts'
import { FileRefused } from './file-refused.ts'
import { rememberSayings, sayingOf } from './sayings.ts'

export interface Task {
  module: string
  name: string
  args: unknown[]
  /** True if the parser reads a stream and yields batches. */
  streams: boolean
}

export type ToThread = { task: Task } | { chunk: Uint8Array | null } | { next: true }
export type FromThread =
  | { want: true }
  | { batch: unknown }
  | { done: unknown }
  | { refused: Saying }
  /** The stack of an error that no parser foresaw. */
  | { failed: string }

/** Pages come first where both want the processor. */
const NICENESS = 5

const port = parentPort
if (!port) throw new Error('this is a thread')
// Only Linux has a priority for each thread.
if (process.platform === 'linux') setPriority(NICENESS)

rememberSayings()

const send = (message: FromThread): void => port.postMessage(message)

/** Messages of one kind. A parser reads ahead, so it may wait for a chunk and for the order to go on together. */
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

const tasks = new Inbox<Task>()
const parts = new Inbox<Uint8Array | null>()
const nexts = new Inbox<true>()
port.on('message', (message: ToThread) => {
  if ('task' in message) tasks.put(message.task)
  else if ('chunk' in message) parts.put(message.chunk)
  else nexts.put(message.next)
})

async function* chunks(): AsyncGenerator<Buffer> {
  for (;;) {
    send({ want: true })
    const chunk = await parts.take()
    if (chunk === null) return
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  }
}

async function run({ module, name, args, streams }: Task): Promise<unknown> {
  const parse = ((await import(module)) as Record<string, unknown>)[name]
  if (typeof parse !== 'function') throw new Error(`${module} has no parser ${name}`)
  if (!streams) return parse(...args) as unknown
  for await (const batch of parse(Readable.from(chunks()), ...args) as AsyncIterable<unknown>) {
    send({ batch })
    await nexts.take()
  }
  return null
}

for (;;) {
  const task = await tasks.take()
  try {
    send({ done: await run(task) })
  } catch (error) {
    if (error instanceof FileRefused) send({ refused: sayingOf(error.message) })
    else send({ failed: String((error as Error).stack ?? error) })
  }
}
