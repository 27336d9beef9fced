import { type Vocabulary, raise } from './company-vocabulary.ts'
import type { English } from './search-english.ts'
import { spellingOf, TRUSTED } from './search-spelling.ts'
import { WEIGHTS } from './search-weights.ts'
import { type SearchTerm, stemOf, termsOf } from './search-words.ts'

/** Minimum similarity. Words below this value are unrelated. */
const MIN_NEAR = 0.4
/** Maximum number of entries in the cache of similar company words. */
const MAX_NEAR = 2000

/** One possible meaning of a typed word. */
export interface TermMatch {
  stem: string
  row: number | null
  sureness: number
}

/** A typed word with its meanings, most likely first. `corrected` is null if the word exists. */
export interface TypedTerm {
  word: SearchTerm
  matches: TermMatch[]
  corrected: string | null
}

/** Creates an interpreter, which uses a company's vocabulary to find the meanings of the words that residents type. */
export function interpreterOf(vocabulary: Vocabulary, language: English) {
  const { counts, weightsByStem, rows, synonyms } = vocabulary
  const spelling = spellingOf(counts, language)

  function interpret(word: SearchTerm): TypedTerm {
    const { text, stem } = word
    const row = language.rowOf(text)
    const asTyped = { stem, row: row ?? rows.get(stem) ?? null, sureness: 1 }
    const exists = counts.has(text) || weightsByStem.has(stem) || synonyms.has(stem)
    if (exists || (row !== null && row < TRUSTED)) return { word, matches: [asTyped], corrected: null }
    const candidates = spelling(text)
    const others = candidates.map(({ word: other, cost }) => ({
      stem: stemOf(other),
      row: language.rowOf(other),
      sureness: Math.max(0.1, (row === null ? 1 : WEIGHTS.corrected) - WEIGHTS.mistake * cost),
    }))
    if (row !== null || others.length === 0) return { word, matches: [asTyped, ...others], corrected: null }
    return { word, matches: others, corrected: candidates[0]?.word ?? null }
  }

  /** Finds the company's words of similar meaning. Cached, because searches repeat the same words. */
  const near = new Map<number, { stem: string; weight: number }[]>()
  function nearTo(row: number | null) {
    if (row === null) return []
    const cached = near.get(row)
    if (cached) return cached
    const similar = [...rows].flatMap(([stem, other]) => {
      const likeness = language.likeness(row, other)
      return likeness > MIN_NEAR ? [{ stem, weight: WEIGHTS.near * likeness ** 1.5 }] : []
    })
    if (near.size >= MAX_NEAR) near.clear()
    near.set(row, similar)
    return similar
  }

  /** Finds the company's words for these meanings, each with its certainty. */
  function reachOf(matches: readonly TermMatch[]): Map<string, number> {
    const reach = new Map<string, number>()
    for (const { stem, row, sureness } of matches) {
      raise(reach, stem, sureness)
      for (const other of synonyms.get(stem) ?? []) raise(reach, other, sureness * WEIGHTS.synonym)
      for (const other of language.called(stem)) raise(reach, other, sureness * WEIGHTS.called)
      for (const { stem: other, weight } of nearTo(row)) raise(reach, other, sureness * weight)
    }
    return reach
  }

  return { interpret, reachOf }
}

/** Returns the text with its mistakes corrected. Null if it had no mistakes. */
export function correctedText(text: string, typed: readonly TypedTerm[]): string | null {
  const rightOf = new Map(typed.flatMap(({ word, corrected }) => (corrected ? [[word.text, corrected] as const] : [])))
  if (rightOf.size === 0) return null
  return text.replaceAll(/[\p{L}\p{N}’']+/gu, (word) => rightOf.get(termsOf(word)[0]?.text ?? '') ?? word)
}
