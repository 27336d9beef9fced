import { plainTyped } from '../../shared/visible.ts'

/** Normalizes an account number to its stored form: upper case without spaces. */
export const normalizeAccountNumber = (text: string): string => plainTyped(text).replaceAll(/\s+/g, '').toUpperCase()

/** Returns true for at most 30 digits, capital letters and dashes. */
export const isAccountNumber = (text: string): boolean => /^[0-9A-Z-]{1,30}$/.test(text)

/** Facts that a company may require from guests, in addition to the account number and ZIP code. */
export const guestProofs = ['none', 'last_name', 'last_bill'] as const
export type GuestProof = (typeof guestProofs)[number]

const LEGAL_FORM = /^(?:llc|llp|lp|pllc|pc|inc|incorporated|corp|corporation|co|company|ltd|trust|dba)$/i
/** Words that occur only in names of businesses and institutions. */
const TRADE =
  /^(?:academy|apartments|associates|auto|bakery|bank|barbers|bicycle|bookstore|books|brewing|cafe|café|center|centre|chapel|clinic|club|coffee|construction|contracting|daycare|deli|dental|dentistry|department|diner|electric|enterprises|estates|farms|fitness|florist|garage|grill|grocery|group|gym|hardware|hardwood|heating|holdings|hospital|hotel|housing|inn|institute|insurance|investments|kitchen|laundry|lawn|library|management|market|medical|ministries|motel|motors|nursery|office|offices|parish|partners|pharmacy|pizza|plumbing|practice|printing|properties|realty|rentals|repair|restaurant|roofing|salon|school|services|shop|shops|solutions|spa|storage|store|studio|supply|systems|tavern|theater|theatre|towing|university|upholstery|veterinary|wash|works)$/i

const namePartsOf = (name: string): string[] => name.trim().split(/\s+/)
const bare = (word: string): string => word.replaceAll(/[.,]/g, '')

const isBusiness = (name: string): boolean => {
  const parts = namePartsOf(name).map(bare)
  return parts.some((word) => LEGAL_FORM.test(word) || TRADE.test(word)) || /^the\s|\d/i.test(name)
}

/**
 * Masks a customer name so that only the customer recognizes it. "Dorothy Abernathy" becomes "D. Abernathy", and "John
 * & Mary Abernathy" becomes "J. & M. Abernathy". Business names stay readable, because they are public.
 */
export function maskedName(name: string): string {
  const parts = namePartsOf(name)
  if (parts.length < 2 || isBusiness(name)) return parts.join(' ')
  const last = parts.findLastIndex((word) => !SUFFIX.test(bare(word)))
  return parts
    .map((word, n) => (n < last && /^\p{L}/u.test(word) && !/^(?:and|or)$/i.test(word) ? `${[...word][0]}.` : word))
    .join(' ')
}

const SUFFIX = /^(?:jr|sr|i{2,3}|iv|v)$/i

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

const normalizeText = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} ]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Returns true if the typed text is the customer's last name or full name. Suffixes such as "LLC" are optional. */
export function endsName(name: string, typed: string): boolean {
  const wanted = normalizeText(typed)
  const endings = [
    namePartsOf(name),
    namePartsOf(name).filter((word) => !LEGAL_FORM.test(bare(word)) && !SUFFIX.test(bare(word))),
  ]
  return endings.some((parts) =>
    parts.some((_word, n) => wanted !== '' && normalizeText(parts.slice(n).join(' ')) === wanted),
  )
}

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
