import { sql } from 'kysely'
import { conflict } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { hasPendingPayment } from '../../payments/api.ts'
import { bufferOf, type Rules, type Times, timesOf, type TimeSlot } from '../rules.ts'
import { findResource, lockResourceTimes, leavesOf, type Resource, rulesOf, spacesOf } from './resources.ts'

export const TIME_UNAVAILABLE = 'Someone else has taken this time. Choose another one.'

/**
 * Returns an SQL condition that is true if a hold expired without a pending payment. A payer who started to pay in time
 * still gets the reservation.
 */
export const holdExpired = (now: Date) => sql<boolean>`(
  v.status = 'held' AND v.held_until <= ${now} AND NOT ${hasPendingPayment(sql`v.company_id`, 'rental', sql`v.id`)})`

interface OccupyInput extends Times {
  reservationId: number
  resource: Resource
  spaceId: number
  pieces: number
  rules: Pick<Rules, 'beforeMinutes' | 'afterMinutes'>
  now: Date
}

/**
 * Reserves a time of a space and its parts, or of several pieces of equipment. Removes expired holds first.
 * @throws 409 if the time is taken
 */
export async function occupy(tx: Tx, company: CompanyId, taking: OccupyInput): Promise<void> {
  const { reservationId, resource, spaceId, pieces, rules, now } = taking
  await lockResourceTimes(tx, company, resource.id)
  const leaves = leavesOf(await spacesOf(tx, company, resource.id), spaceId)
  const { bufferFrom, bufferUntil } = bufferOf(rules, taking)
  await dropExpired(tx, company, { leaves, bufferFrom, bufferUntil, now })
  const { rows } = await sql<{ piece: number }>`
    SELECT piece FROM generate_series(1, ${resource.pieces}::int) AS piece
    WHERE NOT EXISTS (
      SELECT FROM rental_occupancy c WHERE c.company_id = ${company} AND c.space_id = ANY (${leaves}::bigint[]) AND c.piece = piece.piece
        AND tstzrange(c.buffer_from, c.buffer_until) && tstzrange(${bufferFrom}, ${bufferUntil}))
    ORDER BY piece LIMIT ${pieces}`.execute(tx)
  if (rows.length < pieces) throw conflict('taken', TIME_UNAVAILABLE)
  await tx
    .insertInto('rental_occupancy')
    .values(
      leaves.flatMap((space_id) =>
        rows.map(({ piece }) => ({
          company_id: company,
          reservation_id: reservationId,
          space_id,
          piece,
          buffer_from: bufferFrom,
          buffer_until: bufferUntil,
        })),
      ),
    )
    .execute()
}

/**
 * Refuses an unavailable time early, before most of the queries. If many requests run in parallel, most then end after
 * a quarter of the queries. Only `occupy` makes the final decision.
 * @throws 409
 */
export async function refuseUnavailable(
  tx: Tx,
  { clock }: Pick<AppContext, 'clock'>,
  { id: company, timeZone }: Pick<Company, 'id' | 'timeZone'>,
  input: TimeSlot & { resourceId: number; spaceId: number; pieces: number },
): Promise<void> {
  const resource = await findResource(tx, company, input.resourceId)
  const times = timesOf(timeZone, input)
  // Skips an impossible time or too many pieces. The rules refuse them later with a reason.
  if (!times || input.pieces > resource.pieces) return
  const { bufferFrom: from, bufferUntil: until } = bufferOf(rulesOf(resource), times)
  const { spaceId, pieces } = input
  const busy = await busyIn(tx, company, { resource, spaceId, pieces, from, until, now: clock.now() })
  if (busy.length > 0) throw conflict('taken', TIME_UNAVAILABLE)
}

interface Stretch extends Busy {
  leaves: readonly number[]
  now: Date
}

/**
 * Removes expired holds that have no pending payment. Locks the holds before the check, so that a payment that starts
 * now either protects its hold or no longer finds it.
 */
