import { drawsIn } from '../../../../server/draw.ts'
import { receiptPdf } from './receipt-pdf.ts'

drawsIn(receiptPdf)
