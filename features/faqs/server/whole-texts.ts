import type { Vocabulary, Rarity } from './company-vocabulary.ts'
import { dot, type English } from './search-english.ts'
import { WEIGHTS } from './search-weights.ts'
import { type SearchTerm, trigramsOf } from './search-words.ts'
import type { TermMatch } from './typed-terms.ts'

/** A question prepared for comparison with the text that a person typed. */
interface PreparedText {
  lines: {
    /** Weights by stem, and their sum. */
    stems: ReadonlyMap<string, number>
    weight: number
    meaning: Float32Array | null
    trigrams: ReadonlySet<string>
  }[]
  /** Meaning of the question with its answer. */
  meaning: Float32Array | null
}

/** A typed text, prepared for the comparison. `weight` is the sum of the weights of its words. */
interface TypedText {
  stems: ReadonlySet<string>
  weight: number
  meaning: Float32Array | null
  trigrams: ReadonlySet<string>
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((a, b) => a + b, 0)

/** Prepares a company's questions in their order. */
export function prepareTexts({ texts }: Vocabulary, language: English, rarityOf: Rarity): PreparedText[] {
  const weighed = ({ text, stem }: SearchTerm, weight: number) => {
    const row = language.rowOf(text)
    return { row, weight: weight * rarityOf(stem, row) }
  }
  return texts.map(({ lines, answer }) => ({
    lines: lines.map((terms) => {
      const stems = new Map(terms.map((word) => [word.stem, weighed(word, 1).weight]))
      const meaning = language.meaningOf(terms.map((word) => weighed(word, 1)))
      return { stems, weight: sum(stems.values()), meaning, trigrams: trigramsOf(terms) }
    }),
    meaning: language.meaningOf([
      ...lines.flat().map((word) => weighed(word, 1)),
      ...answer.map((word) => weighed(word, WEIGHTS.answer)),
    ]),
  }))
}

/** Prepares a typed text with the likeliest meaning of each word. */
export function prepareTyped(
  terms: readonly SearchTerm[],
  { likeliest, weight }: { likeliest: readonly TermMatch[]; weight: number },
  language: English,
  rarityOf: Rarity,
): TypedText {
  return {
    stems: new Set(likeliest.map(({ stem }) => stem)),
    weight,
    meaning: language.meaningOf(
      likeliest.map(({ stem, row, sureness }) => ({ row, weight: sureness * rarityOf(stem, row) })),
    ),
    trigrams: trigramsOf(terms),
  }
}

/**
 * Returns the similarity of a question to a typed text: in meaning, in words and in letters. The most similar wording
 * counts.
 */
export function likenessOf({ lines, meaning: whole }: PreparedText, typed: TypedText): number {
  const { meaning } = typed
  const inMeaning = (other: Float32Array | null) => (meaning && other ? Math.max(0, dot(meaning, other)) : 0)
  let [best, second] = [0, 0]
  for (const line of lines) {
    let both = 0
    for (const [stem, weight] of line.stems) if (typed.stems.has(stem)) both += weight
    const inTerms = both / (line.weight + typed.weight - both || 1)
    let shared = 0
    for (const trigram of line.trigrams) if (typed.trigrams.has(trigram)) shared += 1
    const inTrigrams = shared / (typed.trigrams.size + line.trigrams.size - shared || 1)
    const likeness = WEIGHTS.meaning * inMeaning(line.meaning) + WEIGHTS.terms * inTerms + WEIGHTS.chars * inTrigrams
    if (likeness > best) [best, second] = [likeness, best]
    else second = Math.max(second, likeness)
  }
  return best + WEIGHTS.second * second + WEIGHTS.whole * inMeaning(whole)
}
