import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Characters that every generated document can print: Latin, Greek and Cyrillic letters, and common punctuation. */
const USUAL = /[\p{Cc} -\u052F\u1E00-\u1FFF\u2000-\u206F\p{M}]/u
const MAX_CHARS = 300

/** Returns each character of a text that documents may not be able to print, without repeats. */
export const unusualChars = (text: string): string =>
  [...new Set(text.toWellFormed())]
    .filter((char) => !USUAL.test(char))
    .slice(0, MAX_CHARS)
    .join('')

/**
 * Finds the characters of a text that documents can't print. The screens on which staff issue or print a document make
 * this call.
 */
export const unprintableChars = endpoint({
  path: 'muni/return/unprintable/letters',
  summary: 'Returns the given characters that documents cannot print',
  access: { audience: ['municipality', 'platform'] },
  scope: 'none',
  body: z.object({ chars: z.string().check(z.maxLength(2 * MAX_CHARS)) }),
  response: z.object({ chars: z.array(z.string()) }),
})
