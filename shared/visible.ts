/**
 * Characters that change the reading direction of nearby text. A name with such a character can look like a different
 * name.
 */
export const DIRECTION_OVERRIDES = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/

/**
 * Matches one line of visible characters without markup. Joiners (U+200C, U+200D) are allowed after a letter or symbol.
 * Many emoji, and names in Sinhala, Persian and Hindi, need them.
 */
export const VISIBLE_LINE = /^(?:[^\p{C}<>]|(?<=[\p{L}\p{M}\p{S}])[\u200C\u200D])*$/u

export const NOT_VISIBLE = 'Remove the characters < and > and any hidden or unprintable characters.'

/** Invisible characters that pasted text may contain: zero-width characters, direction marks and soft hyphens. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}|\p{Cf}/gu

/**
 * Cleans a typed or pasted identifier. Removes invisible characters. Converts special spaces to plain spaces, dashes to
 * hyphens, and full-width characters to plain ones. Only for numbers, codes and addresses, never for names or prose.
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

/** Invisible characters that join letters of some scripts. They are part of a name, so they stay. */
const JOINERS = /[\u200C\u200D]/u

/**
 * Removes invisible characters that pasted text may contain. Letters and joiners stay, because the text may be a name
 * that a person searches for.
 */
export const visible = (text: string): string => text.replaceAll(UNSEEN, (sign) => (JOINERS.test(sign) ? sign : ''))
