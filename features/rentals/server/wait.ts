import { implement, signedIn } from '../../../server/call.ts'
import { conflict } from '../../../server/errors.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import { transition, actorOf } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { lockUntilCommit } from '../../../server/named-lock.ts'
import { say } from '../../../shared/messages.ts'
import { staffWaitlist, leaveWaitlist, myWaitlistPosition, waitForRental } from '../contract-waitlist.ts'
import { MAX_WAITLISTED, mistakeIn, positionText, waitsUntil } from '../rules.ts'
import { reservationConditions } from './conditions.ts'
import { checkReservation } from './check-reservation.ts'
import { findOwnReservation, findReservation, type Reservation } from './reservation-rows.ts'
import { notifySoon, rentalStateStore, transitionOf } from './reservations.ts'
import { renterOf } from './resident.ts'
import { insertReservation, refuseOtherPrice, writeBeginning } from './reserve.ts'
import { closedOf, findResource, lockResourceTimes, rulesOf } from './resources.ts'
import { isTimeFree, rivalsOf, waitlistOf } from './waitlist.ts'

const perPerson = defineLimit('rental-waitlist', { max: 30 })

const waitCall = implement(waitForRental, async (call) => {
  const { context, company, body } = call
  const session = signedIn(call)
  await countAttempt(context, [perPerson(`${company.id}/${session.personId}`)])
  return call.once(async (tx) => {
    const agreementId = await reservationConditions().saveAnswers(tx, call, body.resourceId, body.agreement)
    const input = { ...body, ...(await renterOf(tx, call)), agreementId }
    const checked = await checkReservation(tx, context, company, input, { despiteBlackouts: true })
    refuseOtherPrice(checked, input)
    // Locks the times of the resource, so that this request cannot run in parallel with a release of the time.
    await lockResourceTimes(tx, company.id, checked.resource.id)
    const { timeZone } = company
    const closed = await closedOf(tx, company, checked.resource.id, false)
    const slotContext = { timeZone, now: context.clock.now(), byStaff: false }
    const isOpen = mistakeIn(checked.rules, input, closed, slotContext) === null
    if (isOpen && (await isTimeFree(tx, context, company.id, input, checked)))
      throw conflict('free', say`This time is now available. Reserve it instead of joining the waitlist.`)
    const row = await insertReservation(tx, context, company, { input, checked, status: 'waitlisted' })
    await refuseTooMany(tx, company.id, row)
    await writeBeginning(tx, company.id, row, 'join_waitlist', actorOf(call))
    await notifySoon(tx, call)
    const message = positionText(await positionOf(tx, company.id, row))
    return { success: true as const, message, reservationId: row.id }
  })
})

/**
 * Refuses a second waitlist entry for the same time, or more entries than the limit.
 * @throws 409
 */
async function refuseTooMany(tx: Tx, company: CompanyId, row: Reservation): Promise<void> {
  await lockUntilCommit(tx, 'rental_reservation', company, row.person_id ?? 0)
  const rivals = await rivalsOf(tx, company, row)
  if (rivals.some(({ id, person_id }) => id !== row.id && person_id === row.person_id))
    throw conflict('waits_already', say`You are already on the waitlist for this time.`)
  const ownWaits = await tx
    .selectFrom('rental_reservation')
    .select('id')
    .where('company_id', '=', company)
    .where('person_id', '=', row.person_id)
    .where('status', '=', 'waitlisted')
    .limit(MAX_WAITLISTED + 1)
    .execute()
  if (ownWaits.length > MAX_WAITLISTED)
    throw conflict('waits_enough', say`You are already on ${MAX_WAITLISTED} waitlists. Leave one of them first.`)
}

/** Returns the position in the waitlist. 1 is the next person in line. */
const positionOf = async (tx: Tx, company: CompanyId, row: Reservation): Promise<number> =>
  (await rivalsOf(tx, company, row)).findIndex(({ id }) => id === row.id) + 1

const ownCall = implement(myWaitlistPosition, (call) =>
  call.reading(async (tx) => {
    const row = await findOwnReservation(tx, call)
    const rules = rulesOf(await findResource(tx, call.company.id, row.resource_id))
    return {
      position: row.status === 'waitlisted' ? await positionOf(tx, call.company.id, row) : null,
      endsAt: waitsUntil(rules, row.starts_at).toISOString(),
    }
  }),
)

const leaveCall = implement(leaveWaitlist, (call) =>
  call.inCompany(async (tx) => {
    const request = transitionOf(call, await findOwnReservation(tx, call, true), actorOf(call))
    const { message } = await transition(tx, rentalStateStore, { ...request, event: 'leave' })
    return { success: true as const, message }
  }),
)

const MAX_VISIBLE = 100

const staffCall = implement(staffWaitlist, (call) =>
  call.reading(async (tx) => {
    const { company, body } = call
    const { reservationId, resourceId } = body
    const rows =
      reservationId === undefined
        ? await waitlistOf(tx, company.id, resourceId).limit(MAX_VISIBLE).execute()
        : await rivalsOf(tx, company.id, await findReservation(tx, company.id, reservationId))
    return {
      waitlisted: rows.map((row) => ({
        ...{ id: row.id, number: row.number, title: row.title, name: row.name, pieces: row.pieces, guests: row.guests },
        startsAt: row.starts_at.toISOString(),
        endsAt: row.ends_at.toISOString(),
        since: row.created_at.toISOString(),
      })),
    }
  }),
)

export const waitCalls = [waitCall, ownCall, leaveCall, staffCall]
