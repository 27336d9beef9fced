import { drawerOf } from '../../../server/draw.ts'
import type { receiptPdf } from './receipt-pdf.ts'

/** A receipt's PDF; the caller is who asked for it. */
export const drawReceipt = drawerOf<Parameters<typeof receiptPdf>>(new URL('./receipt-thread.ts', import.meta.url))
