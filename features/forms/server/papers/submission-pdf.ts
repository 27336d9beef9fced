import type { Company } from '../../../../server/hosts.ts'
import { Paper } from '../../../../server/paper.ts'
import { formatDate } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { say, translated } from '../../../../shared/words.ts'
import { type IssuedDocument, standings } from '../../contract-papers.ts'

/** A submission as plain data, which is copied into the thread that draws it. */
export interface SubmissionPdfData {
  number: string
  title: string
  name: string
  helper: string
  /** In the town's own time. */
  sent: string
  status: string
  answers: readonly { label: string; value: string }[]
  feeCents: number
  paidCents: number
  signer: string
  decided: string
}

export interface DocumentPdfData {
  paper: IssuedDocument
  submission: string
  facts: readonly { label: string; value: string }[]
  verifyUrl: string
}

/** What was sent and what became of it. */
export function submissionPdf(company: Company, of: SubmissionPdfData, at: Date): PDFKit.PDFDocument {
  const paper = new Paper(company, { title: `${of.number} ${of.title}`, at: new Date(at) })
  paper.heading(of.title)
  paper.facts([
    [say`Number`, of.number],
    [say`From`, of.name],
    ...(of.helper ? [[say`Filled in by`, of.helper]] : []),
    ...(of.sent ? [[say`Sent`, of.sent]] : []),
    [say`Status`, of.status],
    ...(of.decided ? [[say`Decided`, of.decided]] : []),
    ...(of.feeCents > 0 ? [[say`Fee`, say`${formatCents(of.feeCents)}, ${formatCents(of.paidCents)} paid`]] : []),
    ...(of.signer ? [[say`Signed by`, of.signer]] : []),
  ])
  paper.rule()
  paper.table(
    [say`Question`, say`Answer`],
    [40, 60],
    of.answers.map(({ label, value }) => [label, value || '–']),
  )
  return paper.end()
}

/** The license or permit itself, for a wall or a pocket. */
export function paperPdf(company: Company, of: DocumentPdfData, at: Date): PDFKit.PDFDocument {
  const { number, title, holder, issuedOn, expiresOn, standing } = of.paper
  const paper = new Paper(company, { title: `${title} ${number}`, at: new Date(at) })
  paper.heading(title)
  if (standing !== 'valid') paper.note(translated(standings[standing]), { bold: true })
  paper.facts([
    [say`Number`, number],
    [say`Issued to`, holder],
    [say`Issued on`, formatDate(issuedOn)],
    [say`Valid until`, expiresOn === null ? say`It has no end.` : formatDate(expiresOn)],
    [say`By form`, of.submission],
  ])
  paper.rule()
  if (of.facts.length > 0) {
    paper.facts(of.facts.map(({ label, value }) => [label, value]))
    paper.rule()
  }
  paper.qr(
    of.verifyUrl,
    say`A QR code that leads to ${of.verifyUrl}`,
    say`Anyone can verify this: scan the code, or open ${of.verifyUrl}`,
  )
  return paper.end()
}
