import { dot, english } from './search-english.ts'
import { spellingOf, TRUSTED } from './search-spelling.ts'
import { stemOf, trigramsOf, type SearchTerm, termsOf } from './search-words.ts'

export interface Question {
  id: number
  question: string
  /** Other wordings of the question. */
  otherWordings: readonly string[]
  answer: string
  from: string | null
  until: string | null
}

/** Tuned with the paraphrases of `demo-paraphrases.ts`, by fivefold cross-validation. */
const WEIGHTS = {
  /** Weights of indirect matches: the company's synonym, an official term, and a word of similar meaning. */
  synonym: 0.7,
  called: 0.85,
  near: 0.5,
  /** Weight of a match only in the answer, relative to the question. */
  answer: 0.9,
  /** Penalty for each mistyped letter. A rare English word may be intended. */
  mistake: 0.15,
  corrected: 0.7,
  /** Weights of the similarity to the whole text: in meaning, in words and in letters. */
  meaning: 0.4,
  words: 0.5,
  letters: 0.45,
  /** Weights of a second similar wording, and of the whole question with its answer. */
  second: 0.1,
  whole: 0.2,
  /** Reduction for words that are common in English. */
  common: 0.9,
}
/** Below this similarity, words are unrelated. */
const MIN_NEAR = 0.4
/** Size of the cache of similar company words. */
const MAX_NEAR = 2000
/** Matches below this score are accidental. */
const MIN_SCORE = 0.45
/**
 * Shares of the best score below which questions are dropped. The first five have a lower bar, because they nearly
 * always include the right answer. In a test of 514 paraphrases, none loses its right answer, and half of the results
 * are dropped.
 */
const BARS = { first: 0.4, further: 0.7 }
const FIRST = 5

export interface SearchIndex {
  search: (
    text: string,
    today: string,
    most: number,
  ) => { found: { id: number; lexemes: string[]; score: number }[]; didYouMean: string | null }
}

