import type { BillLine } from '../../../server/db/column-types.ts'
import { plural, say } from '../../../shared/words.ts'
import { formatQuantity, perDay, type ReadKind, type Use } from '../rules.ts'

/** A bill, as far as it explains another one. */
export interface BillExplanation {
  lines: readonly BillLine[]
  days: number
  /** How its use is known, where a meter was read for it. */
  kind: ReadKind | null
}

export type Cause = 'leak' | 'use' | 'rate' | 'days' | 'estimate' | 'credit' | 'service'

export interface Reason {
  kind: Cause
  cents: number
  text: string
}

/** So much more for each day is more than a warm month. */
const LEAK = 1.8
/** What is less is not worth a sentence, and belongs to the use: a cent of rounding is no new rate. */
const MIN_CENTS = 25

/**
 * Why a bill comes to more or less than the one before it, the largest reason first. What a rate is, no bill says: it
 * follows from earlier bills (`earlier`, the newest first, without these two), whose amounts grew with what was used. All
 * reasons together are the difference to the cent.
 */
export function explain(
  bill: BillExplanation,
  before: BillExplanation,
  earlier: readonly BillExplanation[],
  lastYear?: Use,
): Reason[] {
  const reasons: Reason[] = []
  const credits = creditOf(bill) - creditOf(before)
  if (credits !== 0) reasons.push({ kind: 'credit', cents: credits, text: creditText(credits, creditOf(bill)) })
  const use: ServiceUsage = { days: 0, use: 0, services: [], quantity: 0, quantityBefore: 0, unit: '' }
  const [now, then] = [servicesOf(bill), servicesOf(before)]
  for (const name of new Set([...now.keys(), ...then.keys()])) {
    const [one, other] = [now.get(name), then.get(name)]
    if (!one || !other) reasons.push(serviceReason(name, one?.cents ?? -(other?.cents ?? 0)))
    else {
      const parts = partsOf(name, [bill, one], [before, other], [before, ...earlier])
      if (parts.rate !== 0) reasons.push(rateReason(name, parts.rate))
      if (one.quantity !== null && other.quantity !== null) addUse(use, name, parts, one, other)
    }
  }
  if (use.days !== 0) reasons.push({ kind: 'days', cents: use.days, text: daysText(bill.days, before.days) })
  if (use.use !== 0) reasons.push(useReason(use, bill, before, lastYear))
  return reasons.toSorted((a, b) => Math.abs(b.cents) - Math.abs(a.cents))
}

interface Charge {
  cents: number
  quantity: number | null
  unit: string
}

/** What each service costs, credits left out. */
function servicesOf({ lines }: BillExplanation): Map<string, Charge> {
  const services = new Map<string, Charge>()
  for (const { service, description, quantity, unit, amountCents } of lines) {
    if (amountCents < 0) continue
    const name = service || description
    const known = services.get(name)
    const measured = known?.quantity ?? quantity
    services.set(name, { cents: (known?.cents ?? 0) + amountCents, quantity: measured, unit: known?.unit || unit })
  }
  return services
}

const creditOf = ({ lines }: BillExplanation): number =>
  lines.reduce((sum, { amountCents }) => sum + Math.min(0, amountCents), 0)

interface Parts {
  days: number
  use: number
  rate: number
}

type Bill = readonly [BillExplanation, Charge]

/** A service's difference, split into what follows from the number of days, from the use, and from the rate. */
function partsOf(name: string, [bill, now]: Bill, [before, then]: Bill, history: readonly BillExplanation[]): Parts {
  const difference = now.cents - then.cents
  if (now.quantity === null || then.quantity === null) return { days: 0, use: 0, rate: difference }
  const more = now.quantity - then.quantity
  const slope = rateOf(name, history) ?? (more === 0 ? 0 : difference / more)
  const byUse = Math.round(slope * more)
  const rest = difference - byUse
  const rate = Math.abs(rest) < MIN_CENTS && more !== 0 ? 0 : rest
  const sameDaily = before.days > 0 ? (then.quantity * (bill.days - before.days)) / before.days : 0
  const days = Math.round(slope * sameDaily)
  return { days, use: difference - rate - days, rate }
}

/** Cents for each unit, as earlier bills grew with what was used: the median, so that a bill with a new rate spoils nothing. */
function rateOf(name: string, history: readonly BillExplanation[]): number | null {
  const points = history.flatMap((bill) => servicesOf(bill).get(name) ?? [])
  const slopes = points.slice(1).flatMap(({ cents, quantity }, n) => {
    const newer = points[n]
    const more = (newer?.quantity ?? 0) - (quantity ?? 0)
    return newer && more !== 0 ? [(newer.cents - cents) / more] : []
  })
  return slopes.toSorted((a, b) => a - b)[slopes.length >> 1] ?? null
}

interface ServiceUsage {
  days: number
  use: number
  services: string[]
  quantity: number
  quantityBefore: number
  unit: string
}

/** Sewer is charged by the meter of the water: what was used is told once, and what it costs is added up. */
function addUse(use: ServiceUsage, name: string, { days, use: cents }: Parts, now: Charge, then: Charge): void {
  use.days += days
  use.use += cents
  use.services.push(name)
  if (use.services.length > 1) return
  Object.assign(use, { quantity: now.quantity ?? 0, quantityBefore: then.quantity ?? 0, unit: now.unit })
}

function useReason(use: ServiceUsage, bill: BillExplanation, before: BillExplanation, lastYear?: Use): Reason {
  const { quantity, quantityBefore, unit } = use
  const [now, then] = [formatQuantity(quantity), formatQuantity(quantityBefore)]
  const told = say`You used ${now} ${unit}; on the bill before it was ${then}.`
  const cents = use.use
  if (before.kind === 'estimated' && bill.kind !== 'estimated') {
    const text = say`The reading before was an estimate. This time the meter was read, which makes up for it. ${told}`
    return { kind: 'estimate', cents, text }
  }
  if (bill.kind === 'corrected')
    return { kind: 'estimate', cents, text: say`An earlier estimate was corrected by this reading. ${told}` }
  const daily = perDay({ used: quantity, days: bill.days })
  const isTwice = daily >= LEAK * perDay({ used: quantityBefore, days: before.days })
  if (isTwice && cents > 0 && (!lastYear || daily >= LEAK * perDay(lastYear)))
    return { kind: 'leak', cents, text: say`${told} So much more may be a leak: a toilet that runs is the usual one.` }
  return { kind: 'use', cents, text: told }
}

const rateReason = (name: string, cents: number): Reason => ({
  kind: 'rate',
  cents,
  text: cents > 0 ? say`The rate went up: ${name}.` : say`The rate went down: ${name}.`,
})

const serviceReason = (name: string, cents: number): Reason => ({
  kind: 'service',
  cents,
  text: cents > 0 ? say`New on this bill: ${name}.` : say`No longer on this bill: ${name}.`,
})

const daysText = (now: number, then: number): string =>
  say`This bill is for ${plural(now, '# day', '# days')}; the one before was for ${then}.`

function creditText(difference: number, credit: number): string {
  if (credit === 0) return say`The bill before had a credit that this one does not have.`
  return difference < 0 ? say`This bill has a credit.` : say`The credit is smaller than on the bill before.`
}
