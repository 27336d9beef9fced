import { drawsIn } from '../../../../server/draw.ts'
import type { Company } from '../../../../server/hosts.ts'
import { paperPdf, type PrintedPaper, type PrintedSubmission, submissionPdf } from './submission-pdf.ts'

export type Printed = { which: 'copy'; of: PrintedSubmission } | { which: 'issued'; of: PrintedPaper }

export const drawPrinted = (company: Company, printed: Printed, at: Date): PDFKit.PDFDocument =>
  printed.which === 'copy' ? submissionPdf(company, printed.of, at) : paperPdf(company, printed.of, at)

drawsIn(drawPrinted)
