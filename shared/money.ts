import * as z from 'zod/mini'

/**
 * Largest amount that a screen or import accepts, in cents: $9,999,999.99. With this limit, sums stay within safe
 * integers.
 */
export const MAX_CENTS = 999_999_999

/** Schema of an amount in API calls: a non-negative whole number of cents. */
export const cents = z.int().check(z.minimum(0), z.maximum(MAX_CENTS))

/** Amount in integer cents that may be negative, for a credit or reversal. */
export const signedCents = z.int().check(z.minimum(-MAX_CENTS), z.maximum(MAX_CENTS))

const MINUS = /[\u2010-\u2013\u2212\uFE63\uFF0D]/g
/** Non-ASCII space characters. */
const BLANKS = /[\u00A0\u2007\u2009\u202F]/g
/** Invisible characters. */
const UNSEEN = /[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g

const NUMBER = /^(\d{1,3}(?:,\d{3})+|\d+)?(?:\.(\d{0,2}))?$/

/** Result of reading an amount: cents, or the problem. The problem is either the spelling or the limit. */
export type AmountRead = { cents: number; problem?: undefined } | { cents?: undefined; problem: 'spelling' | 'limit' }

/**
 * Reads an amount as banks, billing systems and spreadsheets write it: `1,234.50`, `-$30`, `$-30`, `30.00-`, `(30.00)`,
 * `$(30.00)`. All imports use this function. A string that contains any other character is not an amount.
 */
export function readAmount(text: string, maxCents = MAX_CENTS): AmountRead {
  const plain = text.replaceAll(UNSEEN, '').replaceAll(BLANKS, ' ').replaceAll(MINUS, '-').trim()
  const [, outside = '', within] = /^(\$?) *\( *(.*?) *\)$/.exec(plain) ?? []
  const [, before = '', dollar = '', between = '', digits = '', after = ''] =
    /^([+-]?) *(\$?) *([+-]?) *([\d.,]*) *([+-]?)$/.exec(within ?? plain) ?? []
  const signs = [...(within === undefined ? [] : ['-']), before, between, after].filter((sign) => sign !== '')
  const [, whole, decimals] = NUMBER.exec(digits) ?? []
  if (signs.length > 1 || (outside && dollar) || (whole === undefined && !decimals)) return { problem: 'spelling' }
  const cents = Number((whole ?? '0').replaceAll(',', '')) * 100 + Number((decimals ?? '').padEnd(2, '0'))
  if (cents > maxCents) return { problem: 'limit' }
  return { cents: signs[0] === '-' && cents > 0 ? -cents : cents }
}

/**
 * Reads an amount as a person types it: `$1,234.5`, `1234.50`, `.75`.
 * @returns integer cents. Null if the string has a sign or more than two decimals, or is not an amount
 */
export function parseCents(text: string): number | null {
  return /[^\d.,$\s]/.test(text) ? null : (readAmount(text).cents ?? null)
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/**
 * Formats cents: `14931` becomes `$149.31` (spec 9.1: USD, en-US). Adds 0, because negative zero would be shown as
 * `-$0.00`.
 */
export const formatCents = (amount: number): string => dollars.format(amount / 100 + 0)

/**
 * Formats cents for a CSV or an input value: `14931` becomes `149.31`. Calculates only with integers, so the result is
 * exact for any amount.
 */
export function plainDollars(amount: number): string {
  const digits = String(Math.abs(amount)).padStart(3, '0')
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
