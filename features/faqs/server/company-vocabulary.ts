import type { English } from './search-english.ts'
import { WEIGHTS } from './search-weights.ts'
import { type SearchTerm, termsOf } from './search-words.ts'

export interface Question {
  id: number
  question: string
  /** Other wordings of the question. */
  otherWordings: readonly string[]
  answer: string
  from: string | null
  until: string | null
}

/** Words of a company's questions, with the statistics that the search needs. */
export interface Vocabulary {
  /**
   * Number of times that the company's questions use each word. 0 for words that only the synonyms or the thesaurus
   * contain.
   */
  counts: ReadonlyMap<string, number>
  /** Words of each stem. */
  forms: ReadonlyMap<string, ReadonlySet<string>>
  /** Weights by stem and position of the question. */
  weightsByStem: ReadonlyMap<string, ReadonlyMap<number, number>>
  /** For each stem, the row of its most common word in the English vocabulary. */
  rows: ReadonlyMap<string, number>
  /** Stems with the same meaning for the company. */
  synonyms: ReadonlyMap<string, ReadonlySet<string>>
  /** Words of each question: one list for each wording, and one for the answer. */
  texts: readonly { lines: SearchTerm[][]; answer: SearchTerm[] }[]
}

/** Sets the value of a key if the new value is larger than the current one. */
export const raise = <Key>(map: Map<Key, number>, key: Key, to: number) => map.set(key, Math.max(map.get(key) ?? 0, to))

/** Reads the words of a company's questions and its lines of synonyms. */
export function readVocabulary(
  questions: readonly Question[],
  synonymLines: readonly string[],
  language: English,
): Vocabulary {
  const counts = new Map<string, number>()
  const forms = new Map<string, Set<string>>()
  const weightsByStem = new Map<string, Map<number, number>>()
  const rows = new Map<string, number>()
  const read = (text: string, doc: number, weight: number) => {
    const terms = termsOf(text)
    for (const { text: word, stem } of terms) {
      counts.set(word, (counts.get(word) ?? 0) + 1)
      forms.set(stem, (forms.get(stem) ?? new Set()).add(word))
      weightsByStem.set(stem, raise(weightsByStem.get(stem) ?? new Map<number, number>(), doc, weight))
      const row = language.rowOf(word)
      if (row !== null) rows.set(stem, Math.min(row, rows.get(stem) ?? row))
    }
    return terms
  }
  const texts = questions.map(({ question, otherWordings, answer }, doc) => ({
    lines: [question, ...otherWordings].map((line) => read(line, doc, 1)),
    answer: read(answer, doc, WEIGHTS.answer),
  }))
  const lines = synonymLines.map(termsOf)
  for (const { text } of lines.flat()) if (!counts.has(text)) counts.set(text, 0)
  for (const word of language.civic) if (!counts.has(word)) counts.set(word, 0)
  return { counts, forms, weightsByStem, rows, synonyms: synonymsOf(lines), texts }
}

/** Finds the synonyms of each stem: the other stems in the same lines. */
function synonymsOf(lines: readonly SearchTerm[][]): Map<string, Set<string>> {
  const synonyms = new Map<string, Set<string>>()
  for (const terms of lines)
    for (const { stem } of terms)
      for (const other of terms)
        if (other.stem !== stem) synonyms.set(stem, (synonyms.get(stem) ?? new Set()).add(other.stem))
  return synonyms
}

export type Rarity = (stem: string, row: number | null) => number

/**
 * Returns a function that calculates the weight of a word. A word weighs more if few questions contain it, and more if
 * it is rare in English.
 */
export const rarityIn =
  ({ weightsByStem, texts }: Vocabulary): Rarity =>
  (stem, row) => {
    const here = Math.log(1 + texts.length / ((weightsByStem.get(stem)?.size ?? 0) + 0.5))
    const everywhere = row === null ? 1 : Math.min(1, 0.25 + Math.log10(1 + row) / 4.5)
    return here * (1 - WEIGHTS.common + WEIGHTS.common * everywhere)
  }
