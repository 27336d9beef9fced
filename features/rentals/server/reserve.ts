import { conflict, rejected } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import type { House } from '../../../server/house.ts'
import { begin, type Who } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/words.ts'
import { holdUntil, mistakeIn, priceOf, refuseGuests, type Rules, timesOf, type Wish } from '../rules.ts'
import { occupy } from './occupy.ts'
import { heldRental, keptRentals, type Reservation, showInCalendar } from './reservations.ts'
import { closedOf, findResource, type Resource, rulesOf, type Space, spacesOf } from './resources.ts'

export interface Asked extends Wish {
  resourceId: number
  spaceId: number
  pieces: number
  addons: readonly string[]
  purpose: string
  guests: number
  name: string
  email: string
  phone: string
  personId: number | null
  isResident: boolean
  byStaff: boolean
  /** What whoever asks was told that it costs, with the deposit. */
  quotedCents: number
  agreed: boolean
  /** The dates that are booked with it. One deposit stands for all of them: the first date's. */
  series?: { id: number; hasDeposit: boolean }
  /** What was given by a draw waits longer for its payment, and is told of in the mail about the draw. */
  drawn?: { heldUntil: Date }
}

/** What is asked of a date of a series that does not carry its deposit. */
export const withoutDeposit = (rules: Rules): Rules => ({ ...rules, depositCents: 0 })

export function spaceIn(spaces: readonly Space[], id: number): Space {
  const space = spaces.find((one) => one.id === id)
  if (!space) throw rejected(say`Choose what you want to reserve.`, { spaceId: say`Choose what you want to reserve.` })
  return space
}

export const titleOf = (resource: Resource, space: Space): string =>
  space.name === '' ? resource.name : `${resource.name}, ${space.name}`

/**
 * Takes a time: it waits for the town's word, or is held until it is paid, or is confirmed where it costs nothing.
 * @throws 409 where somebody has it or its price is another by now, 422 where the rules of the resource don't allow it
 */
export async function reserve(
  tx: Tx,
  { clock }: Pick<House, 'clock'>,
  company: Company,
  asked: Asked,
  who: Who,
): Promise<Reservation> {
  const resource = await findResource(tx, company.id, asked.resourceId)
  if (resource.status !== 'open') throw conflict('closed', say`“${resource.name}” can't be reserved at present.`)
  const space = spaceIn(await spacesOf(tx, company.id, resource.id), asked.spaceId)
  const usual = rulesOf(resource)
  const rules = asked.series && !asked.series.hasDeposit ? withoutDeposit(usual) : usual
  const [closed, now] = [await closedOf(tx, company, resource.id, asked.byStaff), clock.now()]
  const { timeZone } = company
  const mistake = mistakeIn(rules, asked, closed, { timeZone, now, byStaff: asked.byStaff })
  const times = timesOf(timeZone, asked)
  if (mistake || !times) throw rejected(mistake ?? say`Choose another time.`, { until: mistake ?? '' })
  if (asked.pieces > resource.pieces)
    throw rejected(say`There are ${resource.pieces} of these.`, { pieces: say`There are ${resource.pieces} of these.` })
  const tooMany = refuseGuests(asked.guests, resource.capacity)
  if (tooMany) throw rejected(tooMany, { guests: tooMany })
  const { isResident, pieces, addons } = asked
  const price = priceOf(rules, asked, closed, timeZone, {
    ...{ isResident, pieces, addons },
    spacePercent: space.price_percent,
  })
  if (price.totalCents !== asked.quotedCents)
    throw conflict('changed_since', say`It costs ${formatCents(price.totalCents)} by now. Look at it once more.`)
  const waits = resource.needs_approval && !asked.byStaff
  const [status, event] = waits
    ? (['requested', 'request'] as const)
    : price.totalCents > 0
      ? (['held', 'hold'] as const)
      : (['confirmed', 'book'] as const)
  const heldUntil = asked.drawn && new Date(Math.min(asked.drawn.heldUntil.getTime(), times.startsAt.getTime()))
  const row = await tx
    .insertInto('rental_reservation')
    .values({
      company_id: company.id,
      resource_id: resource.id,
      space_id: space.id,
      title: titleOf(resource, space),
      ...{ pieces, starts_at: times.startsAt, ends_at: times.endsAt, status },
      // Whoever books by phone pays at the office, or by the mail that they get.
      held_until: status === 'held' ? (heldUntil ?? holdUntil(now, times.startsAt, asked.byStaff)) : null,
      person_id: asked.personId,
      ...{ name: asked.name, email: asked.email, phone: asked.phone, purpose: asked.purpose, guests: asked.guests },
      ...{ is_resident: isResident, by_staff: asked.byStaff, items: JSON.stringify(price.items) },
      ...{ price_cents: price.priceCents, deposit_cents: price.depositCents },
      ...(asked.agreed && { agreed_text: resource.agreement, agreed_at: now }),
      series_id: asked.series?.id ?? null,
      // Whoever pays at once reads on the page that it is held.
      ...{ told: asked.drawn !== undefined || (status === 'held' && !asked.byStaff), created_at: now, updated_at: now },
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const taking = { reservationId: row.id, resource, spaceId: space.id, pieces, rules, now, ...times }
  await occupy(tx, company.id, taking)
  const { id, number, told } = heldRental(row)
  await begin(tx, keptRentals, { place: company.id, id, number: number ?? '', event, who, detail: told ?? {} })
  if (status === 'confirmed') await showInCalendar(tx, company.id, row)
  return row
}
