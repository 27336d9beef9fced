import { buffer } from 'node:stream/consumers'
import { parentPort } from 'node:worker_threads'
import { FairQueue } from './fair-queue.ts'
import { KeptThread } from './kept-thread.ts'

/** One paper at a time, whatever it is, callers in turns. */
const drawing = new FairQueue(1)

/**
 * A paper's PDF, drawn in a thread of its own: it takes a processor for 50 ms or more, in which nobody else would be
 * answered. What it is drawn of is copied there, so it is plain data. The thread's file says `drawsIn(…)`.
 * @param caller who asked for it: an address, a person
 * @throws 429 where too many of this caller's wait
 */
export function drawerOf<Of extends unknown[]>(file: URL): (caller: string, ...of: Of) => Promise<Buffer> {
  const limits = { resourceLimits: { maxOldGenerationSizeMb: 256 }, longestMs: 20_000 }
  const thread = new KeptThread<Of, Uint8Array>(file, limits)
  return (caller, ...of) => drawing.run(caller, async () => Buffer.from(await thread.ask(of)))
}

/** What runs in the thread: one paper after the other. */
export function drawsIn<Of extends unknown[]>(draw: (...of: Of) => PDFKit.PDFDocument): void {
  parentPort?.on('message', (of: Of) => {
    void buffer(draw(...of)).then((pdf) => parentPort?.postMessage(pdf))
  })
}
