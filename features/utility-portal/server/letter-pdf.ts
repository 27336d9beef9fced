import { formatDate } from '../../../shared/dates.ts'
import { say } from '../../../shared/words.ts'
import type { Company } from '../../../server/hosts.ts'
import { Paper } from '../../../server/paper.ts'
import type { BilledAccount } from './bills.ts'

export interface Letter extends BilledAccount {
  code: string
  /** Link address with account number and code. */
  url: string
  /** Last day on which the code is valid. */
  until: string
}

/** Explains the link code, on the letter and below a bill. */
export function linkPart(paper: Paper, { code, url, until }: Letter): void {
  paper.details([
    [say`Link code`, code],
    [say`Works until`, formatDate(until)],
  ])
  paper.qr(url, say`Scan this to link the account. Link code ${code}.`)
  paper.note(
    say`Sign in, choose Link an account, and enter the account number and this code. It works once. Whoever has it sees the bills and the use of the account, so keep this paper to yourself.`,
  )
}

/** Letters with link codes, one page for each account. */
export function linkLetters(company: Company, letters: readonly Letter[], at: Date): PDFKit.PDFDocument {
  const paper = new Paper(company, { title: say`Letters with link codes, ${company.name}`, at: new Date(at) })
  for (const [nth, letter] of letters.entries()) {
    if (nth > 0) paper.nextPage(company)
    paper.address([letter.customer, ...letter.address.split(/, (?=[^,]*, [A-Z]{2} )/)])
    paper.heading(say`See and pay your utility account online`)
    paper.note(
      say`With this code you link account ${letter.number} in our portal. There you see each bill and what you use, pay several accounts at once, and are told of unusual use.`,
    )
    paper.rule({ dashed: true })
    paper.details([[say`Account`, letter.number]])
    linkPart(paper, letter)
  }
  return paper.end()
}
