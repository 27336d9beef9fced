import * as z from 'zod/mini'

/** The largest amount that any screen or import takes: $9,999,999.99. It keeps every sum far inside safe integers. */
export const MAX_CENTS = 999_999_999

/** An amount on the wire: integer cents, not negative. */
export const cents = z.int().check(z.minimum(0), z.maximum(MAX_CENTS))

/** An amount on the wire that may be negative (a credit, a reversal). */
export const signedCents = z.int().check(z.minimum(-MAX_CENTS), z.maximum(MAX_CENTS))

const AMOUNT = /^\$?(\d{1,3}(?:,\d{3})+|\d{1,7})?(?:\.(\d{0,2}))?$/

/**
 * Reads an amount as a person types it: `$1,234.5`, `1234.50`, `.75`.
 * @returns integer cents, or null where the text is no amount of at most two decimals
 */
export function parseCents(text: string): number | null {
  const match = AMOUNT.exec(text.trim())
  if (!match || (match[1] === undefined && !match[2])) return null
  const dollars = Number((match[1] ?? '0').replaceAll(',', ''))
  const total = dollars * 100 + Number((match[2] ?? '').padEnd(2, '0'))
  return total <= MAX_CENTS ? total : null
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** `14931` reads `$149.31` (specification 9.1: USD, en-US). Nothing taken off is `-0`, which would read `-$0.00`. */
export const formatCents = (amount: number): string => dollars.format(amount / 100 + 0)

/** `14931` as `149.31`, for a CSV or the value of an input. Made from integers, so it is exact at any size. */
export function plainDollars(amount: number): string {
  const digits = String(Math.abs(amount)).padStart(3, '0')
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
