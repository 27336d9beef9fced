import { addDays } from '../../shared/dates.ts'

/** Of specification 9.7. */
export const MOVE_IN = 1
export const MOVE_OUT = 2
export const MOVE_WITHIN = 3
export type MoveKind = typeof MOVE_IN | typeof MOVE_OUT | typeof MOVE_WITHIN

export const kindLabels = {
  1: 'Move in to our community',
  2: 'Move out of the community',
  3: 'Move within the community',
} as const

export const enters = (kind: number): boolean => kind !== MOVE_OUT
export const leaves = (kind: number): boolean => kind !== MOVE_IN

const FIRST_NUMBER = 100_000
export const numberOf = (id: number): string => `M-${FIRST_NUMBER + id}`

export interface MovingSettings {
  forGuests: boolean
  /** So many days at least lie between asking and moving. */
  leadDays: number
  farthestDays: number
  /** The department that reads the meters of who comes and who leaves; null where nobody is sent. */
  readsBy: number | null
  /** So long after the last day AutoPay goes on, so that it pays the final bill. */
  autopayDays: number
  /** What whoever moves in pays: a payment of the town's; null where it costs nothing. */
  feeTypeId: number | null
  /** Which documents whoever moves is asked for, in the town's words. */
  documents: string
}
export const usualSettings: MovingSettings = {
  forGuests: true,
  leadDays: 3,
  farthestDays: 120,
  readsBy: null,
  autopayDays: 45,
  feeTypeId: null,
  documents: '',
}

/** The first and the last day that can be chosen today. */
export const daysOpen = (today: string, { leadDays, farthestDays }: MovingSettings) => ({
  first: addDays(today, leadDays),
  last: addDays(today, farthestDays),
})

/** The days to choose from, and those in between on which the office is closed. */
export interface OpenDays {
  first: string
  last: string
  closed: readonly string[]
}
export const isOutside = ({ first, last }: OpenDays, day: string): boolean => day < first || day > last
export const isClosed = ({ closed }: OpenDays, day: string): boolean => closed.includes(day)

/** Somebody came to a service point, or left it. */
export interface Change {
  moveId: number
  does: 'in' | 'out'
  on: string
  name: string
  /** What one knows them by: account, email, name. A departure ends the stay of somebody who has one of these in common. */
  knownBy: readonly string[]
}

/** An owner who answers for a place whenever nobody lives there; `until` is the first day on which that is over. */
export interface OwnerAgreement {
  moveId: number
  from: string
  until: string | null
  name: string
}

export interface Party {
  party: 'resident' | 'owner' | 'town'
  /** The move that says so; null of the town. */
  moveId: number | null
  name: string
  /** null: since ever. */
  from: string | null
  /** The first day on which they answer for it no more; null: until further notice. */
  until: string | null
}

/** On one day whoever leaves does so before somebody comes; of two who come, whoever asked later has it. */
const inOrder = (one: Change, other: Change): number =>
  one.on.localeCompare(other.on) || other.does.localeCompare(one.does) || one.moveId - other.moveId

const isSame = (one: Change, other: Change): boolean => one.knownBy.some((name) => other.knownBy.includes(name))

const EVER = ''

/**
 * Who lives there after each change. Whoever leaves first of all lived there before anything was known of the place; whoever
 * leaves later than the next one came takes nothing from them.
 */
function stays(changes: readonly Change[]): { on: string; lives: Change | null }[] {
  const inTime = changes.toSorted(inOrder)
  let lives: Change | null = inTime[0]?.does === 'out' ? inTime[0] : null
  return [
    { on: EVER, lives },
    ...inTime.map((one) => {
      if (one.does === 'in') lives = one
      else if (lives && isSame(lives, one)) lives = null
      return { on: one.on, lives }
    }),
  ]
}

const TOWN = { party: 'town', moveId: null, name: '' } as const
const within = (day: string, { from, until }: OwnerAgreement) => from <= day && (until === null || day < until)

/**
 * Who answers for a service point, from ever until further notice: whoever lives there, else its owner where they agreed to,
 * else the town. Exactly one at each instant, since each begins on the day on which the one before ends.
 */
export function partiesOf(changes: readonly Change[], agreements: readonly OwnerAgreement[]): Party[] {
  const known = stays(changes)
  // Nothing changes but on these days.
  const days = [
    ...new Set([...changes.map(({ on }) => on), ...agreements.flatMap(({ from, until }) => [from, until ?? from])]),
  ].toSorted()
  const at = (day: string): Omit<Party, 'from' | 'until'> => {
    const lives = known.findLast(({ on }) => on <= day)?.lives
    if (lives) return { party: 'resident', moveId: lives.moveId, name: lives.name }
    const owner = agreements.find((one) => within(day, one))
    return owner ? { party: 'owner', moveId: owner.moveId, name: owner.name } : TOWN
  }
  const parties: Party[] = [{ ...at(EVER), from: null, until: null }]
  for (const day of days) {
    const before = parties.at(-1) as Party
    const now = at(day)
    if (now.party === before.party && now.moveId === before.moveId) continue
    before.until = day
    parties.push({ ...now, from: day, until: null })
  }
  return parties
}
