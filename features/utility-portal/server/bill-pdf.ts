import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { plural, say } from '../../../shared/messages.ts'
import type { Company } from '../../../server/hosts.ts'
import { PrintedDocument } from '../../../server/pdf-document.ts'
import { itemsOf } from '../../utility-accounts/rules.ts'
import type { Bill, BilledAccount } from './bills.ts'
import { type LinkMailing, linkPart } from './link-mailing-pdf.ts'
import { daysOf } from '../rules.ts'

/** Optional parts below a bill: a payment link with its expiration, and a link code. */
export interface BelowBill {
  pay: { url: string; until: string } | null
  link: LinkMailing | null
}

/** Renders a bill as a tagged Letter page with the same content as the screen. */
export function billPdf(
  company: Company,
  account: BilledAccount,
  bill: Bill,
  { pay, link }: BelowBill,
): PDFKit.PDFDocument {
  const pdf = new PrintedDocument(company, {
    title: say`Utility bill ${bill.bill_number}, ${company.name}`,
    at: new Date(`${bill.bill_date}T12:00:00Z`),
  })
  pdf.heading(say`Utility bill`)
  const period = [formatDate(bill.period_start), formatDate(bill.period_end)] as const
  pdf.details([
    [say`Bill`, bill.bill_number],
    [say`Bill date`, formatDate(bill.bill_date)],
    [say`Account`, account.number],
    [say`Customer`, account.customer],
    [say`Service address`, account.address],
    [say`Period`, say`${period[0]} to ${period[1]}, ${plural(daysOf(bill), '# day', '# days')}`],
    [say`Due`, formatDate(bill.due_date)],
  ])
  pdf.rule({ dashed: true })
  for (const { text, note, amountCents } of itemsOf(bill.lines))
    pdf.amount(note ? `${text}\n${note}` : text, formatCents(amountCents))
  pdf.total(say`Amount of this bill`, formatCents(bill.amount_cents))
  if (bill.paid_elsewhere_cents > 0)
    pdf.amount(say`Payments received outside the portal`, formatCents(bill.paid_elsewhere_cents))
  pdf.doc.moveDown(0.8)
  pdf.note(say`This bill does not include any earlier balance or payments made through the portal.`)
  if (pay) {
    const until = formatDate(pay.until)
    const beside = say`This code works until ${until}. Scan the code with your phone to pay the amount due on this account, or go to ${pay.url}`
    pdf.qr(pay.url, say`Scan this code to pay the amount due on the account.`, beside)
  }
  if (link) {
    pdf.nextPage(company)
    pdf.heading(say`See and pay this account online`)
    pdf.details([[say`Account`, account.number]])
    linkPart(pdf, link)
  }
  return pdf.end()
}
