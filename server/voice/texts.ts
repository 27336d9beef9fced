import type { SpokenText } from '../db/column-types.ts'
import { escapeHtml } from '../html.ts'
import { phrases } from './phrases.ts'

/**
 * Maximum number of spoken characters. The first response of a call can have at most 4,000 characters (`Twiml`),
 * including the text twice and the key prompt.
 */
const MAX_CHARACTERS = 1500
/** Speaking rate of a clear voice, in characters per second. */
const CHARACTERS_A_SECOND = 14

/** Prepares a text for a call. Cuts a long text after a whole word. */
export function readyToSay(text: string): string {
  const whole = text.trim().replaceAll(/\s+/g, ' ')
  if (escapeHtml(whole).length <= MAX_CHARACTERS) return whole
  const characters = [...whole]
  let max = Math.min(characters.length, MAX_CHARACTERS)
  while (escapeHtml(characters.slice(0, max).join('')).length > MAX_CHARACTERS) max -= 10
  return characters
    .slice(0, max)
    .join('')
    .replace(/\s+\S*$/, '')
}

/** Estimates the time to speak a text, in seconds. Each digit counts as a word. */
export const secondsOf = (text: string): number =>
  Math.max(1, Math.round((text.length + 4 * text.replaceAll(/\D/g, '').length) / CHARACTERS_A_SECOND))

/** Estimates the length of a call in seconds. The call speaks the text twice, and then the key prompt. */
export const secondsOfCall = (message: SpokenText, name: string): number =>
  2 * secondsOf(message.text) +
  secondsOf(phrases[message.language].again) +
  secondsOf(phrases[message.language].keys(name))

/** Returns the number of billed minutes. Each started minute counts as a full minute. */
export const minutesOf = (seconds: number): number => Math.ceil(seconds / 60)

/** Separates the digits of a code by commas, so that each digit is spoken separately. */
export const digitByDigit = (code: string): string => [...code].join(', ')
