import { rendersIn } from '../../../server/render.ts'
import { form1099kPdf } from './form-1099k-pdf.ts'

rendersIn(form1099kPdf)
