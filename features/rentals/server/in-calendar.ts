import { conflict } from '../../../server/errors.ts'
import { transition, actorOf } from '../../../server/states.ts'
import { say } from '../../../shared/messages.ts'
import { defineItemSource } from '../../calendar/api.ts'
import { staffPath, slotOf } from '../rules.ts'
import { moveReservation } from './move-reservation.ts'
import { findReservation, lockReservation, RENTAL } from './reservation-rows.ts'
import { rentalStateStore, transitionOf } from './reservations.ts'

/** Moves a reservation when staff move its calendar item. Follows the rules of the resource and notifies the renter. */
defineItemSource({
  kind: RENTAL,
  permission: ['rentals', 'update'],
  path: staffPath,
  reschedule: async (tx, call, id, { startsAt, endsAt }) => {
    const slot = slotOf(call.company.timeZone, { starts_at: startsAt, ends_at: endsAt })
    await moveReservation(tx, call, await lockReservation(tx, call.company.id, id), slot, true)
  },
  step: async (tx, call, id, event) => {
    const row = await findReservation(tx, call.company.id, id)
    if (event !== 'start')
      throw conflict(
        'by_inspection',
        say`Open reservation ${row.number} to record the inspection. The inspection determines the deposit refund.`,
      )
    const request = transitionOf(call, await lockReservation(tx, call.company.id, id), actorOf(call))
    const { message } = await transition(tx, rentalStateStore, { ...request, event: 'check_in' })
    return message
  },
})
