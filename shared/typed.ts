import * as z from 'zod/mini'

/** Characters that no reader sees: zero widths, marks of direction, soft hyphens, and controls other than blanks. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}|\p{Cf}|(?![\t\n\v\f\r])\p{Cc}/gu

/**
 * Cleans an identifier that somebody typed or pasted: drops invisible characters, writes each blank as a space and each dash as
 * a hyphen, and full-width digits as plain ones. Only for numbers, codes and addresses, never for names or prose.
 */
export const plainTyped = (text: string): string =>
  text
    .replaceAll(UNSEEN, '')
    .replaceAll(/\s/gu, ' ')
    .replaceAll(/[\u2010-\u2015\u2043\u2212\uFE58\uFE63\uFF0D]/gu, '-')
    .replaceAll(/[\uFF01-\uFF5E]/gu, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) - 0xfee0))
    .trim()

/** Joins letters of some scripts: invisible, and yet part of a name. */
const JOINERS = /[\u200C\u200D]/u

/** Drops the invisible characters that come with a pasted text. Letters and joiners stay: a search is also for names. */
export const visible = (text: string): string => text.replaceAll(UNSEEN, (sign) => (JOINERS.test(sign) ? sign : ''))

/** First check of every schema for an identifier: an account number, a code, an email address, a phone number. */
export const cleaned = () => z.overwrite<string>(plainTyped)
