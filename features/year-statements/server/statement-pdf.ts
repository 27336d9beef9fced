import type { Company } from '../../../server/hosts.ts'
import { PrintedDocument } from '../../../server/pdf-document.ts'
import { formatInstant, formatShortDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { plural, say } from '../../../shared/messages.ts'
import { methodLabel, receiptNumber } from '../../payments/rules.ts'
import type { PaidInYearResponse } from './paid.ts'

/** Renders the yearly statement for the payer's tax records: items with payments and totals. */
export function statementPdf(company: Company, paid: PaidInYearResponse, now: Date): PDFKit.PDFDocument {
  const year = String(paid.year)
  const document = new PrintedDocument(company, { title: say`Payments in ${year}, ${company.name}`, at: now })
  document.heading(say`Payments in ${year}`)
  document.details([
    [say`Payer`, paid.payer],
    [say`Year`, year],
    [say`As of`, formatInstant(now, company.timeZone)],
  ])
  for (const { title, reference, lines, amountCents, feeCents } of paid.items) {
    document.rule({ dashed: true })
    document.note([title, reference].filter(Boolean).join(', '), { bold: true })
    document.doc.moveDown(0.4)
    document.table(
      [
        lines.some((line) => line.reference) ? say`Date and item` : say`Date`,
        say`Receipt`,
        say`Payment method`,
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
    document.amount(say`Paid for this item, plus ${formatCents(feeCents)} in fees`, formatCents(amountCents))
  }
  if (paid.items.length === 0) document.note(say`No payments in ${year} from this account.`)
  else {
    document.total(say`Total, without fees`, formatCents(paid.amountCents))
    document.amount(say`Fees`, formatCents(paid.feeCents))
  }
  document.doc.moveDown(0.8)
  document.note(
    say`Each payment is listed under the date it was made. Amounts refunded or returned so far have been subtracted. Payments made without signing in are not included.`,
  )
  if (paid.refunded > 0)
    document.note(
      say`${plural(paid.refunded, '# payment was fully refunded or returned and is not included.', '# payments were fully refunded or returned and are not included.')}`,
    )
  if (paid.disputed > 0)
    document.note(
      say`${plural(paid.disputed, '# payment is disputed and is included until the dispute is decided.', '# payments are disputed and are included until the disputes are decided.')}`,
    )
  return document.end()
}
