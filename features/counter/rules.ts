/** Pure rules of the counter, for server and web. */
import { confirmMore, officeMethods, type OfficeMethod } from '../payments/rules.ts'
import { say } from '../../shared/messages.ts'
import { formatCents } from '../../shared/money.ts'

/** Denominations of notes and coins in cents, largest first. */
export const denominations = [100_00, 50_00, 20_00, 10_00, 5_00, 2_00, 1_00, 50, 25, 10, 5, 1] as const
/** Number of notes or coins by value in cents. Missing values count as zero. */
export type Counts = Readonly<Record<string, number>>

export const sumOfCounts = (counts: Counts): number =>
  Object.entries(counts).reduce((sum, [value, count]) => sum + Number(value) * count, 0)

/**
 * Returns the error for a closing count without entries, or null. An empty form means that staff forgot to count, not
 * that the drawer is empty.
 */
export const countRefusal = (counts: Readonly<Record<string, string | number>>): string | null =>
  Object.values(counts).some((count) => String(count).trim() !== '')
    ? null
    : say`Count the cash and enter the number of each bill and coin. If the drawer has no cash, enter 0.`

/**
 * Returns the error if a closing has an over/short amount but no reason. Otherwise null. The error hides the amount, so
 * that staff can't adjust the count to it.
 */
export const differenceRefusal = (overShortCents: number, note: string): string | null =>
  overShortCents === 0 || note.length >= 3
    ? null
    : say`The cash does not match the payments. Count the cash again, or enter the reason in the note.`

/**
 * Returns a warning about an overpayment, or null. The payer may intend the overpayment, or the amount may be a typing
 * error.
 */
export function beyondOwed(
  paidCents: number | null,
  { owedCents, takesCredit }: { owedCents: number; takesCredit: boolean },
): string | null {
  const extra = (paidCents ?? 0) - Math.max(0, owedCents)
  if (extra <= 0) return null
  return takesCredit
    ? say`This amount is ${formatCents(extra)} more than the amount due. The extra amount will become a credit.`
    : say`This amount is ${formatCents(extra)} more than the amount due. Enter a lower amount, because this item cannot hold a credit.`
}

/** Returns an error if an amount is missing, too large or not confirmed. Otherwise null. */
export function amountsRefusal(
  lines: readonly {
    amountCents: number | null
    owedCents: number
    takesCredit: boolean
    reference: string
    /** Overpayment amount that the staff member confirmed. */
    confirmedCents?: number | null
  }[],
): string | null {
  if (lines.some(({ amountCents }) => !amountCents)) return say`Enter an amount for each item, or remove the item.`
  for (const line of lines) {
    const beyond = beyondOwed(line.amountCents, line)
    if (beyond && !line.takesCredit)
      return say`You can accept up to ${formatCents(Math.max(0, line.owedCents))} for ${line.reference}.`
    if (beyond && line.confirmedCents !== line.amountCents) return confirmMore(line.reference)
  }
  return null
}

/** Payment method, total and amount handed over at the counter. Only cash can have change. */
export interface Tender {
  method: OfficeMethod
  totalCents: number
  tenderedCents: number
}

/** Returns an error if the tender is not valid. Otherwise null. */
export function tenderRefusal({ method, totalCents, tenderedCents }: Tender): string | null {
  if (tenderedCents < totalCents)
    return say`The amount received is ${formatCents(totalCents - tenderedCents)} short. Collect more, or lower the payment amounts.`
  if (method !== officeMethods.cash && tenderedCents !== totalCents)
    return say`You cannot give change for a check or money order. The amount must be ${formatCents(totalCents)}.`
  return null
}

export const NUMBER_MISSING = 'Enter the number on the check or money order.'

/** True if the number on a check or money order is missing. */
export const needsNumber = ({ method, number }: { method: OfficeMethod; number: string }): boolean =>
  method !== officeMethods.cash && number === ''

export const changeOf = ({ totalCents, tenderedCents }: Tender): number => Math.max(0, tenderedCents - totalCents)

export interface CounterPayment {
  method: number
  status: number
  totalCents: number
}

/**
 * Statuses of payments without cash in the drawer: void (cash paid back out), declined and pending. Refunds never come
 * from the drawer.
 */
const NOT_RETAINED = [0, 2, 5]
export const isRetained = ({ status }: CounterPayment): boolean => !NOT_RETAINED.includes(status)

/** Returns the expected cash of a drawer, in cents. */
export const expectedCash = (openingCents: number, payments: readonly CounterPayment[]): number =>
  payments
    .filter((one) => one.method === officeMethods.cash && isRetained(one))
    .reduce((sum, { totalCents }) => sum + totalCents, openingCents)
