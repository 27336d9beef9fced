/** Only the digits, at most `most` of them. */
export const digitsOf = (text: string, most = 15): string => text.replaceAll(/\D/g, '').slice(0, most)

/** Shows a phone number: 10 digits (XXX) XXX-XXXX, 11 X(XXX) XXX-XXXX, 7 XXX-XXXX (specification 5.5). Others as they are. */
export function formatPhone(text: string): string {
  const d = digitsOf(text)
  if (d.length === 10) return `(${d.slice(0, 3)}) ${d.slice(3, 6)}-${d.slice(6)}`
  if (d.length === 11) return `${d[0]}(${d.slice(1, 4)}) ${d.slice(4, 7)}-${d.slice(7)}`
  if (d.length === 7) return `${d.slice(0, 3)}-${d.slice(3)}`
  return text
}

/** Formats a phone number while it is typed: xxx-xxx-xxxx, at most 10 digits (specification 5.5). */
export function typePhone(text: string): string {
  const d = digitsOf(text, 10)
  return [d.slice(0, 3), d.slice(3, 6), d.slice(6)].filter(Boolean).join('-')
}
