import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Clock } from './clock.ts'
import { tooMany } from './errors.ts'
import type { Tx } from './tenancy.ts'

const WINDOW_MS = 15 * 60_000
const LONGEST_WAIT_MS = 60 * 60_000

/** One thing that is being guessed: `most` wrong guesses in 15 minutes are free, then each costs a growing wait. */
export interface Guess {
  scope: string
  key: string
  most: number
}

type Outside = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

const hashOf = (guess: Guess) => createHash('sha256').update(`${guess.scope}\n${guess.key}`).digest()

/** Refuses with 429 while one of these must wait. The sentence tells how long. */
export async function refuseWhileWaiting(outside: Outside, clock: Clock, guesses: readonly Guess[]): Promise<void> {
  const now = clock.now()
  const rows = await outside((tx) =>
    tx
      .selectFrom('failed_guess')
      .select('blocked_until')
      .where('key_hash', 'in', guesses.map(hashOf))
      .where('blocked_until', '>', now)
      .execute(),
  )
  const until = Math.max(0, ...rows.map((row) => row.blocked_until?.getTime() ?? 0))
  if (until > now.getTime())
    throw tooMany(waitSentence(until - now.getTime()), Math.ceil((until - now.getTime()) / 1000))
}

/** Counts a wrong guess. Past the limit each one doubles the wait, from one minute to an hour. */
export async function countWrongGuess(outside: Outside, clock: Clock, guesses: readonly Guess[]): Promise<void> {
  const now = clock.now()
  await outside(async (tx) => {
    for (const guess of guesses) {
      const fresh = new Date(now.getTime() - WINDOW_MS)
      const { failures } = await tx
        .insertInto('failed_guess')
        .values({
          scope: guess.scope,
          key_hash: hashOf(guess),
          failures: 1,
          window_started_at: now,
          blocked_until: null,
        })
        .onConflict((conflict) =>
          conflict.columns(['scope', 'key_hash']).doUpdateSet({
            failures: sql`CASE WHEN greatest(failed_guess.window_started_at, failed_guess.blocked_until) < ${fresh} THEN 1 ELSE failed_guess.failures + 1 END`,
            window_started_at: sql`CASE WHEN greatest(failed_guess.window_started_at, failed_guess.blocked_until) < ${fresh} THEN ${now} ELSE failed_guess.window_started_at END`,
          }),
        )
        .returning('failures')
        .executeTakeFirstOrThrow()
      if (failures < guess.most) continue
      const wait = Math.min(LONGEST_WAIT_MS, 60_000 * 2 ** (failures - guess.most))
      await tx
        .updateTable('failed_guess')
        .set({ blocked_until: new Date(now.getTime() + wait) })
        .where('scope', '=', guess.scope)
        .where('key_hash', '=', hashOf(guess))
        .execute()
    }
  })
}

/** Lets through what may be done `most` times in 15 minutes, right or wrong, and counts it. @throws 429 */
export async function countTry(outside: Outside, clock: Clock, tries: readonly Guess[]): Promise<void> {
  await refuseWhileWaiting(outside, clock, tries)
  await countWrongGuess(outside, clock, tries)
}

/** Forgets the wrong guesses after a right one. */
export async function forgetGuesses(outside: Outside, guesses: readonly Guess[]): Promise<void> {
  await outside((tx) => tx.deleteFrom('failed_guess').where('key_hash', 'in', guesses.map(hashOf)).execute())
}

function waitSentence(ms: number): string {
  const minutes = Math.ceil(ms / 60_000)
  return `Too many tries. Please wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`} and try again.`
}
