import { conflict, Refusal } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { transition, type TransitionActor } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/words.ts'
import { guardOf, offerUntil, wishOf } from '../rules.ts'
import { judge, type BookingDecision } from './judge.ts'
import { busyIn, occupy, TAKEN } from './occupy.ts'
import {
  bySystem,
  findReservation,
  heldRental,
  keptRentals,
  lockReservation,
  type Reservation,
} from './reservations.ts'
import { findResource, holdTimes, leavesOf, rulesOf, spacesOf } from './resources.ts'

/** Those who wait for times of a resource, whoever began to wait first standing first. */
export const waitingFor = (tx: Tx, company: CompanyId, resourceId: number) =>
  tx
    .selectFrom('rental_reservation')
    .selectAll()
    .where('company_id', '=', company)
    .where('resource_id', '=', resourceId)
    .where('status', '=', 'waiting')
    .orderBy('created_at')
    .orderBy('id')

/**
 * Gives what is free of a resource to those who wait for it, in their order; whoever wants something that is still taken keeps
 * their place. It belongs into the transaction that frees a time, so that nobody comes in between; where something else made
 * a time free (a hold ran out, days of closing are over), a job does the same each minute.
 */
export async function offerFreed(tx: Tx, context: AppContext, company: Company, resourceId: number): Promise<number> {
  const some = await waitingFor(tx, company.id, resourceId).limit(1).execute()
  if (some.length === 0) return 0
  // The resource first and then those who wait, as everybody does it.
  await holdTimes(tx, company.id, resourceId)
  let given = 0
  for (const row of await waitingFor(tx, company.id, resourceId).forUpdate().execute()) {
    const judged = await fits(tx, context, company, row)
    if (judged && (await give(tx, context, company, { row, judged, who: bySystem(context.clock) }))) given += 1
  }
  if (given > 0) await context.jobs.enqueue(tx, 'rentals.tell', {})
  return given
}

/** What a wish comes to by the rules of now, if they allow it and its time is free. */
async function fits(
  tx: Tx,
  context: Pick<AppContext, 'clock'>,
  company: Company,
  row: Reservation,
): Promise<BookingDecision | null> {
  const judged = await judge(tx, context, company, wantedBy(row, company, false)).catch((error: unknown) => {
    if (error instanceof Refusal) return null
    throw error
  })
  return judged && (await isFree(tx, context, company.id, row, judged)) ? judged : null
}

const wantedBy = (row: Reservation, { timeZone }: Pick<Company, 'timeZone'>, byStaff: boolean) => ({
  ...{ resourceId: row.resource_id, spaceId: row.space_id, pieces: row.pieces, guests: row.guests },
  ...{ isResident: row.is_resident, byStaff, addons: row.items.slice(1).map(({ text }) => text) },
  ...wishOf(timeZone, row),
})

/** Whether nobody has a time. A hold that is over is in nobody's way, and stays untouched by the question. */
export async function isFree(
  tx: Tx,
  { clock }: Pick<AppContext, 'clock'>,
  company: CompanyId,
  { pieces }: Pick<Reservation, 'pieces'>,
  { resource, space, rules, times }: BookingDecision,
): Promise<boolean> {
  const { guardFrom, guardUntil } = guardOf(rules, times)
  const asked = { resource, spaceId: space.id, pieces, from: guardFrom, until: guardUntil, now: clock.now() }
  const busy = await busyIn(tx, company, asked)
  return !busy.some((one) => one.guardFrom < guardUntil && guardFrom < one.guardUntil)
}

interface WaitlistOffer {
  row: Reservation
  judged: BookingDecision
  who: TransitionActor
}

/** Takes the time for whoever waited. @returns the sentence of the step; null where pieces are free, but none of them all the time */
async function give(
  tx: Tx,
  { clock }: AppContext,
  company: Company,
  { row, judged, who }: WaitlistOffer,
): Promise<string | null> {
  const { resource, space, rules, times, price } = judged
  const now = clock.now()
  const taking = { reservationId: row.id, resource, spaceId: space.id, pieces: row.pieces, rules, now, ...times }
  try {
    await occupy(tx, company.id, taking)
  } catch (error) {
    if (error instanceof Refusal && error.message === TAKEN) return null
    throw error
  }
  const to =
    resource.needs_approval && who.as !== 'staff' ? 'requested' : price.totalCents > 0 ? 'held' : ('confirmed' as const)
  const { message } = await transition(tx, keptRentals, {
    ...{ place: company.id, id: row.id, held: heldRental(row), event: 'offer', to, who },
    facts: {
      held_until: to === 'held' ? offerUntil(now, row.starts_at) : null,
      ...{ items: JSON.stringify(price.items), price_cents: price.priceCents, deposit_cents: price.depositCents },
    },
  })
  return message
}

/** Staff give somebody the time by hand, whoever else waits for it. @throws 409 where somebody has it, 422 by the rules */
export async function giveByHand(
  tx: Tx,
  context: AppContext,
  company: Company,
  id: number,
  who: TransitionActor,
): Promise<string> {
  await holdTimes(tx, company.id, (await findReservation(tx, company.id, id)).resource_id)
  const row = await lockReservation(tx, company.id, id)
  // Whoever does not wait any more gets nothing, which the step says by itself.
  if (row.status !== 'waiting')
    await transition(tx, keptRentals, {
      ...{ place: company.id, id, held: heldRental(row), event: 'offer', to: 'confirmed', who },
    })
  const judged = await judge(tx, context, company, wantedBy(row, company, true))
  const message =
    (await isFree(tx, context, company.id, row, judged)) && (await give(tx, context, company, { row, judged, who }))
  if (!message) throw conflict('taken', TAKEN)
  return message
}

/** Who waits for the same as this one: times that lie over each other, of spaces with a part in common. */
export async function rivalsOf(tx: Tx, company: CompanyId, row: Reservation): Promise<Reservation[]> {
  const rules = rulesOf(await findResource(tx, company, row.resource_id))
  const spaces = await spacesOf(tx, company, row.resource_id)
  const leaves = leavesOf(spaces, row.space_id)
  const guard = guardOf(rules, { startsAt: row.starts_at, endsAt: row.ends_at })
  const all = await waitingFor(tx, company, row.resource_id).execute()
  return all.filter((one) => {
    const { guardFrom, guardUntil } = guardOf(rules, { startsAt: one.starts_at, endsAt: one.ends_at })
    const isAtOnce = guardFrom < guard.guardUntil && guard.guardFrom < guardUntil
    return isAtOnce && leavesOf(spaces, one.space_id).some((leaf) => leaves.includes(leaf))
  })
}

/**
 * Whoever waits comes first: between the end of somebody's hold and the minute in which it is offered nobody else gets it.
 * @throws 409
 */
export async function refuseBeforeWaiting(
  tx: Tx,
  context: Pick<AppContext, 'clock'>,
  company: Company,
  row: Reservation,
): Promise<void> {
  const some = await waitingFor(tx, company.id, row.resource_id).limit(1).execute()
  if (some.length === 0) return
  await holdTimes(tx, company.id, row.resource_id)
  for (const one of await rivalsOf(tx, company.id, row))
    if (one.id !== row.id && (await fits(tx, context, company, one)))
      throw conflict('taken', say`Somebody waited for this time and gets it first. You can wait for it as well.`)
}
