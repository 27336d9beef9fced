import { rendersIn } from '../../../server/render.ts'
import { certificatePdf } from './certificate-pdf.ts'

rendersIn(certificatePdf)
