import { rendererOf } from '../../../../server/render.ts'
import type { receiptPdf } from './receipt-pdf.ts'

/** Renders a receipt as PDF. The caller is the requester. */
export const renderReceipt = rendererOf<Parameters<typeof receiptPdf>>(new URL('./receipt-thread.ts', import.meta.url))
