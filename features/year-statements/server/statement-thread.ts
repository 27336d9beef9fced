import { drawsIn } from '../../../server/draw.ts'
import { statementPdf } from './statement-pdf.ts'

drawsIn(statementPdf)
