import { conflict, Refusal } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { transition, type TransitionActor } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/words.ts'
import { guardOf, offerUntil, slotOf } from '../rules.ts'
import { checkBooking, type BookingDecision } from './judge.ts'
import { busyIn, occupy, TIME_UNAVAILABLE } from './occupy.ts'
import { bySystem, lockedRental, rentalStateStore } from './reservations.ts'
import { findResource, holdTimes, leavesOf, rulesOf, spacesOf } from './resources.ts'
import { findReservation, lockReservation, type Reservation } from './reservation-rows.ts'

/** Selects the waitlist of a resource, earliest entry first. */
export const waitingFor = (tx: Tx, company: CompanyId, resourceId: number) =>
  tx
    .selectFrom('rental_reservation')
    .selectAll()
    .where('company_id', '=', company)
    .where('resource_id', '=', resourceId)
    .where('status', '=', 'waitlisted')
    .orderBy('created_at')
    .orderBy('id')

/**
 * Offers the free times of a resource to its waitlist, in order. An entry keeps its position while its time is
 * reserved. Call it in the transaction that releases a time, so that no other request takes the time first. A job also
 * runs it each minute, for example for expired holds.
 */
export async function offerFreed(tx: Tx, context: AppContext, company: Company, resourceId: number): Promise<number> {
  const some = await waitingFor(tx, company.id, resourceId).limit(1).execute()
  if (some.length === 0) return 0
  // Locks the resource before the waitlist rows, as all code does, to avoid a deadlock.
  await holdTimes(tx, company.id, resourceId)
  let offeredCount = 0
  for (const row of await waitingFor(tx, company.id, resourceId).forUpdate().execute()) {
    const judged = await fits(tx, context, company, row)
    if (judged && (await give(tx, context, company, { row, judged, who: bySystem(context.clock) }))) offeredCount += 1
  }
  if (offeredCount > 0) await context.jobs.enqueue(tx, 'rentals.tell', {})
  return offeredCount
}

/** Checks a waitlist entry by the current rules. Null if the rules do not allow it or the time is reserved. */
async function fits(
  tx: Tx,
  context: Pick<AppContext, 'clock'>,
  company: Company,
  row: Reservation,
): Promise<BookingDecision | null> {
  const judged = await checkBooking(tx, context, company, bookingInputOf(row, company, false)).catch(
    (error: unknown) => {
      if (error instanceof Refusal) return null
      throw error
    },
  )
  return judged && (await isFree(tx, context, company.id, row, judged)) ? judged : null
}

const bookingInputOf = (row: Reservation, { timeZone }: Pick<Company, 'timeZone'>, byStaff: boolean) => ({
  ...{ resourceId: row.resource_id, spaceId: row.space_id, pieces: row.pieces, guests: row.guests },
  ...{ isResident: row.is_resident, byStaff, addons: row.items.slice(1).map(({ text }) => text) },
  ...slotOf(timeZone, row),
})

/** Returns true if the time is free. Ignores expired holds, but does not remove them. */
export async function isFree(
  tx: Tx,
  { clock }: Pick<AppContext, 'clock'>,
  company: CompanyId,
  { pieces }: Pick<Reservation, 'pieces'>,
  { resource, space, rules, times }: BookingDecision,
): Promise<boolean> {
  const { guardFrom, guardUntil } = guardOf(rules, times)
  const query = { resource, spaceId: space.id, pieces, from: guardFrom, until: guardUntil, now: clock.now() }
  const busy = await busyIn(tx, company, query)
  return !busy.some((one) => one.guardFrom < guardUntil && guardFrom < one.guardUntil)
}

interface WaitlistOffer {
  row: Reservation
  judged: BookingDecision
  who: TransitionActor
}

/**
 * Reserves the time for a waitlist entry. @returns the message of the transition, or null if no piece is free for the
 * entire time
 */
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
    if (error instanceof Refusal && error.message === TIME_UNAVAILABLE) return null
    throw error
  }
  const to =
    resource.needs_approval && who.as !== 'staff' ? 'requested' : price.totalCents > 0 ? 'held' : ('confirmed' as const)
  const { message } = await transition(tx, rentalStateStore, {
    ...{ scope: company.id, id: row.id, locked: lockedRental(row), event: 'offer', to, actor: who },
    patch: {
      held_until: to === 'held' ? offerUntil(now, row.starts_at) : null,
      ...{
        items: JSON.stringify(price.items),
        price_cents: price.priceCents,
        security_deposit_cents: price.depositCents,
      },
    },
  })
  return message
}

/**
 * Reserves the time for one entry when staff choose it ahead of others.
 * @throws 409 if the time is taken, 422 if the rules do not allow it
 */
export async function giveByHand(
  tx: Tx,
  context: AppContext,
  company: Company,
  id: number,
  actor: TransitionActor,
): Promise<string> {
  await holdTimes(tx, company.id, (await findReservation(tx, company.id, id)).resource_id)
  const row = await lockReservation(tx, company.id, id)
  // If the entry has left the waitlist, the transition fails with a message that explains this.
  if (row.status !== 'waitlisted')
    await transition(tx, rentalStateStore, {
      ...{ scope: company.id, id, locked: lockedRental(row), event: 'offer', to: 'confirmed', actor },
    })
  const judged = await checkBooking(tx, context, company, bookingInputOf(row, company, true))
  const message =
    (await isFree(tx, context, company.id, row, judged)) &&
    (await give(tx, context, company, { row, judged, who: actor }))
  if (!message) throw conflict('taken', TIME_UNAVAILABLE)
  return message
}

/** Finds the waitlist entries that compete with this one: overlapping times, and spaces that share a part. */
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
 * Refuses a time that the waitlist should get first. Otherwise another person could take it between the end of a hold
 * and the next job run.
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
