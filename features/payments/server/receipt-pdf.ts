import { formatInstant } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import type { Company } from '../../../server/hosts.ts'
import { Paper } from '../../../server/paper.ts'
import { apartOf, factLabels, leftAfter, receiptNumber } from '../rules.ts'
import { say } from '../../../shared/words.ts'
import { asPaid } from './charges.ts'
import { ownFeeSays } from './own-fee-says.ts'
import type { OrderLine, PaidOrder } from './orders.ts'
import { receiptRoll } from './receipt-roll.ts'

/**
 * A paid order's receipt: one Letter page, tagged for screen readers, the same facts as on the screen.
 * `lineNo`: of this line alone, with its own fee, for whoever wants it by itself.
 */
export function receiptPdf(
  company: Company,
  whole: PaidOrder,
  test: boolean,
  lineNo?: number,
  on: 'letter' | 'roll' = 'letter',
): PDFKit.PDFDocument {
  const asked = lineNo === undefined ? whole : ofLine(whole, lineNo)
  const order = asPaid(asked)
  const apart = apartOf(asked.lines)
  const note = apart > 0 ? [`${ownFeeSays(formatCents(apart), whole.fee?.status ?? 'waiting')}.`] : []
  if (on === 'roll') return receiptRoll(company, order, test, note, lineNo)
  const number = receiptNumber(order.id, lineNo)
  const at = order.paid_at ?? order.created_at
  const paper = new Paper(company, { title: say`Receipt ${number}, ${company.name}`, at })
  paper.heading(say`Receipt`)
  // The facts of one line stand with those of the receipt; those of several each below its line.
  const only = order.lines.length === 1 ? order.lines[0] : undefined
  paper.facts([
    [say`Receipt`, number],
    ...(lineNo === undefined
      ? []
      : [[say`Part of`, say`payment ${receiptNumber(whole.id)} of ${formatCents(whole.total_cents)}`]]),
    [say`Date`, formatInstant(at, company.timeZone)],
    ...(only ? only.facts.map(({ name, value }) => [factLabels[name] ?? name, value]) : []),
    [say`Paid by`, order.means],
    [say`Status`, say`Successful`],
  ])
  paper.rule({ dashed: true })
  const rows = only
    ? [...rowsOf(only), ...feeOf(feeName(order), order.fee_cents)]
    : order.lines.flatMap((line) => [withFacts(line), ...feeOf(feeOfLine(feeName(order), line), line.fee_cents)])
  for (const [label, amount] of rows) paper.amount(label, amount)
  paper.total(say`Total paid`, formatCents(order.total_cents))
  if (order.refunded_cents > 0) paper.amount(say`Given back since`, `-${formatCents(order.refunded_cents)}`)
  const left = leftAfter(order.lines)
  if (left !== null && left !== 0)
    paper.amount(left > 0 ? say`Left to pay` : say`Credit on the account`, formatCents(Math.abs(left)))
  paper.doc.moveDown(0.8)
  for (const says of note) paper.note(says)
  if (test) paper.note(say`TEST: no money moves. This receipt is not valid.`, { bold: true })
  paper.note(say`Keep this receipt for your records.`)
  return paper.end()
}

/** What a line's amount is made of, or the line as a whole. */
const rowsOf = ({ items, title, amount_cents }: OrderLine): (readonly [string, string])[] =>
  items.length > 0
    ? items.map(({ text, amountCents }) => [text, formatCents(amountCents)] as const)
    : [[title, formatCents(amount_cents)]]

const withFacts = ({ title, facts, amount_cents }: OrderLine): readonly [string, string] => [
  [title, ...facts.map(({ name, value }) => `${factLabels[name] ?? name} ${value}`)].join('\n'),
  formatCents(amount_cents),
]

/** The payment as if it paid one of its lines alone. */
function ofLine(order: PaidOrder, lineNo: number): PaidOrder {
  const lines = order.lines.filter(({ line_no }) => line_no === lineNo)
  const [bill_cents, fee_cents] = [lines[0]?.amount_cents ?? 0, lines[0]?.fee_cents ?? 0]
  return { ...order, lines, bill_cents, fee_cents, total_cents: bill_cents + fee_cents }
}

const feeOf = (label: string, cents: number): (readonly [string, string])[] =>
  cents > 0 ? [[label, formatCents(cents)]] : []

/** Which of several lines a fee is for. */
const feeOfLine = (name: string, { title, facts: [fact] }: OrderLine): string =>
  [name, fact ? `${factLabels[fact.name] ?? fact.name} ${fact.value}` : title].join(', ')

/** Lines may have fees of several programs: then it is called by neither. */
const feeName = ({ lines }: Pick<PaidOrder, 'lines'>): string => {
  const programs = new Set(lines.filter(({ fee_cents }) => fee_cents > 0).map(({ fee_program }) => fee_program))
  if (programs.size > 1) return say`Fees`
  return programs.has('service') ? say`Service fee` : say`Convenience fee`
}
