import PDFDocument from 'pdfkit'
import { encode } from 'uqr'
import { formatPhone } from '../shared/phone.ts'
import { renderSeal } from '../shared/plat.ts'
import { makeTheme } from '../shared/theme.ts'
import type { Company } from './hosts.ts'
import { registerFonts } from './pdf-fonts.ts'

/** US Letter, in points. */
const PAGE = { width: 612, height: 792, margin: 72 }
const WIDTH = PAGE.width - 2 * PAGE.margin
const INK = '#111111'
const MUTED = '#4d5566'
/** Width and height of the printed seal, in points. */
const SEAL = 48
/** Size of a QR code, in points. At 1⅓ inches, phones read it from arm's length. */
const QR = 96

/**
 * Letter-size PDF in a company's style, tagged for screen readers. All text is in the document structure, in reading
 * order. Lines and the seal are decoration, which screen readers skip.
 */
export class PrintedDocument {
  readonly doc: PDFKit.PDFDocument
  readonly #document: PDFKit.PDFStructureElement

  constructor(company: Company, { title, at }: { title: string; at: Date }) {
    this.doc = new PDFDocument({
      size: 'LETTER',
      margin: PAGE.margin,
      tagged: true,
      pdfVersion: '1.7',
      lang: 'en-US',
      displayTitle: true,
      info: { Title: title, Author: company.name, CreationDate: at },
    })
    registerFonts(this.doc)
    this.#document = this.doc.struct('Document')
    this.doc.addStructure(this.#document)
    this.#letterhead(company)
  }

  #section(tag: string, render: () => unknown): void {
    this.#document.add(this.doc.struct(tag, {}, [() => void render()]))
  }

