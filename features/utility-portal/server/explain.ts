import type { BillLine } from '../../../server/db/column-types.ts'
import { plural, say } from '../../../shared/messages.ts'
import { formatQuantity, perDay, type UsageKind, type UsagePeriod } from '../rules.ts'

/** Bill data needed to explain a difference. */
export interface BillExplanation {
  lines: readonly BillLine[]
  days: number
  /** Kind of the bill's meter reading. Null if no meter was read. */
  kind: UsageKind | null
}

export type Cause = 'leak' | 'use' | 'rate' | 'days' | 'estimate' | 'credit' | 'service'

export interface Reason {
  kind: Cause
  cents: number
  text: string
}

/**
 * Minimum increase in daily usage that suggests a leak, as a factor. Warm weather does not cause so large an increase.
 */
const LEAK = 1.8
/**
 * Smallest difference that is reported as a new rate, in cents. A smaller difference counts as usage, because rounding
 * may cause it.
 */
const MIN_CENTS = 25

/**
 * Explains the difference between two bills, largest reason first. Bills contain no rates, so the function derives them
 * from `earlier`: older bills, newest first, without these two. The reasons add up to the exact difference.
 */
export function explain(
  bill: BillExplanation,
  before: BillExplanation,
  earlier: readonly BillExplanation[],
  lastYear?: UsagePeriod,
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

/** Adds up the charge of each service, without credits. */
function servicesOf({ lines }: BillExplanation): Map<string, Charge> {
  const services = new Map<string, Charge>()
  for (const { service, description, quantity, unit, amountCents } of lines) {
    if (amountCents < 0) continue
    const name = service || description
    const previous = services.get(name)
    const measured = previous?.quantity ?? quantity
    services.set(name, {
      cents: (previous?.cents ?? 0) + amountCents,
      quantity: measured,
      unit: previous?.unit || unit,
    })
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

/** Splits the change in a service's charge between two bills into the parts caused by days, usage and a new rate. */
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

/**
 * Calculates the rate in cents per unit from earlier bills. Takes the median, because one of the bills may already have
 * a new rate.
 */
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

/**
 * Adds a service's parts of the difference to `use`, in cents. Stores the quantity of only the first service, because
 * the sewer charge depends on the same water meter.
 */
function addUse(use: ServiceUsage, name: string, { days, use: cents }: Parts, now: Charge, then: Charge): void {
  use.days += days
  use.use += cents
  use.services.push(name)
  if (use.services.length > 1) return
  Object.assign(use, { quantity: now.quantity ?? 0, quantityBefore: then.quantity ?? 0, unit: now.unit })
}

function useReason(use: ServiceUsage, bill: BillExplanation, before: BillExplanation, lastYear?: UsagePeriod): Reason {
  const { quantity, quantityBefore, unit } = use
  const [now, then] = [formatQuantity(quantity), formatQuantity(quantityBefore)]
  const usageText = say`You used ${now} ${unit}. Your usage on the previous bill was ${then}.`
  const cents = use.use
  if (before.kind === 'estimated' && bill.kind !== 'estimated') {
    const text = say`The previous reading was an estimate. This bill uses an actual meter reading, which corrects the estimate. ${usageText}`
    return { kind: 'estimate', cents, text }
  }
  if (bill.kind === 'corrected')
    return { kind: 'estimate', cents, text: say`This reading corrected an earlier estimate. ${usageText}` }
  const daily = perDay({ used: quantity, days: bill.days })
  const isTwice = daily >= LEAK * perDay({ used: quantityBefore, days: before.days })
  if (isTwice && cents > 0 && (!lastYear || daily >= LEAK * perDay(lastYear)))
    return {
      kind: 'leak',
      cents,
      text: say`${usageText} An increase like this may mean a leak. The most common cause is a running toilet.`,
    }
  return { kind: 'use', cents, text: usageText }
}

const rateReason = (name: string, cents: number): Reason => ({
  kind: 'rate',
  cents,
  text: cents > 0 ? say`The rate for ${name} went up.` : say`The rate for ${name} went down.`,
})

const serviceReason = (name: string, cents: number): Reason => ({
  kind: 'service',
  cents,
  text: cents > 0 ? say`New on this bill: ${name}.` : say`No longer on this bill: ${name}.`,
})

const daysText = (now: number, then: number): string =>
  say`This bill covers ${plural(now, '# day', '# days')}. The previous bill covered ${plural(then, '# day', '# days')}.`

function creditText(difference: number, credit: number): string {
  if (credit === 0) return say`The previous bill had a credit. This bill does not.`
  return difference < 0 ? say`This bill has a credit.` : say`The credit is smaller than on the previous bill.`
}
