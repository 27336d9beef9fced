/** Formats text that a payer types, pastes or autofills. The hosted fields use the same file. */

const MONTH = /^(?:0[1-9]|1[0-2])$/

/** Extracts the digits, including full-width digits and digits between invisible characters. */
export const digits = (text: string): string => text.normalize('NFKC').replaceAll(/\D/g, '')

/** Shortens `2030` to `30`. Does not change an incomplete year. */
const shortYear = (year: string): string =>
  year.startsWith('20') ? year.slice(year.length < 4 ? 0 : 2, 4) : year.slice(0, 2)

const joined = (month: string, year: string): string => `${month.padStart(2, '0').slice(0, 2)} / ${shortYear(year)}`

/**
 * Formats an expiration date as `08 / 30`, from any form: `8/30`, `08/2030`, `082030`, `2030-08`. `before` is the text
 * before the change.
 */
export function shapeExpiry(text: string, before = ''): string {
  const plain = text.normalize('NFKC').trim()
  // If the person deletes the slash, the digit before the slash is also deleted.
  if (before.endsWith(' / ') && text.length < before.length) return digits(text).slice(0, 1)
  const [first = '', second] = plain.match(/\d+/g) ?? []
  if (second !== undefined) {
    if (first.length === 4) return joined(second, first)
    if (first.length <= 2) return joined(first, second)
  }
  const all = digits(plain)
  // A separator after a single digit ends the month.
  if (second === undefined && /^\d\D/.test(plain)) return joined(first, '')
  const padded = /^[2-9](?:\d{0,2}|20\d\d)$/.test(all) ? `0${all}` : all
  if (/^20\d{4}$/.test(padded) && MONTH.test(padded.slice(4))) return joined(padded.slice(4), padded.slice(0, 4))
  return padded.length < 2 ? padded : joined(padded.slice(0, 2), padded.slice(2))
}

/** Reads the month and year of a complete expiration date. Null if it is incomplete. */
export function expiryOf(text: string): { month: number; year: number } | null {
  const [, month = '', year = ''] = /^(\d\d) \/ (\d\d)$/.exec(text) ?? []
  return MONTH.test(month) ? { month: Number(month), year: 2000 + Number(year) } : null
}

/**
 * Groups the digits of a card number as printed: 4, 6 and 5 digits for American Express, groups of four for other
 * brands.
 */
export function shapeCardNumber(text: string, brand: string): string {
  // Keeps extra digits, so that the check refuses the number. Removing them could result in a different valid number.
  const number = digits(text).slice(0, 24)
  const parts =
    brand === 'amex' ? (/^(\d{1,4})(\d{1,6})?(\d+)?/.exec(number) ?? []).slice(1) : (number.match(/\d{1,4}/g) ?? [])
  return parts.filter(Boolean).join(' ')
}
