import { conflict, Refusal } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'
import { bufferOf, slotOf } from '../rules.ts'
import { checkReservation, type ReservationDecision } from './check-reservation.ts'
import { busyIn } from './occupy.ts'
import { findResource, lockResourceTimes, leavesOf, rulesOf, spacesOf } from './resources.ts'
import type { Reservation } from './reservation-rows.ts'

/** Builds a query for the waitlist of a resource, earliest entry first. */
export const waitlistOf = (tx: Tx, company: CompanyId, resourceId: number) =>
  tx
    .selectFrom('rental_reservation')
    .selectAll()
    .where('company_id', '=', company)
    .where('resource_id', '=', resourceId)
    .where('status', '=', 'waitlisted')
    .orderBy('created_at')
    .orderBy('id')

/**
 * Checks a waitlist entry against the current rules. Null if the rules do not allow the entry or its time is reserved.
 */
export async function fits(
  tx: Tx,
  context: Pick<AppContext, 'clock'>,
  company: Company,
  row: Reservation,
): Promise<ReservationDecision | null> {
  const checked = await checkReservation(tx, context, company, checkInputOf(row, company, false)).catch(
    (error: unknown) => {
      if (error instanceof Refusal) return null
      throw error
    },
  )
  return checked && (await isTimeFree(tx, context, company.id, row, checked)) ? checked : null
}

export const checkInputOf = (row: Reservation, { timeZone }: Pick<Company, 'timeZone'>, byStaff: boolean) => ({
  ...{ resourceId: row.resource_id, spaceId: row.space_id, pieces: row.pieces, guests: row.guests },
  ...{ isResident: row.is_resident, byStaff, addons: row.items.slice(1).map(({ text }) => text) },
  ...slotOf(timeZone, row),
})

/** Returns true if the time is free. Treats expired holds as free, but does not remove them. */
export async function isTimeFree(
  tx: Tx,
  { clock }: Pick<AppContext, 'clock'>,
  company: CompanyId,
  { pieces }: Pick<Reservation, 'pieces'>,
  { resource, space, rules, times }: ReservationDecision,
): Promise<boolean> {
  const { bufferFrom, bufferUntil } = bufferOf(rules, times)
  const query = { resource, spaceId: space.id, pieces, from: bufferFrom, until: bufferUntil, now: clock.now() }
  const busy = await busyIn(tx, company, query)
  return !busy.some((one) => one.bufferFrom < bufferUntil && bufferFrom < one.bufferUntil)
}

/** Finds the waitlist entries that compete with this one. Their times overlap, and their spaces share a part. */
export async function rivalsOf(tx: Tx, company: CompanyId, row: Reservation): Promise<Reservation[]> {
  const rules = rulesOf(await findResource(tx, company, row.resource_id))
  const spaces = await spacesOf(tx, company, row.resource_id)
  const leaves = leavesOf(spaces, row.space_id)
  const guard = bufferOf(rules, { startsAt: row.starts_at, endsAt: row.ends_at })
  const all = await waitlistOf(tx, company, row.resource_id).execute()
  return all.filter((one) => {
    const { bufferFrom, bufferUntil } = bufferOf(rules, { startsAt: one.starts_at, endsAt: one.ends_at })
    const isAtOnce = bufferFrom < guard.bufferUntil && guard.bufferFrom < bufferUntil
    return isAtOnce && leavesOf(spaces, one.space_id).some((leaf) => leaves.includes(leaf))
  })
}

/**
 * Refuses a time that must first be offered to the waitlist. Otherwise another person could take the time between the
 * end of a hold and the next job run.
 * @throws 409
 */
export async function refuseIfWaitlisted(
  tx: Tx,
  context: Pick<AppContext, 'clock'>,
  company: Company,
  row: Reservation,
): Promise<void> {
  const some = await waitlistOf(tx, company.id, row.resource_id).limit(1).execute()
  if (some.length === 0) return
  await lockResourceTimes(tx, company.id, row.resource_id)
  for (const one of await rivalsOf(tx, company.id, row))
    if (one.id !== row.id && (await fits(tx, context, company, one)))
      throw conflict('taken', say`People on the waitlist get this time first. You can also join the waitlist.`)
}
