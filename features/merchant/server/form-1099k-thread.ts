import { drawsIn } from '../../../server/draw.ts'
import { form1099kPdf } from './form-1099k-pdf.ts'

drawsIn(form1099kPdf)
