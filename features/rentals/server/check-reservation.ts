import { conflict, rejected } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'
import {
  mistakeIn,
  type Price,
  priceOf,
  guestsError,
  type Rules,
  type Times,
  timesOf,
  type TimeSlot,
} from '../rules.ts'
import { closedOf, findResource, type Resource, rulesOf, type Space, spacesOf } from './resources.ts'

export interface ReservationCheck extends TimeSlot {
  resourceId: number
  spaceId: number
  pieces: number
  addons: readonly string[]
  guests: number
  isResident: boolean
  byStaff: boolean
  /**
   * Series that the date belongs to. Only the first date of the series has a deposit. `waits` is true if the series
   * needs approval.
   */
  series?: { id: number; hasDeposit: boolean; waits?: boolean }
}

export interface ReservationDecision {
  resource: Resource
  space: Space
  rules: Rules
  times: Times
  price: Price
}

/** Returns the rules for a series date that has no deposit. */
export const withoutDeposit = (rules: Rules): Rules => ({ ...rules, depositCents: 0 })

export function spaceIn(spaces: readonly Space[], id: number): Space {
  const space = spaces.find((one) => one.id === id)
  if (!space) throw rejected(say`Choose what you want to reserve.`, { spaceId: say`Choose what you want to reserve.` })
  return space
}

/**
 * Checks a time against the rules of a resource, regardless of other reservations, and calculates its price. For the
 * waitlist, `despiteBlackouts` ignores blackout days.
 * @throws 409 if the resource is closed, 422 if the rules do not allow the time
 */
export async function checkReservation(
  tx: Tx,
  { clock }: Pick<AppContext, 'clock'>,
  company: Company,
  input: ReservationCheck,
  { despiteBlackouts = false } = {},
): Promise<ReservationDecision> {
  const resource = await findResource(tx, company.id, input.resourceId)
  if (resource.status !== 'open') throw conflict('closed', say`“${resource.name}” can't be reserved right now.`)
  const space = spaceIn(await spacesOf(tx, company.id, resource.id), input.spaceId)
  const usual = rulesOf(resource)
  const rules = input.series && !input.series.hasDeposit ? withoutDeposit(usual) : usual
  const closedDays = await closedOf(tx, company, resource.id, input.byStaff)
  const closed = despiteBlackouts ? { ...closedDays, blackouts: [] } : closedDays
  const { timeZone } = company
  const mistake = mistakeIn(rules, input, closed, { timeZone, now: clock.now(), byStaff: input.byStaff })
  const times = timesOf(timeZone, input)
  if (mistake || !times) throw rejected(mistake ?? say`Choose another time.`, { until: mistake ?? '' })
  if (input.pieces > resource.pieces)
    throw rejected(say`The maximum quantity is ${resource.pieces}.`, {
      pieces: say`The maximum quantity is ${resource.pieces}.`,
    })
  const tooMany = guestsError(input.guests, resource.capacity)
  if (tooMany) throw rejected(tooMany, { guests: tooMany })
  const { isResident, pieces, addons } = input
  const price = priceOf(rules, input, closed, timeZone, {
    ...{ isResident, pieces, addons },
    spacePercent: space.price_percent,
  })
  return { resource, space, rules, times, price }
}
