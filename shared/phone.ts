/** Only the digits, at most `most` of them. */
export const digitsOf = (text: string, most = 15): string => text.replaceAll(/\D/g, '').slice(0, most)

/** The digits of a number without the country code, where one stands before ten digits: "+1 717 555 0199" is 7175550199. */
export const nationalDigits = (text: string): string => digitsOf(text, 30).replace(/^1(?=\d{10}$)/, '')

/** A number of ten digits, in whatever shape people write it. */
export const isPhone = (text: string): boolean => /^\d{10}$/.test(nationalDigits(text)) && !/[\p{L}\p{C}<>]/u.test(text)

/** Shows a phone number: 10 digits (XXX) XXX-XXXX, 11 X(XXX) XXX-XXXX, 7 XXX-XXXX (specification 5.5). Others as they are. */
export function formatPhone(text: string): string {
  const d = digitsOf(text)
  if (d.length === 10) return `(${d.slice(0, 3)}) ${d.slice(3, 6)}-${d.slice(6)}`
  if (d.length === 11) return `${d[0]}(${d.slice(1, 4)}) ${d.slice(4, 7)}-${d.slice(7)}`
  if (d.length === 7) return `${d.slice(0, 3)}-${d.slice(3)}`
  return text
}

/**
 * Formats a phone number while it is typed: xxx-xxx-xxxx (specification 5.5). A country code goes as soon as ten digits
 * follow it. What is too long stays, so that it can be told instead of becoming another number.
 */
export function typePhone(text: string): string {
  const d = nationalDigits(text)
  return [d.slice(0, 3), d.slice(3, 6), d.slice(6)].filter(Boolean).join('-')
}
