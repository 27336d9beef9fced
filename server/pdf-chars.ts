import { say } from '../shared/messages.ts'
import { type Face, type FaceRun, RIGHT_TO_LEFT, runsOf } from './pdf-faces.ts'

/** Matches text in which every character is in the product's own fonts. Nearly all text matches. */
const PLAIN = /^[\n -~]*$/

/**
 * Splits right-to-left text into its words and the spaces, punctuation, numbers and symbols before and after them. Only
 * the words between are put into reverse order.
 */
const AROUND = /^([\p{Z}\p{P}\p{N}\p{S}]*)([^]*?)([\p{Z}\p{P}\p{N}\p{S}]*)$/u

type TextOptions = PDFKit.Mixins.TextOptions
/** A PDF document's current font and font size, which the library's types do not declare. */
type Inner = { _font: { ascender: number }; _fontSize: number }

/** Returns the document's original methods, which the replacement methods call. */
const methodsOf = (doc: PDFKit.PDFDocument) => ({
  font: doc.font.bind(doc),
  text: doc.text.bind(doc),
  end: doc.end.bind(doc),
  width: doc.widthOfString.bind(doc),
  height: doc.heightOfString.bind(doc),
})
type Methods = ReturnType<typeof methodsOf>

/** Makes a document print each character with a font that has it. */
export function renderAllChars(doc: PDFKit.PDFDocument, own: readonly Face[]): void {
  const original = methodsOf(doc)
  const fonts = chooseFonts(doc, own, original)
  replaceMeasures(doc, fonts, original)
  replaceText(doc, fonts, original)
  noteMissing(doc, fonts.missing, original)
}

/** Tracks the document's current font and finds fallback fonts for the characters that it lacks. */
function chooseFonts(doc: PDFKit.PDFDocument, own: readonly Face[], original: Methods) {
  const inner = doc as unknown as Inner
  const missing = new Set<string>()
  const registered = new Set<string>()
  let current = own.find(({ name }) => name === 'text')
  doc.font = (source, ...more: never[]) => {
    current = own.find(({ name }) => name === source) ?? current
    return original.font(source as string, ...more)
  }
  const runsIn = (text: string): FaceRun[] => (current ? runsOf(text, current, current.name !== 'text', missing) : [])
  return {
    missing,
    /** Splits a text into runs. Each run uses one font. */
    runsIn,
    /** Returns the parts of a text with their fonts. Empty if the text is plain. */
    facesIn: (text: string): FaceRun[] => (PLAIN.test(text) ? [] : runsIn(text)),
    isOwn: (runs: readonly FaceRun[]) => runs.every(({ face }) => face === current),
    use: ({ name, data }: Face) => {
      if (!registered.has(name) && !own.some((one) => one.name === name)) doc.registerFont(name, data)
      registered.add(name)
      original.font(name)
    },
    /** Runs work that changes the font, then restores the document's font. */
    withFonts: <T>(work: () => T): T => {
      const chosen = inner._font
      try {
        return work()
      } finally {
        inner._font = chosen
      }
    },
  }
}
type Fonts = ReturnType<typeof chooseFonts>

function replaceMeasures(doc: PDFKit.PDFDocument, { facesIn, isOwn, use, withFonts }: Fonts, original: Methods): void {
  doc.widthOfString = (text, options) => {
    const runs = facesIn(text)
    if (isOwn(runs)) return original.width(text, options)
    return withFonts(() =>
      runs.reduce((sum, run) => {
        use(run.face)
        return sum + original.width(run.text, options)
      }, 0),
    )
  }
  doc.heightOfString = (text, options) => {
    const runs = facesIn(text)
    if (isOwn(runs)) return original.height(text, options)
    return withFonts(() =>
      Math.max(
        ...runs.map(({ face }) => {
          use(face)
          return original.height(text, options)
        }),
      ),
    )
  }
}

function replaceText(doc: PDFKit.PDFDocument, fonts: Fonts, original: Methods): void {
  doc.text = ((text: string, x?: number | TextOptions, y?: number, options?: TextOptions) => {
    const content = String(text)
    if (fonts.isOwn(fonts.facesIn(content))) return original.text(text, x as number, y, options)
    const how = (typeof x === 'object' ? x : options) ?? {}
    if (typeof x === 'number') doc.x = x
    if (typeof y === 'number') doc.y = y
    const lines = content.split(/\r\n|\n|\r/)
    fonts.withFonts(() => {
      for (const [at, line] of lines.entries())
        renderLine(doc, fonts, original, line, at === lines.length - 1 ? how : { ...how, continued: false })
    })
    return doc
  }) as typeof doc.text
}

function renderLine(doc: PDFKit.PDFDocument, fonts: Fonts, original: Methods, line: string, options: TextOptions) {
  const runs = fonts.runsIn(line)
  const [only] = runs
  if (!only) return void original.text(' ', options)
  if (runs.length === 1) {
    fonts.use(only.face)
    const text = RIGHT_TO_LEFT.test(only.text) ? turned(only.text, original.width, options.width) : only.text
    return void original.text(text, options)
  }
  const inner = doc as unknown as Inner
  // Ascent of the current font: the height of letters above the baseline. It differs from font to font.
  const rise = (inner._font.ascender / 1000) * inner._fontSize
  doc.y += rise
  for (const [at, { face, text }] of runs.entries()) {
    fonts.use(face)
    const isLast = at === runs.length - 1
    const how = { ...options, baseline: 'alphabetic', continued: isLast ? options.continued === true : true } as const
    original.text(RIGHT_TO_LEFT.test(text) ? turned(text, original.width) : text, how)
  }
  doc.y -= rise
}

/** Reverses the word order in lines of Arabic and Hebrew, because the library sets words only from left to right. */
function turned(text: string, widthOf: (text: string) => number, width = Number.POSITIVE_INFINITY): string {
  const [, before = '', middle = '', after = ''] = AROUND.exec(text) ?? []
  const lines: string[][] = [[]]
  for (const word of middle.split(/( +)/)) {
    const line = lines.at(-1) ?? []
    if (line.length > 0 && widthOf([before, ...line, word].join('')) > width) lines.push([word])
    else line.push(word)
  }
  return before + lines.map((line) => line.toReversed().join('')).join('\n') + after
}

/** Adds a note at the bottom of the last page. The note lists the characters that no font has. */
function noteMissing(doc: PDFKit.PDFDocument, missing: ReadonlySet<string>, original: Methods): void {
  doc.end = () => {
    if (missing.size > 0) {
      const chars = [...missing].map((char) => `U+${hexOf(char)}`).join(', ')
      doc.page.margins.bottom = 0
      doc.markContent('Artifact', { type: 'Pagination' })
      original.font('text').fontSize(7).fillColor('#b00020')
      const message = say`Characters that could not be printed: ${chars}. Write them in by hand, or ask for another spelling of the name.`
      original.text(message, doc.page.margins.left, doc.page.height - 18, { lineBreak: false })
      doc.endMarkedContent()
    }
    return original.end()
  }
}

const hexOf = (char: string): string => (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
