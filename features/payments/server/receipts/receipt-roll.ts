import PDFDocument from 'pdfkit'
import type { Company } from '../../../../server/hosts.ts'
import { registerFonts } from '../../../../server/pdf-fonts.ts'
import { formatInstant } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import { say } from '../../../../shared/messages.ts'
import { factLabels, dueAfterPayment, receiptNumber } from '../../rules.ts'
import type { PaidOrder } from '../orders/orders.ts'

/** Width of the paper: 80 mm in points. A receipt printer prints on about 72 mm. */
const WIDTH = (80 / 25.4) * 72
const MARGIN = 11.5
const INSIDE = WIDTH - 2 * MARGIN
const AMOUNT = 62

type Row = readonly [font: 'text' | 'bold' | 'display', size: number, text: string, amount?: string]

/** Width of the paper: 80 mm in points. A receipt printer prints on only about 72 mm of this width. */
export function receiptRoll(
  company: Company,
  order: PaidOrder,
  test: boolean,
  notes: readonly string[],
  lineNo?: number,
): PDFKit.PDFDocument {
  const number = receiptNumber(order.id, lineNo)
  const doc = new PDFDocument({
    size: [WIDTH, 2000],
    margin: MARGIN,
    autoFirstPage: false,
    tagged: true,
    pdfVersion: '1.7',
    lang: 'en-US',
    displayTitle: true,
    info: {
      Title: say`Receipt ${number}, ${company.name}`,
      Author: company.name,
      CreationDate: order.paid_at ?? order.created_at,
    },
  })
  registerFonts(doc)
  const rows = rowsOf(company, order, test, number, notes)
  const height = rows.reduce((sum, row) => sum + heightOf(doc, row) + GAP, 2 * MARGIN)
  doc.addPage({ size: [WIDTH, Math.ceil(height)], margin: MARGIN })
  const document = doc.struct('Document')
  doc.addStructure(document)
  for (const row of rows) document.add(doc.struct('P', {}, [() => render(doc, row)]))
  doc.end()
  return doc
}

const GAP = 3

function rowsOf(company: Company, order: PaidOrder, test: boolean, number: string, notes: readonly string[]): Row[] {
  const left = dueAfterPayment(order.lines)
  return [
    ['display', 13, company.name],
    [
      'text',
      8,
      `${company.address1}, ${company.city}, ${company.state} ${company.zipcode}\n${formatPhone(company.phone)}`,
    ],
    ['bold', 10, say`Receipt ${number}`],
    ['text', 8.5, formatInstant(order.paid_at ?? order.created_at, company.timeZone)],
    ...order.lines.flatMap((line): Row[] => [
      ['bold', 9, line.title, formatCents(line.amount_cents)],
      ['text', 8, line.details.map(({ name, value }) => `${factLabels[name] ?? name} ${value}`).join('\n')],
      ...(line.fee_cents > 0 ? [['text', 8, say`Fee`, formatCents(line.fee_cents)] as const] : []),
    ]),
    ['display', 11, say`Total paid`, formatCents(order.total_cents)],
    ...notes.map((noteText) => ['text', 8, noteText] as const),
    ...(order.refunded_cents > 0
      ? [['text', 9, say`Refunded later`, `-${formatCents(order.refunded_cents)}`] as const]
      : []),
    ['text', 8.5, say`Paid with ${order.method_label}`],
    ...(left === null || left === 0
      ? []
      : [
          [
            'text',
            8.5,
            left > 0 ? say`Remaining amount` : say`Credit on the account`,
            formatCents(Math.abs(left)),
          ] as const,
        ]),
    ...(test ? [['bold', 8.5, say`TEST: no money moves. This receipt is not valid.`] as const] : []),
    ['text', 8, say`Keep this receipt for your records.`],
  ]
}

const widthOf = ([, , , amount]: Row): number => (amount === undefined ? INSIDE : INSIDE - AMOUNT)

const heightOf = (doc: PDFKit.PDFDocument, row: Row): number =>
  doc
    .font(row[0])
    .fontSize(row[1])
    .heightOfString(row[2], { width: widthOf(row) })

function render(doc: PDFKit.PDFDocument, row: Row): void {
  const [font, size, text, amount] = row
  const y = doc.y
  doc
    .font(font)
    .fontSize(size)
    .fillColor('#000000')
    .text(text, MARGIN, y, { width: widthOf(row) })
  const below = doc.y
  if (amount !== undefined) doc.text(amount, MARGIN + INSIDE - AMOUNT, y, { width: AMOUNT, align: 'right' })
  doc.y = below + GAP
}
