import { formatDate } from '../../../shared/dates.ts'
import { say } from '../../../shared/words.ts'
import type { Company } from '../../../server/hosts.ts'
import { PrintedDocument } from '../../../server/paper.ts'
import type { BilledAccount } from './bills.ts'

export interface LinkMailing extends BilledAccount {
  code: string
  /** URL that contains the account number and the code. */
  url: string
  /** Last day on which the code works. */
  until: string
}

/** Prints the explanation of the link code, on the letter and below a bill. */
export function linkPart(pdf: PrintedDocument, { code, url, until }: LinkMailing): void {
  pdf.details([
    [say`Link code`, code],
    [say`Works until`, formatDate(until)],
  ])
  pdf.qr(url, say`Scan this to link the account. Link code ${code}.`)
  pdf.note(
    say`Sign in, choose Link an account, and enter the account number and this code. It works once. Whoever has it sees the bills and the use of the account, so keep this paper to yourself.`,
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
      say`With this code you link account ${mailing.number} in our portal. There you see each bill and what you use, pay several accounts at once, and are told of unusual use.`,
    )
    pdf.rule({ dashed: true })
    pdf.details([[say`Account`, mailing.number]])
    linkPart(pdf, mailing)
  }
  return pdf.end()
}
