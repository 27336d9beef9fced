/** Pure rules of AutoPay: when a bill is charged, how much of it, and what follows from a charge that failed. */
import { addDays, daysBetween } from '../../shared/dates.ts'
import { formatCents } from '../../shared/money.ts'
import { say } from '../../shared/words.ts'
import { type Method, methods } from '../payments/rules.ts'

export const timings = { due: 'On the due date', before: 'Some days before it', day: 'On a day of the month' } as const
export type Timing = keyof typeof timings

export const MAX_DAYS_BEFORE = 20
/** Every month has this day. */
export const LAST_DAY = 28

/** When and up to how much somebody wants to be charged. */
export interface Terms {
  timing: Timing
  /** Of `before`; else 0. */
  daysBefore: number
  /** Of `day`; else 0. */
  dayOfMonth: number
  /** Null: whatever is due. */
  capCents: number | null
}

/** In words, as somebody agrees to them. */
export function termsWords({ timing, daysBefore, dayOfMonth, capCents }: Terms, means: string): string {
  const cap = capCents === null ? say`without a limit` : say`at most ${formatCents(capCents)} each time`
  if (timing === 'due') return say`${means}, on each due date, ${cap}`
  if (timing === 'before') return say`${means}, ${daysBefore} days before each due date, ${cap}`
  return say`${means}, on day ${dayOfMonth} of the month, ${cap}`
}

/**
 * The day on which a bill is charged: the wished one, but never before its payer had the notice for the days that the
 * town promises (`earliest`). A day of the month is the last one that is not after the due date, so that nobody is late.
 */
export function chargeDay({ timing, daysBefore, dayOfMonth }: Terms, dueDate: string, earliest: string): string {
  if (timing === 'due') return later(dueDate, earliest)
  if (timing === 'before') return later(addDays(dueDate, -daysBefore), earliest)
  const inTime = dayAtOrBefore(dueDate, dayOfMonth)
  return inTime >= earliest ? inTime : dayAtOrAfter(earliest, dayOfMonth)
}

const later = (one: string, other: string): string => (one > other ? one : other)

function dayAtOrBefore(date: string, day: number): string {
  for (let at = date; ; at = addDays(at, -1)) if (Number(at.slice(8)) === day) return at
}

function dayAtOrAfter(date: string, day: number): string {
  for (let at = date; ; at = addDays(at, 1)) if (Number(at.slice(8)) === day) return at
}

interface ChargeInput {
  /** What can be paid now: what is owed, less what payments under way will take off. */
  owedCents: number
  /** What the notice said; null while it is written. */
  toldCents: number | null
  capCents: number | null
  /** The town's largest payment. */
  maxCents: number
}

export type Amount = { charge: number } | { leave: 'not_owed' | 'over_cap' | 'over_limit' }

/**
 * What is charged of what is owed: never more than the notice said, and nothing at all where that is above the payer's
 * limit or the town's, since a part of a bill would leave it overdue without anybody knowing.
 */
export function amountToCharge({ owedCents, toldCents, capCents, maxCents }: ChargeInput): Amount {
  const wanted = toldCents === null ? owedCents : Math.min(owedCents, toldCents)
  if (wanted <= 0) return { leave: 'not_owed' }
  if (capCents !== null && wanted > capCents) return { leave: 'over_cap' }
  if (wanted > maxCents) return { leave: 'over_limit' }
  return { charge: wanted }
}

/** Why an enrolment is over, as reports and mails say it. */
export const endReasons = {
  resident: 'Ended by the resident',
  staff: 'Ended by the municipality',
  unlinked: 'The account was unlinked',
  moved: 'Whoever had it moved out',
  method_removed: 'The card or bank account was removed',
  card_declined: 'The card was declined again and again',
  card_refused: 'The card was refused for good',
  no_funds: 'The bank account had too little money',
  bank_details: 'The bank account could not be debited',
  not_authorized: 'The authorization was taken back at the bank',
} as const
export type EndReason = keyof typeof endReasons

