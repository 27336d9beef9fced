import { PDFiumLibrary } from '@hyzyla/pdfium'
import {
  PDFCheckBox,
  PDFDocument,
  PDFDropdown,
  type PDFField,
  PDFOptionList,
  PDFRadioGroup,
  PDFTextField,
} from '@cantoo/pdf-lib'
import { getDocument, type PageViewport } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { fillEach } from './acroform.ts'
import { repairFields } from './repair.ts'
import type { Renderer } from './renderers.ts'

/** Result of a rendering test. The test fills the fields of a PDF with samples, and two programs draw the pages. */
export interface Proof {
  /** Number of fields tested. */
  of: number
  /** Number of fields that each program shows. */
  rendered: Record<Renderer, number>
  /** PDF names of the fields that at least one program doesn't show. */
  unseen: string[]
}

interface RenderedPage {
  width: number
  height: number
  /** Four bytes for each pixel. The first three are its color. */
  points: Uint8Array | Uint8ClampedArray
}
type Rectangle = [left: number, bottom: number, right: number, top: number]

/** Minimum color difference of a pixel that counts as ink. A filled field has at least `MIN_POINTS` such pixels. */
const MIN_DIFFERENCE = 48
const MIN_POINTS = 3

/**
 * Fills in each named field and renders the pages before and after with two programs. Compares the pixels inside the
 * field's rectangles. The comparison finds values that the library writes but a program doesn't show.
 * @throws the errors of the libraries for this file
 */
export async function proveForm(content: Uint8Array, names: readonly string[]): Promise<Proof> {
  const wanted = new Set(names)
  const isWanted = (one: PDFField) => wanted.has(one.getName())
  const [blank, filled] = [
    await fillEach(content, (one) => isWanted(one) && empty(one)),
    await sampleForm(content, names),
  ]
  const rectangles = await rectanglesOf(content, isWanted)
  const seen = {
    PDFium: seenIn(rectangles, await renderedByPdfium(blank), await renderedByPdfium(filled)),
    'PDF.js': seenIn(rectangles, await renderedByPdfJs(blank), await renderedByPdfJs(filled)),
  }
  return {
    of: wanted.size,
    rendered: { PDFium: seen.PDFium.size, 'PDF.js': seen['PDF.js'].size },
    unseen: [...wanted].filter((name) => !seen.PDFium.has(name) || !seen['PDF.js'].has(name)),
  }
}

/** Returns the flattened PDF with a sample in each named field. */
export function sampleForm(content: Uint8Array, names: readonly string[]): Promise<Uint8Array> {
  const wanted = new Set(names)
  return fillEach(content, (one) => wanted.has(one.getName()) && sample(one))
}

function empty(one: PDFField): boolean {
  if (one instanceof PDFTextField) one.setText('')
  else if (one instanceof PDFCheckBox) one.uncheck()
  else if (one instanceof PDFRadioGroup || one instanceof PDFDropdown || one instanceof PDFOptionList) one.clear()
  return true
}

const SAMPLE_TEXT = 'ABC123'

function sample(one: PDFField): boolean {
  if (one instanceof PDFTextField) one.setText(SAMPLE_TEXT.slice(0, one.getMaxLength() ?? SAMPLE_TEXT.length))
  else if (one instanceof PDFCheckBox) one.check()
  else if (one instanceof PDFRadioGroup || one instanceof PDFDropdown || one instanceof PDFOptionList) {
    const option = one.getOptions().find((text) => text.trim() !== '')
    if (option !== undefined) one.select(option)
  }
  return true
}

/** Rectangles of the fields by page, in pixels of the image. */
type FieldRectangles = Map<number, { name: string; at: Rectangle }[]>

