import { rendersIn } from '../../../../server/render.ts'
import type { Company } from '../../../../server/hosts.ts'
import { documentPdf, type DocumentPdfData, type SubmissionPdfData, submissionPdf } from './submission-pdf.ts'

export type PrintJob = { which: 'copy'; of: SubmissionPdfData } | { which: 'issued'; of: DocumentPdfData }

export const renderPrinted = (company: Company, printed: PrintJob, at: Date): PDFKit.PDFDocument =>
  printed.which === 'copy' ? submissionPdf(company, printed.of, at) : documentPdf(company, printed.of, at)

rendersIn(renderPrinted)