/** Answers of a card's bank after which it must not be asked again. */
export const hardDeclines: ReadonlySet<string> = new Set([
  'lost_card',
  'stolen_card',
  'pickup_card',
  'restricted_card',
  'expired_card',
  'fraudulent',
  'incorrect_number',
  'invalid_number',
  'invalid_account',
  'invalid_expiry_month',
  'invalid_expiry_year',
  'incorrect_cvc',
  'card_not_supported',
  'currency_not_supported',
  'new_account_information_available',
  'not_permitted',
  'service_not_allowed',
  'transaction_not_allowed',
  'security_violation',
  'stop_payment_order',
  'revocation_of_authorization',
  'revocation_of_all_authorizations',
  'merchant_blacklist',
  'do_not_try_again',
  'authentication_required',
  'payment_method_removed',
])

/** A declined card is asked three times more, so many days after the first time. */
const CARD_AGAIN_AFTER = [1, 3, 7]
/** An eCheck that came back for missing funds is presented twice more at most, with the same amount, within 180 days. */
const ECHECK_AGAIN_AFTER = [5, 12]
const ECHECK_DAYS = 180
const AGAIN = new Set(['R01', 'R09'])
const REVOKED = new Set(['R05', 'R07', 'R10', 'R11', 'R29'])

export interface Failure {
  method: Method
  /** What the provider said of a card. */
  errorCode: string | null
  /** What the bank said of an eCheck. */
  returnCode: string | null
  /** How many times it was presented, with this one. */
  presentment: number
  /** The day of the first. */
  firstOn: string
  today: string
}

export type Consequence = { again: string } | { remove: EndReason; code: string; unusable: '' | 'details' | 'revoked' }

/** What follows from a charge that failed (NACHA's rules for returns, the networks' for declines). */
export function afterFailure(failure: Failure): Consequence {
  const { method, errorCode, returnCode, presentment, firstOn } = failure
  if (method === methods.card) {
    const code = errorCode ?? ''
    if (hardDeclines.has(code)) return { remove: 'card_refused', code, unusable: 'details' }
    return again(CARD_AGAIN_AFTER, failure) ?? { remove: 'card_declined', code, unusable: '' }
  }
  const code = returnCode ?? errorCode ?? ''
  if (AGAIN.has(code)) {
    const on = presentment <= ECHECK_AGAIN_AFTER.length ? again(ECHECK_AGAIN_AFTER, failure) : null
    return on && daysBetween(firstOn, on.again) <= ECHECK_DAYS ? on : { remove: 'no_funds', code, unusable: '' }
  }
  if (REVOKED.has(code)) return { remove: 'not_authorized', code, unusable: 'revoked' }
  // R02, R03, R04, and whatever else a bank says: an account is never debited again without new details.
  return { remove: 'bank_details', code, unusable: 'details' }
}

/** The next day after that many presentments, tomorrow at the earliest; null where there were enough. */
function again(after: readonly number[], { presentment, firstOn, today }: Failure): { again: string } | null {
  const days = after[presentment - 1]
  return days === undefined ? null : { again: later(addDays(firstOn, days), addDays(today, 1)) }
}

/** The last day of a card, from what stands on it. */
export const expiryDay = ({ month, year }: { month: number; year: number }): string => {
  const next = month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, '0')}-01`
  return addDays(next, -1)
}

/** A card is told of when it expires within so many days. */
export const EXPIRY_NOTICE_DAYS = 31

/** What became of a bill's charge. */
export const chargeStates = {
  planned: 'Planned',
  charging: 'Under way',
  paid: 'Paid',
  failed: 'Failed',
  skipped: 'Left out',
  not_owed: 'Nothing was owed',
  refused: 'Not charged',
} as const
export type ChargeState = keyof typeof chargeStates

/** The usual words, for a town that has none of its own. */
export const usualMandate = (town: string): string =>
  say`I authorize ${town} to charge the card or debit the bank account that I choose for what is due on this account, on the days and up to the limit that I set. I am told of each amount and day beforehand. I can pause or end this at any time in my settings, before a charge begins.`
