import { drawsIn } from '../../../server/draw.ts'
import { hydrantReport } from './report-pdf.ts'

drawsIn(hydrantReport)
