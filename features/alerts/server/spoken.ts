import type { AlertTexts, Kind } from '../rules.ts'
import { saidIn } from '../rules.ts'

type Language = 'en' | 'es'

/** What is said before an alert's words, so that whoever picks up knows who calls, and what about. */
const begins: Record<Language, Record<Kind | 'test', (name: string) => string>> = {
  en: {
    alert: (name) => `This is an alert from ${name}.`,
    update: (name) => `This is an update of an alert from ${name}.`,
    cancel: (name) => `An alert from ${name} is cancelled.`,
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

/** So that the voice pauses between parts that were not written as sentences. */
const asSentence = (words: string): string => (/[.!?:]$/.test(words) ? words : `${words}.`)

/** An alert as a call says it: who calls, what happens, what people should do, and what else is known, which may be cut. */
export function spokenOf(kind: Kind, words: AlertTexts, language: Language, name: string, test = false): string {
  // What is not said in a language is said in English, by an English voice.
  const spoken = languageOf(words, language)
  const { headline, description, instruction } = saidIn(words, language)
  const first = [...(test ? [begins[spoken].test(name)] : []), begins[spoken][kind](name)]
  return [...first, ...[headline, instruction, description].filter(Boolean).map(asSentence)].join(' ')
}

/** The language in which an alert is said to who reads that one. */
export const languageOf = (words: AlertTexts, language: Language): Language =>
  language === 'es' && words.es ? 'es' : 'en'
