import type { AlertTexts, Kind } from '../rules.ts'
import { textIn } from '../rules.ts'

type Language = 'en' | 'es'

/** First sentence of a call. It names the caller and the kind of message. */
const begins: Record<Language, Record<Kind | 'test', (name: string) => string>> = {
  en: {
    alert: (name) => `This is an alert from ${name}.`,
    update: (name) => `This is an update to an alert from ${name}.`,
    cancel: (name) => `${name} has cancelled an alert.`,
    all_clear: (name) => `This is the all-clear for an alert from ${name}.`,
    test: () => 'This is a test.',
  },
  es: {
    alert: (name) => `Esta es una alerta de ${name}.`,
    update: (name) => `Esta es una actualización de una alerta de ${name}.`,
    cancel: (name) => `Se cancela una alerta de ${name}.`,
    all_clear: (name) => `Termina una alerta de ${name}.`,
    test: () => 'Esta es una prueba.',
  },
}

/** Ends each part of the text with a period, so that the voice pauses after the part. */
const withPeriod = (text: string): string => (/[.!?:]$/.test(text) ? text : `${text}.`)

/** Builds the spoken text of an alert: caller, event, instructions, then details that can be cut off. */
export function spokenOf(kind: Kind, texts: AlertTexts, language: Language, name: string, test = false): string {
  // If the alert lacks the language, an English voice reads the English text.
  const spoken = languageOf(texts, language)
  const { headline, description, instruction } = textIn(texts, language)
  const first = [...(test ? [begins[spoken].test(name)] : []), begins[spoken][kind](name)]
  return [...first, ...[headline, instruction, description].filter(Boolean).map(withPeriod)].join(' ')
}

/** Returns the language in which a call speaks to a reader of this language. */
export const languageOf = (texts: AlertTexts, language: Language): Language =>
  language === 'es' && texts.es ? 'es' : 'en'
