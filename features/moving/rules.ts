import { addDays } from '../../shared/dates.ts'

/** Kinds of move (spec 9.7). */
export const MOVE_IN = 1
export const MOVE_OUT = 2
export const MOVE_WITHIN = 3
export type MoveKind = typeof MOVE_IN | typeof MOVE_OUT | typeof MOVE_WITHIN

export const kindLabels = {
  [MOVE_IN]: 'Move in to our community',
  [MOVE_OUT]: 'Move out of the community',
  [MOVE_WITHIN]: 'Move within the community',
} as const

export const enters = (kind: number): boolean => kind !== MOVE_OUT
export const leaves = (kind: number): boolean => kind !== MOVE_IN

/** Returns the path of a move for staff. */
export const staffPath = (id: number): string => `/municipality/reports/move-in-out?move=${id}`

const FIRST_NUMBER = 100_000
export const numberOf = (id: number): string => `M-${FIRST_NUMBER + id}`

export interface MovingSettings {
  forGuests: boolean
  /** Minimum number of days between the request and the move. */
  leadDays: number
  farthestDays: number
  /** Department that reads the meters of people who move. Null if the company sends no one. */
  readsBy: number | null
  /** Number of days for which AutoPay continues after the person's last day, so that it pays the final bill. */
  autopayDays: number
  /** Payment type of the move-in fee. Null if moving in is free. */
  feeTypeId: number | null
  /** Documents that the company requires, in its own words. */
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

/** Returns the first and last day that a person can choose today. */
export const daysOpen = (today: string, { leadDays, farthestDays }: MovingSettings) => ({
  first: addDays(today, leadDays),
  last: addDays(today, farthestDays),
})

/** Range of days to choose from, and the closed days in it. */
export interface OpenDays {
  first: string
  last: string
  closed: readonly string[]
}
export const isOutside = ({ first, last }: OpenDays, day: string): boolean => day < first || day > last
export const isClosed = ({ closed }: OpenDays, day: string): boolean => closed.includes(day)

/** Move into or out of a service point. */
export interface Change {
  moveId: number
  does: 'in' | 'out'
  on: string
  name: string
  /** Account, email and name of the person. A move out ends the stay of a resident who shares any of these. */
  identifiers: readonly string[]
}

/**
 * Agreement of an owner to be responsible while no one lives at an address. `until` is the first day after the
 * agreement.
 */
export interface OwnerAgreement {
  moveId: number
  from: string
  until: string | null
  name: string
}

export interface Party {
  party: 'resident' | 'owner' | 'company'
  /** Move that established the party. Null for the company. */
  moveId: number | null
  name: string
  /** First day of the responsibility. Null if it has no start. */
  from: string | null
  /** First day after the responsibility. Null if it has no end. */
  until: string | null
}

/** Sorts changes by day. On the same day, a move out comes before a move in. Among moves in, the later request wins. */
const inOrder = (one: Change, other: Change): number =>
  one.on.localeCompare(other.on) || other.does.localeCompare(one.does) || one.moveId - other.moveId

const isSame = (one: Change, other: Change): boolean => one.identifiers.some((name) => other.identifiers.includes(name))

const EVER = ''

/**
 * Returns the resident after each change. If the first change is a move out, that person lived there before. After the
 * next person has moved in, an earlier resident's move out has no effect.
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

const COMPANY_PARTY = { party: 'company', moveId: null, name: '' } as const
const within = (day: string, { from, until }: OwnerAgreement) => from <= day && (until === null || day < until)

/**
 * Returns the responsible parties of a service point for all time: the resident, else an owner who agreed, else the
 * company. Each party starts on the day when the previous one ends, so each day has exactly one party.
 */
export function partiesOf(changes: readonly Change[], agreements: readonly OwnerAgreement[]): Party[] {
  const allStays = stays(changes)
  // Days on which the responsible party can change.
  const days = [
    ...new Set([...changes.map(({ on }) => on), ...agreements.flatMap(({ from, until }) => [from, until ?? from])]),
  ].toSorted()
  const at = (day: string): Omit<Party, 'from' | 'until'> => {
    const lives = allStays.findLast(({ on }) => on <= day)?.lives
    if (lives) return { party: 'resident', moveId: lives.moveId, name: lives.name }
    const owner = agreements.find((one) => within(day, one))
    return owner ? { party: 'owner', moveId: owner.moveId, name: owner.name } : COMPANY_PARTY
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
