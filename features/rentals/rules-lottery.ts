/**
 * The draw of a season's times, the same on the server and in the browser of anybody who repeats it (docs/fair-draw.md
 * says it in words). What comes out follows from the seed and the inputs alone.
 */

/** A date of a wish that can be had, in milliseconds since 1970, with the time to get it ready and to clear it. */
interface LotteryDate {
  /** Of the town: 2027-06-12. */
  day: string
  minutes: number
  from: number
  until: number
}
export interface LotteryChoice {
  /** 1 for the dearest. */
  place: number
  /** The numbers of the spaces without parts that it takes. */
  leaves: readonly number[]
  /** Without those on which it is closed, or reserved before the draw. */
  dates: readonly LotteryDate[]
}
export interface LotteryApplication {
  number: string
  /** 1 for the group that comes first. */
  group: number
  wishes: readonly LotteryChoice[]
}
export interface LotteryInput {
  mostMinutesAWeek: number
  applications: readonly LotteryApplication[]
}

/** Why a wish was not given: no date of it was left before the draw, somebody drew it, or it would be too many hours a week. */
export type MissReason = 'no_dates' | 'taken' | 'hours'
export interface LotteryResult {
  /** The numbers of all applications, in the order in which they choose. */
  order: readonly string[]
  given: readonly { turn: number; number: string; place: number }[]
  missed: readonly { turn: number; number: string; place: number; why: MissReason; by: string }[]
}

const DAY = 86_400_000
const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))

/** @param seed 64 hex digits. @returns the SHA-256 of its 32 bytes, in hex */
export async function hashOfSeed(seed: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(seed))))
}

/**
 * The numbers of applications in the order in which they choose: by their group, and within it by the hex of
 * HMAC-SHA256(key: the 32 bytes of the seed, message: the number, as UTF-8), the lowest first.
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

/** What is taken of each space, by the days of UTC that it touches, and by whom. */
class Taken {
  readonly #by = new Map<string, { from: number; until: number; number: string }[]>()

  /** Who has any of these spaces on one of the dates; null where nobody has. */
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

/** The Monday of a day's week. */
function mondayOf(day: string): string {
  const at = new Date(`${day}T00:00:00Z`)
  return new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * DAY).toISOString().slice(0, 10)
}

/** How many minutes dates come to in each week, by its Monday. */
export function minutesByWeek(dates: readonly Pick<LotteryDate, 'day' | 'minutes'>[]): Map<string, number> {
  const weeks = new Map<string, number>()
  for (const { day, minutes } of dates) weeks.set(mondayOf(day), (weeks.get(mondayOf(day)) ?? 0) + minutes)
  return weeks
}

/**
 * Whoever's turn it is gets the dearest of their wishes that still fits: none of its dates is taken, and in no week it
 * would be more than anybody may have. A wish that does not fit never fits later, so it is done with. Turns go on until
 * nobody gets anything more.
 */
export function allot({ mostMinutesAWeek, applications }: LotteryInput, order: readonly string[]): LotteryResult {
  const taken = new Taken()
  const given: LotteryResult['given'][number][] = []
  const missed: LotteryResult['missed'][number][] = []
  const byNumber = new Map(applications.map((one) => [one.number, one]))
  const waiting = order.map((number) => ({
    number,
    wishes: (byNumber.get(number)?.wishes ?? []).toSorted((a, b) => a.place - b.place),
    hours: new Map<string, number>(),
  }))
  for (let turn = 1; waiting.some(({ wishes }) => wishes.length > 0); turn += 1)
    for (const { number, wishes, hours } of waiting)
      for (let wish = wishes.shift(); wish; wish = wishes.shift()) {
        const { place } = wish
        const by = taken.of(wish)
        const weeks = minutesByWeek(wish.dates)
        const isTooMuch = [...weeks].some(([week, minutes]) => (hours.get(week) ?? 0) + minutes > mostMinutesAWeek)
        const why = wish.dates.length === 0 ? 'no_dates' : by !== null ? 'taken' : isTooMuch ? 'hours' : null
        if (why) {
          missed.push({ turn, number, place, why, by: why === 'taken' ? (by ?? '') : '' })
          continue
        }
        taken.add(wish, number)
        for (const [week, minutes] of weeks) hours.set(week, (hours.get(week) ?? 0) + minutes)
        given.push({ turn, number, place })
        break
      }
  return { order, given, missed }
}

/** The whole draw. @param seed 64 hex digits */
export async function drawOf(seed: string, inputs: LotteryInput): Promise<LotteryResult> {
  return allot(inputs, await orderOf(seed, inputs.applications))
}
