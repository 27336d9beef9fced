import type { Updateable } from 'kysely'
import type { AppContext } from '../../../server/app-context.ts'
import { changeRow } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import type { Clock } from '../../../server/clock.ts'
import { conflict, Refusal } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import {
  defineStateStore,
  type LockedEntity,
  transition,
  type Transition,
  type TransitionActor,
} from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { EventOf } from '../../../shared/machine.ts'
import { say } from '../../../shared/messages.ts'
import { payableOf } from '../../payments/api.ts'
import { checkInFrom, holdUntil, offerUntil } from '../rules.ts'
import { type RentalStatus, rentalStates } from '../states.ts'
import { saveCalendarItem } from './calendar-item.ts'
import { reservationConditions } from './conditions.ts'
import { checkReservation, type ReservationDecision } from './check-reservation.ts'
import { free, occupy, TIME_UNAVAILABLE } from './occupy.ts'
import { findReservation, lockReservation, RENTAL, type Reservation } from './reservation-rows.ts'
import { lockResourceTimes } from './resources.ts'
import { checkInputOf, fits, isTimeFree, waitlistOf } from './waitlist.ts'

/** State store of reservations, with the side effects of transitions: emails, and offers of released times. */

type ReservationPatch = Omit<Updateable<Schema['rental_reservation']>, 'status'>
interface LockedRental extends LockedEntity<RentalStatus> {
  row: Reservation
}

export const lockedRental = (row: Reservation): LockedRental => ({
  id: row.id,
  state: row.status,
  name: say`Reservation ${row.number}`,
  number: row.number,
  details: { resource: row.title },
  ...(row.person_id !== null && { person: row.person_id }),
  row,
})

type RentalEvent = EventOf<typeof rentalStates>
type ReservationTransition = Transition<RentalStatus, RentalEvent, LockedRental, ReservationPatch>

/** Dependencies that the side effects of a transition need. */
export interface RentalDeps {
  context: AppContext
  company: Company
  /**
   * True if this transition is one of several. It then has no side effects. The last transition or the caller runs them
   * for all.
   */
  isPart?: boolean
}

const ENDED_STATUSES: readonly RentalStatus[] = ['declined', 'expired', 'cancelled']
/**
 * Returns true if a transition releases a time. A waitlist entry occupies no time, so ending it does not lock the
 * resource. Offers lock the resource before the waitlist rows, and the opposite order could deadlock.
 */
const freesTime = ({ from, to }: ReservationTransition): boolean => ENDED_STATUSES.includes(to) && from !== 'waitlisted'

/** Events after which the portal notifies the renter. */
const NOTIFYING_EVENTS: readonly RentalEvent[] = ['approve', 'decline', 'pay', 'expire', 'cancel', 'offer', 'leave']

/**
 * Returns true if a hold expired that the renter created online. The page showed the renter the deadline, so the portal
 * sends no email.
 */
const isOwnHold = (row: Reservation, from: RentalStatus, event: string): boolean =>
  event === 'expire' && from === 'held' && row.changes === 0 && !row.by_staff

/** Builds the input that all transitions of a locked reservation share. */
export const transitionOf = (deps: RentalDeps, row: Reservation, actor: TransitionActor) => ({
  ...{ scope: deps.company.id, id: row.id, locked: lockedRental(row), actor, deps },
})

/** Notifies renters immediately after the transaction, instead of waiting for the job that runs each minute. */
export async function notifySoon(tx: Tx, { context, isPart }: RentalDeps): Promise<void> {
  if (!isPart) await context.jobs.enqueue(tx, 'rentals.notify', {})
}

/**
 * Offers the times of a resource to the waitlist and notifies renters. Call it after a time is released without a
 * transition.
 */
export async function offerAndNotify(tx: Tx, deps: RentalDeps, resourceId: number): Promise<void> {
  if (!deps.isPart) await offerFreed(tx, deps, resourceId)
  await notifySoon(tx, deps)
}

