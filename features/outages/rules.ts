/**
 * Outage rules as pure functions: when a payment provider's outage starts, and when it ends. Times are in milliseconds.
 */

/** Number of consecutive unanswered calls within `WITHIN_MS` that counts as an outage. */
export const SILENT_CALLS = 3
export const WITHIN_MS = 60_000

/** Maximum time between two outages that count as one, in milliseconds. */
export const RELAPSE_MS = 15 * 60_000

/**
 * Grace period after an outage, in days. Payers who tried to pay count as late only after it. The view `outage_attempt`
 * uses the same number.
 */
export const GRACE_DAYS = 3

/** Times of the calls of one type for one account: the last response, and the unanswered calls since then. */
export interface Calls {
  /** Provider account. Empty for calls without a company. */
  account: string
  respondedAt: number | null
  silentAt: readonly number[]
}

export interface OutagePeriod {
  since: number
  /** Accounts that cannot be charged. Null if no account can be charged. */
  accounts: readonly string[] | null
}

/**
 * Returns the current outage of a provider, based on the calls of the last minute. Null if it has no outage. A response
 * clears only unanswered calls of the same type. A provider that answers queries but takes no payments is therefore in
 * an outage. If only one company's calls fail, other companies are not affected.
 */
export function outBy(calls: readonly Calls[], now: number): OutagePeriod | null {
  const silent = calls
    .map(({ account, silentAt }) => ({ account, at: silentAt.filter((at) => now - at <= WITHIN_MS) }))
    .filter(({ at }) => at.length > 0)
  const of = (account: string) => silent.flatMap((one) => (one.account === account ? one.at : []))
  const all = silent.flatMap(({ at }) => at)
  const accounts = [...new Set(silent.map(({ account }) => account))]
  const first = Math.min(...all)
  const hasRespondedToOthers = calls.some(({ respondedAt }) => respondedAt !== null && respondedAt > first)
  if (all.length >= SILENT_CALLS && (accounts.length > 1 || accounts[0] === '') && !hasRespondedToOthers)
    return { since: first, accounts: null }
  const own = accounts.filter((account) => account !== '' && of(account).length >= SILENT_CALLS)
  return own.length > 0 ? { since: Math.min(...own.flatMap(of)), accounts: own } : null
}

/** Minutes for which a provider must respond before an outage ends. The time grows with each relapse. */
const CALM_MINUTES = [1, 5, 15, 30] as const
export const calmMs = (relapses: number): number =>
  (CALM_MINUTES[Math.min(relapses, CALM_MINUTES.length - 1)] ?? 1) * 60_000

/**
 * Returns the delay before the next charge of a deferred payment, in milliseconds. It applies if a charge did not reach
 * the provider. The delay doubles after each attempt.
 */
export const againAfterMs = (tries: number): number => Math.min(6 * 3_600_000, 5 * 60_000 * 2 ** tries)

/** Number of attempts after which the portal stops retrying and notifies the payer. */
export const MAX_ATTEMPTS = 8

/** Current amounts of the items of a deferred payment. */
export interface DeferredItems {
  /** Deferred, due and pending amounts of each item, in cents. */
  items: readonly { cents: number; owedCents: number; pendingCents: number }[]
}

/**
 * Returns the action for a deferred payment. `later` if another payment for the items is pending. `not_owed` if the
 * items have been paid. `changed` if less is due, because the payer agreed only to the deferred amount.
 */
export function carryOut({ items }: DeferredItems): 'charge' | 'later' | 'not_owed' | 'changed' {
  if (items.every(({ cents, owedCents, pendingCents }) => owedCents - pendingCents >= cents)) return 'charge'
  if (items.some(({ pendingCents }) => pendingCents > 0)) return 'later'
  return items.every(({ owedCents }) => owedCents <= 0) ? 'not_owed' : 'changed'
}
