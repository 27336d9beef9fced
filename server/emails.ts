import { unusualChars, unprintableChars } from '../shared/chars.ts'
import { implement, signedIn } from './call.ts'
import { parserOf } from './parse.ts'

const missingChars = parserOf<[text: string], string[]>(new URL('pdf-fonts.ts', import.meta.url), 'missingChars')

/** Returns the characters of a text that are missing from all document fonts. A worker thread reads the fonts. */
export async function unprintableIn(caller: string, text: string): Promise<string[]> {
  const chars = unusualChars(text)
  return chars === '' ? [] : missingChars(caller, chars)
}

export const unprintableCharsCall = implement(unprintableChars, async (call) => {
  const { companyId, personId } = signedIn(call)
  return { chars: await unprintableIn(`${companyId ?? 0}/${personId}`, call.body.chars) }
})
