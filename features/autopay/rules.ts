/** Pure functions for AutoPay: day and amount of a charge, and consequences of a failed charge. */
import { addDays, daysBetween } from '../../shared/dates.ts'
import { formatCents } from '../../shared/money.ts'
import { plural, say } from '../../shared/messages.ts'
import { type Method, methods } from '../payments/rules.ts'

export const timings = {
  due: 'On the due date',
  before: 'A set number of days before the due date',
  day: 'On a set day of the month',
} as const
export type Timing = keyof typeof timings

export const MAX_DAYS_BEFORE = 20
/** Last day of the month that exists in every month. */
export const LAST_DAY = 28

/** Day and limit of the charges that the payer authorizes. */
export interface Terms {
  timing: Timing
  /** Used if `timing` is `before`, else 0. */
  daysBefore: number
  /** Used if `timing` is `day`, else 0. */
  dayOfMonth: number
  /** Maximum amount of a charge, in cents. Null if the payer sets no limit. */
  capCents: number | null
}

/** Returns the terms in words, as the payer agrees to them. */
export function termsText({ timing, daysBefore, dayOfMonth, capCents }: Terms, methodLabel: string): string {
  const cap = capCents === null ? say`with no limit` : say`up to ${formatCents(capCents)} per payment`
  if (timing === 'due') return say`${methodLabel}, on each due date, ${cap}`
  if (timing === 'before')
    return say`${methodLabel}, ${plural(daysBefore, '# day', '# days')} before each due date, ${cap}`
  return say`${methodLabel}, on day ${dayOfMonth} of the month, ${cap}`
}

/**
 * Returns the day on which to charge a bill. The company promises notice, so the day is never before `earliest`. For a
 * chosen day of the month, returns its last occurrence on or before the due date, so that the payment is not late.
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
  /** Amount due less pending payments. */
  owedCents: number
  /** Amount in the notice. Null before the notice is written. */
  notifiedCents: number | null
  capCents: number | null
  /** Largest payment that the company accepts. */
  maxCents: number
}

export type Amount = { charge: number } | { leave: 'not_owed' | 'over_cap' | 'over_limit' }

/**
 * Returns the amount to charge, at most the amount in the notice. If that amount is above the payer's or the company's
 * limit, AutoPay charges nothing. After a partial payment, the payer might not notice that the rest is past due.
 */
export function amountToCharge({ owedCents, notifiedCents, capCents, maxCents }: ChargeInput): Amount {
  const chargeCents = notifiedCents === null ? owedCents : Math.min(owedCents, notifiedCents)
  if (chargeCents <= 0) return { leave: 'not_owed' }
  if (capCents !== null && chargeCents > capCents) return { leave: 'over_cap' }
  if (chargeCents > maxCents) return { leave: 'over_limit' }
  return { charge: chargeCents }
}

/** Labels of the end reasons of an enrollment, for reports and emails. */
export const endReasons = {
  resident: 'Ended by the resident',
  staff: 'Ended by the municipality',
  unlinked: 'The account was unlinked',
  moved: 'The resident moved out',
  method_removed: 'The card or bank account was removed',
  card_declined: 'The card was declined repeatedly',
  card_refused: 'The card can no longer be charged',
  no_funds: 'The bank account had insufficient funds',
  bank_details: 'The bank account could not be debited',
  not_authorized: 'The authorization was revoked at the bank',
} as const
export type EndReason = keyof typeof endReasons

/** Decline codes of card banks after which another attempt is forbidden. */
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

/** Days after the first attempt on which a declined card is retried. */
const CARD_RETRY_DAYS = [1, 3, 7]
/**
 * Days after the first presentment on which a returned eCheck is presented again, if the bank account had insufficient
 * funds. The limit is two more presentments within 180 days, with the same amount.
 */
const ECHECK_RETRY_DAYS = [5, 12]
const ECHECK_DAYS = 180
const RETRYABLE_RETURNS = new Set(['R01', 'R09'])
const REVOKED = new Set(['R05', 'R07', 'R10', 'R11', 'R29'])

export interface Failure {
  method: Method
  /** The provider's error code for a card. */
  errorCode: string | null
  /** The bank's return code for an eCheck. */
  returnCode: string | null
  /** Number of presentments, including this one. */
  presentment: number
  /** Day of the first presentment. */
  firstOn: string
  today: string
}

export type Consequence = { again: string } | { remove: EndReason; code: string; unusable: '' | 'details' | 'revoked' }

/**
 * Returns the consequence of a failed charge. Nacha rules apply to returned eChecks, and card network rules to
 * declines.
 */
export function afterFailure(failure: Failure): Consequence {
  const { method, errorCode, returnCode, presentment, firstOn } = failure
  if (method === methods.card) {
    const code = errorCode ?? ''
    if (hardDeclines.has(code)) return { remove: 'card_refused', code, unusable: 'details' }
    return again(CARD_RETRY_DAYS, failure) ?? { remove: 'card_declined', code, unusable: '' }
  }
  const code = returnCode ?? errorCode ?? ''
  if (RETRYABLE_RETURNS.has(code)) {
    const on = presentment <= ECHECK_RETRY_DAYS.length ? again(ECHECK_RETRY_DAYS, failure) : null
    return on && daysBetween(firstOn, on.again) <= ECHECK_DAYS ? on : { remove: 'no_funds', code, unusable: '' }
  }
  if (REVOKED.has(code)) return { remove: 'not_authorized', code, unusable: 'revoked' }
  // For codes R02, R03, R04 and all unknown codes, AutoPay debits the account again only after the payer enters new
  // details.
  return { remove: 'bank_details', code, unusable: 'details' }
}

/** Returns the day of the next presentment, tomorrow at the earliest. Null if no presentment is left. */
function again(after: readonly number[], { presentment, firstOn, today }: Failure): { again: string } | null {
  const days = after[presentment - 1]
  return days === undefined ? null : { again: later(addDays(firstOn, days), addDays(today, 1)) }
}

/** Returns the last valid day of a card, from its printed expiration month. */
export const expiryDay = ({ month, year }: { month: number; year: number }): string => {
  const next = month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, '0')}-01`
  return addDays(next, -1)
}

/** A notice is sent if a card expires within this many days. */
export const EXPIRY_NOTICE_DAYS = 31

export const chargeStates = {
  planned: 'Planned',
  charging: 'Processing',
  paid: 'Paid',
  failed: 'Failed',
  skipped: 'Skipped',
  not_owed: 'Not owed',
  refused: 'Not charged',
} as const
export type ChargeState = keyof typeof chargeStates

/** Default authorization text for companies without their own text. */
export const defaultMandate = (companyName: string): string =>
  say`I authorize ${companyName} to charge the card or debit the bank account that I choose for the amounts due on this account. Charges will be made only on the days and up to the limit that I set. I will be notified of each amount and day in advance. In my settings, I can pause or end AutoPay at any time before a charge starts.`
