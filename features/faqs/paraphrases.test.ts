import { expect, test } from 'vitest'
import { tuned } from './demo-paraphrases.ts'
import { judged } from './judged-paraphrases.ts'
import { mapleGroveQuestions } from './demo-questions.ts'

/** The measure of a search over questions, written down before there is one: both halves are there, and neither knows the other's words. */
test('a thousand ways to ask each mean a question that is there, and no way to judge is one to tune by', () => {
  const known = new Set(mapleGroveQuestions.map(({ id }) => id))
  expect(known.size).toBe(mapleGroveQuestions.length)
  expect(known.size).toBeGreaterThanOrEqual(120)
  const all = [...tuned, ...judged]
  expect(all.length).toBeGreaterThanOrEqual(1000)
  expect(all.filter(({ id, text }) => !known.has(id) || text.length < 3)).toEqual([])
  const tuning = new Set(tuned.map(({ id, text }) => `${id} ${text.toLowerCase()}`))
  expect(judged.filter(({ id, text }) => tuning.has(`${id} ${text.toLowerCase()}`))).toEqual([])
})
