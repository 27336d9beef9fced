/**
 * What a payment costs whom: one pure function of the town's dated rules, the day, what is paid, and how. The screens'
 * previews and the server's charge use it alike.
 */
import { type Location, type Method, methods, type OfficeMethod, type Quote } from './rules.ts'

export const programs = { convenience: 'Convenience fee', service: 'Service fee', none: 'No fee' } as const
export type FeeProgram = keyof typeof programs

/** Whether a fee is part of the bill's charge. The networks tell both apart; charged is the first alone. */
export type FeeMode = 'single' | 'two_transactions'

/** Where one pays, as fee rules tell it apart. */
export const channels = { online: 'Online', phone: 'By phone', autopay: 'AutoPay', office: 'At the office' } as const
export type Channel = keyof typeof channels

/** Card brands that fee rules tell apart; every other card has the rules of all. */
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

/** For what a rule holds; null: for all of them. */
export interface FeeScope {
  /** What is paid, as lines have it, or a part of it: `general`, `general/taxes`. */
  kind: string | null
  method: Method
  channel: Channel | null
  brand: Brand | null
  funding: Funding | null
}

/** How a fee is charged. Basis points are hundredths of a percent; cents are integers. An eCheck's fee is `fixedCents`. */
export interface FeeTerms {
  program: FeeProgram
  mode: FeeMode
  /** 1: the town bears it, and payers pay the bill alone. */
  absorb: 0 | 1
  bps: number
  fixedCents: number
  minCents: number
  maxCents: number
  /** Grossed up: what the provider takes of bill and fee together is what the fee recovers. */
  recovers: boolean
}

/** A rule of a town, from a day on, until another for the same follows. One that `ends` leaves it to the wider rules. */
export interface FeeRule extends FeeScope, FeeTerms {
  /** The town's day, YYYY-MM-DD. */
  validFrom: string
  ends: boolean
}

/** All that a town ever said, and will: the engine picks by the day. */
export type FeeBook = readonly FeeRule[]

/** The card that pays, as far as anybody knows it by now. */
export interface PaysBy {
  method: Method | OfficeMethod
  brand?: Brand | null
  funding?: Funding | null
}

/** A payment of one thing. */
export interface FeeCase extends PaysBy {
  /** The town's day. */
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

/** How narrow a rule is. What is paid weighs more than where, that more than the kind of card, and that more than its brand. */
const narrowness = ({ kind, channel, brand, funding }: FeeScope): number =>
  (kind === null ? 0 : kind.includes('/') ? 24 : 12) + (channel ? 4 : 0) + (funding ? 2 : 0) + (brand ? 1 : 0)

const holdsFor = (rule: FeeRule, { on, kind, method, location, brand, funding }: FeeCase): boolean =>
  rule.validFrom <= on &&
  rule.method === method &&
  (rule.kind === null || rule.kind === kind || kind.startsWith(`${rule.kind}/`)) &&
  (rule.channel === null || rule.channel === channelOf[location]) &&
  (rule.brand === null || rule.brand === (brand ?? null)) &&
  (rule.funding === null || rule.funding === (funding ?? null))

/** The rules in force on a day: of each reach the newest that has begun, unless that ended it. */
export function inForce(book: FeeBook, on: string): FeeRule[] {
  const newest = new Map<string, FeeRule>()
  for (const rule of book) {
    const reach = reachOf(rule)
    const known = newest.get(reach)
    if (rule.validFrom <= on && (!known || known.validFrom < rule.validFrom)) newest.set(reach, rule)
  }
  return [...newest.values()].filter(({ ends }) => !ends)
}

/** The rule that a payment is charged by: the narrowest in force. At the counter, and without a rule, nothing has a fee. */
export function feeTermsFor(book: FeeBook, about: FeeCase): FeeTerms {
  if (!isOnline(about.method) || channelOf[about.location] === 'office') return NO_FEE
  const [first, ...rest] = inForce(book, about.on).filter((rule) => holdsFor(rule, about))
  if (!first) return NO_FEE
  return rest.reduce((best, rule) => (narrowness(rule) > narrowness(best) ? rule : best), first)
}

/**
 * A fee by its terms: `floor((bill · bps + 5000) / 10000) + fixed`, within its bounds; grossed up it is
 * `(bill · p + f) / (1 − p)`, rounded up, so that the bill is left whole. Integer cents.
 */
export function feeOf(terms: FeeTerms, billCents: number): number {
  const { program, bps, fixedCents, minCents, maxCents, recovers } = terms
  if (program === 'none') return 0
  const share = recovers
    ? Math.ceil((billCents * bps + fixedCents * 10_000) / (10_000 - bps))
    : Math.floor((billCents * bps + 5000) / 10_000) + fixedCents
  return Math.min(maxCents, Math.max(minCents, share))
}

/** What a payment of this amount costs whom, by terms that are known. */
export function quoteBy(terms: FeeTerms, billCents: number): Quote {
  const fee = feeOf(terms, billCents)
  return terms.absorb === 1
    ? { billCents, feeCents: 0, absorbedFeeCents: fee, totalCents: billCents }
    : { billCents, feeCents: fee, absorbedFeeCents: 0, totalCents: billCents + fee }
}

/** What a payment of this amount costs whom. */
export const quoteOf = (book: FeeBook, about: FeeCase, billCents: number): Quote =>
  quoteBy(feeTermsFor(book, about), billCents)

/** Does what is charged depend on the card that pays? Then its brand has to be known before anything is charged. */
export const dependsOnCard = (book: FeeBook, on: string): boolean =>
  inForce(book, on).some(({ brand, funding }) => brand !== null || funding !== null)

/** The brand of a card as a provider calls it; null for a card of which no rule speaks. */
export const brandNamed = (name: string | null | undefined): Brand | null =>
  Object.hasOwn(brands, name ?? '') ? (name as Brand) : null

/** Whether a card is a credit or a debit card, as a provider says it; null for others, and where it does not say. */
export const fundingNamed = (name: string | null | undefined): Funding | null =>
  Object.hasOwn(fundings, name ?? '') ? (name as Funding) : null

/** The brand of a kept card, of which its words are all that is known here: "Visa ending 4242". */
export const brandOfMeans = (means: string): Brand | null =>
  (Object.keys(brands) as Brand[]).find((brand) => means.startsWith(`${brands[brand]} `)) ?? null

/** What a network allows of fees that payers are charged, from a day, and to one where it ended. */
export interface NetworkRule {
  id: string
  network: Brand
  program: Exclude<FeeProgram, 'none'>
  demand: 'flat' | 'single' | 'separate' | 'not_in' | 'only_for' | 'all_cards' | 'no_program'
  /** Of these cards alone. */
  funding: Funding | null
  channels: string[]
  kinds: string[]
  validFrom: string
  validTo: string | null
  says: string
  source: string
  basis: 'published' | 'reading'
}

/** A network's rule that a rule of a town breaks, and the field of its form that has to be another. */
export interface Breach {
  field: 'bps' | 'mode' | 'channel' | 'kind' | 'brand' | 'funding' | 'program'
  rule: NetworkRule
}

/** The field that breaks what a network demands; null where none does. */
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

/** What a payer could be charged by these terms at all. */
const charges = ({ program, absorb, bps, fixedCents, minCents, maxCents }: FeeTerms): boolean =>
  program !== 'none' && absorb === 0 && maxCents > 0 && bps + fixedCents + minCents > 0

/**
 * What the networks have against a rule on the day from which it holds. A fee that no payer is charged is the town's own
 * affair, and an eCheck has no card network.
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
