import { conflict } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { recordCreation, type TransitionActor } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/words.ts'
import { holdUntil } from '../rules.ts'
import { asksOf } from './agreements.ts'
import { judge, type BookingDecision, type BookingInput } from './judge.ts'
import { occupy, refuseTaken } from './occupy.ts'
import { heldRental, keptRentals, type Reservation, showInCalendar } from './reservations.ts'
import type { Resource, Space } from './resources.ts'
import { refuseBeforeWaiting } from './waitlist.ts'

export interface ReservationInput extends BookingInput {
  purpose: string
  name: string
  email: string
  phone: string
  personId: number | null
  /** What whoever asks was told that it costs, with the deposit. */
  quotedCents: number
  agreed: boolean
  /** What was answered to the questions of the resource; null where nothing was, or not yet. */
  agreementId: number | null
  /** What was given by a draw waits longer for its payment, and is told of in the mail about the draw. */
  drawn?: { heldUntil: Date }
}

export const titleOf = (resource: Resource, space: Space): string =>
  space.name === '' ? resource.name : `${resource.name}, ${space.name}`

/**
 * Takes a time: it waits for the town's word, or is held until it is paid, or is confirmed where it costs nothing.
 * @throws 409 where somebody has it or its price is another by now, 422 where the rules of the resource don't allow it
 */
export async function reserve(
  tx: Tx,
  context: Pick<AppContext, 'clock'>,
  company: Company,
  asked: ReservationInput,
  who: TransitionActor,
): Promise<Reservation> {
  await refuseTaken(tx, context, company, asked)
  const judged = await judge(tx, context, company, asked)
  refuseOtherPrice(judged, asked)
  const { resource, price } = judged
  const waits = !asked.byStaff && (resource.needs_approval || asked.series?.waits === true)
  const [status, event] = waits
    ? (['requested', 'request'] as const)
    : price.totalCents > 0
      ? (['held', 'hold'] as const)
      : (['confirmed', 'book'] as const)
  const row = await insertReservation(tx, context, company, { asked, judged, status })
  await refuseBeforeWaiting(tx, context, company, row)
  const { rules, times, space } = judged
  await occupy(tx, company.id, {
    ...{
      reservationId: row.id,
      resource,
      spaceId: space.id,
      pieces: row.pieces,
      rules,
      now: context.clock.now(),
      ...times,
    },
  })
  await writeBeginning(tx, company.id, row, event, who)
  if (status === 'confirmed') await showInCalendar(tx, company.id, row)
  return row
}

/** @throws 409 */
export function refuseOtherPrice(
  { price }: BookingDecision,
  { quotedCents }: Pick<ReservationInput, 'quotedCents'>,
): void {
  if (price.totalCents !== quotedCents)
    throw conflict('changed_since', say`It costs ${formatCents(price.totalCents)} by now. Look at it once more.`)
}

interface ReservationRowInput {
  asked: ReservationInput
  judged: BookingDecision
  status: 'waiting' | 'requested' | 'held' | 'confirmed'
}

/** Writes the row alone: neither its time is taken by it, nor how it began written down. */
export async function insertReservation(
  tx: Tx,
  { clock }: Pick<AppContext, 'clock'>,
  company: Company,
  { asked, judged: { resource, space, times, price }, status }: ReservationRowInput,
): Promise<Reservation> {
  const now = clock.now()
  const asks = await asksOf(tx, company.id, resource)
  const heldUntil = asked.drawn && new Date(Math.min(asked.drawn.heldUntil.getTime(), times.startsAt.getTime()))
  return tx
    .insertInto('rental_reservation')
    .values({
      company_id: company.id,
      resource_id: resource.id,
      space_id: space.id,
      title: titleOf(resource, space),
      ...{ pieces: asked.pieces, starts_at: times.startsAt, ends_at: times.endsAt, status },
      // Whoever books by phone pays at the office, or by the mail that they get.
      held_until: status === 'held' ? (heldUntil ?? holdUntil(now, times.startsAt, asked.byStaff)) : null,
      person_id: asked.personId,
      ...{ name: asked.name, email: asked.email, phone: asked.phone, purpose: asked.purpose, guests: asked.guests },
      ...{ is_resident: asked.isResident, by_staff: asked.byStaff, items: JSON.stringify(price.items) },
      ...{ price_cents: price.priceCents, deposit_cents: price.depositCents },
      ...(asked.agreed && { agreed_text: resource.agreement, agreed_at: now }),
      ...{ field_set_id: asks?.set ?? null, agreement_id: asks && asked.agreementId },
      series_id: asked.series?.id ?? null,
      // Whoever pays at once reads on the page that it is held.
      ...{ told: asked.drawn !== undefined || (status === 'held' && !asked.byStaff), created_at: now, updated_at: now },
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Writes down how a reservation began. */
export const writeBeginning = (
  tx: Tx,
  place: CompanyId,
  row: Reservation,
  event: 'wait' | 'request' | 'hold' | 'book',
  who: TransitionActor,
): Promise<void> => {
  const { id, number, told } = heldRental(row)
  return recordCreation(tx, keptRentals, { place, id, number: number ?? '', event, who, detail: told ?? {} })
}
