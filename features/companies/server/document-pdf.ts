import PDFDocument from 'pdfkit'
import type { Company } from '../../../server/hosts.ts'
import { registerFonts } from '../../../server/pdf-fonts.ts'
import { makeTheme } from '../../../shared/theme.ts'
import { say } from '../../../shared/messages.ts'
import type { Block, Run } from './document-text.ts'

/** Page layout in points, for US Letter paper. */
const MARGIN = 72
const WIDTH = 612 - 2 * MARGIN
const HEIGHT = 792
const INDENT = 18
const SIZE = 11
const INK = '#111111'
const MUTED = '#4d5566'

type Doc = PDFKit.PDFDocument

/** Renders a document of several pages, tagged for screen readers, with outline and page numbers. */
export function documentPdf(blocks: readonly Block[], company: Company | null, day: string): Doc {
  const title = blocks.find((block) => block.kind === 'title')
  const name = company?.name ?? 'Mainstreet'
  const doc = new PDFDocument({
    size: 'LETTER',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: MARGIN },
    tagged: true,
    // The library supports PDF/UA, but its types do not list it.
    subset: 'PDF/UA' as 'PDF/A-1',
    pdfVersion: '1.7',
    lang: 'en-US',
    displayTitle: true,
    bufferPages: true,
    info: {
      Title: `${title && 'text' in title ? title.text : ''}, ${name}`,
      Author: name,
      CreationDate: new Date(`${day}T12:00:00Z`),
    },
  })
  registerFonts(doc)
  const pdfDocument = new DocumentWriter(doc, makeTheme(company?.themeBackground, company?.themeText).tokens.deep)
  pdfDocument.letterhead(name)
  for (const block of blocks) pdfDocument.add(block)
  pdfDocument.end()
  return doc
}

class DocumentWriter {
  readonly #doc: Doc
  readonly #color: string
  readonly #root: PDFKit.PDFStructureElement

  constructor(doc: Doc, color: string) {
    this.#doc = doc
    this.#color = color
    this.#root = doc.struct('Document')
    doc.addStructure(this.#root)
  }

  /** Writes the company's name above the document. */
  letterhead(name: string): void {
    const doc = this.#doc
    this.#tagged('P', () =>
      doc.font('bold').fontSize(10.5).fillColor(MUTED).text(name, MARGIN, MARGIN, { width: WIDTH }),
    )
    doc.moveDown(1.2)
  }

  add(block: Block): void {
    if (block.kind === 'paragraph') {
      this.#tagged('P', () => this.#runs(block.runs, MARGIN, WIDTH))
      this.#doc.moveDown(0.7)
    } else if (block.kind === 'list') this.#list(block)
    else this.#heading(block)
  }

  #heading({ kind, text }: Extract<Block, { text: string }>): void {
    const doc = this.#doc
    const { tag, size, above } = headings[kind]
    doc.y += above
    // A heading stays on one page with the lines that follow.
    if (doc.y + size + 60 > HEIGHT - MARGIN) doc.addPage()
    if (kind !== 'title') doc.outline.addItem(text)
    this.#tagged(tag, () =>
      doc
        .font('display')
        .fontSize(size)
        .fillColor(kind === 'title' ? this.#color : INK)
        .text(text, MARGIN, doc.y, { width: WIDTH }),
    )
    doc.moveDown(kind === 'title' ? 0.8 : 0.45)
  }

  #list({ numbered, items }: Extract<Block, { kind: 'list' }>): void {
    const doc = this.#doc
    const list = doc.struct('L')
    this.#root.add(list)
    for (const [i, runs] of items.entries()) {
      const item = doc.struct('LI')
      list.add(item)
      // The first line of a list item and its bullet or number stay on one page.
      if (doc.y + 2 * SIZE > HEIGHT - MARGIN) doc.addPage()
      const { y } = doc
      item.add(
        doc.struct('Lbl', {}, [
          () =>
            void doc
              .font('text')
              .fontSize(SIZE)
              .fillColor(this.#color)
              .text(numbered ? `${i + 1}.` : '•', MARGIN, y, { width: INDENT, lineBreak: false }),
        ]),
      )
      doc.y = y
      item.add(doc.struct('LBody', {}, [() => this.#runs(runs, MARGIN + INDENT, WIDTH - INDENT)]))
      item.end()
      doc.moveDown(0.35)
    }
    list.end()
    doc.moveDown(0.45)
  }

  #runs(runs: readonly Run[], x: number, width: number): void {
    const doc = this.#doc
    for (const [i, { text, bold }] of runs.entries()) {
      const options = { width, lineGap: 2.5, continued: i < runs.length - 1 }
      doc
        .font(bold ? 'bold' : 'text')
        .fontSize(SIZE)
        .fillColor(INK)
      if (i === 0) doc.text(text, x, doc.y, options)
      else doc.text(text, options)
    }
  }

  #tagged(tag: string, render: () => unknown): void {
    this.#root.add(this.#doc.struct(tag, {}, [() => void render()]))
  }

  /** Adds page numbers, which screen readers skip. */
  end(): void {
    const doc = this.#doc
    this.#root.end()
    const { start, count } = doc.bufferedPageRange()
    for (let i = start; i < start + count; i++) {
      doc.switchToPage(i)
      doc.page.margins.bottom = 0
      doc.markContent('Artifact', { type: 'Pagination' })
      doc
        .font('text')
        .fontSize(9)
        .fillColor(MUTED)
        .text(say`Page ${i + 1} of ${count}`, MARGIN, HEIGHT - MARGIN / 2 - 9, {
          width: WIDTH,
          align: 'right',
          lineBreak: false,
        })
      doc.endMarkedContent()
    }
    doc.end()
  }
}

const headings = {
  title: { tag: 'H1', size: 24, above: 0 },
  heading: { tag: 'H2', size: 14.5, above: 8 },
  subheading: { tag: 'H3', size: 12, above: 4 },
} as const
