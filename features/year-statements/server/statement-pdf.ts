import type { Company } from '../../../server/hosts.ts'
import { Paper } from '../../../server/paper.ts'
import { formatInstant, formatShortDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { plural, say } from '../../../shared/words.ts'
import { methodLabel, receiptNumber } from '../../payments/rules.ts'
import type { PaidInYearResponse } from './paid.ts'

/** Yearly statement for the payer's tax records: items with payments and totals. */
export function statementPdf(company: Company, paid: PaidInYearResponse, now: Date): PDFKit.PDFDocument {
  const year = String(paid.year)
  const paper = new Paper(company, { title: say`What you paid in ${year}, ${company.name}`, at: now })
  paper.heading(say`What you paid in ${year}`)
  paper.details([
    [say`Paid by`, paid.payer],
    [say`Year`, year],
    [say`As of`, formatInstant(now, company.timeZone)],
  ])
  for (const { title, reference, lines, amountCents, feeCents } of paid.things) {
    paper.rule({ dashed: true })
    paper.note([title, reference].filter(Boolean).join(', '), { bold: true })
    paper.doc.moveDown(0.4)
    paper.table(
      [
        lines.some((line) => line.reference) ? say`Date and what for` : say`Date`,
        say`Receipt`,
        say`Paid by`,
        say`Amount`,
        say`Fee`,
      ],
      [3, 3, 3, 3, 2],
      lines.map((line) => [
        [formatShortDate(line.day), line.reference].filter(Boolean).join(', '),
        receiptNumber(line.paymentId),
        methodLabel(line.method),
        formatCents(line.amountCents),
        formatCents(line.feeCents),
      ]),
    )
    paper.amount(say`Paid for it, and fees of ${formatCents(feeCents)} besides`, formatCents(amountCents))
  }
  if (paid.things.length === 0) paper.note(say`Nothing was paid in ${year} with this account.`)
  else {
    paper.total(say`All together, without fees`, formatCents(paid.amountCents))
    paper.amount(say`Fees`, formatCents(paid.feeCents))
  }
  paper.doc.moveDown(0.8)
  paper.note(
    say`By the day of the payment. What was refunded or returned until today is taken off. What was paid without signing in is not in it.`,
  )
  if (paid.givenBack > 0)
    paper.note(
      say`${plural(paid.givenBack, '# payment went back whole and is left out.', '# payments went back whole and are left out.')}`,
    )
  if (paid.disputed > 0)
    paper.note(
      say`${plural(paid.disputed, '# payment is disputed and counts until that is decided.', '# payments are disputed and count until that is decided.')}`,
    )
  return paper.end()
}
