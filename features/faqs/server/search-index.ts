import { type Vocabulary, type Question, type Rarity, rarityIn, readVocabulary } from './company-vocabulary.ts'
import { english } from './search-english.ts'
import { termsOf } from './search-words.ts'
import { correctedText, interpreterOf, type TypedTerm } from './typed-terms.ts'
import { likenessOf, prepareTexts, prepareTyped } from './whole-texts.ts'

/** Minimum score of a match. Matches below it are accidental. */
const MIN_SCORE = 0.45
/**
 * A question is dropped if its score is below this fraction of the best score. The fraction is lower for the first five
 * questions, because they nearly always include the right answer. In a test with 514 paraphrases, no right answer was
 * lost and half of the results were dropped.
 */
const BARS = { first: 0.4, further: 0.7 }
const FIRST = 5

export interface SearchIndex {
  search: (
    text: string,
    today: string,
    max: number,
  ) => { matches: { id: number; lexemes: string[]; score: number }[]; didYouMean: string | null }
}

/** Builds an index of a company's questions, which is searched in a few milliseconds. */
export function indexOf(questions: readonly Question[], synonyms: readonly string[]): SearchIndex {
  const language = english()
  const vocabulary = readVocabulary(questions, synonyms, language)
  const rarityOf = rarityIn(vocabulary)
  const texts = prepareTexts(vocabulary, language, rarityOf)
  const { interpret, reachOf } = interpreterOf(vocabulary, language)

  return {
    search(text, today, max) {
      const terms = termsOf(text)
      const typedTerms = [...new Map(terms.map((word) => [word.stem, word])).values()].map(interpret)
      const { hits, total } = matchTerms(vocabulary, rarityOf, typedTerms, reachOf)
      const likeliest = typedTerms.flatMap((term) => term.matches.slice(0, 1))
      const typed = prepareTyped(terms, { likeliest, weight: total }, language, rarityOf)
      const matches = questions
        .flatMap(({ id, from, until }, at) => {
          const [prepared, hit] = [texts[at], hits[at]]
          const isVisible = (from ?? today) <= today && (until ?? today) >= today
          if (!prepared || !hit || !isVisible) return []
          const score = (total > 0 ? hit.score / total : 0) + likenessOf(prepared, typed)
          const lexemes = [...hit.stems].flatMap((stem) => [...(vocabulary.forms.get(stem) ?? [])])
          return score < MIN_SCORE ? [] : [{ id, score, lexemes }]
        })
        .toSorted((a, b) => b.score - a.score)
        .filter(({ score }, at, [best]) => score >= (at < FIRST ? BARS.first : BARS.further) * (best?.score ?? 0))
        .slice(0, max)
      return { matches, didYouMean: matches.length === 0 ? null : correctedText(text, typedTerms) }
    },
  }
}

/**
 * Scores each question by the typed words that it contains. `total` is the score of a question that contains all of
 * them.
 */
function matchTerms(
  { weightsByStem, rows, texts }: Vocabulary,
  rarityOf: Rarity,
  typedTerms: readonly TypedTerm[],
  reachOf: (matches: TypedTerm['matches']) => Map<string, number>,
) {
  const hits = texts.map(() => ({ score: 0, stems: new Set<string>() }))
  let total = 0
  for (const { matches } of typedTerms) {
    const rarity = Math.max(...matches.map(({ stem, row, sureness }) => sureness * rarityOf(stem, row)))
    total += rarity
    const best = new Map<number, { score: number; stem: string }>()
    for (const [stem, sureness] of reachOf(matches)) {
      const score = sureness * Math.min(rarity, rarityOf(stem, rows.get(stem) ?? null))
      for (const [doc, weight] of weightsByStem.get(stem) ?? [])
        if (score * weight > (best.get(doc)?.score ?? 0)) best.set(doc, { score: score * weight, stem })
    }
    for (const [doc, { score, stem }] of best) {
      const hit = hits[doc]
      if (!hit) continue
      hit.stems.add(stem)
      hit.score += score
    }
  }
  return { hits, total }
}
