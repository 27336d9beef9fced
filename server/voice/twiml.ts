import type { SpokenText } from '../db/column-types.ts'
import { escapeHtml } from '../html.ts'
import { phrases } from './phrases.ts'

const VOICES = { en: 'en-US', es: 'es-US' } as const

/** What somebody gets to press a key, in seconds. */
const KEY_SECONDS = 6

const sayAll = (said: readonly SpokenText[]): string =>
  said.map(({ language, text }) => `<Say language="${VOICES[language]}">${escapeHtml(text)}</Say>`).join('')

const answer = (body: string): string => `<?xml version="1.0" encoding="UTF-8"?><Response>${body}</Response>`

const languageOf = (said: readonly SpokenText[]): SpokenText['language'] => said[0]?.language ?? 'en'

/** What a call says, twice, in Twilio's words; with `keysUrl` it asks for a key, which can be pressed at any time. */
export function twimlOf(said: readonly SpokenText[], name: string, keysUrl: string): string {
  const language = languageOf(said)
  const once = sayAll(said)
  const twice = `${once}<Pause length="1"/>${sayAll([{ language, text: phrases[language].again }])}${once}`
  if (!keysUrl) return answer(`${twice}<Hangup/>`)
  const asked = sayAll([{ language, text: phrases[language].keys(name) }])
  return answer(
    `<Gather input="dtmf" numDigits="1" timeout="${KEY_SECONDS}" action="${escapeHtml(keysUrl)}" method="POST">${twice}${asked}</Gather><Hangup/>`,
  )
}

/** What whoever pressed 9 hears. */
export const goodbye = (said: readonly SpokenText[], name: string): string => {
  const language = languageOf(said)
  return answer(`${sayAll([{ language, text: phrases[language].stopped(name) }])}<Hangup/>`)
}

export const hangUp = answer('<Hangup/>')
