import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'
import { say } from '../shared/words.ts'
import { type Face, faceOf, type FaceRun, RIGHT_TO_LEFT, runsOf } from './pdf-faces.ts'

const { resolve } = createRequire(import.meta.url)
const files = {
  display: '@fontsource/besley/files/besley-latin-700-normal.woff',
  text: '@fontsource/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-400-normal.woff',
  bold: '@fontsource/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-700-normal.woff',
}
let fonts: Face[] | null = null

/**
 * Registers the product's fonts in a PDF: `display`, `text` and `bold`. Letters that these lack, such as in Vietnamese,
 * Russian, Arabic and Chinese names, use fallback fonts. If no font has a letter, a note after the last page warns
 * staff, so that they do not hand out an incomplete name.
 */
export function registerFonts(doc: PDFKit.PDFDocument): void {
  const own = ownFonts()
  for (const { name, data } of own) doc.registerFont(name, data)
  renderAllChars(doc, own)
}

const ownFonts = (): Face[] =>
  (fonts ??= Object.entries(files).map(([name, file]) => faceOf(name, unpack(readFileSync(resolve(file))))))

/** Returns the letters of a text that no document can print, each once. */
export function missingLetters(text: string): string[] {
  const missing = new Set<string>()
  const own = ownFonts().find(({ name }) => name === 'text')
  if (own) runsOf(text, own, false, missing)
  return [...missing]
}

/** Characters that the product's fonts always have. Nearly all texts contain only these. */
const PLAIN = /^[\n -~]*$/

/** Signs before and after the words of right-to-left text. Their position stays. */
const AROUND = /^([\p{Z}\p{P}\p{N}\p{S}]*)([^]*?)([\p{Z}\p{P}\p{N}\p{S}]*)$/u

type TextOptions = PDFKit.Mixins.TextOptions
/** Current font of a document, which the library's types hide. */
type Inner = { _font: { ascender: number }; _fontSize: number }

