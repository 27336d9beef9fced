import PDFDocument from 'pdfkit'
import { formatInstant } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { makeTheme } from '../../../shared/theme.ts'
import type { Company } from '../../../server/hosts.ts'
import { registerFonts } from '../../../server/pdf-fonts.ts'
import { factLabels, leftAfter, receiptNumber } from '../rules.ts'
import { drawSeal } from '../../../shared/plat.ts'
import { say } from '../../../shared/words.ts'
import type { OrderLine, PaidOrder } from './orders.ts'

/** Letter, in points. */
const PAGE = { width: 612, height: 792, margin: 72 }
const INK = '#111111'
const MUTED = '#4d5566'

/**
 * A paid order's receipt: one Letter page, tagged for screen readers, the same facts as on the screen.
 * `lineNo`: of this line alone, with its own fee, for whoever wants it by itself.
 */
export function receiptPdf(company: Company, whole: PaidOrder, test: boolean, lineNo?: number): PDFKit.PDFDocument {
  const order = lineNo === undefined ? whole : ofLine(whole, lineNo)
  const number = receiptNumber(order.id, lineNo)
  const doc = new PDFDocument({
    size: 'LETTER',
    margin: PAGE.margin,
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
  const { deep } = makeTheme(company.themeBackground, company.themeText).tokens
  const document = doc.struct('Document')
  doc.addStructure(document)
  const section = (tag: string, draw: () => unknown) => document.add(doc.struct(tag, {}, [() => void draw()]))
  const width = PAGE.width - 2 * PAGE.margin

  seal(doc, company.name, deep)
  const beside = PAGE.margin + SEAL + 14
  section('H1', () =>
    doc
      .font('display')
      .fontSize(22)
      .fillColor(deep)
      .text(company.name, beside, PAGE.margin + 4, { width: width - SEAL - 14 }),
  )
  section('P', () =>
    doc
      .font('text')
      .fontSize(10.5)
      .fillColor(MUTED)
      .text(
        `${company.address1}, ${company.city}, ${company.state} ${company.zipcode}  ·  ${formatPhone(company.phone)}`,
        { width: width - SEAL - 14 },
      ),
  )
  doc.x = PAGE.margin
  doc.y = Math.max(doc.y, PAGE.margin + SEAL)
  doc.moveDown(1.4)
  section('H2', () =>
    doc
      .font('display')
      .fontSize(17)
      .fillColor(INK)
      .text(say`Receipt`, { width }),
  )
  doc.moveDown(0.5)
  // The facts of one line stand with those of the receipt; those of several each below its line.
  const only = order.lines.length === 1 ? order.lines[0] : undefined
  const facts = [
    [say`Receipt`, number],
    ...(lineNo === undefined
      ? []
      : [[say`Part of`, say`payment ${receiptNumber(whole.id)} of ${formatCents(whole.total_cents)}`]]),
    [say`Date`, formatInstant(order.paid_at ?? order.created_at, company.timeZone)],
    ...(only ? only.facts.map(({ name, value }) => [factLabels[name] ?? name, value]) : []),
    [say`Paid by`, order.means],
    [say`Status`, say`Successful`],
  ]
  for (const [label = '', value = ''] of facts)
    section('P', () => {
      const y = doc.y
      doc.font('text').fontSize(11).fillColor(MUTED).text(label, PAGE.margin, y, { width: 104 })
      doc
        .font('text')
        .fillColor(INK)
        .text(value, PAGE.margin + 110, y, { width: width - 110 })
      doc.moveDown(0.3)
    })
  rule(doc, [2, 3])
  const rows = only
    ? [...rowsOf(only), ...feeOf(feeName(order), order.fee_cents)]
    : order.lines.flatMap((line) => [withFacts(line), ...feeOf(feeOfLine(feeName(order), line), line.fee_cents)])
  for (const [label, amount] of rows) section('P', () => moneyRow(doc, label, amount, 'text', 11.5, width))
  rule(doc)
  section('P', () => moneyRow(doc, say`Total paid`, formatCents(order.total_cents), 'display', 14, width))
  const right = PAGE.margin + width
  for (const offset of [0, 2.5])
    doc
      .lineWidth(0.8)
      .strokeColor(INK)
      .moveTo(right - 110, doc.y + offset)
      .lineTo(right, doc.y + offset)
      .stroke()
  doc.moveDown(1)
  const left = leftAfter(order.lines)
  if (left !== null && left !== 0)
    section('P', () =>
      moneyRow(
        doc,
        left > 0 ? say`Left to pay` : say`Credit on the account`,
        formatCents(Math.abs(left)),
        'text',
        11.5,
        width,
      ),
    )
  doc.moveDown(0.8)
  if (test)
    section('P', () =>
      doc
        .font('bold')
        .fontSize(10.5)
        .fillColor(INK)
        .text(say`TEST: no money moves. This receipt is not valid.`, PAGE.margin, doc.y, { width }),
    )
  section('P', () =>
    doc
      .font('text')
      .fontSize(10.5)
      .fillColor(MUTED)
      .text(say`Keep this receipt for your records.`, PAGE.margin, doc.y, { width }),
  )
  doc.end()
  return doc
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

const feeName = ({ fee_quote }: PaidOrder): string =>
  fee_quote['program'] === 'service' ? say`Service fee` : say`Convenience fee`

/** Its width and height on paper. */
const SEAL = 48

/** The town's seal as on the screens; its name stands beside it, so it is not read out. */
function seal(doc: PDFKit.PDFDocument, name: string, deep: string): void {
  const { letter, beads } = drawSeal(name)
  doc.markContent('Artifact', { type: 'Layout' })
  doc
    .save()
    .translate(PAGE.margin, PAGE.margin)
    .scale(SEAL / 64)
  doc.circle(32, 32, 31).fill(deep)
  doc.lineWidth(1.1).circle(32, 32, 28.2).stroke('#ffffff')
  for (const { x, y } of beads) doc.circle(x, y, 0.9).fill('#ffffff')
  doc.circle(32, 32, 21.5).fill('#ffffff')
  doc
    .font('display')
    .fontSize(26)
    .fillColor(deep)
    .text(letter, 10, 13.5, { width: 44, align: 'center', lineBreak: false })
  doc.lineWidth(1).dash(1.4, { space: 1.4 }).moveTo(22, 47.5).lineTo(42, 47.5).stroke(deep)
  doc.restore()
  doc.endMarkedContent()
}

function moneyRow(
  doc: PDFKit.PDFDocument,
  label: string,
  amount: string,
  font: string,
  size: number,
  width: number,
): void {
  const y = doc.y + 5
  doc
    .font(font)
    .fontSize(size)
    .fillColor(INK)
    .text(label, PAGE.margin, y, { width: width - 120 })
  const below = doc.y
  doc.font(font).text(amount, PAGE.margin + width - 120, y, { width: 120, align: 'right' })
  doc.y = Math.max(below, doc.y) + 3
}

/** A decorative line, which screen readers skip. */
function rule(doc: PDFKit.PDFDocument, dash?: [number, number]): void {
  doc.y += 8
  doc.markContent('Artifact', { type: 'Layout' })
  doc.save().lineWidth(0.8).strokeColor(INK)
  if (dash) doc.dash(dash[0], { space: dash[1] })
  doc
    .moveTo(PAGE.margin, doc.y)
    .lineTo(PAGE.width - PAGE.margin, doc.y)
    .stroke()
    .restore()
  doc.endMarkedContent()
  doc.y += 8
}
