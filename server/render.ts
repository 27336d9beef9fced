import { buffer } from 'node:stream/consumers'
import { parentPort } from 'node:worker_threads'
import { FairQueue } from './fair-queue.ts'
import { ReusableThread } from './persistent-thread.ts'

/** Queue that renders one PDF at a time. Its callers take turns, so that none waits for all PDFs of another. */
const drawing = new FairQueue(1)

/**
 * Renders a PDF in a separate thread. Rendering takes at least 50 ms of processor time and would block all other
 * answers. The arguments are copied to the thread, so they must be plain data. The thread's file calls `rendersIn(…)`.
 * @param caller IP address or person that requested the PDF
 * @throws 429 if too many PDFs of this caller wait
 */
export function defineRenderer<Of extends unknown[]>(file: URL): (caller: string, ...of: Of) => Promise<Buffer> {
  const limits = { resourceLimits: { maxOldGenerationSizeMb: 256 }, timeoutMs: 20_000 }
  const thread = new ReusableThread<Of, Uint8Array>(file, limits)
  return (caller, ...of) => drawing.run(caller, async () => Buffer.from(await thread.run(of)))
}

/** Makes this thread render the PDFs that the main thread requests, one at a time. */
export function rendersIn<Of extends unknown[]>(render: (...of: Of) => PDFKit.PDFDocument): void {
  parentPort?.on('message', (of: Of) => {
    void buffer(render(...of)).then((pdf) => parentPort?.postMessage(pdf))
  })
}
