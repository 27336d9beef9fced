import { states } from './states.ts'

const charsOf = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z]/g, '')

/** Keeps upper-case letters, at most two (specification 5.5). Browsers fill in full names, which become their code. */
export function typeState(text: string): string {
  const chars = charsOf(text)
  const named = states.find(({ fullname }) => charsOf(fullname) === chars)
  return named?.shortname ?? chars.slice(0, 2)
}

/** Keeps digits, at most five (specification 5.5). */
export const typeZip = (text: string): string => text.replaceAll(/\D/g, '').slice(0, 5)

/** Formats "12 Oak St, Maple Grove, PA 17011", without missing parts. */
export const addressLine = (a: {
  address1: string
  address2?: string | null
  city: string
  state: string
  zipcode: string
}) => [a.address1, a.address2, a.city, `${a.state} ${a.zipcode}`.trim()].filter(Boolean).join(', ')
