/**
 * Messages in the reader's language. The source code contains the English messages. Texts that are declared once for
 * all readers (labels, errors, form rules) are plain strings, and the code that displays them calls `translated`.
 * Messages that contain values, or are built during a call, use `say`. `web/build/find-sentences.ts` collects both in
 * the catalog.
 */

type Value = string | number | Plural

/**
 * Function that looks up a message in the catalog of the reader's language. Returns undefined if that language is
 * English, or if the catalog does not contain the message.
 */
export type Translator = (
  message: string,
  values: Record<number, string | number>,
  /** Returns the English message with its values filled in. */
  english?: () => string,
) => string | undefined

let translate: Translator | undefined

/** Sets the translator. The server calls this once, and so does each page in a language other than English. */
export function translateWith(translator: Translator | undefined): void {
  translate = translator
}

/** Translates a declared text to the reader's language. */
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

/**
 * Creates a number with its noun for a `say` message: `plural(n, '# day', '# days')`. Translations may need more than
 * two forms.
 */
export const plural = (count: number, one: string, other: string): Plural => new Plural(count, one, other)

/** Formats a message with values in the reader's language: say`The largest amount is ${dollars}.` */
export function say(texts: TemplateStringsArray, ...values: Value[]): string {
  const english = () => String.raw({ raw: texts }, ...values)
  if (!translate) return english()
  const message = String.raw({ raw: texts }, ...values.map((value, n) => placeholder(value, n)))
  return translate(message, Object.fromEntries(values.map((value, n) => [n, plain(value)])), english) ?? english()
}

/** Message that a worker thread built with `say`. The thread has no access to the reader's language. */
export interface MessageText {
  english: string
  message: string
  values: (string | number | MessageText)[]
}

/** Translates a message from a worker thread to the reader's language. */
export function translateMessageText({ english, message, values }: MessageText): string {
  const resolved = values.map((value) => (typeof value === 'object' ? translateMessageText(value) : value))
  return translate?.(message, Object.fromEntries(resolved.entries())) ?? english
}

const placeholder = (value: Value, n: number) => (value instanceof Plural ? `{${n}, ${value.message}}` : `{${n}}`)
const plain = (value: Value) => (value instanceof Plural ? value.count : value)
