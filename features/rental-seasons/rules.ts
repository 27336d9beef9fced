/**
 * Lottery that allocates the recurring times of a season. The server runs the lottery, and anyone can repeat it in the
 * browser to check the result (docs/lottery.md). The result depends only on the seed and the inputs.
 */

/** Time span of an available date, in milliseconds since 1970. Includes the buffers for setup and cleanup. */
interface LotteryDate {
  /** Day in the company's time zone, for example 2027-06-12. */
  day: string
  minutes: number
  from: number
  until: number
}
export interface LotteryChoice {
  /** Rank of the choice. 1 is the first preference. */
  rank: number
  /** Numbers of the spaces that the choice uses. Contains only the smallest spaces, which have no parts. */
  leaves: readonly number[]
  /** Available dates, without dates that were closed or reserved before the lottery. */
  dates: readonly LotteryDate[]
}
export interface LotteryApplication {
  number: string
  /** Priority group of the applicant. 1 is the highest priority. */
  group: number
  rankedChoices: readonly LotteryChoice[]
}
export interface LotteryInput {
  maxMinutesAWeek: number
  applications: readonly LotteryApplication[]
}

/**
 * Reason that a choice was not allocated: no date was left before the lottery, another applicant got it, or it exceeds
 * the weekly hours.
 */
export type MissReason = 'no_dates' | 'taken' | 'hours'
export interface LotteryResult {
  /** Numbers of all applications, in the order in which they choose. */
  order: readonly string[]
  allocations: readonly { turn: number; number: string; rank: number }[]
  missed: readonly { turn: number; number: string; rank: number; why: MissReason; by: string }[]
}

const DAY = 86_400_000
const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))

/**
 * Hashes a seed.
 * @param seed 64 hex digits.
 * @returns the SHA-256 of its 32 bytes, in hex
 */
export async function hashOfSeed(seed: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(seed))))
}

/**
 * Sorts applications into the order in which they choose: by group, then by the hex of an HMAC-SHA256. The key is the
 * 32 bytes of the seed, and the message is the number as UTF-8.
 */
export async function orderOf(
  seed: string,
  applications: readonly Pick<LotteryApplication, 'number' | 'group'>[],
): Promise<string[]> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytesOf(seed), algorithm, false, ['sign'])
  const marked = await Promise.all(
    applications.map(async ({ number, group }) => {
      const mark = hex(new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(number))))
      return { number, group, mark }
    }),
  )
  return marked
    .toSorted((a, b) => a.group - b.group || (a.mark < b.mark ? -1 : a.mark > b.mark ? 1 : 0))
    .map(({ number }) => number)
}

/** Allocated times of each space with their applicants, indexed by UTC day. */
class Occupancy {
  readonly #by = new Map<string, { from: number; until: number; number: string }[]>()

  /** Finds an applicant who already has one of these spaces on one of the dates. Null if all are free. */
  of({ leaves, dates }: LotteryChoice): string | null {
    for (const { from, until } of dates)
      for (const key of keysOf(leaves, from, until)) {
        const other = this.#by.get(key)?.find((one) => one.from < until && from < one.until)
        if (other) return other.number
      }
    return null
  }

  add({ leaves, dates }: LotteryChoice, number: string): void {
    for (const { from, until } of dates)
      for (const key of keysOf(leaves, from, until))
        this.#by.set(key, [...(this.#by.get(key) ?? []), { from, until, number }])
  }
}

function keysOf(leaves: readonly number[], from: number, until: number): string[] {
  const keys: string[] = []
  for (let day = Math.floor(from / DAY); day <= Math.floor((until - 1) / DAY); day += 1)
    for (const leaf of leaves) keys.push(`${leaf} ${day}`)
  return keys
}

/** Returns the Monday of the week that contains a day. */
function mondayOf(day: string): string {
  const at = new Date(`${day}T00:00:00Z`)
  return new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * DAY).toISOString().slice(0, 10)
}

/** Adds up the minutes of the dates in each week. The key is the Monday of the week. */
export function minutesByWeek(dates: readonly Pick<LotteryDate, 'day' | 'minutes'>[]): Map<string, number> {
  const weeks = new Map<string, number>()
  for (const { day, minutes } of dates) weeks.set(mondayOf(day), (weeks.get(mondayOf(day)) ?? 0) + minutes)
  return weeks
}

/**
 * Allocates times in turns. In each turn, an applicant gets their best choice that has free dates and keeps every week
 * within the limit. A choice that does not fit is dropped, because it can never fit later. Turns repeat until no
 * applicant gets another choice.
 */
export function allot({ maxMinutesAWeek, applications }: LotteryInput, order: readonly string[]): LotteryResult {
  const occupancy = new Occupancy()
  const allocated: LotteryResult['allocations'][number][] = []
  const missed: LotteryResult['missed'][number][] = []
  const byNumber = new Map(applications.map((one) => [one.number, one]))
  const applicants = order.map((number) => ({
    number,
    rankedChoices: (byNumber.get(number)?.rankedChoices ?? []).toSorted((a, b) => a.rank - b.rank),
    hours: new Map<string, number>(),
  }))
  for (let round = 1; applicants.some(({ rankedChoices }) => rankedChoices.length > 0); round += 1)
    for (const { number, rankedChoices, hours } of applicants)
      for (let choice = rankedChoices.shift(); choice; choice = rankedChoices.shift()) {
        const { rank } = choice
        const by = occupancy.of(choice)
        const weeks = minutesByWeek(choice.dates)
        const isTooMuch = [...weeks].some(([week, minutes]) => (hours.get(week) ?? 0) + minutes > maxMinutesAWeek)
        const why = choice.dates.length === 0 ? 'no_dates' : by !== null ? 'taken' : isTooMuch ? 'hours' : null
        if (why) {
          missed.push({ turn: round, number, rank, why, by: why === 'taken' ? (by ?? '') : '' })
          continue
        }
        occupancy.add(choice, number)
        for (const [week, minutes] of weeks) hours.set(week, (hours.get(week) ?? 0) + minutes)
        allocated.push({ turn: round, number, rank })
        break
      }
  return { order, allocations: allocated, missed }
}

/** Runs the entire lottery. @param seed 64 hex digits */
export async function lotteryOf(seed: string, inputs: LotteryInput): Promise<LotteryResult> {
  return allot(inputs, await orderOf(seed, inputs.applications))
}
