import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Face, faceOf, runsOf } from './pdf-faces.ts'
import { renderAllChars } from './pdf-chars.ts'
import { unpackWoff } from './woff.ts'

const { resolve } = createRequire(import.meta.url)
const files = {
  display: '@fontsource/besley/files/besley-latin-700-normal.woff',
  text: '@fontsource/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-400-normal.woff',
  bold: '@fontsource/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-700-normal.woff',
}
let fonts: Face[] | null = null

/**
 * Registers the product's fonts in a PDF: `display`, `text` and `bold`. Fallback fonts print characters that these
 * lack, for example in Vietnamese, Russian, Arabic and Chinese names. If no font has a character, a note on the last
 * page warns staff about the incomplete text.
 */
export function registerFonts(doc: PDFKit.PDFDocument): void {
  const own = ownFonts()
  for (const { name, data } of own) doc.registerFont(name, data)
  renderAllChars(doc, own)
}

const ownFonts = (): Face[] =>
  (fonts ??= Object.entries(files).map(([name, file]) => faceOf(name, unpackWoff(readFileSync(resolve(file))))))

/** Returns each character of a text that no document can print, without repeats. */
export function missingChars(text: string): string[] {
  const missing = new Set<string>()
  const own = ownFonts().find(({ name }) => name === 'text')
  if (own) runsOf(text, own, false, missing)
  return [...missing]
}
