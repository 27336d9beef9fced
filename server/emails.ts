import { oddLetters, unprintableLetters } from '../shared/letters.ts'
import { implement, signedIn } from './call.ts'
import { parserOf } from './parse.ts'

const missingLetters = parserOf<[text: string], string[]>(new URL('pdf-fonts.ts', import.meta.url), 'missingLetters')

/** Returns the letters of a text that no document font has. A thread reads the fonts. */
export async function unprintableIn(caller: string, text: string): Promise<string[]> {
  const letters = oddLetters(text)
  return letters === '' ? [] : missingLetters(caller, letters)
}

export const unprintableLettersCall = implement(unprintableLetters, async (call) => {
  const { companyId, personId } = signedIn(call)
  return { letters: await unprintableIn(`${companyId ?? 0}/${personId}`, call.body.letters) }
})
