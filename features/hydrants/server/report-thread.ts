import { rendersIn } from '../../../server/render.ts'
import { hydrantReport } from './report-pdf.ts'

rendersIn(hydrantReport)
