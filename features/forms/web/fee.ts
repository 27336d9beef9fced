import { type PriceRange, rangeText } from '../../../shared/fields/prices.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/words.ts'

/** Returns the fee of a form in words, as far as it is known before the answers. */
export const feeText = (feeCents: number | null, range: PriceRange | null): string =>
  feeCents === null
    ? say`Free`
    : feeCents === 0
      ? (range && rangeText(range)) || say`By your answers`
      : formatCents(feeCents)
