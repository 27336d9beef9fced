/** Pure rules of the counter, for both sides. */
import { confirmMore, officeMethods, type OfficeMethod } from '../payments/rules.ts'
import { say } from '../../shared/words.ts'
import { formatCents } from '../../shared/money.ts'

/** What a drawer is counted by, in cents, largest first. */
export const denominations = [100_00, 50_00, 20_00, 10_00, 5_00, 2_00, 1_00, 50, 25, 10, 5, 1] as const
/** How many there are of each, by its value in cents; what is left out is none. */
export type Counts = Readonly<Record<string, number>>

export const sumOfCounts = (counts: Counts): number =>
  Object.entries(counts).reduce((sum, [value, count]) => sum + Number(value) * count, 0)

/** The sentence against a count, typed or sent, to close a drawer with, or null: a clerk who forgot to count did not find it empty. */
export const refuseCount = (counts: Readonly<Record<string, string | number>>): string | null =>
  Object.values(counts).some((count) => String(count).trim() !== '')
    ? null
    : say`Count the cash and enter the total. If there is none, enter 0.`

/**
 * The sentence against a closing whose cash is over or short without a reason, or null. It names no amount: a clerk who knew
 * the amount could count until it fits.
 */
export const refuseDifference = (overCents: number, note: string): string | null =>
  overCents === 0 || note.length >= 3
    ? null
    : say`The cash is not what the payments say. Count again, or enter the reason as a note.`

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

/** The sentence against amounts that are missing, too much, or unusual and not confirmed; or null. */
export function refuseAmounts(
  lines: readonly {
    amountCents: number | null
    owedCents: number
    takesCredit: boolean
    reference: string
    /** The amount that the clerk confirmed although it is more than is due. */
    confirmedCents?: number | null
  }[],
): string | null {
  if (lines.some(({ amountCents }) => !amountCents)) return say`Enter how much is paid of each, or remove it.`
  for (const line of lines) {
    const beyond = beyondOwed(line.amountCents, line)
    if (beyond && !line.takesCredit)
      return say`At most ${formatCents(Math.max(0, line.owedCents))} can be paid for ${line.reference}.`
    if (beyond && line.confirmedCents !== line.amountCents) return confirmMore(line.reference)
  }
  return null
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

export const NUMBER_MISSING = 'Enter the number on it.'

/** True if the number on a check or money order is missing. */
export const needsNumber = ({ method, number }: { method: OfficeMethod; number: string }): boolean =>
  method !== officeMethods.cash && number === ''

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
