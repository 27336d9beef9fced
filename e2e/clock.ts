import { toIso } from '../shared/dates.ts'

/** Start time of a normal run, on a Wednesday with no holiday near it. */
const BY_DAY = '2026-11-18T15:00:00Z'

const TWO_YEARS_S = 2 * 365 * 86_400

/** Returns a time within two years after `BY_DAY` that depends only on the seed. */
const timeOf = (seed: number): string =>
  new Date(Date.parse(BY_DAY) + ((seed * 7919) % TWO_YEARS_S) * 1000).toISOString()

/**
 * Shifts the clock of this process and of all processes that it starts. A normal run starts at `BY_DAY`. A nightly run
 * starts at a time derived from SEED. START_AT sets another time.
 * @throws if START_AT is not a time
 */
export function startClock(): void {
  const { env } = process
  if (env['CLOCK_SHIFT_MS'] === undefined) {
    const seed = Number(env['SEED'] ?? Math.floor(Date.now() / 1000))
    const startAt = env['START_AT'] ?? (env['NIGHTLY'] ? timeOf(seed) : BY_DAY)
    if (Number.isNaN(Date.parse(startAt))) throw new Error(`START_AT is not a time: ${startAt}`)
    env['START_AT'] = startAt
    env['CLOCK_SHIFT_MS'] = String(Date.parse(startAt) - Date.now())
    const script = encodeURIComponent(`(${shiftClock.toString()})(${env['CLOCK_SHIFT_MS']})`)
    env['NODE_OPTIONS'] = `${env['NODE_OPTIONS'] ?? ''} --import=data:text/javascript,${script}`.trim()
  }
  shiftClock(Number(env['CLOCK_SHIFT_MS']))
}

/**
 * Shifts the clock of this process or page by milliseconds, so that the tests always run on the same calendar day.
 * Other processes and pages run the source of this function, so it must not refer to names declared outside it.
 */
export function shiftClock(shiftMs: number): void {
  const RealDate = Date
  if ('shiftMs' in RealDate) return
  const now = () => RealDate.now() + shiftMs
  const ShiftedDate = new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
    get: (target, key): unknown => (key === 'now' ? now : Reflect.get(target, key)),
  })
  Object.defineProperty(RealDate, 'shiftMs', { value: shiftMs })
  RealDate.prototype.constructor = ShiftedDate
  globalThis.Date = ShiftedDate
}

/** Returns the UTC day that is `days` days from now, as YYYY-MM-DD. A negative number means a past day. */
export const dayFromNow = (days: number): string => toIso(new Date(Date.now() + days * 86_400_000))

/** Writes a day as billing systems do: 11/25/2026. */
export const usDate = (day: string): string => day.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$2/$3/$1')
