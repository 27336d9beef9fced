import { plainTyped } from '../../shared/visible.ts'

/** Normalizes an account number to its stored form: upper case without spaces. */
export const normalizeAccountNumber = (text: string): string => plainTyped(text).replaceAll(/\s+/g, '').toUpperCase()

/** Returns true for at most 30 digits, capital letters and dashes. */
export const isAccountNumber = (text: string): boolean => /^[0-9A-Z-]{1,30}$/.test(text)

const MAX_DIGITS = 16

/** Returns the digits of a number without leading zeros. Other texts stay as they are. Limits count by this key. */
export const accountNumberKey = (number: string): string =>
  /^\d+$/.test(number) ? number.replace(/^0+(?=\d)/, '') : number

/**
 * Returns a normalized number, then the same number with other leading zeros. People leave leading zeros out, and
 * spreadsheets remove them.
 */
export function accountNumberForms(number: string): string[] {
  const key = accountNumberKey(number)
  if (!/^\d+$/.test(key)) return [number]
  const lengths = Array.from({ length: Math.max(0, MAX_DIGITS - key.length) + 1 }, (_, zeros) => key.length + zeros)
  return [...new Set([number, ...lengths.map((length) => key.padStart(length, '0'))])]
}

/** Returns the account with exactly this number, else the only one. Undefined if several accounts have other zeros. */
export const accountOfNumber = <Account extends { account_number: string }>(
  accounts: readonly Account[],
  number: string,
): Account | undefined =>
  accounts.find(({ account_number }) => account_number === number) ?? (accounts.length === 1 ? accounts[0] : undefined)

/** Facts that a company may require from guests, in addition to the account number and ZIP code. */
export const guestProofs = ['none', 'last_name', 'last_bill'] as const
export type GuestProof = (typeof guestProofs)[number]

/**
 * Returns the street of an address without the house and apartment numbers. "214-B Tannery Road, Apt 3" becomes
 * "Tannery Road".
 */
export const streetOf = (address: string): string =>
  address
    .trim()
    .replace(/^#?\d+[a-z]?(?:-\w+)?(?:\s+\d+\/\d+)?\s+/i, '')
    .replace(/[\s,]+(?:(?:apartment|apt|unit|suite|ste|lot|floor|fl|room|rm)\b|#)[\s.#]*[\w-]*\s*$/i, '')
    .trim()

interface Line {
  service: string
  description: string
  quantity: number | null
  unit: string
}

/**
 * Formats a bill line, such as "Water, 4,200 gallons". If the line has no measured quantity, returns only the service.
 */
export const lineText = ({ service, description, quantity, unit }: Line): string =>
  quantity === null
    ? service || description
    : `${service || description}, ${quantity.toLocaleString('en-US')} ${unit}`.trim()

/** Converts bill lines to line items of a receipt. */
export const itemsOf = (lines: readonly (Line & { amountCents: number })[]) =>
  lines.map((line) => ({
    text: lineText(line),
    note: line.service ? line.description : '',
    amountCents: line.amountCents,
  }))

/** Title and GL account of a bill payment. */
export const BILL_PAYMENT = 'Utility bill payment'
export const GL_ACCOUNT = 'UTILITIES'

/** Normalizes a link code for comparison: upper case, without spaces and dashes. */
export const normalizeLinkCode = (text: string): string =>
  plainTyped(text)
    .replaceAll(/[\s-]+/g, '')
    .toUpperCase()

export const isLinkCode = (text: string): boolean => /^[0-9A-Z]{8,12}$/.test(normalizeLinkCode(text))
