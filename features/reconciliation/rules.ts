import { firstOfMonth } from '../../shared/dates.ts'

/** Labels of the differences that can occur between a bill and the bank, by the `kind` of `recon_exception`. */
export const exceptionKinds = {
  line_unknown: 'Paid out, not in the ledger',
  line_differs: 'Paid out with a different amount',
  not_paid_out: 'Received, not paid out',
  payout_sum: 'Payout does not match its lines',
  deposit_missing: 'Deposit not received',
  deposit_differs: 'Deposit amount differs',
  bank_unknown: 'Unmatched bank transaction',
  statement_gap: 'Gap between statements',
  remittance_differs: 'Billing system reports a different amount',
} as const
export type ExceptionKind = keyof typeof exceptionKinds

/** Labels of the possible matches of a bank statement line. */
export const lineResolutionLabels = {
  open: 'Unmatched',
  payout: 'Payout',
  office: 'Cash and check deposit',
  lockbox: 'Lockbox deposit',
  fee: 'Bank fee',
  not_ours: 'Unrelated to Mainstreet',
} as const
export type LineResolution = keyof typeof lineResolutionLabels

/** Ways to resolve an exception: record only a reason, post the difference, or match the bank line. */
export const resolutionMethodLabels = {
  explain: 'Record the reason only',
  write_off: 'Post the difference to the “Bank differences” account',
  payout: 'Match to a payout',
  office: 'Cash and check deposit from the counter',
  fee: 'Bank fee or interest',
  not_ours: 'Unrelated to Mainstreet',
} as const
export type ResolutionMethod = keyof typeof resolutionMethodLabels

/** Returns the ways to resolve an exception of a kind. */
export const resolutionMethodsOf = (kind: ExceptionKind): ResolutionMethod[] => {
  if (kind === 'bank_unknown') return ['payout', 'office', 'fee', 'not_ours']
  return kind === 'deposit_differs' ? ['explain', 'write_off'] : ['explain']
}

/**
 * Returns true if the decision can become a matching rule. Such a rule automatically resolves later lines with the same
 * words.
 */
export const mayAddRule = (how: ResolutionMethod): boolean => how === 'office' || how === 'fee' || how === 'not_ours'

/** Maximum days from a payment to its payout, and from the expected to the actual arrival of a payout. */
export const PAID_OUT_WITHIN_DAYS = 5
export const ARRIVES_WITHIN_DAYS = 3

export const periodKinds = ['day', 'month', 'year'] as const
export type PeriodKind = (typeof periodKinds)[number]

/**
 * Returns the first and last day of the period that contains a day. For example, `periodOf('month', '2026-02-10')` ends
 * on the 28th.
 */
export function periodOf(kind: PeriodKind, day: string): { firstDay: string; lastDay: string } {
  if (kind === 'day') return { firstDay: day, lastDay: day }
  const [year = 0, month = 1] = day.split('-').map(Number)
  if (kind === 'year') return { firstDay: `${year}-01-01`, lastDay: `${year}-12-31` }
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return { firstDay: firstOfMonth(day), lastDay: `${day.slice(0, 7)}-${last}` }
}
