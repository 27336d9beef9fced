import { plainTyped } from '../../shared/visible.ts'

/** An account number as it is kept: capital letters, no spaces around or within. */
export const normaliseAccountNumber = (text: string): string => plainTyped(text).replaceAll(/\s+/g, '').toUpperCase()

/** Digits, capital letters and dashes, at most 30. */
export const isAccountNumber = (text: string): boolean => /^[0-9A-Z-]{1,30}$/.test(text)

/** What a town may ask a guest for beside account number and ZIP code. */
export const guestFacts = ['none', 'last_name', 'last_bill'] as const
export type GuestProof = (typeof guestFacts)[number]

const LEGAL_FORM = /^(?:llc|llp|lp|pllc|pc|inc|incorporated|corp|corporation|co|company|ltd|trust|dba)$/i
/** What people are not called, so that a name with it is that of a business or an institution. */
const TRADE =
  /^(?:academy|apartments|associates|auto|bakery|bank|barbers|bicycle|bookstore|books|brewing|cafe|café|center|centre|chapel|clinic|club|coffee|construction|contracting|daycare|deli|dental|dentistry|department|diner|electric|enterprises|estates|farms|fitness|florist|garage|grill|grocery|group|gym|hardware|hardwood|heating|holdings|hospital|hotel|housing|inn|institute|insurance|investments|kitchen|laundry|lawn|library|management|market|medical|ministries|motel|motors|nursery|office|offices|parish|partners|pharmacy|pizza|plumbing|practice|printing|properties|realty|rentals|repair|restaurant|roofing|salon|school|services|shop|shops|solutions|spa|storage|store|studio|supply|systems|tavern|theater|theatre|towing|university|upholstery|veterinary|wash|works)$/i

const wordsOf = (name: string): string[] => name.trim().split(/\s+/)
const bare = (word: string): string => word.replaceAll(/[.,]/g, '')

const isBusiness = (name: string): boolean => {
  const words = wordsOf(name).map(bare)
  return words.some((word) => LEGAL_FORM.test(word) || TRADE.test(word)) || /^the\s|\d/i.test(name)
}

/**
 * Enough of a customer's name for its bearer to know the account, and no more: "Dorothy Abernathy" reads "D. Abernathy",
 * "John & Mary Abernathy" reads "J. & M. Abernathy". What a business is called stands on its door, and stays.
 */
export function maskedName(name: string): string {
  const words = wordsOf(name)
  if (words.length < 2 || isBusiness(name)) return words.join(' ')
  const last = words.findLastIndex((word) => !SUFFIX.test(bare(word)))
  return words
    .map((word, n) => (n < last && /^\p{L}/u.test(word) && !/^(?:and|or)$/i.test(word) ? `${[...word][0]}.` : word))
    .join(' ')
}

const SUFFIX = /^(?:jr|sr|i{2,3}|iv|v)$/i

/** The street of an address, without the number of the house or of the flat: "214-B Tannery Road, Apt 3" reads "Tannery Road". */
export const streetOf = (address: string): string =>
  address
    .trim()
    .replace(/^#?\d+[a-z]?(?:-\w+)?(?:\s+\d+\/\d+)?\s+/i, '')
    .replace(/[\s,]+(?:(?:apartment|apt|unit|suite|ste|lot|floor|fl|room|rm)\b|#)[\s.#]*[\w-]*\s*$/i, '')
    .trim()

const lettersOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} ]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Is this how the name of a customer ends: the last name, the whole name, a business's with or without "LLC"? */
export function endsName(name: string, typed: string): boolean {
  const wanted = lettersOf(typed)
  const endings = [
    wordsOf(name),
    wordsOf(name).filter((word) => !LEGAL_FORM.test(bare(word)) && !SUFFIX.test(bare(word))),
  ]
  return endings.some((words) =>
    words.some((_word, n) => wanted !== '' && lettersOf(words.slice(n).join(' ')) === wanted),
  )
}

interface Line {
  service: string
  description: string
  quantity: number | null
  unit: string
}

/** A bill's line as people read it: "Water, 4,200 gallons", or the service alone where nothing was measured. */
export const lineText = ({ service, description, quantity, unit }: Line): string =>
  quantity === null
    ? service || description
    : `${service || description}, ${quantity.toLocaleString('en-US')} ${unit}`.trim()

/** The lines of a bill as a payment's receipt lists them. */
export const itemsOf = (lines: readonly (Line & { amountCents: number })[]) =>
  lines.map((line) => ({
    text: lineText(line),
    note: line.service ? line.description : '',
    amountCents: line.amountCents,
  }))

/** What a payment of a bill is called, and the code of the general ledger that it goes to. */
export const BILL_PAYMENT = 'Utility bill payment'
export const GL_ACCOUNT = 'UTILITIES'

/** A code by which an account is linked, as it is compared: capital letters and digits alone. */
export const normaliseLinkCode = (text: string): string =>
  plainTyped(text)
    .replaceAll(/[\s-]+/g, '')
    .toUpperCase()

export const isLinkCode = (text: string): boolean => /^[0-9A-Z]{8,12}$/.test(normaliseLinkCode(text))
