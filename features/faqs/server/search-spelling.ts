import type { English } from './search-english.ts'

/**
 * Returns the edit distance of two words: the number of missing, extra, changed or swapped letters. Returns `max` + 1
 * if the distance is larger than `max`.
 */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1
  let [before, last, row] = [0, 0, 0].map(() => new Uint8Array(b.length + 1)) as [Uint8Array, Uint8Array, Uint8Array]
  for (let at = 0; at <= b.length; at += 1) last[at] = at
  for (let i = 1; i <= a.length; i += 1) {
    row[0] = i
    let min = i
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let distance = Math.min(changed, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) distance = Math.min(distance, (before[j - 2] ?? 0) + 1)
      row[j] = distance
      min = Math.min(min, distance)
    }
    if (min > max) return max + 1
    const oldest = before
    before = last
    last = row
    row = oldest
  }
  return last[b.length] ?? max + 1
}

/**
 * Number of the most common English words that are trusted. They never count as mistakes, even if the company does not
 * use them.
 */
export const TRUSTED = 12_000
/** Maximum length of a word. Longer texts are not words. */
const MAX_WORD_LENGTH = 40
/**
 * Limit for the cost of a candidate above the cost of the best candidate. A candidate at or above this limit is
 * ignored.
 */
const AS_LIKELY = 0.6

export interface SpellingCandidate {
  word: string
  /** Number of wrong letters, plus a fraction for the rarity of the word. */
  cost: number
}
interface VocabularyTerm {
  word: string
  rarity: number
}

const byFirstChar = (terms: Iterable<VocabularyTerm>) => Map.groupBy(terms, ({ word }) => word.slice(0, 1))

let common: Map<string, VocabularyTerm[]> | null = null
const commonTerms = (english: English) => {
  common ??= byFirstChar(
    english.terms
      .slice(0, TRUSTED)
      .flatMap((word, row) => (word.length > 3 ? [{ word, rarity: 0.45 + (0.5 * row) / TRUSTED }] : [])),
  )
  return common
}

/**
 * Returns a function that suggests corrections of a mistyped word. Candidates are the company's words by frequency and
 * common English words. Only words with the same first letter are considered, because few people mistype the first
 * letter.
 */
export function spellingOf(own: ReadonlyMap<string, number>, english: English): (typed: string) => SpellingCandidate[] {
  const ours = byFirstChar(
    [...own].flatMap(([word, times]) => (word.length > 2 ? [{ word, rarity: 0.3 / (1 + times) }] : [])),
  )
  return (typed) => {
    if (typed.length < 3 || typed.length > MAX_WORD_LENGTH || /\p{N}/u.test(typed)) return []
    const maxDistance = typed.length < 6 ? 1 : 2
    const first = typed.slice(0, 1)
    const likely: SpellingCandidate[] = []
    const collect = (terms: readonly VocabularyTerm[] = []) => {
      for (const { word, rarity } of terms) {
        const distance = editDistance(typed, word, maxDistance)
        if (distance > 0 && distance <= maxDistance) likely.push({ word, cost: distance + rarity })
      }
    }
    collect(ours.get(first))
    collect(
      commonTerms(english)
        .get(first)
        ?.filter(({ word }) => !own.has(word)),
    )
    likely.sort((a, b) => a.cost - b.cost)
    const [best] = likely
    return best ? likely.slice(0, 3).filter(({ cost }) => cost - best.cost < AS_LIKELY) : []
  }
}
