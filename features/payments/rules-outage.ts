/** Pure rules of outages: when a payment provider counts as out, and when it is back. Instants are in milliseconds. */

/** So many calls in a row that nobody answered, within so long, are an outage. */
export const SILENT_CALLS = 3
export const WITHIN_MS = 60_000

/** An outage that begins again so soon after it was over is the same one. */
export const RELAPSE_MS = 15 * 60_000

/** Whoever tried to pay in an outage is late with it only after the third day after the one on which it ended. The view `tried_in_outage` counts them. */
export const GRACE_DAYS = 3

/** What is known of one kind of call for one account: when it was answered last, and when it was not since. */
export interface Calls {
  /** Empty for calls that are of no town. */
  account: string
  answeredAt: number | null
  silentAt: readonly number[]
}

export interface OutagePeriod {
  since: number
  /** Those that can't be charged; null: nobody can. */
  accounts: readonly string[] | null
}

/**
 * Who can't be charged by a provider now, by its calls of the last minute. A call that was answered forgets those of its kind that
 * were not, so that a provider which answers questions and takes no payments is out as well. Where the calls of one town alone
 * are not answered, the others go on.
 */
export function outBy(calls: readonly Calls[], now: number): OutagePeriod | null {
  const silent = calls
    .map(({ account, silentAt }) => ({ account, at: silentAt.filter((at) => now - at <= WITHIN_MS) }))
    .filter(({ at }) => at.length > 0)
  const of = (account: string) => silent.flatMap((one) => (one.account === account ? one.at : []))
  const all = silent.flatMap(({ at }) => at)
  const accounts = [...new Set(silent.map(({ account }) => account))]
  const first = Math.min(...all)
  const answersOthers = calls.some(({ answeredAt }) => answeredAt !== null && answeredAt > first)
  if (all.length >= SILENT_CALLS && (accounts.length > 1 || accounts[0] === '') && !answersOthers)
    return { since: first, accounts: null }
  const own = accounts.filter((account) => account !== '' && of(account).length >= SILENT_CALLS)
  return own.length > 0 ? { since: Math.min(...own.flatMap(of)), accounts: own } : null
}

/** It has to answer for so long before an outage is over, and the longer the more often it began again. */
const CALM_MINUTES = [1, 5, 15, 30] as const
export const calmMs = (relapses: number): number =>
  (CALM_MINUTES[Math.min(relapses, CALM_MINUTES.length - 1)] ?? 1) * 60_000

/** A promise whose charge did not reach the provider waits so long, and twice as long after each other try. */
export const againAfterMs = (tries: number): number => Math.min(6 * 3_600_000, 5 * 60_000 * 2 ** tries)

/** After so many tries it is given up, and its payer is told. */
export const MAX_ATTEMPTS = 8

/** How the things of a promise stand by the time at which it is to be carried out. */
export interface DeferredItems {
  /** For each thing: what was promised, what is owed, and what payments under way will take off. */
  things: readonly { cents: number; owedCents: number; pendingCents: number }[]
}

/**
 * Whether a promise is carried out. `later`: a payment of the same is under way, of which nobody knows yet what became of it.
 * `not_owed`: it was paid meanwhile. `changed`: less is owed than was promised, and nobody agreed to another amount.
 */
export function carryOut({ things }: DeferredItems): 'charge' | 'later' | 'not_owed' | 'changed' {
  if (things.every(({ cents, owedCents, pendingCents }) => owedCents - pendingCents >= cents)) return 'charge'
  if (things.some(({ pendingCents }) => pendingCents > 0)) return 'later'
  return things.every(({ owedCents }) => owedCents <= 0) ? 'not_owed' : 'changed'
}
