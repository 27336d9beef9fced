/**
 * Rules of outages as pure functions: when a payment provider is in an outage, and when the outage ends. Times are in
 * milliseconds.
 */

/** Number of consecutive unanswered calls, within the time below, that counts as an outage. */
export const SILENT_CALLS = 3
export const WITHIN_MS = 60_000

/** Time within which a new outage continues the previous one. In milliseconds. */
export const RELAPSE_MS = 15 * 60_000

/**
 * In days. A payer who tried during an outage is late only after the third day after its end. The view
 * `outage_attempt` uses this number too.
 */
export const GRACE_DAYS = 3

/** Call times for one kind and account: the last answer, and the unanswered calls since. */
export interface Calls {
  /** Empty for calls without a company. */
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
 * Returns the current outage of a provider by its calls of the last minute. An answer clears unanswered calls only of
 * its kind, so a provider that answers queries but takes no payments is out. If only one company's calls fail, the
 * others continue.
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

/** Minutes of answers before an outage ends. The time grows with each relapse. */
const CALM_MINUTES = [1, 5, 15, 30] as const
export const calmMs = (relapses: number): number =>
  (CALM_MINUTES[Math.min(relapses, CALM_MINUTES.length - 1)] ?? 1) * 60_000

/** Returns the wait of a deferred payment after its charge did not reach the provider. It doubles after each try. */
export const againAfterMs = (tries: number): number => Math.min(6 * 3_600_000, 5 * 60_000 * 2 ** tries)

/** Number of tries after which the portal stops and notifies the payer. */
export const MAX_ATTEMPTS = 8

/** Current amounts of the items of a deferred payment. */
export interface DeferredItems {
  /** Deferred, due and pending amounts of each item, in cents. */
  items: readonly { cents: number; owedCents: number; pendingCents: number }[]
}

/**
 * Returns the action for a deferred payment. `later`: another payment of the items is pending with an unclear result.
 * `not_owed`: the items were paid since. `changed`: less is due than deferred, and the payer agreed to no other amount.
 */
export function carryOut({ items }: DeferredItems): 'charge' | 'later' | 'not_owed' | 'changed' {
  if (items.every(({ cents, owedCents, pendingCents }) => owedCents - pendingCents >= cents)) return 'charge'
  if (items.some(({ pendingCents }) => pendingCents > 0)) return 'later'
  return items.every(({ owedCents }) => owedCents <= 0) ? 'not_owed' : 'changed'
}
