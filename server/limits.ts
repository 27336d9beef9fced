import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Refusal, tooMany } from './errors.ts'
import type { AppContext } from './app-context.ts'
import type { Tx } from './tenancy.ts'
import { plural, say, translated } from '../shared/words.ts'

const MINUTE = 60_000

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
  /** As how many one try counts; 1 unless told. 0: it is only looked at. */
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

type LimitDeps = Pick<AppContext, 'outside' | 'clock'>

/** A try that was counted. */
export interface CountedAttempt {
  /** Takes back what was counted, in all of its limits or in these: where only failures count, a success was none. */
  giveBack(only?: readonly Limit[]): Promise<void>
}

/**
 * Counts a try against each of these limits and lets it through where all of them have room. It is counted before anything
 * is looked at, so that tries at the same moment never pass together; what is refused counts nowhere.
 * @throws 429, with how long to wait
 */
export async function countTry({ outside, clock }: LimitDeps, of: readonly Limit[]): Promise<CountedAttempt> {
  const counted = await outside((tx) => countIn(tx, clock.now(), of))
  return {
    giveBack: (only = of) => {
      const scopes = new Set(only.map(({ scope }) => scope))
      const back = counted.filter(({ scope }) => scopes.has(scope))
      return back.length > 0 ? outside((tx) => takeBack(tx, back)) : Promise.resolve()
    },
  }
}

/** The same where only failures count: what was done without an error is given back. @throws 429, and what `work` throws */
export async function countFailures<T>(means: LimitDeps, of: readonly Limit[], work: () => Promise<T>): Promise<T> {
  const counted = await countTry(means, of)
  const result = await work()
  await counted.giveBack()
  return result
}

type HashedLimit = Limit & { hash: Buffer }
type CountedOne = HashedLimit & { failures: number; window_started_at: Date }

interface CountedRow {
  nth: number
  failures: number
  window_started_at: Date
  blocked_until: Date | null
  refused: boolean
}

/** A limit that a try has to have room in, and that it does not count in. */
export const onlyLookedAt = (limit: Limit): Limit => ({ ...limit, weight: 0 })

/**
 * Counts a try within a transaction, which a refusal ends.
 * @returns those that it counted in, with how many there are by now
 * @throws 429, with how long to wait
 */
export async function countIn(tx: Tx, now: Date, of: readonly Limit[]): Promise<CountedOne[]> {
  if (of.length === 0) return []
  // In one order, so that two tries never wait for each other's rows.
  const ordered = of.map((limit) => ({ ...limit, hash: hashOf(limit) })).toSorted((a, b) => a.hash.compare(b.hash))
  const all = <T>(value: (limit: HashedLimit) => T) => ordered.map(value)
  const { rows } = await sql<CountedRow>`
    SELECT * FROM count_tries(${now}, ${all(({ scope }) => scope)}, ${all(({ hash }) => hash)}, ${all(({ most }) => most)},
      ${all(({ minutes }) => minutes)}, ${all(({ after }) => after === 'pause')}, ${all(({ weight = 1 }) => weight)})`.execute(
    tx,
  )
  const at = ({ nth }: CountedRow) => ordered[nth - 1] as HashedLimit
  const refused = rows.find((row) => row.refused)
  if (refused) throw refusalOf(at(refused), refused.blocked_until, now)
  return rows.map((row) => ({ ...at(row), ...row }))
}

/** A block stays where others have filled the limit meanwhile. */
const takeBack = async (tx: Tx, counted: readonly CountedOne[]): Promise<void> => {
  const all = <T>(value: (one: CountedOne) => T) => counted.map(value)
  await sql`
    UPDATE failed_guess g SET failures = greatest(g.failures - o.weight, 0),
      blocked_until = CASE WHEN g.failures = o.failures OR g.failures <= o.most THEN NULL ELSE g.blocked_until END
    FROM unnest(${all(({ scope }) => scope)}::text[], ${all(({ hash }) => hash)}::bytea[], ${all(({ most }) => most)}::int[],
      ${all(({ failures }) => failures)}::int[], ${all(({ window_started_at: since }) => since)}::timestamptz[],
      ${all(({ weight = 1 }) => weight)}::int[]) AS o(scope, hash, most, failures, since, weight)
    WHERE g.scope = o.scope AND g.key_hash = o.hash AND g.window_started_at = o.since`.execute(tx)
}

/** Forgets all that was counted: staff, or a mail's link, showed that it was somebody who may. */
export async function forgetTries({ outside }: Pick<AppContext, 'outside'>, of: readonly Limit[]): Promise<void> {
  await outside((tx) => tx.deleteFrom('failed_guess').where('key_hash', 'in', of.map(hashOf)).execute())
}

const hashOf = ({ scope, key }: Limit) => createHash('sha256').update(`${scope}\n${key}`).digest()

function refusalOf({ says }: Limit, blockedUntil: Date | null, now: Date): Refusal {
  const wait = Math.max(1000, (blockedUntil?.getTime() ?? 0) - now.getTime())
  return tooMany(`${translated(says)} ${waitSentence(wait)}`, Math.ceil(wait / 1000))
}

function waitSentence(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE)
  const hours = Math.ceil(minutes / 60)
  return minutes <= 60
    ? say`Please wait ${plural(minutes, 'a minute', '# minutes')} and try again.`
    : say`Please wait ${plural(hours, 'an hour', '# hours')} and try again.`
}
