import { conflict } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { recordCreation, type TransitionActor } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'
import { holdUntil } from '../rules.ts'
import { checkReservation, type ReservationDecision, type ReservationCheck } from './check-reservation.ts'
import { occupy, refuseUnavailable } from './occupy.ts'
import { saveCalendarItem } from './calendar-item.ts'
import { lockedRental, rentalStateStore } from './reservations.ts'
import type { Resource, Space } from './resources.ts'
import { refuseIfWaitlisted } from './waitlist.ts'
import type { Reservation } from './reservation-rows.ts'
import { agreementQuestionsOf } from './questions.ts'

export interface ReservationInput extends ReservationCheck {
  purpose: string
  name: string
  email: string
  phone: string
  personId: number | null
  /** Price shown to the requester, with the deposit. In cents. */
  quotedCents: number
  agreed: boolean
  /** Id of the answers. Null if the resource has no questions or the renter has not answered yet. */
  agreementId: number | null
  /**
   * Set for a lottery allocation, which allows more time for payment. The lottery email includes the reservation, so no
   * other notice is sent.
   */
  fromLottery?: { heldUntil: Date }
}

export const titleOf = (resource: Resource, space: Space): string =>
  space.name === '' ? resource.name : `${resource.name}, ${space.name}`

/**
 * Reserves a time. The reservation then awaits approval, is on hold until payment, or is confirmed if it is free of
 * charge.
 * @throws 409 if the time is taken or the price changed, 422 if the rules do not allow it
 */
export async function reserve(
  tx: Tx,
  context: Pick<AppContext, 'clock'>,
  company: Company,
  input: ReservationInput,
  actor: TransitionActor,
): Promise<Reservation> {
  await refuseUnavailable(tx, context, company, input)
  const checked = await checkReservation(tx, context, company, input)
  refuseOtherPrice(checked, input)
  const { resource, price } = checked
  const waits = !input.byStaff && (resource.needs_approval || input.series?.waits === true)
  const [status, event] = waits
    ? (['requested', 'request'] as const)
    : price.totalCents > 0
      ? (['held', 'hold'] as const)
      : (['confirmed', 'book'] as const)
  const row = await insertReservation(tx, context, company, { input, checked, status })
  await refuseIfWaitlisted(tx, context, company, row)
  const { rules, times, space } = checked
  await occupy(tx, company.id, {
    ...{ reservationId: row.id, resource, spaceId: space.id, pieces: row.pieces },
    ...{ rules, now: context.clock.now(), ...times },
  })
  await writeBeginning(tx, company.id, row, event, actor)
  if (status === 'confirmed') await saveCalendarItem(tx, company.id, row)
  return row
}

/**
 * Refuses a price that differs from the quoted price.
 * @throws 409 if the price changed
 */
export function refuseOtherPrice(
  { price }: ReservationDecision,
  { quotedCents }: Pick<ReservationInput, 'quotedCents'>,
): void {
  if (price.totalCents !== quotedCents)
    throw conflict(
      'changed_since',
      say`The price is now ${formatCents(price.totalCents)}. Please review the new price, then continue.`,
    )
}

interface ReservationRowInput {
  input: ReservationInput
  checked: ReservationDecision
  status: 'waitlisted' | 'requested' | 'held' | 'confirmed'
}

/** Inserts only the row. The caller reserves the time and records the creation. */
export async function insertReservation(
  tx: Tx,
  { clock }: Pick<AppContext, 'clock'>,
  company: Company,
  { input, checked: { resource, space, times, price }, status }: ReservationRowInput,
): Promise<Reservation> {
  const now = clock.now()
  const questions = await agreementQuestionsOf(tx, company.id, resource)
  const holdExpiresAt =
    input.fromLottery && new Date(Math.min(input.fromLottery.heldUntil.getTime(), times.startsAt.getTime()))
  return tx
    .insertInto('rental_reservation')
    .values({
      company_id: company.id,
      resource_id: resource.id,
      space_id: space.id,
      title: titleOf(resource, space),
      ...{ pieces: input.pieces, starts_at: times.startsAt, ends_at: times.endsAt, status },
      // A renter who reserves by phone pays at the counter or by the link in the email.
      held_until: status === 'held' ? (holdExpiresAt ?? holdUntil(now, times.startsAt, input.byStaff)) : null,
      person_id: input.personId,
      ...{ name: input.name, email: input.email, phone: input.phone, purpose: input.purpose, guests: input.guests },
      ...{ is_resident: input.isResident, by_staff: input.byStaff, items: JSON.stringify(price.items) },
      ...{ price_cents: price.priceCents, security_deposit_cents: price.depositCents },
      ...(input.agreed && { agreed_text: resource.agreement, agreed_at: now }),
      ...{ field_set_id: questions?.set ?? null, agreement_id: questions && input.agreementId },
      series_id: input.series?.id ?? null,
      // A payer who pays immediately sees the hold on the page, so the hold needs no notice.
      ...{
        is_notified: input.fromLottery !== undefined || (status === 'held' && !input.byStaff),
        created_at: now,
        updated_at: now,
      },
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Records the creation of a reservation in its history. */
export const writeBeginning = (
  tx: Tx,
  companyId: CompanyId,
  row: Reservation,
  event: 'join_waitlist' | 'request' | 'hold' | 'book',
  actor: TransitionActor,
): Promise<void> => {
  const { id, number = '', details: detail = {} } = lockedRental(row)
  return recordCreation(tx, rentalStateStore, { scope: companyId, id, number, event, actor, detail })
}
