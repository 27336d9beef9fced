import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/words.ts'

/** What a form costs, as far as that is known before anything is filled in. */
export const feeWords = (feeCents: number | null): string =>
  feeCents === null ? say`Free` : feeCents === 0 ? say`By your answers` : formatCents(feeCents)
