import { formatDate } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import type { Company } from '../../../server/hosts.ts'
import { PrintedDocument } from '../../../server/pdf-document.ts'

export interface Certificate {
  number: string
  title: string
  subject: string
  location: string
  /** Date of the inspection, in the company's time zone. */
  on: string
  by: string
  /** Certificate text of the company. */
  text: string
  items: readonly { title: string; on: string; by: string }[]
}

/** Renders the certificate of a passed inspection. */
export function certificatePdf(company: Company, certificate: Certificate, at: Date): PDFKit.PDFDocument {
  const { number, title, subject, location, on, by, text, items } = certificate
  const pdf = new PrintedDocument(company, { title: say`Certificate ${number}`, at: new Date(at) })
  pdf.heading(title)
  pdf.details([
    [say`Certificate`, number],
    [say`Subject`, subject],
    ...(location && location !== subject ? [[say`Location`, location]] : []),
    [say`Date passed`, formatDate(on)],
    [say`Inspector`, by],
  ])
  pdf.rule()
  for (const paragraph of text.split(/\n{2,}/)) pdf.note(paragraph, { bold: true })
  pdf.rule()
  pdf.table(
    [say`Item`, say`Result`, say`On`, say`By`],
    [40, 12, 22, 26],
    items.map((item) => [item.title, say`Pass`, formatDate(item.on), item.by]),
  )
  return pdf.end()
}
