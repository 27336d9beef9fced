import { sql } from 'kysely'
import { conflict } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { guardOf, type Rules, type Times, timesOf, type TimeSlot } from '../rules.ts'
import { findResource, holdTimes, leavesOf, type Resource, rulesOf, spacesOf } from './resources.ts'

export const TAKEN = 'Somebody else has taken this time. Choose another one.'

/** A hold that is over counts no more, unless a payment of it is under way: whoever pays has what they pay for. */
export const holdIsOver = (now: Date) => sql<boolean>`(
  v.status = 'held' AND v.held_until <= ${now} AND NOT EXISTS (
    SELECT FROM payment_order_line l JOIN payment_order o ON o.company_id = l.company_id AND o.id = l.order_id
    WHERE l.company_id = v.company_id AND l.kind = 'rental' AND l.payable_id = v.id AND o.status = 0))`

interface OccupyInput extends Times {
  reservationId: number
  resource: Resource
  spaceId: number
  pieces: number
  rules: Pick<Rules, 'beforeMinutes' | 'afterMinutes'>
  now: Date
}

/**
 * Takes a time of a space and of all that it is made of, or of so many pieces, away from others. What expired meanwhile is
 * in nobody's way. @throws 409 where somebody has it
 */
export async function occupy(tx: Tx, company: CompanyId, taking: OccupyInput): Promise<void> {
  const { reservationId, resource, spaceId, pieces, rules, now } = taking
  await holdTimes(tx, company, resource.id)
  const leaves = leavesOf(await spacesOf(tx, company, resource.id), spaceId)
  const { guardFrom, guardUntil } = guardOf(rules, taking)
  await dropOver(tx, company, { leaves, guardFrom, guardUntil, now })
  const { rows } = await sql<{ piece: number }>`
    SELECT piece FROM generate_series(1, ${resource.pieces}::int) AS piece
    WHERE NOT EXISTS (
      SELECT FROM rental_occupancy c WHERE c.company_id = ${company} AND c.space_id = ANY (${leaves}::bigint[]) AND c.piece = piece.piece
        AND tstzrange(c.guard_from, c.guard_until) && tstzrange(${guardFrom}, ${guardUntil}))
    ORDER BY piece LIMIT ${pieces}`.execute(tx)
  if (rows.length < pieces) throw conflict('taken', TAKEN)
  await tx
    .insertInto('rental_occupancy')
    .values(
      leaves.flatMap((space_id) =>
        rows.map(({ piece }) => ({
          company_id: company,
          reservation_id: reservationId,
          space_id,
          piece,
          guard_from: guardFrom,
          guard_until: guardUntil,
        })),
      ),
    )
    .execute()
}

/**
 * Says that a time is taken before anything else is asked or written for it: of the many who want one at once, all but the first
 * end here, after a quarter of the statements. Whether it can be had is decided by `occupy` alone. @throws 409
 */
export async function refuseTaken(
  tx: Tx,
  { clock }: Pick<AppContext, 'clock'>,
  { id: company, timeZone }: Pick<Company, 'id' | 'timeZone'>,
  wanted: TimeSlot & { resourceId: number; spaceId: number; pieces: number },
): Promise<void> {
  const resource = await findResource(tx, company, wanted.resourceId)
  const times = timesOf(timeZone, wanted)
  // What is no time, or more than there is, is refused with its reason by the rules.
  if (!times || wanted.pieces > resource.pieces) return
  const { guardFrom: from, guardUntil: until } = guardOf(rulesOf(resource), times)
  const { spaceId, pieces } = wanted
  const busy = await busyIn(tx, company, { resource, spaceId, pieces, from, until, now: clock.now() })
  if (busy.length > 0) throw conflict('taken', TAKEN)
}

interface Stretch extends Busy {
  leaves: readonly number[]
  now: Date
}

/**
 * Takes holds that are over out of the way. They are locked first and judged then, so that whoever begins to pay at this moment
 * either is seen or finds their hold gone. Whoever is being paid right now is left alone.
 */
async function dropOver(tx: Tx, company: CompanyId, { leaves, guardFrom, guardUntil, now }: Stretch): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    SELECT v.id FROM rental_reservation v
    WHERE v.company_id = ${company} AND v.status = 'held' AND v.held_until <= ${now} AND v.id IN (
      SELECT c.reservation_id FROM rental_occupancy c
      WHERE c.company_id = ${company} AND c.space_id = ANY (${leaves}::bigint[])
        AND tstzrange(c.guard_from, c.guard_until) && tstzrange(${guardFrom}, ${guardUntil}))
    FOR UPDATE OF v SKIP LOCKED`.execute(tx)
  if (rows.length === 0) return
  await sql`
    DELETE FROM rental_occupancy c USING rental_reservation v
    WHERE c.company_id = ${company} AND c.reservation_id = ANY (${rows.map(({ id }) => id)}::bigint[])
      AND v.company_id = c.company_id AND v.id = c.reservation_id AND ${holdIsOver(now)}`.execute(tx)
}

/** Lets others have its time again. */
export async function free(tx: Tx, company: CompanyId | 0, reservation: { id: number; resource_id: number }) {
  await holdTimes(tx, company, reservation.resource_id)
  await tx
    .deleteFrom('rental_occupancy')
    .where('company_id', '=', company)
    .where('reservation_id', '=', reservation.id)
    .execute()
}

interface Busy {
  guardFrom: Date
  guardUntil: Date
}

/** When so many pieces of a space are not to be had, between two instants: by what is taken of any of its parts. */
export async function busyIn(
  tx: Tx,
  company: CompanyId,
  asked: { resource: Resource; spaceId: number; pieces: number; from: Date; until: Date; now: Date; except?: number },
): Promise<Busy[]> {
  const { resource, spaceId, pieces, from, until, now, except = 0 } = asked
  const leaves = leavesOf(await spacesOf(tx, company, resource.id), spaceId)
  const { rows } = await sql<Busy & { piece: number }>`
    SELECT c.guard_from AS "guardFrom", c.guard_until AS "guardUntil", c.piece
    FROM rental_occupancy c JOIN rental_reservation v ON v.company_id = c.company_id AND v.id = c.reservation_id
    WHERE c.company_id = ${company} AND c.space_id = ANY (${leaves}::bigint[]) AND c.reservation_id <> ${except}
      AND c.guard_until > ${from} AND c.guard_from < ${until} AND NOT ${holdIsOver(now)}
    ORDER BY c.guard_from`.execute(tx)
  if (resource.pieces === 1) return rows
  // A time is taken where fewer pieces are left at each of its moments than are wanted of one number.
  const marks = [...new Set(rows.flatMap((row) => [row.guardFrom.getTime(), row.guardUntil.getTime()]))].toSorted(
    (a, b) => a - b,
  )
  return marks.slice(0, -1).flatMap((at, n) => {
    const end = marks[n + 1] ?? at
    const taken = new Set(
      rows.filter((row) => row.guardFrom.getTime() < end && row.guardUntil.getTime() > at).map(({ piece }) => piece),
    )
    return resource.pieces - taken.size < pieces ? [{ guardFrom: new Date(at), guardUntil: new Date(end) }] : []
  })
}
