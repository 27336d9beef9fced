import type { Company } from '../../../server/hosts.ts'
import { PrintedDocument } from '../../../server/paper.ts'
import { formatInstant, formatShortDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { plural, say } from '../../../shared/words.ts'
import { methodLabel, receiptNumber } from '../../payments/rules.ts'
import type { PaidInYearResponse } from './paid.ts'

/** Renders the yearly statement for the payer's tax records: items with payments and totals. */
export function statementPdf(company: Company, paid: PaidInYearResponse, now: Date): PDFKit.PDFDocument {
  const year = String(paid.year)
  const document = new PrintedDocument(company, { title: say`What you paid in ${year}, ${company.name}`, at: now })
  document.heading(say`What you paid in ${year}`)
  document.details([
    [say`Paid by`, paid.payer],
    [say`Year`, year],
    [say`As of`, formatInstant(now, company.timeZone)],
  ])
  for (const { title, reference, lines, amountCents, feeCents } of paid.items) {
    document.rule({ dashed: true })
    document.note([title, reference].filter(Boolean).join(', '), { bold: true })
    document.doc.moveDown(0.4)
    document.table(
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
    document.amount(say`Paid for it, and fees of ${formatCents(feeCents)} besides`, formatCents(amountCents))
  }
  if (paid.items.length === 0) document.note(say`Nothing was paid in ${year} with this account.`)
  else {
    document.total(say`All together, without fees`, formatCents(paid.amountCents))
    document.amount(say`Fees`, formatCents(paid.feeCents))
  }
  document.doc.moveDown(0.8)
  document.note(
    say`By the day of the payment. What was refunded or returned until today is taken off. What was paid without signing in is not in it.`,
  )
  if (paid.givenBack > 0)
    document.note(
      say`${plural(paid.givenBack, '# payment went back whole and is left out.', '# payments went back whole and are left out.')}`,
    )
  if (paid.disputed > 0)
    document.note(
      say`${plural(paid.disputed, '# payment is disputed and counts until that is decided.', '# payments are disputed and count until that is decided.')}`,
    )
  return document.end()
}
