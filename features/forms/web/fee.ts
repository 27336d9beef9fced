import { rangeText } from '../../../shared/fields/prices.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'

/** Fee range, as calls return it. */
interface FeeRange {
  minCents: number
  maxCents: number | null
}

/** Describes the fee of a form before the person answers: free, fixed, or a range if the fee depends on the answers. */
export const feeText = (feeCents: number | null, range: FeeRange | null): string =>
  feeCents === null
    ? say`Free`
    : feeCents === 0
      ? (range && rangeText({ minCents: range.minCents, maxCents: range.maxCents })) || say`Depends on your answers`
      : formatCents(feeCents)
