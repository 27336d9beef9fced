import type { Call } from '../../../server/call.ts'
import { changeRow } from '../../../server/db/rows.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'
import { refundableCents, mistakeIn, priceOf, termsAfter, timesOf, type TimeSlot, slotOf } from '../rules.ts'
import { free, occupy } from './occupy.ts'
import { saveCalendarItem } from './calendar-item.ts'
import { type Reservation, termsOf } from './reservation-rows.ts'
import { offerAndNotify } from './reservations.ts'
import { spaceIn } from './check-reservation.ts'
import { closedOf, lockResource, rulesOf, spacesOf } from './resources.ts'
import { refuseIfWaitlisted } from './waitlist.ts'

export const ALREADY_STARTED = () =>
  say`This reservation has already started, so you can't change or cancel it here. Call the office.`

/**
 * Moves a locked reservation to another time and returns the cancellation refund after the move. A renter may choose
 * only a time with the same price. Staff may choose any time, and the price stays. If the move reduces the refund, a
 * renter's call must state the new refund.
 * @throws 409 if the time is taken, 422 if the rules do not allow it
 */
export async function moveReservation(
  tx: Tx,
  call: Call,
  row: Reservation,
  slot: TimeSlot & { refundIfCancelledCents?: number | undefined },
  byStaff: boolean,
): Promise<number> {
  const { company, context } = call
  const now = context.clock.now()
  const { timeZone } = company
  if (row.status !== 'confirmed')
    throw conflict('wrong_status', say`Reservation ${row.number} can no longer be changed.`)
  if (row.starts_at <= now) throw conflict('begun', ALREADY_STARTED())
  const resource = await lockResource(tx, company.id, row.resource_id)
  const [rules, closed] = [rulesOf(resource), await closedOf(tx, company, resource.id, byStaff)]
  const mistake = mistakeIn(rules, slot, closed, { timeZone, now, byStaff })
  const times = timesOf(timeZone, slot)
  if (mistake || !times) throw rejected(mistake ?? '', { until: mistake ?? '' })
  const wasAt = slotOf(timeZone, row)
  if (!byStaff) {
    const space = spaceIn(await spacesOf(tx, company.id, resource.id), row.space_id)
    const priced = {
      ...{ isResident: row.is_resident, pieces: row.pieces, spacePercent: space.price_percent },
      addons: row.items.map(({ text }) => text),
    }
    const cost = (of: TimeSlot) => priceOf(rules, of, closed, timeZone, priced).priceCents
    if (cost(slot) !== cost(wasAt)) {
      const message = say`This time has a different price. Cancel the reservation, then make a new one.`
      throw rejected(message, { until: message })
    }
  }
  const before = { termsFrom: termsOf(row), startsAt: times.startsAt }
  const terms_from = termsAfter(rules, before, { now, byStaff })
  const paid = { priceCents: row.price_cents, paidCents: row.paid_cents }
  const [was, refundCents] = [before.termsFrom, terms_from].map((startsAt) =>
    refundableCents(rules, { ...paid, startsAt }, now),
  ) as [number, number]
  if (!byStaff && refundCents < was && slot.refundIfCancelledCents !== refundCents)
    throw conflict(
      'refund_changes',
      say`If you cancel after this change, we will refund ${formatCents(refundCents)}. Without the change, we would refund ${formatCents(was)}. Nothing has changed yet.`,
      { refundIfCancelledCents: refundCents },
    )
  await refuseIfWaitlisted(tx, context, company, { ...row, starts_at: times.startsAt, ends_at: times.endsAt })
  await free(tx, company.id, row)
  await occupy(tx, company.id, {
    ...{ reservationId: row.id, resource, spaceId: row.space_id, pieces: row.pieces, rules, now, ...times },
  })
  const later = { starts_at: times.startsAt, ends_at: times.endsAt, terms_from, updated_at: now }
  await changeRow(tx, 'rental_reservation', company.id, row.id, {
    ...later,
    is_notified: false,
    changes: row.changes + 1,
  })
  await saveCalendarItem(tx, company.id, { ...row, ...later })
  await call.audit(tx, {
    action: 'rental.changed',
    subject: { kind: 'rental_reservation', id: row.number },
    detail: {
      before: wasAt,
      after: { day: slot.day, from: slot.from, until: slot.until },
      ...(refundCents !== was && { refundIfCancelledCents: { before: was, after: refundCents } }),
    },
  })
  await offerAndNotify(tx, call, row.resource_id)
  return refundCents
}
