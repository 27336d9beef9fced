import { rendersIn } from '../../../../server/render.ts'
import { receiptPdf } from './receipt-pdf.ts'

rendersIn(receiptPdf)
