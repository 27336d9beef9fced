/** Pure rules of the counter, for both sides. */
import { officeMethods, type OfficeMethod } from '../payments/rules.ts'
import { say } from '../../shared/words.ts'
import { formatCents } from '../../shared/money.ts'

/** What a drawer is counted by, in cents, largest first. */
export const denominations = [100_00, 50_00, 20_00, 10_00, 5_00, 2_00, 1_00, 50, 25, 10, 5, 1] as const
/** How many there are of each, by its value in cents; what is left out is none. */
export type Counts = Readonly<Record<string, number>>

export const sumOfCounts = (counts: Counts): number =>
  Object.entries(counts).reduce((sum, [value, count]) => sum + Number(value) * count, 0)

/** The sentence against a count to close a drawer with, as it was typed, or null: who forgot to count did not find it empty. */
export const refuseCount = (typed: Readonly<Record<string, string>>): string | null =>
  Object.values(typed).some((count) => count.trim() !== '')
    ? null
    : say`Count the cash and enter it here. Where there is none, enter 0.`

/** The sentence about what is paid beyond what is owed, or null. It may be meant, and it may be a slip of the finger. */
export function beyondOwed(
  paidCents: number | null,
  { owedCents, takesCredit }: { owedCents: number; takesCredit: boolean },
): string | null {
  const extra = (paidCents ?? 0) - Math.max(0, owedCents)
  if (extra <= 0) return null
  return takesCredit
    ? say`${formatCents(extra)} more than is owed: it stays as a credit.`
    : say`${formatCents(extra)} more than is owed. Lower it: nothing keeps a credit here.`
}

/** What somebody hands over, and what they get back. Only of cash is there change. */
export interface Tender {
  method: OfficeMethod
  totalCents: number
  tenderedCents: number
}

/** The sentence against what was handed over, or null. */
export function refuseTender({ method, totalCents, tenderedCents }: Tender): string | null {
  if (tenderedCents < totalCents)
    return say`${formatCents(totalCents - tenderedCents)} are missing. Take more, or lower what is paid.`
  if (method !== officeMethods.cash && tenderedCents !== totalCents)
    return say`No change is given on a check or money order. It has to be of ${formatCents(totalCents)}.`
  return null
}

export const changeOf = ({ totalCents, tenderedCents }: Tender): number => Math.max(0, tenderedCents - totalCents)

export interface Taken {
  method: number
  status: number
  totalCents: number
}

/**
 * An order that is void was paid back out of the drawer, and a card that was declined or is waited for put nothing into it;
 * a refund never comes out of it.
 */
const NOT_KEPT = [0, 2, 5]
export const isKept = ({ status }: Taken): boolean => !NOT_KEPT.includes(status)

/** The cash that should be in a drawer. */
export const expectedCash = (openingCents: number, taken: readonly Taken[]): number =>
  taken
    .filter((one) => one.method === officeMethods.cash && isKept(one))
    .reduce((sum, { totalCents }) => sum + totalCents, openingCents)
