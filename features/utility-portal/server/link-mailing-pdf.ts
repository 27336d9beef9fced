import { formatDate } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import type { Company } from '../../../server/hosts.ts'
import { PrintedDocument } from '../../../server/pdf-document.ts'
import type { BilledAccount } from './bills.ts'

export interface LinkMailing extends BilledAccount {
  code: string
  /** URL that contains the account number and the code. */
  url: string
  /** Last day on which the code works. */
  until: string
}

/** Prints the link code with instructions, in a letter or below a bill. */
export function linkPart(pdf: PrintedDocument, { code, url, until }: LinkMailing): void {
  pdf.details([
    [say`Link code`, code],
    [say`Valid until`, formatDate(until)],
  ])
  pdf.qr(url, say`Scan this code to link the account. The link code is ${code}.`)
  pdf.note(
    say`Sign in, choose Link an account, and enter the account number and this code. The code works once. Anyone with the code can see the account’s bills and usage, so do not share this page.`,
  )
}

/** Prints letters with link codes, one page for each account. */
export function linkMailingsPdf(company: Company, mailings: readonly LinkMailing[], at: Date): PDFKit.PDFDocument {
  const pdf = new PrintedDocument(company, { title: say`Letters with link codes, ${company.name}`, at: new Date(at) })
  for (const [nth, mailing] of mailings.entries()) {
    if (nth > 0) pdf.nextPage(company)
    pdf.address([mailing.customer, ...mailing.address.split(/, (?=[^,]*, [A-Z]{2} )/)])
    pdf.heading(say`See and pay your utility account online`)
    pdf.note(
      say`Use this code to link account ${mailing.number} in our portal. There, you can see each bill and your usage, pay several accounts together, and get alerts about unusual usage.`,
    )
    pdf.rule({ dashed: true })
    pdf.details([[say`Account`, mailing.number]])
    linkPart(pdf, mailing)
  }
  return pdf.end()
}