  #letterhead({ name, address1, city, state, zipcode, phone, themeBackground, themeText }: Company): void {
    const { doc } = this
    const { deep } = makeTheme(themeBackground, themeText).tokens
    seal(doc, name, deep)
    const beside = PAGE.margin + SEAL + 14
    const width = WIDTH - SEAL - 14
    this.#section('H1', () =>
      doc
        .font('display')
        .fontSize(22)
        .fillColor(deep)
        .text(name, beside, PAGE.margin + 4, { width }),
    )
    this.#section('P', () =>
      doc
        .font('text')
        .fontSize(10.5)
        .fillColor(MUTED)
        .text(`${address1}, ${city}, ${state} ${zipcode}  ·  ${formatPhone(phone)}`, { width }),
    )
    doc.x = PAGE.margin
    doc.y = Math.max(doc.y, PAGE.margin + SEAL)
    doc.moveDown(1.4)
  }

  /** Adds a page with a letterhead, for another letter in the same file. */
  nextPage(company: Company): void {
    this.doc.addPage()
    this.#letterhead(company)
  }

  /** Adds the recipient's address at the position of an envelope's window. */
  address(lines: readonly string[]): void {
    this.#section('P', () =>
      this.doc.font('text').fontSize(11.5).fillColor(INK).text(lines.join('\n'), { width: WIDTH }),
    )
    this.doc.moveDown(2.2)
  }

  /**
   * Adds a QR code. Screen readers read `altText`, which must describe the code's content. `beside` is the text to the
   * right of the code.
   */
  qr(text: string, altText: string, beside = ''): void {
    const { doc } = this
    if (doc.y + QR > PAGE.height - PAGE.margin) doc.addPage()
    const { data, size } = encode(text, { border: 2 })
    const unit = QR / size
    const top = doc.y + 4
    const render = () => {
      for (const [y, row] of data.entries())
        for (const [x, on] of row.entries()) if (on) doc.rect(PAGE.margin + x * unit, top + y * unit, unit, unit)
      doc.fill('#000000')
    }
    this.#document.add(doc.struct('Figure', { alt: altText }, [render]))
    if (beside)
      this.#section('P', () =>
        doc
          .font('text')
          .fontSize(10.5)
          .fillColor(MUTED)
          .text(beside, PAGE.margin + QR + 14, top + 8, { width: WIDTH - QR - 14 }),
      )
    doc.x = PAGE.margin
    doc.y = Math.max(doc.y, top + QR) + 6
  }

  heading(text: string): void {
    this.#section('H2', () => this.doc.font('display').fontSize(17).fillColor(INK).text(text, { width: WIDTH }))
    this.doc.moveDown(0.5)
  }

  /** Adds pairs of labels and values, one pair on each line. */
  details(details: readonly (readonly string[])[]): void {
    const { doc } = this
    for (const [label = '', value = ''] of details)
      this.#section('P', () => {
        const y = doc.y
        doc.font('text').fontSize(11).fillColor(MUTED).text(label, PAGE.margin, y, { width: 104 })
        doc
          .font('text')
          .fillColor(INK)
          .text(value, PAGE.margin + 110, y, { width: WIDTH - 110 })
        doc.moveDown(0.3)
      })
  }

  /**
   * Adds a table with a header. `parts` are the relative column widths. A row never splits across pages, and long text
   * wraps in its column.
   */
  table(head: readonly string[], parts: readonly number[], rows: readonly (readonly string[])[]): void {
    const { doc } = this
    const whole = parts.reduce((sum, part) => sum + part, 0)
    const widths = parts.map((part) => (part / whole) * WIDTH)
    const lefts = widths.map((_, n) => PAGE.margin + widths.slice(0, n).reduce((sum, width) => sum + width, 0))
    const row = (cells: readonly string[], tag: 'TH' | 'TD') => {
      const font = () => doc.font(tag === 'TH' ? 'bold' : 'text').fontSize(9.5)
      font()
      const heights = cells.map((cell, n) => doc.heightOfString(cell || ' ', { width: (widths[n] ?? 0) - 6 }))
      const height = Math.max(...heights)
      if (doc.y + height > PAGE.height - PAGE.margin) doc.addPage()
      const top = doc.y
      const rendered = cells.map((cell, n) =>
        doc.struct(tag, {}, [
          () =>
            void font()
              .fillColor(INK)
              .text(cell || ' ', lefts[n] ?? 0, top, { width: (widths[n] ?? 0) - 6 }),
        ]),
      )
      this.#document.add(doc.struct('TR', {}, rendered))
      doc.x = PAGE.margin
      doc.y = top + height + 4
    }
    row(head, 'TH')
    this.rule()
    for (const cells of rows) row(cells, 'TD')
    doc.moveDown(0.5)
  }

  amount(label: string, amount: string): void {
    this.#section('P', () => this.#moneyRow(label, amount, 'text', 11.5))
  }

  /** Adds a total in bookkeeping style: a single line above, a double line below. */
  total(label: string, amount: string): void {
    const { doc } = this
    this.rule()
    this.#section('P', () => this.#moneyRow(label, amount, 'display', 14))
    const right = PAGE.margin + WIDTH
    this.#decoration(() => {
      for (const offset of [0, 2.5])
        doc
          .lineWidth(0.8)
          .strokeColor(INK)
          .moveTo(right - 110, doc.y + offset)
          .lineTo(right, doc.y + offset)
          .stroke()
    })
    doc.moveDown(1)
  }

  #moneyRow(label: string, amount: string, font: string, size: number): void {
    const { doc } = this
    const y = doc.y + 5
    doc
      .font(font)
      .fontSize(size)
      .fillColor(INK)
      .text(label, PAGE.margin, y, { width: WIDTH - 120 })
    const below = doc.y
    doc.font(font).text(amount, PAGE.margin + WIDTH - 120, y, { width: 120, align: 'right' })
    doc.y = Math.max(below, doc.y) + 3
  }

  /** Adds a sentence, in bold if it is important. */
  note(text: string, { bold = false } = {}): void {
    this.#section('P', () =>
      this.doc
        .font(bold ? 'bold' : 'text')
        .fontSize(10.5)
        .fillColor(bold ? INK : MUTED)
        .text(text, PAGE.margin, this.doc.y, { width: WIDTH }),
    )
  }

  /** Adds a full-width line. A dashed line shows where to cut. */
  rule({ dashed = false } = {}): void {
    const { doc } = this
    doc.y += 8
    this.#decoration(() => {
      doc.save().lineWidth(0.8).strokeColor(INK)
      if (dashed) doc.dash(2, { space: 3 })
      doc
        .moveTo(PAGE.margin, doc.y)
        .lineTo(PAGE.width - PAGE.margin, doc.y)
        .stroke()
        .restore()
    })
    doc.y += 8
  }

  #decoration(render: () => void): void {
    this.doc.markContent('Artifact', { type: 'Layout' })
    render()
    this.doc.endMarkedContent()
  }

  end(): PDFKit.PDFDocument {
    this.doc.end()
    return this.doc
  }
}

/** Draws the company's seal as on the screens. Screen readers skip it, because the name is next to it. */
function seal(doc: PDFKit.PDFDocument, name: string, deep: string): void {
  const { initial, beads } = renderSeal(name)
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
    .text(initial, 10, 13.5, { width: 44, align: 'center', lineBreak: false })
  doc.lineWidth(1).dash(1.4, { space: 1.4 }).moveTo(22, 47.5).lineTo(42, 47.5).stroke(deep)
  doc.restore()
  doc.endMarkedContent()
}
