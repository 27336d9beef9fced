import { buffer } from 'node:stream/consumers'
import { parentPort } from 'node:worker_threads'
import { receiptPdf } from './receipt-pdf.ts'

/** What runs in the thread of `draw-receipt.ts`: one receipt after the other. */
parentPort?.on('message', (of: Parameters<typeof receiptPdf>) => {
  void buffer(receiptPdf(...of)).then((pdf) => parentPort?.postMessage(pdf))
})