/** One possible meaning of a typed word. */
interface TermMatch {
  stem: string
  row: number | null
  sureness: number
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((a, b) => a + b, 0)
const raise = <Key>(map: Map<Key, number>, key: Key, to: number) => map.set(key, Math.max(map.get(key) ?? 0, to))

/** Builds an index of a company's questions, which is searched in a few milliseconds. */
export function indexOf(questions: readonly Question[], synonyms: readonly string[]): SearchIndex {
  const language = english()
  /** Words that the company uses, with their counts. Other accepted words have the count 0. */
  const own = new Map<string, number>()
  const forms = new Map<string, Set<string>>()
  /** Weights by stem and position of the question. */
  const places = new Map<string, Map<number, number>>()
  const rows = new Map<string, number>()
  const read = (text: string, doc: number, weight: number) => {
    const terms = termsOf(text)
    for (const { text: word, stem } of terms) {
      own.set(word, (own.get(word) ?? 0) + 1)
      forms.set(stem, (forms.get(stem) ?? new Set()).add(word))
      places.set(stem, raise(places.get(stem) ?? new Map<number, number>(), doc, weight))
      const row = language.rowOf(word)
      if (row !== null) rows.set(stem, Math.min(row, rows.get(stem) ?? row))
    }
    return terms
  }
  const texts = questions.map(({ question, otherWordings, answer }, doc) => ({
    lines: [question, ...otherWordings].map((line) => read(line, doc, 1)),
    answer: read(answer, doc, WEIGHTS.answer),
  }))
  const synonymsOf = new Map<string, Set<string>>()
  for (const line of synonyms) {
    const terms = termsOf(line)
    for (const { text, stem } of terms) {
      if (!own.has(text)) own.set(text, 0)
      for (const other of terms)
        if (other.stem !== stem) synonymsOf.set(stem, (synonymsOf.get(stem) ?? new Set()).add(other.stem))
    }
  }
  for (const word of language.civic) if (!own.has(word)) own.set(word, 0)
  const likely = spellingOf(own, language)

  /** A word in few questions weighs more, and one that is rare in English a little more. */
  const rarityOf = (stem: string, row: number | null) => {
    const here = Math.log(1 + questions.length / ((places.get(stem)?.size ?? 0) + 0.5))
    const everywhere = row === null ? 1 : Math.min(1, 0.25 + Math.log10(1 + row) / 4.5)
    return here * (1 - WEIGHTS.common + WEIGHTS.common * everywhere)
  }
  const weighed = ({ text, stem }: SearchTerm, weight: number) => {
    const row = language.rowOf(text)
    return { row, weight: weight * rarityOf(stem, row) }
  }
  const docs = texts.map(({ lines, answer }) => ({
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

  function meantBy({ text, stem }: SearchTerm): { ways: TermMatch[]; corrected: string | null } {
    const row = language.rowOf(text)
    const asItStands = { stem, row: row ?? rows.get(stem) ?? null, sureness: 1 }
    const isKnown = own.has(text) || places.has(stem) || synonymsOf.has(stem)
    if (isKnown || (row !== null && row < TRUSTED)) return { ways: [asItStands], corrected: null }
    const right = likely(text)
    const others = right.map(({ word, cost }) => ({
      stem: stemOf(word),
      row: language.rowOf(word),
      sureness: Math.max(0.1, (row === null ? 1 : WEIGHTS.corrected) - WEIGHTS.mistake * cost),
    }))
    const isWord = row !== null || others.length === 0
    return { ways: isWord ? [asItStands, ...others] : others, corrected: isWord ? null : (right[0]?.word ?? null) }
  }

  /** Returns the company's words of similar meaning. Cached, because searches repeat the same words. */
  const near = new Map<number, { stem: string; weight: number }[]>()
  function nearTo(row: number | null) {
    if (row === null) return []
    let nearTerms = near.get(row)
    if (!nearTerms) {
      nearTerms = [...rows].flatMap(([stem, other]) => {
        const likeness = language.likeness(row, other)
        return likeness > MIN_NEAR ? [{ stem, weight: WEIGHTS.near * likeness ** 1.5 }] : []
      })
      if (near.size >= MAX_NEAR) near.clear()
      near.set(row, nearTerms)
    }
    return nearTerms
  }

  /** Returns the company's words for these meanings, each with its certainty. */
  function reachOf(ways: readonly TermMatch[]): Map<string, number> {
    const reach = new Map<string, number>()
    for (const { stem, row, sureness } of ways) {
      raise(reach, stem, sureness)
      for (const other of synonymsOf.get(stem) ?? []) raise(reach, other, sureness * WEIGHTS.synonym)
      for (const other of language.called(stem)) raise(reach, other, sureness * WEIGHTS.called)
      for (const { stem: other, weight } of nearTo(row)) raise(reach, other, sureness * weight)
    }
    return reach
  }

  return {
    search(text, today, max) {
      const typed = [...new Map(termsOf(text).map((word) => [word.stem, word])).values()]
      const queryTerms = typed.map((word) => ({ word, ...meantBy(word) }))
      const hits = docs.map(() => ({ score: 0, stems: new Set<string>() }))
      let total = 0
      for (const { ways } of queryTerms) {
        const rarity = Math.max(...ways.map(({ stem, row, sureness }) => sureness * rarityOf(stem, row)))
        total += rarity
        const best = new Map<number, { score: number; stem: string }>()
        for (const [stem, sureness] of reachOf(ways)) {
          const much = sureness * Math.min(rarity, rarityOf(stem, rows.get(stem) ?? null))
          for (const [doc, weight] of places.get(stem) ?? [])
            if (much * weight > (best.get(doc)?.score ?? 0)) best.set(doc, { score: much * weight, stem })
        }
        for (const [doc, { score, stem }] of best) {
          hits[doc]?.stems.add(stem)
          if (hits[doc]) hits[doc].score += score
        }
      }
      const first = queryTerms.flatMap(({ ways }) => ways.slice(0, 1))
      const meaning = language.meaningOf(
        first.map(({ stem, row, sureness }) => ({ row, weight: sureness * rarityOf(stem, row) })),
      )
      const stems = new Set(first.map(({ stem }) => stem))
      const trigrams = trigramsOf(termsOf(text))
      const inMeaning = (other: Float32Array | null) => (meaning && other ? Math.max(0, dot(meaning, other)) : 0)
      const likeness = ({ lines, meaning: whole }: (typeof docs)[number]) => {
        let [best, second] = [0, 0]
        for (const line of lines) {
          let both = 0
          for (const [stem, weight] of line.stems) if (stems.has(stem)) both += weight
          const inWords = both / (line.weight + total - both || 1)
          let shared = 0
          for (const trigram of line.trigrams) if (trigrams.has(trigram)) shared += 1
          const inLetters = shared / (trigrams.size + line.trigrams.size - shared || 1)
          const much = WEIGHTS.meaning * inMeaning(line.meaning) + WEIGHTS.words * inWords + WEIGHTS.letters * inLetters
          if (much > best) [best, second] = [much, best]
          else second = Math.max(second, much)
        }
        return best + WEIGHTS.second * second + WEIGHTS.whole * inMeaning(whole)
      }
      const found = questions
        .flatMap(({ id, from, until }, at) => {
          const [doc, hit] = [docs[at], hits[at]]
          const isVisible = (from ?? today) <= today && (until ?? today) >= today
          if (!doc || !hit || !isVisible) return []
          const score = (total > 0 ? hit.score / total : 0) + likeness(doc)
          const lexemes = [...hit.stems].flatMap((stem) => [...(forms.get(stem) ?? [])])
          return score < MIN_SCORE ? [] : [{ id, score, lexemes }]
        })
        .toSorted((a, b) => b.score - a.score)
        .filter(({ score }, at, [best]) => score >= (at < FIRST ? BARS.first : BARS.further) * (best?.score ?? 0))
        .slice(0, max)
      return { found, didYouMean: found.length === 0 ? null : rewritten(text, queryTerms) }
    },
  }
}

/** Returns the corrected text. Null if it had no mistakes. */
function rewritten(text: string, queryTerms: readonly { word: SearchTerm; corrected: string | null }[]): string | null {
  const rightOf = new Map(
    queryTerms.flatMap(({ word, corrected }) => (corrected ? [[word.text, corrected] as const] : [])),
  )
  if (rightOf.size === 0) return null
  return text.replaceAll(/[\p{L}\p{N}’']+/gu, (word) => rightOf.get(termsOf(word)[0]?.text ?? '') ?? word)
}
