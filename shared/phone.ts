/** Returns only the digits of a text, at most `max`. */
export const digitsOf = (text: string, max = 15): string => text.replaceAll(/\D/g, '').slice(0, max)

/**
 * Returns the digits of a phone number. Removes a country code before ten digits: "+1 717 555 0199" becomes 7175550199.
 */
export const nationalDigits = (text: string): string => digitsOf(text, 30).replace(/^1(?=\d{10}$)/, '')

/** True for a phone number of ten digits in any format. */
export const isPhone = (text: string): boolean => /^\d{10}$/.test(nationalDigits(text)) && !/[\p{L}\p{C}<>]/u.test(text)

/**
 * Formats a phone number (spec 5.5). Ten digits become (XXX) XXX-XXXX, eleven become X(XXX) XXX-XXXX, and seven become
 * XXX-XXXX. All other texts stay unchanged.
 */
export function formatPhone(text: string): string {
  const d = digitsOf(text)
  if (d.length === 10) return `(${d.slice(0, 3)}) ${d.slice(3, 6)}-${d.slice(6)}`
  if (d.length === 11) return `${d[0]}(${d.slice(1, 4)}) ${d.slice(4, 7)}-${d.slice(7)}`
  if (d.length === 7) return `${d.slice(0, 3)}-${d.slice(3)}`
  return text
}

/**
 * Formats a phone number while the person types: xxx-xxx-xxxx (spec 5.5). Removes a country code when ten digits follow
 * it. Extra digits stay, so that the form shows an error instead of a different number.
 */
export function typePhone(text: string): string {
  const d = nationalDigits(text)
  return [d.slice(0, 3), d.slice(3, 6), d.slice(6)].filter(Boolean).join('-')
}