export const rentalStateStore = defineStateStore<RentalStatus, RentalEvent, LockedRental, ReservationPatch, RentalDeps>(
  {
    machine: rentalStates,
    subject: 'rental_reservation',
    lock: async (tx, scope, id) => lockedRental(await lockReservation(tx, scope as CompanyId, id)),
    write: async (tx, step) => {
      const { scope, locked, from, to, event, at, patch } = step
      await changeRow(tx, 'rental_reservation', scope, locked.id, {
        held_until: to === 'held' ? holdUntil(at, locked.row.starts_at, true) : null,
        ...patch,
        status: to,
        updated_at: at,
        ...(NOTIFYING_EVENTS.includes(event) && {
          is_notified: isOwnHold(locked.row, from, event),
          changes: locked.row.changes + 1,
        }),
      })
      if (freesTime(step)) await free(tx, scope, locked.row)
      await saveCalendarItem(tx, scope as CompanyId, { ...locked.row, status: to })
    },
    guard: {
      // Refuses a cancellation during a pending payment, because the outcome of the payment is unknown.
      cancel: async (tx, { scope, locked: { row } }) => {
        const { pendingCents } = await payableOf(RENTAL).owed(tx, scope as CompanyId, row.id)
        if (pendingCents > 0)
          throw conflict(
            'payment_in_progress',
            say`A payment for reservation ${row.number} is still being processed. Wait until the payment is complete.`,
          )
      },
      check_in: async (tx, { locked: { row }, at }) => {
        await reservationConditions().refuseCheckIn(tx, row)
        if (at < checkInFrom(row.starts_at))
          throw conflict(
            'early',
            say`Check-in for reservation ${row.number} opens two hours before the reservation starts.`,
          )
      },
    },
    effects: {
      offer: (tx, _step, deps) => notifySoon(tx, deps),
      leave: (tx, _step, deps) => notifySoon(tx, deps),
      approve: (tx, _step, deps) => notifySoon(tx, deps),
      decline: (tx, { locked }, deps) => offerAndNotify(tx, deps, locked.row.resource_id),
      cancel: (tx, { locked }, deps) => offerAndNotify(tx, deps, locked.row.resource_id),
      // The job that expires reservations also notifies the renters, so this effect does not.
      expire: async (tx, step, deps) => {
        if (freesTime(step)) await offerFreed(tx, deps, step.locked.row.resource_id)
      },
    },
  },
)

/** Returns the actor for automatic transitions by the portal. */
export const bySystem = (clock: Clock): TransitionActor => ({
  as: 'system',
  caller: { session: null, requestId: '', kind: 'system' },
  clock,
  person: { id: null, name: say`Resource rentals` },
})

/**
 * Offers the free times of a resource to its waitlist, in order. An entry keeps its position while its time is
 * reserved. Call this function in the transaction that releases a time, so that no other request takes the time first.
 * A job also runs it each minute, for example for expired holds.
 */
export async function offerFreed(tx: Tx, { context, company }: RentalDeps, resourceId: number): Promise<number> {
  const some = await waitlistOf(tx, company.id, resourceId).limit(1).execute()
  if (some.length === 0) return 0
  // Locks the resource before the waitlist rows, as all code does, to avoid a deadlock.
  await lockResourceTimes(tx, company.id, resourceId)
  let offeredCount = 0
  for (const row of await waitlistOf(tx, company.id, resourceId).forUpdate().execute()) {
    const checked = await fits(tx, context, company, row)
    const part = { context, company, isPart: true }
    if (checked && (await offerTime(tx, part, row, checked, bySystem(context.clock)))) offeredCount += 1
  }
  return offeredCount
}

/**
 * Reserves the time for a waitlist entry. @returns the message of the transition, or null if no piece is free for the
 * entire time
 */
async function offerTime(
  tx: Tx,
  deps: RentalDeps,
  row: Reservation,
  { resource, space, rules, times, price }: ReservationDecision,
  actor: TransitionActor,
): Promise<string | null> {
  const { context, company } = deps
  const now = context.clock.now()
  const taking = { reservationId: row.id, resource, spaceId: space.id, pieces: row.pieces, rules, now, ...times }
  try {
    await occupy(tx, company.id, taking)
  } catch (error) {
    if (error instanceof Refusal && error.message === TIME_UNAVAILABLE) return null
    throw error
  }
  const to =
    resource.needs_approval && actor.as !== 'staff'
      ? 'requested'
      : price.totalCents > 0
        ? 'held'
        : ('confirmed' as const)
  const { message } = await transition(tx, rentalStateStore, {
    ...transitionOf(deps, row, actor),
    ...{ event: 'offer', to },
    patch: {
      held_until: to === 'held' ? offerUntil(now, row.starts_at) : null,
      ...{ items: JSON.stringify(price.items), price_cents: price.priceCents },
      security_deposit_cents: price.depositCents,
    },
  })
  return message
}

/**
 * Reserves the time for a waitlist entry that staff choose ahead of others.
 * @throws 409 if the time is taken, 422 if the rules do not allow it
 */
export async function allocateManually(tx: Tx, deps: RentalDeps, id: number, actor: TransitionActor): Promise<string> {
  const { context, company } = deps
  await lockResourceTimes(tx, company.id, (await findReservation(tx, company.id, id)).resource_id)
  const row = await lockReservation(tx, company.id, id)
  // If the entry has left the waitlist, this transition fails with a message that explains it.
  if (row.status !== 'waitlisted')
    await transition(tx, rentalStateStore, { ...transitionOf(deps, row, actor), event: 'offer', to: 'confirmed' })
  const checked = await checkReservation(tx, context, company, checkInputOf(row, company, true))
  const message =
    (await isTimeFree(tx, context, company.id, row, checked)) && (await offerTime(tx, deps, row, checked, actor))
  if (!message) throw conflict('taken', TIME_UNAVAILABLE)
  return message
}