async function dropExpired(
  tx: Tx,
  company: CompanyId,
  { leaves, bufferFrom, bufferUntil, now }: Stretch,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    SELECT v.id FROM rental_reservation v
    WHERE v.company_id = ${company} AND v.status = 'held' AND v.held_until <= ${now} AND v.id IN (
      SELECT c.reservation_id FROM rental_occupancy c
      WHERE c.company_id = ${company} AND c.space_id = ANY (${leaves}::bigint[])
        AND tstzrange(c.buffer_from, c.buffer_until) && tstzrange(${bufferFrom}, ${bufferUntil}))
    FOR UPDATE OF v SKIP LOCKED`.execute(tx)
  if (rows.length === 0) return
  await sql`
    DELETE FROM rental_occupancy c USING rental_reservation v
    WHERE c.company_id = ${company} AND c.reservation_id = ANY (${rows.map(({ id }) => id)}::bigint[])
      AND v.company_id = c.company_id AND v.id = c.reservation_id AND ${holdExpired(now)}`.execute(tx)
}

/** Releases the time of a reservation. */
export async function free(tx: Tx, company: CompanyId | 0, reservation: { id: number; resource_id: number }) {
  await lockResourceTimes(tx, company, reservation.resource_id)
  await tx
    .deleteFrom('rental_occupancy')
    .where('company_id', '=', company)
    .where('reservation_id', '=', reservation.id)
    .execute()
}

interface Busy {
  bufferFrom: Date
  bufferUntil: Date
}

/** Time that a reservation occupies in a space, or for one piece of equipment. */
export interface Occupied extends Busy {
  spaceId: number
  piece: number
  reservationId: number
}

/** Lists the occupied times of spaces in a period. Ignores expired holds. */
export async function occupiedIn(
  tx: Tx,
  company: CompanyId,
  query: { spaceIds: readonly number[]; from: Date; until: Date; now: Date; except?: number },
): Promise<Occupied[]> {
  const { spaceIds, from, until, now, except = 0 } = query
  const { rows } = await sql<Occupied>`
    SELECT c.buffer_from AS "bufferFrom", c.buffer_until AS "bufferUntil", c.piece, c.space_id AS "spaceId", v.id AS "reservationId"
    FROM rental_occupancy c JOIN rental_reservation v ON v.company_id = c.company_id AND v.id = c.reservation_id
    WHERE c.company_id = ${company} AND c.space_id = ANY (${spaceIds}::bigint[]) AND c.reservation_id <> ${except}
      AND c.buffer_until > ${from} AND c.buffer_from < ${until} AND NOT ${holdExpired(now)}
    ORDER BY c.buffer_from`.execute(tx)
  return rows
}

/** Lists the times at which fewer pieces of a resource are free than requested. */
export function unavailableIn(occupied: readonly Occupied[], resource: { pieces: number }, pieces: number): Busy[] {
  if (resource.pieces === 1) return [...occupied]
  const marks = [...new Set(occupied.flatMap((row) => [row.bufferFrom.getTime(), row.bufferUntil.getTime()]))].toSorted(
    (a, b) => a - b,
  )
  return marks.slice(0, -1).flatMap((at, n) => {
    const end = marks[n + 1] ?? at
    const taken = new Set(
      occupied
        .filter((row) => row.bufferFrom.getTime() < end && row.bufferUntil.getTime() > at)
        .map(({ piece }) => piece),
    )
    return resource.pieces - taken.size < pieces ? [{ bufferFrom: new Date(at), bufferUntil: new Date(end) }] : []
  })
}

/** Lists the times in a period at which too few pieces of a space are available. Includes reservations of its parts. */
export async function busyIn(
  tx: Tx,
  company: CompanyId,
  query: { resource: Resource; spaceId: number; pieces: number; from: Date; until: Date; now: Date; except?: number },
): Promise<Busy[]> {
  const { resource, spaceId, pieces, ...period } = query
  const spaceIds = leavesOf(await spacesOf(tx, company, resource.id), spaceId)
  return unavailableIn(await occupiedIn(tx, company, { spaceIds, ...period }), resource, pieces)
}
