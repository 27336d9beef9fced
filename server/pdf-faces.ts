import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import fontkit from '@cantoo/fontkit'

const { resolve } = createRequire(import.meta.url)

/** Fallback fonts, in order of preference. They are used for characters that a document's own font lacks. */
const FILES = {
  // Font with all Latin letters including Vietnamese, plus Greek and Cyrillic.
  latin: { of: '@embedpdf/fonts-latin', text: 'NotoSans-Regular.ttf', bold: 'NotoSans-Bold.ttf' },
  hebrew: { of: '@embedpdf/fonts-hebrew', text: 'NotoSansHebrew-Regular.ttf', bold: 'NotoSansHebrew-Bold.ttf' },
  arabic: { of: '@embedpdf/fonts-arabic', text: 'NotoNaskhArabic-Regular.ttf', bold: 'NotoNaskhArabic-Bold.ttf' },
  chinese: { of: '@embedpdf/fonts-sc', text: 'NotoSansHans-Regular.otf', bold: 'NotoSansHans-Bold.otf' },
  korean: { of: '@embedpdf/fonts-kr', text: 'NotoSansKR-Regular.otf', bold: 'NotoSansKR-Bold.otf' },
} as const
const SCRIPTS = Object.keys(FILES) as (keyof typeof FILES)[]

/** Font, with a function that checks whether the font has a character. */
export interface Face {
  name: string
  data: Buffer
  has: (char: string) => boolean
}

export function faceOf(name: string, data: Buffer): Face {
  const font = fontkit.create(data)
  if (!('hasGlyphForCodePoint' in font)) throw new Error(`${name} is a collection of fonts`)
  return { name, data, has: (char) => font.hasGlyphForCodePoint(char.codePointAt(0) ?? 0) }
}

/**
 * Reads a font file. The packages do not export their font files, so the path starts in the folder of the package's
 * code.
 */
const read = ({ of, text, bold }: { of: string; text: string; bold: string }, isBold: boolean): Buffer =>
  readFileSync(join(dirname(resolve(of)), '../fonts', isBold ? bold : text))

const loaded = new Map<string, Face>()

/** Returns loaders of the fallback fonts. Each font is read when a document first needs it. */
export const fallbacksOf = (isBold: boolean): (() => Face)[] =>
  SCRIPTS.map((script) => () => {
    const name = `${script}-${isBold ? 'bold' : 'text'}`
    const cached = loaded.get(name)
    if (cached) return cached
    const face = faceOf(name, read(FILES[script], isBold))
    loaded.set(name, face)
    return face
  })

export const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u

/**
 * Characters that use the font of their neighbors: marks, joiners, spaces, numbers, punctuation and symbols of all
 * scripts.
 */
const NEUTRAL = /[\p{M}\p{Cf}\p{Z}\p{P}\p{N}\p{S}]/u

export interface FaceRun {
  face: Face
  text: string
}

/**
 * Splits a text into runs that one font can draw. A punctuation sign or space joins the run before it if that font has
 * it.
 * @param missing collects characters that no font has
 */
export function runsOf(text: string, own: Face, isBold: boolean, missing: Set<string>): FaceRun[] {
  const runs: FaceRun[] = []
  const faces = fallbacksOf(isBold)
  for (const char of text.normalize('NFC')) {
    const before = runs.at(-1)
    const isUnseen = /[\p{Cf}\p{Cc}]/u.test(char)
    let face = before && (isUnseen || (NEUTRAL.test(char) && before.face.has(char))) ? before.face : undefined
    if (!face && own.has(char)) face = own
    for (const load of faces) {
      if (face) break
      const one = load()
      if (one.has(char)) face = one
    }
    if (!face && !isUnseen) missing.add(char)
    face ??= before?.face ?? own
    if (before?.face === face) before.text += char
    else runs.push({ face, text: char })
  }
  // Moves a space between two fonts to the second run. The first run may contain right-to-left words, which are
  // reversed.
  for (const [at, run] of runs.entries()) {
    const next = runs[at + 1]
    const trimmed = run.text.trimEnd()
    if (!next?.face.has(' ') || trimmed === run.text) continue
    next.text = run.text.slice(trimmed.length) + next.text
    run.text = trimmed
  }
  return runs.filter(({ text: content }) => content !== '')
}

/**
 * Chooses one font for a whole text: the first that has all of its characters, else the one that has the most of them.
 */
export function faceFor(text: string, own: Face): Face {
  const chars = [...text.normalize('NFC')].filter((char) => !/[\p{Cf}\p{Cc}]/u.test(char))
  const lacks = (face: Face) => chars.filter((char) => !face.has(char)).length
  let best = { face: own, lacking: lacks(own) }
  for (const load of fallbacksOf(false)) {
    if (best.lacking === 0) break
    const face = load()
    const lacking = lacks(face)
    if (lacking < best.lacking) best = { face, lacking }
  }
  return best.face
}
