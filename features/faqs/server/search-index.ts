import { dot, english } from './search-english.ts'
import { spellingOf, TRUSTED } from './search-spelling.ts'
import { stemOf, trigramsOf, type SearchTerm, wordsOf } from './search-words.ts'

export interface Question {
  id: number
  question: string
  /** How else people ask it. */
  askedAs: readonly string[]
  answer: string
  from: string | null
  until: string | null
}

/** Measured by the paraphrases of `demo-paraphrases.ts`, a fifth of them at a time asked and the others known. */
const WEIGHTS = {
  /** What counts less than the word itself: a synonym of the town's, what towns call it, a word of a like meaning. */
  synonym: 0.7,
  called: 0.85,
  near: 0.5,
  /** What stands only in the answer, beside what stands in the question. */
  answer: 0.9,
  /** For each letter that a word may have been mistyped by; a rare English word may be meant as it stands. */
  mistake: 0.15,
  corrected: 0.7,
  /** Of how the question, or a way to ask it, is like all of what was typed: in meaning, in words, in letters. */
  meaning: 0.4,
  words: 0.5,
  letters: 0.45,
  /** A second way to ask that is like it, and all of the question with its answer. */
  second: 0.1,
  whole: 0.2,
  /** How much less a word says that is common in all of English. */
  common: 0.9,
}
/** Words that are less alike have nothing to do with each other. */
const MIN_NEAR = 0.4
/** For so many words the town's words of a like meaning are kept. */
const MAX_NEAR = 2000
/** What fits less was found by chance. */
const MIN_SCORE = 0.45
/**
 * Questions below these shares of the best score rarely answer what was typed. The right answer is nearly always among the
 * first five, so those have the lower bar. Of 514 ways to ask, no right answer is lost, and half of the results go.
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

/** One thing that a typed word may mean. */
interface TermMatch {
  stem: string
  row: number | null
  sureness: number
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((a, b) => a + b, 0)
const raise = <Key>(map: Map<Key, number>, key: Key, to: number) => map.set(key, Math.max(map.get(key) ?? 0, to))

/** A town's questions, ready to be searched in a few milliseconds. */
export function indexOf(questions: readonly Question[], synonyms: readonly string[]): SearchIndex {
  const language = english()
  /** Each word that the town uses, with how often; what it could also say is known, too. */
  const own = new Map<string, number>()
  const forms = new Map<string, Set<string>>()
  /** By stem, the questions that have it, by their place, with how much it counts there. */
  const places = new Map<string, Map<number, number>>()
  const rows = new Map<string, number>()
  const read = (text: string, doc: number, weight: number) => {
    const words = wordsOf(text)
    for (const { text: word, stem } of words) {
      own.set(word, (own.get(word) ?? 0) + 1)
      forms.set(stem, (forms.get(stem) ?? new Set()).add(word))
      places.set(stem, raise(places.get(stem) ?? new Map<number, number>(), doc, weight))
      const row = language.rowOf(word)
      if (row !== null) rows.set(stem, Math.min(row, rows.get(stem) ?? row))
    }
    return words
  }
  const texts = questions.map(({ question, askedAs, answer }, doc) => ({
    lines: [question, ...askedAs].map((line) => read(line, doc, 1)),
    answer: read(answer, doc, WEIGHTS.answer),
  }))
  const synonymsOf = new Map<string, Set<string>>()
  for (const line of synonyms) {
    const words = wordsOf(line)
    for (const { text, stem } of words) {
      if (!own.has(text)) own.set(text, 0)
      for (const other of words)
        if (other.stem !== stem) synonymsOf.set(stem, (synonymsOf.get(stem) ?? new Set()).add(other.stem))
    }
  }
  for (const word of language.civic) if (!own.has(word)) own.set(word, 0)
  const likely = spellingOf(own, language)

  /** A word that few questions have says more, and one that is rare in all of English a little more. */
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
    lines: lines.map((words) => {
      const stems = new Map(words.map((word) => [word.stem, weighed(word, 1).weight]))
      const meaning = language.meaningOf(words.map((word) => weighed(word, 1)))
      return { stems, weight: sum(stems.values()), meaning, trigrams: trigramsOf(words) }
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

  /** The town's words of a like meaning. People ask with the same words again and again, so that those of many are kept. */
  const near = new Map<number, { stem: string; weight: number }[]>()
  function nearTo(row: number | null) {
    if (row === null) return []
    let words = near.get(row)
    if (!words) {
      words = [...rows].flatMap(([stem, other]) => {
        const likeness = language.likeness(row, other)
        return likeness > MIN_NEAR ? [{ stem, weight: WEIGHTS.near * likeness ** 1.5 }] : []
      })
      if (near.size >= MAX_NEAR) near.clear()
      near.set(row, words)
    }
    return words
  }

  /** The words of the town that mean what is meant, each with how surely. */
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
    search(text, today, most) {
      const typed = [...new Map(wordsOf(text).map((word) => [word.stem, word])).values()]
      const asked = typed.map((word) => ({ word, ...meantBy(word) }))
      const hits = docs.map(() => ({ score: 0, stems: new Set<string>() }))
      let total = 0
      for (const { ways } of asked) {
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
      const first = asked.flatMap(({ ways }) => ways.slice(0, 1))
      const meaning = language.meaningOf(
        first.map(({ stem, row, sureness }) => ({ row, weight: sureness * rarityOf(stem, row) })),
      )
      const stems = new Set(first.map(({ stem }) => stem))
      const trigrams = trigramsOf(wordsOf(text))
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
          const isShown = (from ?? today) <= today && (until ?? today) >= today
          if (!doc || !hit || !isShown) return []
          const score = (total > 0 ? hit.score / total : 0) + likeness(doc)
          const lexemes = [...hit.stems].flatMap((stem) => [...(forms.get(stem) ?? [])])
          return score < MIN_SCORE ? [] : [{ id, score, lexemes }]
        })
        .toSorted((a, b) => b.score - a.score)
        .filter(({ score }, at, [best]) => score >= (at < FIRST ? BARS.first : BARS.further) * (best?.score ?? 0))
        .slice(0, most)
      return { found, didYouMean: found.length === 0 ? null : rewritten(text, asked) }
    },
  }
}

/** What was typed with its mistakes put right; null where it had none. */
function rewritten(text: string, asked: readonly { word: SearchTerm; corrected: string | null }[]): string | null {
  const rightOf = new Map(asked.flatMap(({ word, corrected }) => (corrected ? [[word.text, corrected] as const] : [])))
  if (rightOf.size === 0) return null
  return text.replaceAll(/[\p{L}\p{N}’']+/gu, (word) => rightOf.get(wordsOf(word)[0]?.text ?? '') ?? word)
}
