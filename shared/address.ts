import { states } from './states.ts'

const charsOf = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z]/g, '')

/**
 * Formats a state while the person types: at most two uppercase letters (spec 5.5). Browsers may fill in a full state
 * name, which becomes its code.
 */
export function typeState(text: string): string {
  const chars = charsOf(text)
  const named = states.find(({ fullname }) => charsOf(fullname) === chars)
  return named?.shortname ?? chars.slice(0, 2)
}

/** Formats a ZIP code while the person types: at most five digits (spec 5.5). */
export const typeZip = (text: string): string => text.replaceAll(/\D/g, '').slice(0, 5)

/** Formats an address as "12 Oak St, Maple Grove, PA 17011". Leaves out missing parts. */
export const addressLine = (a: {
  address1: string
  address2?: string | null
  city: string
  state: string
  zipcode: string
}) => [a.address1, a.address2, a.city, `${a.state} ${a.zipcode}`.trim()].filter(Boolean).join(', ')
