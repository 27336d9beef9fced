import { FairQueue } from '../../../server/fair-queue.ts'
import { KeptThread } from '../../../server/kept-thread.ts'
import type { receiptPdf } from './receipt-pdf.ts'

/** One at a time, callers in turns. */
const drawing = new FairQueue(1)
const thread = new KeptThread<Parameters<typeof receiptPdf>, Uint8Array>(
  new URL('./receipt-thread.ts', import.meta.url),
  {
    resourceLimits: { maxOldGenerationSizeMb: 256 },
    longestMs: 20_000,
  },
)

/**
 * A receipt's PDF, drawn in a thread of its own: it takes a processor for 50 ms or more, in which nobody else would be
 * answered. What it is drawn of is copied there, so it is plain data.
 * @param caller who asked for it: an address, a person
 * @throws 429 where too many of this caller's wait
 */
export const drawReceipt = (caller: string, ...of: Parameters<typeof receiptPdf>): Promise<Buffer> =>
  drawing.run(caller, async () => Buffer.from(await thread.ask(of)))
