import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Refusal, tooMany } from './errors.ts'
import type { House } from './house.ts'
import type { Tx } from './tenancy.ts'
import { plural, say, translated } from '../shared/words.ts'

const MINUTE = 60_000
const LONGEST_WAIT_MS = 60 * MINUTE

interface Rule {
  /** How many are let through in `minutes`. */
  most: number
  /** 15 unless told. */
  minutes?: number
  /**
   * What comes after that. 'longer waits', unless told: one more at a time, after a wait that doubles from a minute to an
   * hour. 'pause': none until the minutes are over.
   */
  after?: 'longer waits' | 'pause'
  /** What was done too often, as a sentence; how long to wait follows it. */
  says?: string
}

/** One thing that is limited: the wrong passwords of this account, the mails to that mailbox. */
export interface Limit extends Required<Rule> {
  scope: string
  key: string
  /** As how many one try counts; 1 unless told. */
  weight?: number
}

/** Every limit that the portal has, by its scope. */
export const declaredLimits = new Map<string, Rule>()

/** What holds unless a limit says otherwise. */
const USUAL = { minutes: 15, after: 'longer waits', says: 'Too many tries.' } as const

/** Declares a limit, once for each scope. @returns what makes the limit of one account, one address … */
export function defineLimit(scope: string, rule: Rule): (key: string | number) => Limit {
  declaredLimits.set(scope, rule)
  return (key) => ({ ...USUAL, ...rule, scope, key: String(key) })
}

/** Declares a limit of what comes from one address, over all towns or in one. */
export function defineAddressLimit(scope: string, rule: Rule): (address: string, town?: number) => Limit {
  const limit = defineLimit(scope, rule)
  return (address, town) => limit(town === undefined ? networkOf(address) : `${town}/${networkOf(address)}`)
}

/** Who has one address of IPv6 has all that share its first half, so that these count together. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '').replace(/%.*$/, '')
  if (!plain.includes(':')) return plain
  const [first = [], last = []] = plain.split('::').map((half) => half.split(':').filter(Boolean))
  const gap = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0')
  return [...first, ...gap, ...last]
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')
}

type Means = Pick<House, 'outside' | 'clock'>

/** A try that was counted. */
export interface Counted {
  /** Takes back what was counted, in all of its limits or in these: where only failures count, a success was none. */
  giveBack(only?: readonly Limit[]): Promise<void>
}

/**
 * Counts a try against each of these limits and lets it through where all of them have room. It is counted before anything
 * is looked at, so that tries at the same moment never pass together; what is refused counts nowhere.
 * @throws 429, with how long to wait
 */
export async function countTry({ outside, clock }: Means, of: readonly Limit[]): Promise<Counted> {
  const now = clock.now()
  // In one order, so that two tries never wait for each other's rows.
  const ordered = of.map((limit) => ({ ...limit, hash: hashOf(limit) })).toSorted((a, b) => a.hash.compare(b.hash))
  const counted = await outside(async (tx) => {
    const all = []
    for (const limit of ordered) all.push(await countOne(tx, limit, now))
    return all
  })
  return {
    giveBack: async (only = of) => {
      const scopes = new Set(only.map(({ scope }) => scope))
      await outside(async (tx) => {
        for (const one of counted) if (scopes.has(one.scope)) await takeBack(tx, one)
      })
    },
  }
}

/** The same where only failures count: what was done without an error is given back. @throws 429, and what `work` throws */
export async function countFailures<T>(means: Means, of: readonly Limit[], work: () => Promise<T>): Promise<T> {
  const counted = await countTry(means, of)
  const result = await work()
  await counted.giveBack()
  return result
}

type Hashed = Limit & { hash: Buffer }
type CountedOne = Hashed & { failures: number; window_started_at: Date }

async function countOne(tx: Tx, limit: Hashed, now: Date): Promise<CountedOne> {
  const { scope, hash, most, minutes, after, weight = 1 } = limit
  const begun =
    after === 'pause'
      ? sql`failed_guess.window_started_at`
      : sql`greatest(failed_guess.window_started_at, failed_guess.blocked_until)`
  const isOver = sql`${begun} <= ${new Date(now.getTime() - minutes * MINUTE)}`
  const row = await tx
    .insertInto('failed_guess')
    .values({ scope, key_hash: hash, failures: weight, window_started_at: now, blocked_until: null })
    .onConflict((conflict) =>
      conflict
        .columns(['scope', 'key_hash'])
        .doUpdateSet({
          failures: sql`CASE WHEN ${isOver} THEN ${weight}::int ELSE failed_guess.failures + ${weight}::int END`,
          window_started_at: sql`CASE WHEN ${isOver} THEN ${now} ELSE failed_guess.window_started_at END`,
          blocked_until: null,
        })
        // PostgreSQL asks this of the row as the try before left it, and gives a blocked one not back.
        .where((e) => e.or([e('failed_guess.blocked_until', 'is', null), e('failed_guess.blocked_until', '<=', now)])),
    )
    .returning(['failures', 'window_started_at'])
    .executeTakeFirst()
  if (!row) throw await refusalOf(tx, limit, now)
  if (row.failures >= most) {
    const blocked_until =
      after === 'pause'
        ? new Date(row.window_started_at.getTime() + minutes * MINUTE)
        : new Date(now.getTime() + Math.min(LONGEST_WAIT_MS, MINUTE * 2 ** (row.failures - most)))
    await tx
      .updateTable('failed_guess')
      .set({ blocked_until })
      .where('scope', '=', scope)
      .where('key_hash', '=', hash)
      .execute()
  }
  return { ...limit, ...row }
}

/** A block stays where others have filled the limit meanwhile. */
const takeBack = (tx: Tx, { scope, hash, most, failures, window_started_at, weight = 1 }: CountedOne) =>
  tx
    .updateTable('failed_guess')
    .set({
      failures: sql`greatest(failures - ${weight}::int, 0)`,
      blocked_until: sql`CASE WHEN failures = ${failures} OR failures <= ${most} THEN NULL ELSE blocked_until END`,
    })
    .where('scope', '=', scope)
    .where('key_hash', '=', hash)
    .where('window_started_at', '=', window_started_at)
    .execute()

/** Forgets all that was counted: staff, or a mail's link, showed that it was somebody who may. */
export async function forgetTries({ outside }: Pick<House, 'outside'>, of: readonly Limit[]): Promise<void> {
  await outside((tx) => tx.deleteFrom('failed_guess').where('key_hash', 'in', of.map(hashOf)).execute())
}

const hashOf = ({ scope, key }: Limit) => createHash('sha256').update(`${scope}\n${key}`).digest()

async function refusalOf(tx: Tx, { scope, hash, says }: Hashed, now: Date): Promise<Refusal> {
  const row = await tx
    .selectFrom('failed_guess')
    .select('blocked_until')
    .where(({ and }) => and({ scope, key_hash: hash }))
    .executeTakeFirst()
  const wait = Math.max(1000, (row?.blocked_until?.getTime() ?? 0) - now.getTime())
  return tooMany(`${translated(says)} ${waitSentence(wait)}`, Math.ceil(wait / 1000))
}

function waitSentence(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE)
  const hours = Math.ceil(minutes / 60)
  return minutes <= 60
    ? say`Please wait ${plural(minutes, 'a minute', '# minutes')} and try again.`
    : say`Please wait ${plural(hours, 'an hour', '# hours')} and try again.`
}
