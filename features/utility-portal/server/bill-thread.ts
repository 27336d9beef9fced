import { drawsIn } from '../../../server/draw.ts'
import { billPdf } from './bill-pdf.ts'

drawsIn(billPdf)
