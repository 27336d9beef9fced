import { rendersIn } from '../../../server/render.ts'
import { billPdf } from './bill-pdf.ts'

rendersIn(billPdf)
