import { defineRenderer } from '../../../../server/render.ts'
import type { receiptPdf } from './receipt-pdf.ts'

/** Renders a receipt PDF in a worker thread. The first argument is the requesting person or IP address. */
export const renderReceipt = defineRenderer<Parameters<typeof receiptPdf>>(
  new URL('./receipt-thread.ts', import.meta.url),
)
