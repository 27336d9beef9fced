import { type Selectable, sql } from 'kysely'
import { type Call, signedIn } from '../../../server/call.ts'
import { rowFinderById } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { SigningStatus } from '../rules.ts'

/** Functions that load and lock reservations, and derive their terms and signing status. */

export type Reservation = Selectable<Schema['rental_reservation']>

export const { find: findReservation, lock: lockReservation } = rowFinderById('rental_reservation', () =>
  notFound('This reservation was not found.'),
)

/** Kind that identifies reservations among payables and calendar items. */
export const RENTAL = 'rental'

/**
 * Finds a reservation of the signed-in person.
 * @throws 404 if the reservation belongs to a different person
 */
export async function ownRental(tx: Tx, call: Call, id: number, locked = false): Promise<Reservation> {
  const { rows } = await sql<Reservation>`
    SELECT * FROM rental_reservation WHERE company_id = ${call.company.id} AND id = ${id}
      AND person_id = ${signedIn(call).personId} ${locked ? sql`FOR UPDATE` : sql``}`.execute(tx)
  if (!rows[0]) throw notFound('We did not find this reservation in your account.')
  return rows[0]
}

export const findOwnReservation = (
  tx: Tx,
  call: Call<{ reservationId: number }>,
  locked = false,
): Promise<Reservation> => ownRental(tx, call, call.body.reservationId, locked)

/**
 * Locks a reservation and the other dates of its series. Locks rows in the order of their ids, as all code does, to
 * avoid a deadlock.
 */
export async function lockSeries(tx: Tx, row: Reservation): Promise<Reservation[]> {
  const { rows } = await sql<Reservation>`
    SELECT * FROM rental_reservation WHERE company_id = ${row.company_id} AND (id = ${row.id} OR series_id = ${row.series_id})
    ORDER BY id FOR UPDATE`.execute(tx)
  return rows
}

/** Returns the reference time for the cancellation terms. */
export const termsOf = ({ terms_from, starts_at }: Pick<Reservation, 'terms_from' | 'starts_at'>): Date =>
  terms_from ?? starts_at

export const signingStatusOf = (row: Pick<Reservation, 'field_set_id' | 'agreement_id'>): SigningStatus =>
  row.agreement_id !== null ? 'signed' : row.field_set_id !== null ? 'unsigned' : 'none'

/** Statuses in which the renter can still sign: those of future reservations and of waitlist entries. */
const SIGNABLE: readonly string[] = ['waitlisted', 'requested', 'held', 'confirmed']
export const canSign = (row: Reservation): boolean =>
  signingStatusOf(row) === 'unsigned' && SIGNABLE.includes(row.status)
