import type { Company } from '../../../../server/hosts.ts'
import { PrintedDocument } from '../../../../server/pdf-document.ts'
import { formatDate } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { say, translated } from '../../../../shared/messages.ts'
import { type IssuedDocument, standings } from '../../contract-documents.ts'

/** A submission as plain data, which is copied into the rendering thread. */
export interface SubmissionPdfData {
  number: string
  title: string
  name: string
  enteredBy: string
  /** Time of submission, in the company's time zone. */
  sent: string
  status: string
  answers: readonly { label: string; value: string }[]
  feeCents: number
  paidCents: number
  signer: string
  decided: string
}

export interface DocumentPdfData {
  issuedDocument: IssuedDocument
  submission: string
  details: readonly { label: string; value: string }[]
  verifyUrl: string
}

/** Renders a submission with its decision. */
export function submissionPdf(company: Company, of: SubmissionPdfData, at: Date): PDFKit.PDFDocument {
  const pdf = new PrintedDocument(company, { title: `${of.number} ${of.title}`, at: new Date(at) })
  pdf.heading(of.title)
  pdf.details([
    [say`Number`, of.number],
    [say`From`, of.name],
    ...(of.enteredBy ? [[say`Filled out by`, of.enteredBy]] : []),
    ...(of.sent ? [[say`Submitted`, of.sent]] : []),
    [say`Status`, of.status],
    ...(of.decided ? [[say`Decided`, of.decided]] : []),
    ...(of.feeCents > 0 ? [[say`Fee`, say`${formatCents(of.feeCents)}, ${formatCents(of.paidCents)} paid`]] : []),
    ...(of.signer ? [[say`Signed by`, of.signer]] : []),
  ])
  pdf.rule()
  pdf.table(
    [say`Question`, say`Answer`],
    [40, 60],
    of.answers.map(({ label, value }) => [label, value || '–']),
  )
  return pdf.end()
}

/** Renders the license or permit as a page to print. */
export function documentPdf(company: Company, of: DocumentPdfData, at: Date): PDFKit.PDFDocument {
  const { number, title, holder, issuedOn, expiresOn, status } = of.issuedDocument
  const pdf = new PrintedDocument(company, { title: `${title} ${number}`, at: new Date(at) })
  pdf.heading(title)
  if (status !== 'valid') pdf.note(translated(standings[status]), { bold: true })
  pdf.details([
    [say`Number`, number],
    [say`Issued to`, holder],
    [say`Issued on`, formatDate(issuedOn)],
    [say`Valid until`, expiresOn === null ? say`No expiration date` : formatDate(expiresOn)],
    [say`Form`, of.submission],
  ])
  pdf.rule()
  if (of.details.length > 0) {
    pdf.details(of.details.map(({ label, value }) => [label, value]))
    pdf.rule()
  }
  pdf.qr(
    of.verifyUrl,
    say`QR code that opens ${of.verifyUrl}`,
    say`Anyone can verify this document. Scan the code, or open ${of.verifyUrl}`,
  )
  return pdf.end()
}
