/**
 * Computes the fee of a payment from the company's dated rules, the day, the item and the payment method. These pure
 * functions serve both the preview on the screen and the charge on the server.
 */
import { type Location, type Method, methods, type OfficeMethod, type Quote } from './rules.ts'

export const programs = { convenience: 'Convenience fee', service: 'Service fee', none: 'No fee' } as const
export type FeeProgram = keyof typeof programs

/** Charge mode of a fee: with the bill or in a separate charge. Card network rules differ for the two. */
export type FeeMode = 'single' | 'two_transactions'

/** Payment channels that fee rules distinguish. */
export const channels = { online: 'Online', phone: 'By phone', autopay: 'AutoPay', office: 'At the office' } as const
export type Channel = keyof typeof channels

/** Card brands that fee rules distinguish. For other brands, the rules for all cards apply. */
export const brands = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
} as const
export type Brand = keyof typeof brands

export const fundings = { credit: 'Credit cards', debit: 'Debit cards' } as const
export type Funding = keyof typeof fundings

const channelOf: Record<Location, Channel> = {
  1: 'online',
  3: 'phone',
  4: 'online',
  5: 'office',
  6: 'autopay',
  7: 'phone',
}

/** Scope of a fee rule. In each field, null means all. */
export interface FeeScope {
  /** Kind of the paid item, such as `general`, or a part of the kind, such as `general/taxes`. */
  kind: string | null
  method: Method
  channel: Channel | null
  brand: Brand | null
  funding: Funding | null
}

/**
 * Calculation of a fee. `bps` is in basis points, which are hundredths of a percent. Amounts are in integer cents. The
 * fee for an eCheck is `fixedCents`.
 */
export interface FeeTerms {
  program: FeeProgram
  mode: FeeMode
  /** 1 if the company absorbs the fee and payers pay only the bill. */
  absorb: 0 | 1
  bps: number
  fixedCents: number
  minCents: number
  maxCents: number
  /** True if the fee is grossed up, so that it recovers the provider's cost of both the bill and the fee. */
  recovers: boolean
}

/**
 * Fee rule of a company. It is valid from a day until the next rule of the same scope. A rule with `ends` ends the
 * scope, so that more general rules apply.
 */
export interface FeeRule extends FeeScope, FeeTerms {
  /** First day of the rule, in the company's time zone, YYYY-MM-DD. */
  validFrom: string
  ends: boolean
}

/** All past and future fee rules of a company. The calculation selects the rules in force on the day of the payment. */
export type FeeBook = readonly FeeRule[]

/** Known details of the payment method, which may affect the fee. */
export interface PaysBy {
  method: Method | OfficeMethod
  brand?: Brand | null
  funding?: Funding | null
}

/** Data that determines the fee for one item. */
export interface FeeCase extends PaysBy {
  /** Day of the payment, in the company's time zone. */
  on: string
  kind: string
  location: Location
}

export const NO_FEE: FeeTerms = {
  ...{ program: 'none', mode: 'single', absorb: 0, bps: 0, fixedCents: 0, minCents: 0, maxCents: 0, recovers: false },
}

const isOnline = (method: Method | OfficeMethod): method is Method =>
  method === methods.card || method === methods.echeck

const reachOf = ({ method, kind, channel, brand, funding }: FeeScope) =>
  [method, kind, channel, brand, funding].map((part) => part ?? '').join('|')

/**
 * Returns the weight of a rule's scope, which is higher for a more specific scope. The item outweighs the channel, the
 * channel outweighs the card funding, and the funding outweighs the brand.
 */
const specificity = ({ kind, channel, brand, funding }: FeeScope): number =>
  (kind === null ? 0 : kind.includes('/') ? 24 : 12) + (channel ? 4 : 0) + (funding ? 2 : 0) + (brand ? 1 : 0)

const appliesTo = (rule: FeeRule, { on, kind, method, location, brand, funding }: FeeCase): boolean =>
  rule.validFrom <= on &&
  rule.method === method &&
  (rule.kind === null || rule.kind === kind || kind.startsWith(`${rule.kind}/`)) &&
  (rule.channel === null || rule.channel === channelOf[location]) &&
  (rule.brand === null || rule.brand === (brand ?? null)) &&
  (rule.funding === null || rule.funding === (funding ?? null))

/** Returns the rules in force on a day: the newest started rule of each scope, unless it ends the scope. */
export function inForce(book: FeeBook, on: string): FeeRule[] {
  const newest = new Map<string, FeeRule>()
  for (const rule of book) {
    const reach = reachOf(rule)
    const current = newest.get(reach)
    if (rule.validFrom <= on && (!current || current.validFrom < rule.validFrom)) newest.set(reach, rule)
  }
  return [...newest.values()].filter(({ ends }) => !ends)
}

/**
 * Returns the terms of the most specific rule in force for a payment. Payments at the counter and payments without a
 * rule have no fee.
 */
export function feeTermsFor(book: FeeBook, about: FeeCase): FeeTerms {
  if (!isOnline(about.method) || channelOf[about.location] === 'office') return NO_FEE
  const [first, ...rest] = inForce(book, about.on).filter((rule) => appliesTo(rule, about))
  if (!first) return NO_FEE
  return rest.reduce((best, rule) => (specificity(rule) > specificity(best) ? rule : best), first)
}

