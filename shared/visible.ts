/**
 * Characters that change how the text around them reads: direction marks and overrides. A name with one can show other
 * letters than it has.
 */
export const DIRECTION_OVERRIDES = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/

/**
 * One line of visible characters without markup. Joiners (U+200C, U+200D) count after a letter or a sign: names in Sinhala,
 * Persian and Hindi, and many emoji, need them.
 */
export const VISIBLE_LINE = /^(?:[^\p{C}<>]|(?<=[\p{L}\p{M}\p{S}])[\u200C\u200D])*$/u

export const NOT_VISIBLE = 'Please leave out < and > and characters that can not be seen.'

/** Characters that no reader sees and that come with a pasted text: zero widths, marks of direction, soft hyphens. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}|\p{Cf}/gu

/**
 * Cleans an identifier that somebody typed or pasted: drops invisible characters, writes each blank as a space and each dash as
 * a hyphen, and full-width letters and digits as plain ones. Only for numbers, codes and addresses, never for names or prose.
 */
export const plainTyped = (text: string): string =>
  text
    .replaceAll(UNSEEN, '')
    .replaceAll(/\s/gu, ' ')
    .replaceAll(/[\u2010-\u2015\u2043\u2212\uFE58\uFE63\uFF0D]/gu, '-')
    .replaceAll(/[\uFF10-\uFF19\uFF21-\uFF3A\uFF41-\uFF5A]/gu, (sign) =>
      String.fromCodePoint((sign.codePointAt(0) ?? 0) - 0xfee0),
    )
    .trim()

/** Joins letters of some scripts: invisible, and yet part of a name. */
const JOINERS = /[\u200C\u200D]/u

/** Drops the invisible characters that come with a pasted text. Letters and joiners stay: a search is also for names. */
export const visible = (text: string): string => text.replaceAll(UNSEEN, (sign) => (JOINERS.test(sign) ? sign : ''))
