/** What can disagree between a bill and the bank, by the kinds of `recon_exception`. */
export const exceptionKinds = {
  line_unknown: 'Paid out, not in the ledger',
  line_differs: 'Paid out with another amount',
  not_paid_out: 'Taken, not paid out',
  payout_sum: 'Payout is not the sum of its lines',
  deposit_missing: 'Deposit has not arrived',
  deposit_differs: 'Deposit of another amount',
  bank_unknown: 'Bank line not explained',
  statement_gap: 'Statements do not join',
  remittance_differs: 'Billing system told another amount',
} as const
export type ExceptionKind = keyof typeof exceptionKinds

/** What a line of the bank's statement turned out to be. */
export const becameLabels = {
  open: 'Not explained',
  payout: 'A payout',
  office: 'Cash and checks of the office',
  lockbox: 'A file of bank payments',
  fee: 'The bank’s fee',
  not_ours: 'Not of Mainstreet',
} as const
export type LineResolution = keyof typeof becameLabels

/** How a person ends an exception: by a reason alone, by booking the difference, or by saying what a line of the bank is. */
export const howLabels = {
  explain: 'Explain it',
  write_off: 'Book the difference as the bank’s',
  payout: 'It is a payout',
  office: 'Cash and checks that the office took to the bank',
  fee: 'The bank’s fee, or its interest',
  not_ours: 'Money that has nothing to do with Mainstreet',
} as const
export type ResolutionMethod = keyof typeof howLabels

/** The ways in which an exception of a kind can end. */
export const howsOf = (kind: ExceptionKind): ResolutionMethod[] => {
  if (kind === 'bank_unknown') return ['payout', 'office', 'fee', 'not_ours']
  return kind === 'deposit_differs' ? ['explain', 'write_off'] : ['explain']
}

/** What can be taught, so that the next line that says the same needs nobody. */
export const mayTeach = (how: ResolutionMethod): boolean => how === 'office' || how === 'fee' || how === 'not_ours'

/** Money that was taken is paid out within so many days; a payout arrives so many days after it was due at most. */
export const PAID_OUT_WITHIN_DAYS = 5
export const ARRIVES_WITHIN_DAYS = 3

export const periodKinds = ['day', 'month', 'year'] as const
export type PeriodKind = (typeof periodKinds)[number]

/** The first and last day of the period of a kind that a day is in: `periodOf('month', '2026-02-10')` ends on the 28th. */
export function periodOf(kind: PeriodKind, day: string): { firstDay: string; lastDay: string } {
  if (kind === 'day') return { firstDay: day, lastDay: day }
  const [year = 0, month = 1] = day.split('-').map(Number)
  if (kind === 'year') return { firstDay: `${year}-01-01`, lastDay: `${year}-12-31` }
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return { firstDay: `${day.slice(0, 7)}-01`, lastDay: `${day.slice(0, 7)}-${last}` }
}
