import { type PriceRange, rangeWords } from '../../../shared/fields/prices.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/words.ts'

/** What a form costs, as far as that is known before anything is filled in. */
export const feeWords = (feeCents: number | null, range: PriceRange | null): string =>
  feeCents === null
    ? say`Free`
    : feeCents === 0
      ? (range && rangeWords(range)) || say`By your answers`
      : formatCents(feeCents)