function renderAllChars(doc: PDFKit.PDFDocument, own: readonly Face[]): void {
  const inner = doc as unknown as Inner
  const original = { font: doc.font.bind(doc), text: doc.text.bind(doc), end: doc.end.bind(doc) }
  const measured = { width: doc.widthOfString.bind(doc), height: doc.heightOfString.bind(doc) }
  const missing = new Set<string>()
  const registered = new Set<string>()
  let current = own.find(({ name }) => name === 'text')

  const facesIn = (text: string): FaceRun[] =>
    current && !PLAIN.test(text) ? runsOf(text, current, current.name !== 'text', missing) : []
  const isOwn = (runs: readonly FaceRun[]) => runs.every(({ face }) => face === current)
  const use = ({ name, data }: Face) => {
    if (!registered.has(name) && !own.some((one) => one.name === name)) doc.registerFont(name, data)
    registered.add(name)
    original.font(name)
  }
  /** Runs work with other fonts, then restores the document's font. */
  const withFonts = <T>(work: () => T): T => {
    const chosen = inner._font
    try {
      return work()
    } finally {
      inner._font = chosen
    }
  }

  doc.font = (source, ...more: never[]) => {
    current = own.find(({ name }) => name === source) ?? current
    return original.font(source as string, ...more)
  }
  doc.widthOfString = (text, options) => {
    const runs = facesIn(text)
    if (isOwn(runs)) return measured.width(text, options)
    return withFonts(() =>
      runs.reduce((sum, run) => {
        use(run.face)
        return sum + measured.width(run.text, options)
      }, 0),
    )
  }
  doc.heightOfString = (text, options) => {
    const runs = facesIn(text)
    if (isOwn(runs)) return measured.height(text, options)
    return withFonts(() =>
      Math.max(
        ...runs.map(({ face }) => {
          use(face)
          return measured.height(text, options)
        }),
      ),
    )
  }

  function drawLine(runs: readonly FaceRun[], options: TextOptions): void {
    const [only] = runs
    if (!only) return void original.text(' ', options)
    if (runs.length === 1) {
      use(only.face)
      return void original.text(RIGHT_TO_LEFT.test(only.text) ? turned(only.text, options.width) : only.text, options)
    }
    // Fonts differ in the height of their letters above the baseline.
    const rise = (inner._font.ascender / 1000) * inner._fontSize
    doc.y += rise
    for (const [at, { face, text }] of runs.entries()) {
      use(face)
      const isLast = at === runs.length - 1
      const how = { ...options, baseline: 'alphabetic', continued: isLast ? options.continued === true : true } as const
      original.text(RIGHT_TO_LEFT.test(text) ? turned(text) : text, how)
    }
    doc.y -= rise
  }

  /** The library sets words from left to right. This reverses Arabic and Hebrew words, line by line. */
  function turned(text: string, width = Number.POSITIVE_INFINITY): string {
    const [, before = '', middle = '', after = ''] = AROUND.exec(text) ?? []
    const lines: string[][] = [[]]
    for (const word of middle.split(/( +)/)) {
      const line = lines.at(-1) ?? []
      if (line.length > 0 && measured.width([before, ...line, word].join('')) > width) lines.push([word])
      else line.push(word)
    }
    return before + lines.map((line) => line.toReversed().join('')).join('\n') + after
  }

  doc.text = ((text: string, x?: number | TextOptions, y?: number, options?: TextOptions) => {
    const content = String(text)
    if (isOwn(facesIn(content))) return original.text(text, x as number, y, options)
    const how = (typeof x === 'object' ? x : options) ?? {}
    if (typeof x === 'number') doc.x = x
    if (typeof y === 'number') doc.y = y
    const lines = content.split(/\r\n|\n|\r/)
    withFonts(() => {
      for (const [at, line] of lines.entries()) {
        const runs = current ? runsOf(line, current, current.name !== 'text', missing) : []
        drawLine(runs, at === lines.length - 1 ? how : { ...how, continued: false })
      }
    })
    return doc
  }) as typeof doc.text

  doc.end = () => {
    if (missing.size > 0) {
      const chars = [...missing].map((char) => `U+${hexOf(char)}`).join(', ')
      doc.page.margins.bottom = 0
      doc.markContent('Artifact', { type: 'Pagination' })
      original.font('text').fontSize(7).fillColor('#b00020')
      const message = say`Letters that could not be printed: ${chars}. Write them by hand, or ask for the name in other letters.`
      original.text(message, doc.page.margins.left, doc.page.height - 18, { lineBreak: false })
      doc.endMarkedContent()
    }
    return original.end()
  }
}

const hexOf = (char: string): string => (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')

const WOFF_HEADER = 44
const WOFF_ENTRY = 20
const SFNT_HEADER = 12
const SFNT_ENTRY = 16

/**
 * Unpacks the font in a WOFF 1.0 file (W3C recommendation "WOFF File Format 1.0", sections 3 to 5). Otherwise the PDF
 * library would unpack it again for every letter, which takes 20 times as long.
 */
function unpack(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12)
  const font = Buffer.alloc(woff.readUInt32BE(16))
  const power = Math.floor(Math.log2(count))
  font.writeUInt32BE(woff.readUInt32BE(4), 0)
  font.writeUInt16BE(count, 4)
  font.writeUInt16BE(SFNT_ENTRY * 2 ** power, 6)
  font.writeUInt16BE(power, 8)
  font.writeUInt16BE(SFNT_ENTRY * (count - 2 ** power), 10)
  let at = SFNT_HEADER + SFNT_ENTRY * count
  for (let table = 0; table < count; table++) {
    const entry = WOFF_HEADER + WOFF_ENTRY * table
    const [offset, packed, length] = [4, 8, 12].map((field) => woff.readUInt32BE(entry + field)) as [
      number,
      number,
      number,
    ]
    const content = woff.subarray(offset, offset + packed)
    const target = SFNT_HEADER + SFNT_ENTRY * table
    woff.copy(font, target, entry, entry + 4)
    font.writeUInt32BE(woff.readUInt32BE(entry + 16), target + 4)
    font.writeUInt32BE(at, target + 8)
    font.writeUInt32BE(length, target + 12)
    ;(packed < length ? inflateSync(content) : content).copy(font, at)
    // Tables start at multiples of four bytes.
    at += Math.ceil(length / 4) * 4
  }
  return font
}
