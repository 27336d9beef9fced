import { drawsIn } from '../../../server/draw.ts'
import { certificatePdf } from './certificate-pdf.ts'

drawsIn(certificatePdf)
