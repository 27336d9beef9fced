import { conflict, rejected } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/words.ts'
import {
  mistakeIn,
  type Price,
  priceOf,
  refuseGuests,
  type Rules,
  type Times,
  timesOf,
  type TimeSlot,
} from '../rules.ts'
import { closedOf, findResource, type Resource, rulesOf, type Space, spacesOf } from './resources.ts'

export interface BookingInput extends TimeSlot {
  resourceId: number
  spaceId: number
  pieces: number
  addons: readonly string[]
  guests: number
  isResident: boolean
  byStaff: boolean
  /** The dates that are booked with it. One deposit stands for all of them: the first date's. They may wait for approval. */
  series?: { id: number; hasDeposit: boolean; waits?: boolean }
}

export interface BookingDecision {
  resource: Resource
  space: Space
  rules: Rules
  times: Times
  price: Price
}

/** What is asked of a date of a series that does not carry its deposit. */
export const withoutDeposit = (rules: Rules): Rules => ({ ...rules, depositCents: 0 })

export function spaceIn(spaces: readonly Space[], id: number): Space {
  const space = spaces.find((one) => one.id === id)
  if (!space) throw rejected(say`Choose what you want to reserve.`, { spaceId: say`Choose what you want to reserve.` })
  return space
}

/**
 * Whether the rules of a resource allow a time of it, whoever has it by now, and what it costs. `despiteBlackouts`: days on
 * which it is closed for a while count as open ones, as for whoever waits until they are.
 * @throws 409 where it can't be reserved at present, 422 where the rules don't allow it
 */
export async function judge(
  tx: Tx,
  { clock }: Pick<AppContext, 'clock'>,
  company: Company,
  wanted: BookingInput,
  { despiteBlackouts = false } = {},
): Promise<BookingDecision> {
  const resource = await findResource(tx, company.id, wanted.resourceId)
  if (resource.status !== 'open') throw conflict('closed', say`“${resource.name}” can't be reserved at present.`)
  const space = spaceIn(await spacesOf(tx, company.id, resource.id), wanted.spaceId)
  const usual = rulesOf(resource)
  const rules = wanted.series && !wanted.series.hasDeposit ? withoutDeposit(usual) : usual
  const kept = await closedOf(tx, company, resource.id, wanted.byStaff)
  const closed = despiteBlackouts ? { ...kept, blackouts: [] } : kept
  const { timeZone } = company
  const mistake = mistakeIn(rules, wanted, closed, { timeZone, now: clock.now(), byStaff: wanted.byStaff })
  const times = timesOf(timeZone, wanted)
  if (mistake || !times) throw rejected(mistake ?? say`Choose another time.`, { until: mistake ?? '' })
  if (wanted.pieces > resource.pieces)
    throw rejected(say`There are ${resource.pieces} of these.`, { pieces: say`There are ${resource.pieces} of these.` })
  const tooMany = refuseGuests(wanted.guests, resource.capacity)
  if (tooMany) throw rejected(tooMany, { guests: tooMany })
  const { isResident, pieces, addons } = wanted
  const price = priceOf(rules, wanted, closed, timeZone, {
    ...{ isResident, pieces, addons },
    spacePercent: space.price_percent,
  })
  return { resource, space, rules, times, price }
}
