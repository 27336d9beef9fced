import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { parentPort, Worker } from 'node:worker_threads'
import { FairQueue } from './fair-queue.ts'

const LONGEST_MS = 20_000

/** One paper at a time, whatever it is, callers in turns. */
const drawing = new FairQueue(1)

/**
 * A paper's PDF, drawn in a thread of its own: it takes a processor for 50 ms or more, in which nobody else would be
 * answered. What it is drawn of is copied there, so it is plain data. The thread's file says `drawsIn(…)`.
 * @param caller who asked for it: an address, a person
 * @throws 429 where too many of this caller's wait
 */
export function drawerOf<Of extends unknown[]>(file: URL): (caller: string, ...of: Of) => Promise<Buffer> {
  let thread: Worker | null = null
  const start = (): Worker => {
    const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: 256 } })
    worker.on('error', () => {
      if (thread === worker) thread = null
    })
    return worker
  }
  return (caller, ...of) =>
    drawing.run(caller, async () => {
      const worker = (thread ??= start())
      worker.ref()
      try {
        worker.postMessage(of)
        const [pdf] = (await once(worker, 'message', { signal: AbortSignal.timeout(LONGEST_MS) })) as [Uint8Array]
        return Buffer.from(pdf)
      } catch (error) {
        // Whatever it hangs at, the next one gets a new thread.
        thread = null
        await worker.terminate()
        throw error
      } finally {
        worker.unref()
      }
    })
}

/** What runs in the thread: one paper after the other. */
export function drawsIn<Of extends unknown[]>(draw: (...of: Of) => PDFKit.PDFDocument): void {
  parentPort?.on('message', (of: Of) => {
    void buffer(draw(...of)).then((pdf) => parentPort?.postMessage(pdf))
  })
}
