import type { SpokenText } from '../db/column-types.ts'
import { escapeHtml } from '../html.ts'
import { phrases } from './phrases.ts'

const VOICES = { en: 'en-US', es: 'es-US' } as const

/** Time that the listener has to press a key after the prompt, in seconds. */
const KEY_SECONDS = 6

const sayAll = (messages: readonly SpokenText[]): string =>
  messages.map(({ language, text }) => `<Say language="${VOICES[language]}">${escapeHtml(text)}</Say>`).join('')

const response = (body: string): string => `<?xml version="1.0" encoding="UTF-8"?><Response>${body}</Response>`

const languageOf = (messages: readonly SpokenText[]): SpokenText['language'] => messages[0]?.language ?? 'en'

/**
 * Returns TwiML that speaks the messages twice. If `keysUrl` is set, the call also asks for a key. The listener may
 * press a key at any time.
 */
export function twimlOf(messages: readonly SpokenText[], name: string, keysUrl: string): string {
  const language = languageOf(messages)
  const once = sayAll(messages)
  const twice = `${once}<Pause length="1"/>${sayAll([{ language, text: phrases[language].again }])}${once}`
  if (!keysUrl) return response(`${twice}<Hangup/>`)
  const keysPrompt = sayAll([{ language, text: phrases[language].keys(name) }])
  return response(
    `<Gather input="dtmf" numDigits="1" timeout="${KEY_SECONDS}" action="${escapeHtml(keysUrl)}" method="POST">${twice}${keysPrompt}</Gather><Hangup/>`,
  )
}

/** Returns the TwiML that confirms the opt-out after a person pressed 9. */
export const goodbye = (messages: readonly SpokenText[], name: string): string => {
  const language = languageOf(messages)
  return response(`${sayAll([{ language, text: phrases[language].optedOut(name) }])}<Hangup/>`)
}

export const hangUp = response('<Hangup/>')
