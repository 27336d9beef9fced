/**
 * Sentences that people read, in their language. English stands in the source. What is declared once for all readers (labels,
 * refusals, rules of forms) is a plain text that `translated` looks up where it is shown; what holds values, or is put
 * together while somebody waits, is written with `say`. `web/build/find-sentences.ts` collects both into the catalogue.
 */

type Value = string | number | Plural

/** Finds a message of the catalogue in the reader's language; undefined where they read English, or it is not translated. */
export type Translator = (
  message: string,
  values: Record<number, string | number>,
  /** The sentence in English, with its values. */
  english?: () => string,
) => string | undefined

let translate: Translator | undefined

/** Said once by the server, and by a page whose reader has another language than English. */
export function translateWith(translator: Translator | undefined): void {
  translate = translator
}

/** A text that was declared, as its reader reads it. */
export const translated = (text: string): string => translate?.(text, {}) ?? text

class Plural {
  readonly count: number
  readonly message: string
  readonly #english: string

  constructor(count: number, one: string, other: string) {
    this.count = count
    this.message = `plural, one {${one}} other {${other}}`
    this.#english = (count === 1 ? one : other).replaceAll('#', count.toLocaleString('en-US'))
  }

  toString(): string {
    return this.#english
  }
}

/** A number and what is counted, within `say`: `plural(n, '# day', '# days')`. Other languages have more than two forms. */
export const plural = (count: number, one: string, other: string): Plural => new Plural(count, one, other)

/** A sentence with values, in the reader's language: say`The largest amount is ${dollars}.` */
export function say(texts: TemplateStringsArray, ...values: Value[]): string {
  const english = () => String.raw({ raw: texts }, ...values)
  if (!translate) return english()
  const message = String.raw({ raw: texts }, ...values.map((value, n) => placeholder(value, n)))
  return translate(message, Object.fromEntries(values.map((value, n) => [n, plain(value)])), english) ?? english()
}

/** A sentence that `say` wrote in a thread, which does not know the reader's language. */
export interface MessageText {
  english: string
  message: string
  values: (string | number | MessageText)[]
}

/** The sentence of a thread in the reader's language. */
export function retold({ english, message, values }: MessageText): string {
  const told = values.map((value) => (typeof value === 'object' ? retold(value) : value))
  return translate?.(message, Object.fromEntries(told.entries())) ?? english
}

const placeholder = (value: Value, n: number) => (value instanceof Plural ? `{${n}, ${value.message}}` : `{${n}}`)
const plain = (value: Value) => (value instanceof Plural ? value.count : value)
