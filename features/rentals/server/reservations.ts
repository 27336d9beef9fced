import type { Updateable } from 'kysely'
import { changeRow } from '../../../server/db/rows.ts'
import type { Clock } from '../../../server/clock.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { conflict } from '../../../server/errors.ts'
import { type LockedEntity, defineStateStore, type Transition, type TransitionActor } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { EventOf } from '../../../shared/machine.ts'
import { say } from '../../../shared/words.ts'
import type { ItemStatus } from '../../calendar/states.ts'
import { cancelItem, putItem } from '../../calendar/api.ts'
import { payableOf } from '../../payments/api.ts'
import { checkInFrom, holdUntil } from '../rules.ts'
import { type RentalStatus, rentalStates } from '../states.ts'
import { reservationConditions } from './conditions.ts'
import { free } from './occupy.ts'
import { lockReservation, type Reservation } from './reservation-rows.ts'

type ReservationPatch = Pick<
  Updateable<Schema['rental_reservation']>,
  | 'refund_cents'
  | 'withheld_cents'
  | 'withheld_reason'
  | 'held_until'
  | 'items'
  | 'price_cents'
  | 'security_deposit_cents'
>
interface HeldRental extends LockedEntity<RentalStatus> {
  row: Reservation
}

export const lockedRental = (row: Reservation): HeldRental => ({
  id: row.id,
  state: row.status,
  name: say`Reservation ${row.number}`,
  number: row.number,
  details: { resource: row.title },
  ...(row.person_id !== null && { person: row.person_id }),
  row,
})

/** Id of the reservation event type in `event_type`. */
const CALENDAR_TYPE = 2
export const RENTAL = 'rental'

/**
 * Calendar status by reservation status. Statuses missing here, such as cancelled or no-show, remove the calendar item.
 */
const itemStatuses: Partial<Record<RentalStatus, ItemStatus>> = {
  confirmed: 'not_started',
  in_use: 'in_progress',
  completed: 'completed',
}

/** Adds a reservation to the company's calendar or updates it. Removes it if it is no longer valid. */
export async function showInCalendar(tx: Tx, company: CompanyId, row: Reservation): Promise<void> {
  const status = itemStatuses[row.status]
  if (!status) {
    if (row.calendar_item_id !== null)
      await cancelItem(tx, { clock: { now: () => row.updated_at } }, company, row.calendar_item_id, { evenPast: true })
    return
  }
  const id = await putItem(tx, company, {
    id: row.calendar_item_id,
    typeId: CALENDAR_TYPE,
    title: `${row.title}: ${row.purpose || row.name}`,
    description: row.guests > 0 ? say`${row.number}, ${row.guests} guests` : row.number,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    status,
    source: { kind: RENTAL, id: row.id },
  })
  if (id !== row.calendar_item_id) await changeRow(tx, 'rental_reservation', company, row.id, { calendar_item_id: id })
}

type ReservationTransition = Transition<RentalStatus, EventOf<typeof rentalStates>, HeldRental, ReservationPatch>
const OVER: readonly RentalStatus[] = ['declined', 'expired', 'cancelled']
/** Transitions after which the renter is notified. */
const TELLING: readonly string[] = ['approve', 'decline', 'pay', 'expire', 'cancel', 'offer', 'leave']

/** Returns true if a payer let their own hold expire. They saw the deadline on the page, so they get no email. */
const isOwnHold = (row: Reservation, from: RentalStatus, event: string): boolean =>
  event === 'expire' && from === 'held' && row.changes === 0 && !row.by_staff

export const rentalStateStore = defineStateStore({
  machine: rentalStates,
  subject: 'rental_reservation',
  lock: async (tx, scope, id) => lockedRental(await lockReservation(tx, scope as CompanyId, id)),
  write: (tx, { scope, locked, from, to, event, at, patch }: ReservationTransition) =>
    changeRow(tx, 'rental_reservation', scope, locked.id, {
      held_until: to === 'held' ? holdUntil(at, locked.row.starts_at, true) : null,
      ...patch,
      status: to,
      updated_at: at,
      ...(TELLING.includes(event) && {
        is_notified: isOwnHold(locked.row, from, event),
        changes: locked.row.changes + 1,
      }),
    }),
  guard: {
    // Refuses cancelling during a pending payment, because its outcome is unknown.
    cancel: async (tx, { scope, locked: { row } }) => {
      const { pendingCents } = await payableOf(RENTAL).owed(tx, scope as CompanyId, row.id)
      if (pendingCents > 0)
        throw conflict('payment_in_progress', say`A payment of ${row.number} is under way. Wait until it has ended.`)
    },
    check_in: async (tx, { locked: { row }, at }) => {
      await reservationConditions().refuseCheckIn(tx, row)
      if (at < checkInFrom(row.starts_at))
        throw conflict('early', say`${row.number} can be checked in from two hours before it begins.`)
    },
  },
  effects: {
    every: async (tx, { scope, locked, from, to }) => {
      // A waitlist entry occupies no time, so its transition does not lock the resource. Offers lock the resource
      // before the waitlist rows, and the opposite order could deadlock.
      if (OVER.includes(to) && from !== 'waitlisted') await free(tx, scope, locked.row)
      await showInCalendar(tx, scope as CompanyId, { ...locked.row, status: to })
    },
  },
})

/** Returns the actor for automatic transitions by the portal. */
export const bySystem = (clock: Clock): TransitionActor => ({
  as: 'system',
  caller: { session: null, requestId: '', kind: 'system' },
  clock,
  person: { id: null, name: say`Resource rentals` },
})
