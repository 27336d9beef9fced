import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/words.ts'
import type { Offered } from '../contract.ts'
import { amountWords } from '../rules.ts'

/** What it costs, as far as that is known before anything is filled in. */
export const priceOf = ({ amountKind, amountCents }: Pick<Offered, 'amountKind' | 'amountCents'>): string =>
  amountKind === 'fixed' ? formatCents(amountCents ?? 0) : translated(amountWords[amountKind])
