import { rendererOf } from '../../../../server/render.ts'
import type { receiptPdf } from './receipt-pdf.ts'

/**
 * Renders a receipt as a PDF in a worker thread. The first argument is the person or IP address that requested the
 * receipt.
 */
export const renderReceipt = rendererOf<Parameters<typeof receiptPdf>>(new URL('./receipt-thread.ts', import.meta.url))
