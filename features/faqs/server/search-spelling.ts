import type { English } from './search-english.ts'

/**
 * How many letters two words are apart, where one is missing, too many, another or swapped with the next;
 * `most` + 1 where it is more than that.
 */
export function lettersApart(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let [before, last, row] = [0, 0, 0].map(() => new Uint8Array(b.length + 1)) as [Uint8Array, Uint8Array, Uint8Array]
  for (let at = 0; at <= b.length; at += 1) last[at] = at
  for (let i = 1; i <= a.length; i += 1) {
    row[0] = i
    let least = i
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let apart = Math.min(changed, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) apart = Math.min(apart, (before[j - 2] ?? 0) + 1)
      row[j] = apart
      least = Math.min(least, apart)
    }
    if (least > most) return most + 1
    const oldest = before
    before = last
    last = row
    row = oldest
  }
  return last[b.length] ?? most + 1
}

/** So many of the commonest English words are not taken for mistakes, though the town may not use them. */
export const TRUSTED = 12_000
/** Words that are longer are no words. */
const MAX_WORD_LENGTH = 40
/** How much less likely than the best another is, that is looked at too. */
const AS_LIKELY = 0.6

export interface SpellingCandidate {
  word: string
  /** Letters that are wrong, and a part of one for how rarely the word is written. */
  cost: number
}
interface KnownTerm {
  word: string
  rarity: number
}

const byFirstLetter = (words: Iterable<KnownTerm>) => Map.groupBy(words, ({ word }) => word.slice(0, 1))

let common: Map<string, KnownTerm[]> | null = null
const commonWords = (english: English) => {
  common ??= byFirstLetter(
    english.words
      .slice(0, TRUSTED)
      .flatMap((word, row) => (word.length > 3 ? [{ word, rarity: 0.45 + (0.5 * row) / TRUSTED }] : [])),
  )
  return common
}

/**
 * Finds what a mistyped word was meant as, of the town's words (by how often each is written there) and the common English
 * ones. Few people mistype the first letter, so that only words that begin alike are looked at.
 */
export function spellingOf(own: ReadonlyMap<string, number>, english: English): (typed: string) => SpellingCandidate[] {
  const ours = byFirstLetter(
    [...own].flatMap(([word, times]) => (word.length > 2 ? [{ word, rarity: 0.3 / (1 + times) }] : [])),
  )
  return (typed) => {
    if (typed.length < 3 || typed.length > MAX_WORD_LENGTH || /\p{N}/u.test(typed)) return []
    const letters = typed.length < 6 ? 1 : 2
    const first = typed.slice(0, 1)
    const likely: SpellingCandidate[] = []
    const look = (known: readonly KnownTerm[] = []) => {
      for (const { word, rarity } of known) {
        const apart = lettersApart(typed, word, letters)
        if (apart > 0 && apart <= letters) likely.push({ word, cost: apart + rarity })
      }
    }
    look(ours.get(first))
    look(
      commonWords(english)
        .get(first)
        ?.filter(({ word }) => !own.has(word)),
    )
    likely.sort((a, b) => a.cost - b.cost)
    const [best] = likely
    return best ? likely.slice(0, 3).filter(({ cost }) => cost - best.cost < AS_LIKELY) : []
  }
}