async function rectanglesOf(content: Uint8Array, isWanted: (one: PDFField) => boolean): Promise<FieldRectangles> {
  const document = await PDFDocument.load(content, { updateMetadata: false })
  repairFields(document)
  const pages = document.getPages()
  const rectangles: FieldRectangles = new Map()
  const views = await viewsOf(content)
  for (const one of document.getForm().getFields().filter(isWanted))
    for (const widget of one.acroField.getWidgets()) {
      const { x, y, width, height } = widget.getRectangle()
      const ref = document.context.getObjectRef(widget.dict)
      const no = pages.findIndex(({ ref: own, node }) => {
        const annotations = node.Annots()?.asArray() ?? []
        return (
          widget.P() === own || (ref !== undefined && annotations.includes(ref)) || annotations.includes(widget.dict)
        )
      })
      const view = views[no]
      if (!view) continue
      const at = inImage(view, [x, y, x + width, y + height])
      rectangles.set(no, [...(rectangles.get(no) ?? []), { name: one.getName(), at }])
    }
  return rectangles
}

/** Converts a rectangle on the page to pixels of the image. Takes the page's rotation and crop into account. */
function inImage({ transform }: PageViewport, [left, bottom, right, top]: Rectangle): Rectangle {
  const [a, b, c, d, e, f] = transform as [number, number, number, number, number, number]
  const xs = [a * left + c * bottom + e, a * right + c * top + e]
  const ys = [b * left + d * bottom + f, b * right + d * top + f]
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

async function withPdfJs<T>(
  content: Uint8Array,
  work: (document: Awaited<ReturnType<typeof getDocument>['promise']>) => Promise<T>,
) {
  const task = getDocument({ data: content.slice(), verbosity: 0 })
  try {
    return await work(await task.promise)
  } finally {
    await task.destroy()
  }
}

/** Returns the rotation and crop of each page. */
const viewsOf = (content: Uint8Array): Promise<PageViewport[]> =>
  withPdfJs(content, async (document) => {
    const views = []
    for (let no = 1; no <= document.numPages; no += 1)
      views.push((await document.getPage(no)).getViewport({ scale: 1 }))
    return views
  })

const renderedByPdfJs = (content: Uint8Array): Promise<RenderedPage[]> =>
  withPdfJs(content, async (document) => {
    const images = []
    for (let no = 1; no <= document.numPages; no += 1) {
      const page = await document.getPage(no)
      const viewport = page.getViewport({ scale: 1 })
      const factory = document.canvasFactory as Canvases
      const { canvas, context } = factory.create(viewport.width, viewport.height)
      await page.render({ canvas, canvasContext: context, viewport }).promise
      const { width, height, data } = context.getImageData(0, 0, canvas.width, canvas.height)
      images.push({ width, height, points: data })
    }
    return images
  })

/** Factory that creates canvases for PDF.js outside a browser. */
interface Canvases {
  create(width: number, height: number): { canvas: HTMLCanvasElement; context: CanvasRenderingContext2D }
}

async function renderedByPdfium(content: Uint8Array): Promise<RenderedPage[]> {
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(content)
    const images = []
    for (const page of document.pages()) {
      const { width, height, data } = await page.render({ scale: 1, render: 'bitmap' })
      images.push({ width, height, points: data })
    }
    document.destroy()
    return images
  } finally {
    library.destroy()
  }
}

/**
 * Returns the fields that the program shows. The images before and after differ inside the rectangles of these fields.
 */
function seenIn(
  rectangles: FieldRectangles,
  before: readonly RenderedPage[],
  after: readonly RenderedPage[],
): Set<string> {
  const seen = new Set<string>()
  for (const [no, fields] of rectangles) {
    const [old, now] = [before[no], after[no]]
    if (old && now) for (const { name, at } of fields) if (differs(old, now, at)) seen.add(name)
  }
  return seen
}

function differs(before: RenderedPage, after: RenderedPage, [left, top, right, bottom]: Rectangle): boolean {
  const { width, height } = after
  let count = 0
  for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, Math.ceil(bottom)); y += 1)
    for (let x = Math.max(0, Math.floor(left)); x < Math.min(width, Math.ceil(right)); x += 1) {
      const at = 4 * (y * width + x)
      const far = [0, 1, 2].some(
        (n) => Math.abs((before.points[at + n] ?? 0) - (after.points[at + n] ?? 0)) > MIN_DIFFERENCE,
      )
      if (far && (count += 1) >= MIN_POINTS) return true
    }
  return false
}
