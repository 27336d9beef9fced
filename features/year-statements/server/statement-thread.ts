import { rendersIn } from '../../../server/render.ts'
import { statementPdf } from './statement-pdf.ts'

rendersIn(statementPdf)
