import type { AlertForm } from './contract-staff.ts'

/** Blanks in the texts of alert templates, such as `[place]`. Staff fill in each blank once for both languages. */

export type BlankTexts = Pick<AlertForm, 'en' | 'es'>

/** A blank by language, without its brackets. Empty if the language lacks the blank. */
export interface Blank {
  en: string
  es: string
}

const PARTS = ['headline', 'description', 'instruction'] as const

const blanksIn = (text: BlankTexts['en']): string[] => [
  ...new Set(
    PARTS.flatMap((part) =>
      [...text[part].matchAll(/\[([^[\]\n]{1,40})\]/g)].map(([, name = '']) => name.toLowerCase()),
    ),
  ),
]

/** Lists the blanks of both languages. The nth blank of one language belongs to the nth blank of the other. */
export function blanksOf({ en, es }: BlankTexts): Blank[] {
  const [english, spanish] = [blanksIn(en), blanksIn(es)]
  return Array.from({ length: Math.max(english.length, spanish.length) }, (_, n) => ({
    en: english[n] ?? '',
    es: spanish[n] ?? '',
  }))
}

/** Replaces blanks by values. Values have the same order as `blanks`, and an empty value leaves its blank. */
export function fillBlanks(texts: BlankTexts, blanks: readonly Blank[], values: readonly string[]): BlankTexts {
  const fill = (language: 'en' | 'es') => {
    const byName = new Map(blanks.map((blank, n) => [blank[language], values[n]?.trim() ?? '']))
    const replaced = (text: string) =>
      text.replaceAll(/\[([^[\]\n]{1,40})\]/g, (blank, name: string) => byName.get(name.toLowerCase()) || blank)
    const { headline, description, instruction } = texts[language]
    return { headline: replaced(headline), description: replaced(description), instruction: replaced(instruction) }
  }
  return { en: fill('en'), es: fill('es') }
}
