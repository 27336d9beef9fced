import { expect, test } from 'vitest'
import { tuned } from './demo-paraphrases.ts'
import { judged } from './judged-paraphrases.ts'
import { mapleGroveQuestions } from './demo-questions.ts'

/** Checks the benchmark of the search. Paraphrases used for tuning must not appear among those used for scoring. */
test('has a thousand paraphrases of existing questions, without overlapping halves', () => {
  const questionIds = new Set(mapleGroveQuestions.map(({ id }) => id))
  expect(questionIds.size).toBe(mapleGroveQuestions.length)
  expect(questionIds.size).toBeGreaterThanOrEqual(120)
  const all = [...tuned, ...judged]
  expect(all.length).toBeGreaterThanOrEqual(1000)
  expect(all.filter(({ id, text }) => !questionIds.has(id) || text.length < 3)).toEqual([])
  const tuning = new Set(tuned.map(({ id, text }) => `${id} ${text.toLowerCase()}`))
  expect(judged.filter(({ id, text }) => tuning.has(`${id} ${text.toLowerCase()}`))).toEqual([])
})