/**
 * Computes a fee in integer cents: `floor((bill · bps + 5000) / 10000) + fixed`, within its minimum and maximum. A
 * grossed-up fee is `(bill · p + f) / (1 − p)`, rounded up, so that the company receives the whole bill.
 */
export function feeOf(terms: FeeTerms, billCents: number): number {
  const { program, bps, fixedCents, minCents, maxCents, recovers } = terms
  if (program === 'none') return 0
  const share = recovers
    ? Math.ceil((billCents * bps + fixedCents * 10_000) / (10_000 - bps))
    : Math.floor((billCents * bps + 5000) / 10_000) + fixedCents
  return Math.min(maxCents, Math.max(minCents, share))
}

/** Computes the quote for an amount from fee terms. */
export function quoteBy(terms: FeeTerms, billCents: number): Quote {
  const fee = feeOf(terms, billCents)
  return terms.absorb === 1
    ? { billCents, feeCents: 0, absorbedFeeCents: fee, totalCents: billCents }
    : { billCents, feeCents: fee, absorbedFeeCents: 0, totalCents: billCents + fee }
}

/** Computes the quote for an amount from the fee rules. */
export const quoteOf = (book: FeeBook, about: FeeCase, billCents: number): Quote =>
  quoteBy(feeTermsFor(book, about), billCents)

/**
 * Returns true if the fee depends on the card. The portal must then know the card's brand and funding before the
 * charge.
 */
export const dependsOnCard = (book: FeeBook, on: string): boolean =>
  inForce(book, on).some(({ brand, funding }) => brand !== null || funding !== null)

/** Returns the brand with this name, as the provider spells it. Null if fee rules do not distinguish that brand. */
export const brandNamed = (name: string | null | undefined): Brand | null =>
  Object.hasOwn(brands, name ?? '') ? (name as Brand) : null

/** Returns the funding (credit or debit) with this name, as the provider spells it. Null for any other name. */
export const fundingNamed = (name: string | null | undefined): Funding | null =>
  Object.hasOwn(fundings, name ?? '') ? (name as Funding) : null

/** Returns the brand of a saved card from its label, such as "Visa ending 4242". Only the label is known here. */
export const brandOfLabel = (methodLabel: string): Brand | null =>
  (Object.keys(brands) as Brand[]).find((brand) => methodLabel.startsWith(`${brands[brand]} `)) ?? null

/** Card network rule about fees charged to payers, valid between two days. */
export interface NetworkRule {
  id: string
  network: Brand
  program: Exclude<FeeProgram, 'none'>
  demand: 'flat' | 'single' | 'separate' | 'not_in' | 'only_for' | 'all_cards' | 'no_program'
  /** Card funding that the rule applies to. Null for all. */
  funding: Funding | null
  channels: string[]
  kinds: string[]
  validFrom: string
  validTo: string | null
  text: string
  source: string
  basis: 'published' | 'reading'
}

/** Network rule that a company's fee rule breaks, and the form field to correct. */
export interface Breach {
  field: 'bps' | 'mode' | 'channel' | 'kind' | 'brand' | 'funding' | 'program'
  rule: NetworkRule
}

/** Returns the field of a fee rule that breaks a network rule. Null if none does. */
function fieldAgainst(rule: FeeScope & FeeTerms, network: NetworkRule): Breach['field'] | null {
  switch (network.demand) {
    case 'flat':
      return rule.bps > 0 ? 'bps' : null
    case 'single':
      return rule.mode === 'single' ? null : 'mode'
    case 'separate':
      return rule.mode === 'two_transactions' ? null : 'mode'
    case 'not_in':
      return rule.channel === null || network.channels.includes(rule.channel) ? 'channel' : null
    case 'only_for':
      return rule.kind !== null && network.kinds.includes(rule.kind) ? null : 'kind'
    case 'all_cards':
      if (rule.brand === network.network) return 'brand'
      return rule.funding !== null && network.program === 'convenience' ? 'funding' : null
    case 'no_program':
      return 'program'
  }
}

/** Returns true if payers pay a fee under these terms. */
const charges = ({ program, absorb, bps, fixedCents, minCents, maxCents }: FeeTerms): boolean =>
  program !== 'none' && absorb === 0 && maxCents > 0 && bps + fixedCents + minCents > 0

/**
 * Returns the network rules that a fee rule breaks on its start day. Network rules apply only to card fees that payers
 * pay.
 */
export function breaches(rule: FeeRule, networks: readonly NetworkRule[], on = rule.validFrom): Breach[] {
  if (rule.method !== methods.card || rule.ends || !charges(rule)) return []
  return networks.flatMap((network) => {
    const isMeant =
      network.program === rule.program &&
      (rule.brand === null || rule.brand === network.network) &&
      (network.funding === null || network.funding === rule.funding) &&
      network.validFrom <= on &&
      (network.validTo === null || on <= network.validTo)
    const field = isMeant ? fieldAgainst(rule, network) : null
    return field ? [{ field, rule: network }] : []
  })
}
