import { formatInstant } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import type { Company } from '../../../../server/hosts.ts'
import { PrintedDocument } from '../../../../server/pdf-document.ts'
import { separateFeeCentsOf, factLabels, dueAfterPayment, receiptNumber } from '../../rules.ts'
import { say } from '../../../../shared/messages.ts'
import { withoutUnchargedFee } from '../ledger/charges.ts'
import { separateFeeMessage } from '../attempts/separate-fee-message.ts'
import type { OrderLine, PaidOrder } from '../orders/orders.ts'
import { receiptRoll } from './receipt-roll.ts'

/**
 * Renders the receipt of a paid order, with the same details as the screen. The PDF has one US Letter page and is
 * tagged for screen readers. `lineNo` limits the receipt to one line and its fee.
 */
export function receiptPdf(
  company: Company,
  whole: PaidOrder,
  test: boolean,
  lineNo?: number,
  on: 'letter' | 'roll' = 'letter',
): PDFKit.PDFDocument {
  const selected = lineNo === undefined ? whole : ofLine(whole, lineNo)
  const order = withoutUnchargedFee(selected)
  const separateCents = separateFeeCentsOf(selected.lines)
  const note =
    separateCents > 0 ? [`${separateFeeMessage(formatCents(separateCents), whole.fee?.status ?? 'waiting')}.`] : []
  if (on === 'roll') return receiptRoll(company, order, test, note, lineNo)
  const number = receiptNumber(order.id, lineNo)
  const at = order.paid_at ?? order.created_at
  const pdf = new PrintedDocument(company, { title: say`Receipt ${number}, ${company.name}`, at })
  pdf.heading(say`Receipt`)
  // If the receipt has only one line, the details of that line appear among the receipt's details. Otherwise the
  // details appear below each line.
  const only = order.lines.length === 1 ? order.lines[0] : undefined
  pdf.details([
    [say`Receipt`, number],
    ...(lineNo === undefined
      ? []
      : [[say`Part of payment`, say`${receiptNumber(whole.id)}, ${formatCents(whole.total_cents)} total`]]),
    [say`Date`, formatInstant(at, company.timeZone)],
    ...(only ? only.details.map(({ name, value }) => [factLabels[name] ?? name, value]) : []),
    [say`Paid with`, order.method_label],
    [say`Status`, say`Successful`],
  ])
  pdf.rule({ dashed: true })
  const rows = only
    ? [...rowsOf(only), ...feeOf(feeName(order), order.fee_cents)]
    : order.lines.flatMap((line) => [lineWithDetails(line), ...feeOf(feeOfLine(feeName(order), line), line.fee_cents)])
  for (const [label, amount] of rows) pdf.amount(label, amount)
  pdf.total(say`Total paid`, formatCents(order.total_cents))
  if (order.refunded_cents > 0) pdf.amount(say`Refunded later`, `-${formatCents(order.refunded_cents)}`)
  const left = dueAfterPayment(order.lines)
  if (left !== null && left !== 0)
    pdf.amount(left > 0 ? say`Remaining amount` : say`Credit on the account`, formatCents(Math.abs(left)))
  pdf.doc.moveDown(0.8)
  for (const noteText of note) pdf.note(noteText)
  if (test) pdf.note(say`TEST: no money moves. This receipt is not valid.`, { bold: true })
  pdf.note(say`Keep this receipt for your records.`)
  return pdf.end()
}

/** Returns one row for each part of a line's amount. If the line has no parts, returns one row for the line. */
const rowsOf = ({ items, title, amount_cents }: OrderLine): (readonly [string, string])[] =>
  items.length > 0
    ? items.map(({ text, amountCents }) => [text, formatCents(amountCents)] as const)
    : [[title, formatCents(amount_cents)]]

const lineWithDetails = ({ title, details, amount_cents }: OrderLine): readonly [string, string] => [
  [title, ...details.map(({ name, value }) => `${factLabels[name] ?? name} ${value}`)].join('\n'),
  formatCents(amount_cents),
]

/** Returns the payment as if it had only this line. */
function ofLine(order: PaidOrder, lineNo: number): PaidOrder {
  const lines = order.lines.filter(({ line_no }) => line_no === lineNo)
  const [bill_cents, fee_cents] = [lines[0]?.amount_cents ?? 0, lines[0]?.fee_cents ?? 0]
  return { ...order, lines, bill_cents, fee_cents, total_cents: bill_cents + fee_cents }
}

const feeOf = (label: string, cents: number): (readonly [string, string])[] =>
  cents > 0 ? [[label, formatCents(cents)]] : []

/** Adds the name of the line to the fee label. */
const feeOfLine = (name: string, { title, details: [fact] }: OrderLine): string =>
  [name, fact ? `${factLabels[fact.name] ?? fact.name} ${fact.value}` : title].join(', ')

/** Returns the fee label. If the fees belong to several programs, the label is neutral. */
const feeName = ({ lines }: Pick<PaidOrder, 'lines'>): string => {
  const programs = new Set(lines.filter(({ fee_cents }) => fee_cents > 0).map(({ fee_program }) => fee_program))
  if (programs.size > 1) return say`Fees`
  return programs.has('service') ? say`Service fee` : say`Convenience fee`
}
