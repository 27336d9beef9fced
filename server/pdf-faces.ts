import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import fontkit from '@cantoo/fontkit'

const { resolve } = createRequire(import.meta.url)

/** Fonts for letters that a document's own font lacks, in the order in which they are tried. */
const FILES = {
  // Latin of all languages with Vietnamese, Greek and Cyrillic.
  latin: { of: '@embedpdf/fonts-latin', text: 'NotoSans-Regular.ttf', bold: 'NotoSans-Bold.ttf' },
  hebrew: { of: '@embedpdf/fonts-hebrew', text: 'NotoSansHebrew-Regular.ttf', bold: 'NotoSansHebrew-Bold.ttf' },
  arabic: { of: '@embedpdf/fonts-arabic', text: 'NotoNaskhArabic-Regular.ttf', bold: 'NotoNaskhArabic-Bold.ttf' },
  chinese: { of: '@embedpdf/fonts-sc', text: 'NotoSansHans-Regular.otf', bold: 'NotoSansHans-Bold.otf' },
  korean: { of: '@embedpdf/fonts-kr', text: 'NotoSansKR-Regular.otf', bold: 'NotoSansKR-Bold.otf' },
} as const
const SCRIPTS = Object.keys(FILES) as (keyof typeof FILES)[]

/** A font, and which letters it has. */
export interface Face {
  name: string
  data: Buffer
  has: (letter: string) => boolean
}

export function faceOf(name: string, data: Buffer): Face {
  const font = fontkit.create(data)
  if (!('hasGlyphForCodePoint' in font)) throw new Error(`${name} is a collection of fonts`)
  return { name, data, has: (letter) => font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0) }
}

/** The packages export only the names of their files, which lie beside their code. */
const read = ({ of, text, bold }: { of: string; text: string; bold: string }, isBold: boolean): Buffer =>
  readFileSync(join(dirname(resolve(of)), '../fonts', isBold ? bold : text))

const loaded = new Map<string, Face>()

/** The fonts that are tried after a document's own. Each is read when a document first needs it. */
export const fallbacksOf = (isBold: boolean): (() => Face)[] =>
  SCRIPTS.map((script) => () => {
    const name = `${script}-${isBold ? 'bold' : 'text'}`
    const known = loaded.get(name)
    if (known) return known
    const face = faceOf(name, read(FILES[script], isBold))
    loaded.set(name, face)
    return face
  })

/** Scripts that are read from right to left. */
export const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u

/** Letters that are drawn by the font of their neighbors: marks, joiners, spaces and signs of all scripts. */
const NEUTRAL = /[\p{M}\p{Cf}\p{Z}\p{P}\p{N}\p{S}]/u

export interface FaceRun {
  face: Face
  text: string
}

/**
 * Divides a text into parts that one font can draw. A sign stays with the letters before it if their font has it.
 * @param missing gets each letter that no font has
 */
export function runsOf(text: string, own: Face, isBold: boolean, missing: Set<string>): FaceRun[] {
  const runs: FaceRun[] = []
  const faces = fallbacksOf(isBold)
  for (const letter of text.normalize('NFC')) {
    const before = runs.at(-1)
    const isUnseen = /[\p{Cf}\p{Cc}]/u.test(letter)
    let face = before && (isUnseen || (NEUTRAL.test(letter) && before.face.has(letter))) ? before.face : undefined
    if (!face && own.has(letter)) face = own
    for (const load of faces) {
      if (face) break
      const one = load()
      if (one.has(letter)) face = one
    }
    if (!face && !isUnseen) missing.add(letter)
    face ??= before?.face ?? own
    if (before?.face === face) before.text += letter
    else runs.push({ face, text: letter })
  }
  // A blank between two fonts belongs to the second: before it, words from right to left may be turned around.
  for (const [at, run] of runs.entries()) {
    const next = runs[at + 1]
    const words = run.text.trimEnd()
    if (!next?.face.has(' ') || words === run.text) continue
    next.text = run.text.slice(words.length) + next.text
    run.text = words
  }
  return runs.filter(({ text: drawn }) => drawn !== '')
}

/** One font for a whole text: the first that has all its letters, else the one that has most. */
export function faceFor(text: string, own: Face): Face {
  const letters = [...text.normalize('NFC')].filter((letter) => !/[\p{Cf}\p{Cc}]/u.test(letter))
  const lacks = (face: Face) => letters.filter((letter) => !face.has(letter)).length
  let best = { face: own, lacking: lacks(own) }
  for (const load of fallbacksOf(false)) {
    if (best.lacking === 0) break
    const face = load()
    const lacking = lacks(face)
    if (lacking < best.lacking) best = { face, lacking }
  }
  return best.face
}
