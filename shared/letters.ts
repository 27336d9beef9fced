import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Scripts and signs that generated documents print for sure: Latin, Greek, Cyrillic and usual punctuation. */
const USUAL = /[\p{Cc} -\u052F\u1E00-\u1FFF\u2000-\u206F\p{M}]/u
const MAX_CHARS = 300

/** Letters of a text, each once, that documents may not be able to print. */
export const oddLetters = (text: string): string =>
  [...new Set(text.toWellFormed())]
    .filter((letter) => !USUAL.test(letter))
    .slice(0, MAX_CHARS)
    .join('')

/** Staff learn of such letters where they issue or print a document. */
export const unprintableLetters = endpoint({
  path: 'muni/return/unprintable/letters',
  summary: 'Which of these letters no generated document can print',
  access: { audience: ['municipality', 'platform'] },
  scope: 'none',
  body: z.object({ letters: z.string().check(z.maxLength(2 * MAX_CHARS)) }),
  answer: z.object({ letters: z.array(z.string()) }),
})
