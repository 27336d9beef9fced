import { conflict } from '../../../server/errors.ts'
import { transition, actorOf } from '../../../server/states.ts'
import { say } from '../../../shared/words.ts'
import { defineItemSource } from '../../calendar/server/item-source.ts'
import { deskPath, wishOf } from '../rules.ts'
import { putAt } from './put-at.ts'
import { findReservation, heldRental, keptRentals, lockReservation, RENTAL } from './reservations.ts'

/** A reservation moves with its item in the calendar, by the rules of what is rented; whoever has it is told. */
defineItemSource({
  kind: RENTAL,
  right: ['manage_other_payments', 'update'],
  path: deskPath,
  reschedule: async (tx, call, id, { startsAt, endsAt }) => {
    const wish = wishOf(call.company.timeZone, { starts_at: startsAt, ends_at: endsAt })
    await putAt(tx, call, await lockReservation(tx, call.company.id, id), wish, true)
  },
  step: async (tx, call, id, event) => {
    const row = await findReservation(tx, call.company.id, id)
    if (event !== 'start')
      throw conflict(
        'by_inspection',
        say`Open reservation ${row.number}: its inspection says what of the deposit goes back.`,
      )
    const { message } = await transition(tx, keptRentals, {
      ...{ place: call.company.id, id, held: heldRental(await lockReservation(tx, call.company.id, id)) },
      ...{ event: 'check_in', who: actorOf(call) },
    })
    return message
  },
})
