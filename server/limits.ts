import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Refusal, tooMany } from './errors.ts'
import type { AppContext } from './app-context.ts'
import type { Tx } from './tenancy.ts'
import { plural, say, translated } from '../shared/messages.ts'

const MINUTE = 60_000

interface Rule {
  /** Maximum number of attempts in `minutes`. */
  max: number
  /** Period in which attempts are counted, in minutes. Default 15. */
  minutes?: number
  /**
   * Rule after the limit is reached. By default, the next attempts are allowed one at a time, after waits that double
   * from a minute to an hour. 'pause' allows no attempt until `minutes` have passed.
   */
  after?: 'longer waits' | 'pause'
  /** Sentence that explains the refusal. The waiting time is added after it. */
  text?: string
}

/** Counter of a limit for one key, such as the wrong passwords of an account or the emails to a mailbox. */
export interface Limit extends Required<Rule> {
  scope: string
  key: string
  /** Weight of one attempt. Default 1. If 0, the limit is checked but the attempt does not count. */
  weight?: number
}

export const declaredLimits = new Map<string, Rule>()

const USUAL = { minutes: 15, after: 'longer waits', text: 'Too many attempts.' } as const

/**
 * Declares a limit, once for each scope.
 * @returns A function that creates the counter of one key, such as an account or address
 */
export function defineLimit(scope: string, rule: Rule): (key: string | number) => Limit {
  declaredLimits.set(scope, rule)
  return (key) => ({ ...USUAL, ...rule, scope, key: String(key) })
}

/** Declares a limit for each IP address, either over all companies or within one company. */
export function defineAddressLimit(scope: string, rule: Rule): (address: string, companyId?: number) => Limit {
  const limit = defineLimit(scope, rule)
  return (address, company) => limit(company === undefined ? networkOf(address) : `${company}/${networkOf(address)}`)
}

/**
 * Returns the network of an IP address. The owner of an IPv6 address controls all addresses with the same first half,
 * so those count together.
 */
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

/** Attempt that was counted. */
export interface CountedAttempt {
  /** Removes the attempt from all or some of its limits. Used after a success, if only failures count. */
  release(only?: readonly Limit[]): Promise<void>
}

/**
 * Counts an attempt against each limit and allows it if it exceeds none of them. Counting comes before any other check,
 * so that parallel attempts can't all pass. A refused attempt does not count.
 * @throws 429 with the waiting time if a limit is reached
 */
export async function countAttempt({ outside, clock }: LimitDeps, of: readonly Limit[]): Promise<CountedAttempt> {
  const counted = await outside((tx) => countIn(tx, clock.now(), of))
  return {
    release: (only = of) => {
      const scopes = new Set(only.map(({ scope }) => scope))
      const toUndo = counted.filter(({ scope }) => scopes.has(scope))
      return toUndo.length > 0 ? outside((tx) => undoCounts(tx, toUndo)) : Promise.resolve()
    },
  }
}

/**
 * Runs `work` as a counted attempt. If `work` succeeds, removes the attempt, so that only failures count.
 * @throws 429 if a limit is reached, or the error of `work`
 */
export async function countFailures<T>(deps: LimitDeps, of: readonly Limit[], work: () => Promise<T>): Promise<T> {
  const counted = await countAttempt(deps, of)
  const result = await work()
  await counted.release()
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

/** Returns a copy of a limit that checks attempts but does not count them. */
export const onlyViewed = (limit: Limit): Limit => ({ ...limit, weight: 0 })

/**
 * Counts an attempt in the caller's transaction. If the attempt is refused, the error rolls back that transaction.
 * @returns The limits that counted the attempt, with their totals
 * @throws 429 with the waiting time if a limit is reached
 */
export async function countIn(tx: Tx, now: Date, of: readonly Limit[]): Promise<CountedOne[]> {
  if (of.length === 0) return []
  // Locks the counters in a fixed order, so that parallel attempts never deadlock.
  const ordered = of.map((limit) => ({ ...limit, hash: hashOf(limit) })).toSorted((a, b) => a.hash.compare(b.hash))
  const all = <T>(value: (limit: HashedLimit) => T) => ordered.map(value)
  const { rows } = await sql<CountedRow>`
    SELECT * FROM count_tries(${now}, ${all(({ scope }) => scope)}, ${all(({ hash }) => hash)}, ${all(({ max }) => max)},
      ${all(({ minutes }) => minutes)}, ${all(({ after }) => after === 'pause')}, ${all(({ weight = 1 }) => weight)})`.execute(
    tx,
  )
  const at = ({ nth }: CountedRow) => ordered[nth - 1] as HashedLimit
  const refused = rows.find((row) => row.refused)
  if (refused) throw refusalOf(at(refused), refused.blocked_until, now)
  return rows.map((row) => ({ ...at(row), ...row }))
}

/**
 * Subtracts counted attempts from their limits. A limit stays blocked if other attempts have filled it in the meantime.
 */
const undoCounts = async (tx: Tx, counted: readonly CountedOne[]): Promise<void> => {
  const all = <T>(value: (one: CountedOne) => T) => counted.map(value)
  await sql`
    UPDATE failed_guess g SET failures = greatest(g.failures - o.weight, 0),
      blocked_until = CASE WHEN g.failures = o.failures OR g.failures <= o.most THEN NULL ELSE g.blocked_until END
    FROM unnest(${all(({ scope }) => scope)}::text[], ${all(({ hash }) => hash)}::bytea[], ${all(({ max }) => max)}::int[],
      ${all(({ failures }) => failures)}::int[], ${all(({ window_started_at: since }) => since)}::timestamptz[],
      ${all(({ weight = 1 }) => weight)}::int[]) AS o(scope, hash, most, failures, since, weight)
    WHERE g.scope = o.scope AND g.key_hash = o.hash AND g.window_started_at = o.since`.execute(tx)
}

/** Resets the counters of limits. Used after staff or an emailed link confirmed the person's identity. */
export async function resetAttempts({ outside }: Pick<AppContext, 'outside'>, of: readonly Limit[]): Promise<void> {
  await outside((tx) => tx.deleteFrom('failed_guess').where('key_hash', 'in', of.map(hashOf)).execute())
}

const hashOf = ({ scope, key }: Limit) => createHash('sha256').update(`${scope}\n${key}`).digest()

function refusalOf({ text }: Limit, blockedUntil: Date | null, now: Date): Refusal {
  const wait = Math.max(1000, (blockedUntil?.getTime() ?? 0) - now.getTime())
  return tooMany(`${translated(text)} ${waitMessage(wait)}`, Math.ceil(wait / 1000))
}

function waitMessage(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE)
  const hours = Math.ceil(minutes / 60)
  return minutes <= 60
    ? say`Please wait ${plural(minutes, 'a minute', '# minutes')} and try again.`
    : say`Please wait ${plural(hours, 'an hour', '# hours')} and try again.`
}
