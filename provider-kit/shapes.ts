/** Shapes of what a payer types, pastes or lets the browser fill in. The same file runs in the hosted fields. */

const MONTH = /^(?:0[1-9]|1[0-2])$/

/** Only the digits, also of full-width ones and of those between invisible characters. */
export const digits = (text: string): string => text.normalize('NFKC').replaceAll(/\D/g, '')

/** `2030` as `30`. A year that is still being typed stays as it is. */
const shortYear = (year: string): string =>
  year.startsWith('20') ? year.slice(year.length < 4 ? 0 : 2, 4) : year.slice(0, 2)

const joined = (month: string, year: string): string => `${month.padStart(2, '0').slice(0, 2)} / ${shortYear(year)}`

/**
 * Writes an expiry date as `08 / 30`, however it comes: `8/30`, `08/2030`, `082030`, `2030-08`. `before` is what the field held
 * before the change.
 */
export function shapeExpiry(text: string, before = ''): string {
  const plain = text.normalize('NFKC').trim()
  // Deleting over the slash takes the digit before it along.
  if (before.endsWith(' / ') && text.length < before.length) return digits(text).slice(0, 1)
  const [first = '', second] = plain.match(/\d+/g) ?? []
  if (second !== undefined) {
    if (first.length === 4) return joined(second, first)
    if (first.length <= 2) return joined(first, second)
  }
  const all = digits(plain)
  // A separator after one digit ends the month.
  if (second === undefined && /^\d\D/.test(plain)) return joined(first, '')
  const padded = /^[2-9](?:\d{0,2}|20\d\d)$/.test(all) ? `0${all}` : all
  if (/^20\d{4}$/.test(padded) && MONTH.test(padded.slice(4))) return joined(padded.slice(4), padded.slice(0, 4))
  return padded.length < 2 ? padded : joined(padded.slice(0, 2), padded.slice(2))
}

/** Month and year of a complete expiry date, or null. */
export function expiryOf(text: string): { month: number; year: number } | null {
  const [, month = '', year = ''] = /^(\d\d) \/ (\d\d)$/.exec(text) ?? []
  return MONTH.test(month) ? { month: Number(month), year: 2000 + Number(year) } : null
}

/** Groups of a card number. American Express prints 4, 6 and 5 digits, all others print fours. */
export function shapeCardNumber(text: string, brand: string): string {
  // More digits than any card has stay, so that the check refuses them instead of making another number of them.
  const number = digits(text).slice(0, 24)
  const parts =
    brand === 'amex' ? (/^(\d{1,4})(\d{1,6})?(\d+)?/.exec(number) ?? []).slice(1) : (number.match(/\d{1,4}/g) ?? [])
  return parts.filter(Boolean).join(' ')
}
