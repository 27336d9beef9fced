import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { plural, say } from '../../../shared/words.ts'
import type { Company } from '../../../server/hosts.ts'
import { Paper } from '../../../server/paper.ts'
import { itemsOf } from '../../utility-accounts/rules.ts'
import type { Bill, BilledAccount } from './bills.ts'
import { type Letter, linkPart } from './letter-pdf.ts'
import { daysOf } from '../rules.ts'

/** Optional parts below a bill: payment link with its expiry, and link code. */
export interface BelowBill {
  pay: { url: string; until: string } | null
  link: Letter | null
}

/** Renders a bill as a tagged Letter page with the same content as the screen. */
export function billPdf(
  company: Company,
  account: BilledAccount,
  bill: Bill,
  { pay, link }: BelowBill,
): PDFKit.PDFDocument {
  const paper = new Paper(company, {
    title: say`Utility bill ${bill.bill_number}, ${company.name}`,
    at: new Date(`${bill.bill_date}T12:00:00Z`),
  })
  paper.heading(say`Utility bill`)
  const period = [formatDate(bill.period_start), formatDate(bill.period_end)] as const
  paper.details([
    [say`Bill`, bill.bill_number],
    [say`Bill date`, formatDate(bill.bill_date)],
    [say`Account`, account.number],
    [say`Customer`, account.customer],
    [say`Service address`, account.address],
    [say`Period`, say`${period[0]} to ${period[1]}, ${plural(daysOf(bill), '# day', '# days')}`],
    [say`Due`, formatDate(bill.due_date)],
  ])
  paper.rule({ dashed: true })
  for (const { text, note, amountCents } of itemsOf(bill.lines))
    paper.amount(note ? `${text}\n${note}` : text, formatCents(amountCents))
  paper.total(say`Amount of this bill`, formatCents(bill.amount_cents))
  if (bill.paid_elsewhere_cents > 0)
    paper.amount(say`Received outside of the portal`, formatCents(bill.paid_elsewhere_cents))
  paper.doc.moveDown(0.8)
  paper.note(say`This is the bill by itself, without a balance from before and without what was paid in the portal.`)
  if (pay) {
    const until = formatDate(pay.until)
    const beside = say`Scan it with your phone to pay what is owed on this account, until ${until}: ${pay.url}`
    paper.qr(pay.url, say`Scan this to pay what is owed on the account.`, beside)
  }
  if (link) {
    paper.nextPage(company)
    paper.heading(say`See and pay this account online`)
    paper.details([[say`Account`, account.number]])
    linkPart(paper, link)
  }
  return paper.end()
}
