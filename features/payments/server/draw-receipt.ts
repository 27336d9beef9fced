import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { FairQueue } from '../../../server/fair-queue.ts'
import type { receiptPdf } from './receipt-pdf.ts'

const LONGEST_MS = 20_000

/** One at a time, callers in turns. */
const drawing = new FairQueue(1)
let thread: Worker | null = null

/**
 * A receipt's PDF, drawn in a thread of its own: it takes a processor for 50 ms or more, in which nobody else would be
 * answered. What it is drawn of is copied there, so it is plain data.
 * @param caller who asked for it: an address, a person
 * @throws 429 where too many of this caller's wait
 */
export const drawReceipt = (caller: string, ...of: Parameters<typeof receiptPdf>): Promise<Buffer> =>
  drawing.run(caller, async () => {
    const worker = (thread ??= startThread())
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

function startThread(): Worker {
  const worker = new Worker(new URL('./receipt-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  worker.on('error', () => {
    if (thread === worker) thread = null
  })
  return worker
}
