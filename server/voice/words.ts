import type { SpokenText } from '../db/column-types.ts'
import { escapeHtml } from '../html.ts'
import { phrases } from './phrases.ts'

/** A call's first answer holds 4,000 characters (`Twiml`) in which its words stand twice, beside what asks for keys. */
const MAX_CHARACTERS = 1500
/** A voice that is easy to follow says about so many characters in a second. */
const CHARACTERS_A_SECOND = 14

/** Words as a call says them: within its length, cut after a whole word. */
export function readyToSay(words: string): string {
  const whole = words.trim().replaceAll(/\s+/g, ' ')
  if (escapeHtml(whole).length <= MAX_CHARACTERS) return whole
  const characters = [...whole]
  let most = Math.min(characters.length, MAX_CHARACTERS)
  while (escapeHtml(characters.slice(0, most).join('')).length > MAX_CHARACTERS) most -= 10
  return characters
    .slice(0, most)
    .join('')
    .replace(/\s+\S*$/, '')
}

/** About how long words take, in seconds. A digit is a word of its own. */
export const secondsOf = (words: string): number =>
  Math.max(1, Math.round((words.length + 4 * words.replaceAll(/\D/g, '').length) / CHARACTERS_A_SECOND))

/** How long a call takes whose words are said twice and followed by what asks for keys, in seconds. */
export const secondsOfCall = (said: SpokenText, name: string): number =>
  2 * secondsOf(said.text) + secondsOf(phrases[said.language].again) + secondsOf(phrases[said.language].keys(name))

/** Each minute that began is paid. */
export const minutesOf = (seconds: number): number => Math.ceil(seconds / 60)

/** A code, so that each digit is said by itself. */
export const digitByDigit = (code: string): string => [...code].join(', ')
