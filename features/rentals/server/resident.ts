import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { type Call, callerName, implement, signedIn } from '../../../server/call.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import { historyOf, transition, actorOf } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { addDays, dateIn, midnightIn } from '../../../shared/dates.ts'
import { eventsFrom } from '../../../shared/machine.ts'
import { nationalDigits } from '../../../shared/phone.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'
import { putIntoCart } from '../../payments/api.ts'
import {
  bookRental,
  cancelRental,
  changeRental,
  myRental,
  payRental,
  rental,
  rentalDays,
  rentalIcs,
  rentalPrice,
  rentals,
  type ReservationDetails,
} from '../contract.ts'
import {
  refundableCents,
  MAX_PER_RESIDENT,
  mistakeIn,
  noticeText,
  openingOn,
  priceOf,
  refundText,
  stepsOf,
} from '../rules.ts'
import { rentalStates } from '../states.ts'
import { occupancyFeedPath } from './feeds.ts'
import { reservationConditions } from './conditions.ts'
import { icsOfReservations } from './ics.ts'
import { busyIn, holdExpired } from './occupy.ts'
import { rentalPayable } from './payable.ts'
import { seenPhotosOf } from './photos.ts'
import { findOwnReservation, type Reservation, termsOf } from './reservation-rows.ts'
import { rentalStateStore, transitionOf } from './reservations.ts'
import { ALREADY_STARTED, moveReservation } from './move-reservation.ts'
import { spaceIn } from './check-reservation.ts'
import { reserve } from './reserve.ts'
import { closedOf, findResource, type Resource, rulesOf, spacesOf } from './resources.ts'
import { paidBy, withItsFee } from './paid-by.ts'
import { agreementQuestionsOf } from './questions.ts'

const MAX_OWN = 100
/** Limits how often a person can hold times without paying. */
const perPerson = defineLimit('rental-booked', { max: 30 })

export const detailsOf = (row: Reservation): ReservationDetails => ({
  id: row.id,
  number: row.number,
  resourceId: row.resource_id,
  title: row.title,
  startsAt: row.starts_at.toISOString(),
  endsAt: row.ends_at.toISOString(),
  status: row.status,
  heldUntil: row.held_until?.toISOString() ?? null,
  totalCents: row.price_cents + row.security_deposit_cents,
})

export const resourceView = (row: Resource) => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  description: row.description,
  location: row.location,
  capacity: row.capacity,
  chargedBy: row.charged_by,
  residentCents: row.resident_cents,
  otherCents: row.other_cents,
  needsApproval: row.needs_approval,
})

/**
 * Returns true if the person has linked a utility account. A linked account shows that the person lives or works in the
 * municipality.
 */
export async function isResident(tx: Tx, company: CompanyId, person: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM linked_account WHERE company_id = ${company} AND person_id = ${person} LIMIT 1`.execute(tx)
  return rows.length > 0
}

/** Returns the renter fields for a reservation by the signed-in resident. */
export async function renterOf(tx: Tx, call: Call<{ phone: string; agrees: boolean }>) {
  const { personId, email } = signedIn(call)
  return {
    ...{ personId, email, name: callerName(call), phone: nationalDigits(call.body.phone) },
    ...{ isResident: await isResident(tx, call.company.id, personId), byStaff: false, agreed: call.body.agrees },
  }
}

export async function findOpen(tx: Tx, company: CompanyId, id: number): Promise<Resource> {
  const row = await findResource(tx, company, id)
  if (row.status !== 'open') throw notFound('This resource is not available to rent.')
  return row
}

const rentalsCall = implement(rentals, (call) =>
  call.reading(async (tx) => {
    const { company } = call
    const resources = await tx
      .selectFrom('rental_resource')
      .selectAll()
      .where('company_id', '=', company.id)
      .where('status', '=', 'open')
      .orderBy('name')
      .limit(200)
      .execute()
    const ownRows = await tx
      .selectFrom('rental_reservation')
      .selectAll()
      .where('company_id', '=', company.id)
      .where('person_id', '=', signedIn(call).personId)
      .orderBy('starts_at', 'desc')
      .limit(MAX_OWN)
      .execute()
    const photos = await seenPhotosOf(
      tx,
      company.id,
      resources.map(({ id }) => id),
    )
    return {
      resources: resources.map((row) => ({ ...resourceView(row), photo: photos.get(row.id)?.[0] ?? null })),
      own: ownRows.map(detailsOf),
    }
  }),
)

const rentalCall = implement(rental, (call) =>
  call.reading(async (tx) => {
    const { company, context } = call
    const { personId } = signedIn(call)
    const row = await findOpen(tx, company.id, call.body.resourceId)
    const today = dateIn(company.timeZone, context.clock.now())
    const profile = await tx
      .selectFrom('person')
      .select('mobile_no')
      .where('company_id', '=', company.id)
      .where('id', '=', personId)
      .executeTakeFirst()
    return {
      ...resourceView(row),
      photos: (await seenPhotosOf(tx, company.id, [row.id])).get(row.id) ?? [],
      resourceRules: row.house_rules,
      amenities: row.amenities,
      accessibility: row.accessibility,
      pieces: row.pieces,
      stepMinutes: row.step_minutes,
      minMinutes: row.min_minutes,
      maxMinutes: row.max_minutes,
      depositCents: row.security_deposit_cents,
      addons: row.addons,
      refund: refundText(rulesOf(row)),
      notice: noticeText(rulesOf(row)),
      occupancyFeedPath: occupancyFeedPath(row.id),
      agreement: row.agreement,
      hasQuestions: (await agreementQuestionsOf(tx, company.id, row)) !== null,
      seriesDates: row.series_dates,
      seriesWaits: row.needs_approval || row.series_approval,
      certificateFrom: row.certificate_from,
      spaces: (await spacesOf(tx, company.id, row.id)).map(({ id, name }) => ({ id, name })),
      today,
      lastDay: addDays(today, row.ahead_days),
      isResident: await isResident(tx, company.id, personId),
      phone: profile?.mobile_no ?? '',
    }
  }),
)

interface Days {
  resourceId: number
  spaceId: number
  pieces: number
  from: string
  days: number
  except?: number | undefined
}

/** Lists days with the availability of each time step. Residents see only open resources. */
export async function daysOf(tx: Tx, call: Call<Days>, byStaff: boolean) {
  const { company, body, context } = call
  const now = context.clock.now()
  const { timeZone } = company
  const resource = byStaff
    ? await findResource(tx, company.id, body.resourceId)
    : await findOpen(tx, company.id, body.resourceId)
  const rules = rulesOf(resource)
  const closed = await closedOf(tx, company, resource.id, byStaff)
  const busy = await busyIn(tx, company.id, {
    resource,
    ...{ spaceId: body.spaceId, pieces: body.pieces, now },
    // Includes neighboring days, because buffers of their reservations may extend into this day.
    from: midnightIn(timeZone, addDays(body.from, -2)),
    until: midnightIn(timeZone, addDays(body.from, body.days + 2)),
    ...(body.except !== undefined && { except: body.except }),
  })
  const days = Array.from({ length: body.days }, (_, n) => {
    const day = addDays(body.from, n)
    const opening = openingOn(rules, day, closed)
    const closedFor = 'closedFor' in opening ? opening.closedFor : ''
    // On blackout days, times appear as reserved, so that people can join the waitlist for them.
    const closure = closedFor && {
      bufferFrom: midnightIn(timeZone, day),
      bufferUntil: midnightIn(timeZone, addDays(day, 1)),
    }
    const open = { ...closed, blackouts: [] }
    return {
      day,
      closedFor,
      steps: stepsOf(rules, day, open, closure ? [...busy, closure] : busy, { timeZone, now, byStaff }),
    }
  })
  return { days }
}

const daysCall = implement(rentalDays, (call) => call.reading((tx) => daysOf(tx, call, false)))

const priceCall = implement(rentalPrice, (call) =>
  call.reading(async (tx) => {
    const { company, body, context } = call
    const resource = await findOpen(tx, company.id, body.resourceId)
    const space = spaceIn(await spacesOf(tx, company.id, resource.id), body.spaceId)
    const [rules, closed] = [rulesOf(resource), await closedOf(tx, company, resource.id, false)]
    const slotContext = { timeZone: company.timeZone, now: context.clock.now(), byStaff: false }
    const { items, totalCents } = priceOf(rules, body, closed, company.timeZone, {
      isResident: await isResident(tx, company.id, signedIn(call).personId),
      ...{ pieces: body.pieces, addons: body.addons, spacePercent: space.price_percent },
    })
    return { mistake: mistakeIn(rules, body, closed, slotContext) ?? '', items, totalCents }
  }),
)

const bookCall = implement(bookRental, async (call) => {
  const { context, company, body } = call
  const session = signedIn(call)
  await countAttempt(context, [perPerson(`${company.id}/${session.personId}`)])
  return call.once(async (tx) => {
    const agreementId = await reservationConditions().saveAnswers(tx, call, body.resourceId, body.agreement)
    const input = { ...body, ...(await renterOf(tx, call)), agreementId }
    const row = await reserve(tx, context, company, input, actorOf(call))
    const [next, message] =
      row.status === 'held'
        ? (['pay', say`Reservation ${row.number} is on hold for you until you pay.`] as const)
        : row.status === 'requested'
          ? ([
              'wait',
              say`Reservation ${row.number} was requested. We will email you after the office decides.`,
            ] as const)
          : (['done', say`Reservation ${row.number} is confirmed.`] as const)
    return { success: true as const, message, reservationId: row.id, next }
  })
})

const ownCall = implement(myRental, (call) =>
  call.reading(async (tx) => {
    const { company, context } = call
    const now = context.clock.now()
    const row = await findOwnReservation(tx, call)
    const rules = rulesOf(await findResource(tx, company.id, row.resource_id))
    const steps: readonly string[] = eventsFrom(rentalStates, row.status, { as: 'requester' })
    const isToCome = row.starts_at > now
    const [last] = await historyOf(tx, rentalStates, company.id, row.id)
      .clearOrderBy()
      .orderBy('seq', 'desc')
      .limit(1)
      .execute()
    const refundCents = refundableCents(
      rules,
      { priceCents: row.price_cents, paidCents: row.paid_cents, startsAt: termsOf(row) },
      now,
    )
    const paid = refundCents > 0 ? await paidBy(tx, company.id, row.id) : null
    return {
      ...detailsOf(row),
      spaceId: row.space_id,
      pieces: row.pieces,
      purpose: row.purpose,
      guests: row.guests,
      items: row.items,
      paidCents: row.paid_cents,
      refundCents: row.refund_cents,
      retainedCents: row.withheld_cents,
      retainedReason: row.withheld_reason,
      refundIfCancelledCents: refundCents,
      feeRefundIfCancelledCents: paid && paid.feeCents > 0 ? withItsFee(paid, refundCents) - refundCents : 0,
      refund: refundText(rules),
      reason: row.status === 'declined' ? (last?.reason ?? '') : '',
      can: {
        pay: row.status === 'held' && !(await isHoldExpired(tx, row, now)),
        cancel: isToCome && steps.includes('cancel'),
        change: isToCome && row.status === 'confirmed',
      },
    }
  }),
)

async function isHoldExpired(tx: Tx, row: Reservation, now: Date): Promise<boolean> {
  const { rows } = await sql<{ expired: boolean }>`
    SELECT ${holdExpired(now)} AS expired FROM rental_reservation v WHERE v.company_id = ${row.company_id} AND v.id = ${row.id}`.execute(
    tx,
  )
  return rows[0]?.expired ?? true
}

const payCall = implement(payRental, (call) =>
  call.inCompany(async (tx) => {
    const row = await findOwnReservation(tx, call)
    if (call.body.together && row.series_id !== null) return addSeriesToCart(tx, call, row)
    if (row.status !== 'held') throw conflict('wrong_status', say`Reservation ${row.number} has no payment due.`)
    if (await isHoldExpired(tx, row, call.context.clock.now()))
      throw conflict('closed', say`The hold on reservation ${row.number} has expired. Choose the time again.`)
    return { token: await putIntoCart(tx, call, [{ kind: rentalPayable.kind, id: row.id }]) }
  }),
)

/** Lists the unexpired holds of a series by day. */
export async function holdsOf(tx: Tx, call: Call, row: Reservation): Promise<Reservation[]> {
  const { rows } = await sql<Reservation>`
    SELECT v.* FROM rental_reservation v WHERE v.company_id = ${row.company_id} AND v.series_id = ${row.series_id}
      AND v.person_id = ${row.person_id} AND v.status = 'held' AND NOT ${holdExpired(call.context.clock.now())}
    ORDER BY v.starts_at, v.id`.execute(tx)
  return rows
}

/**
 * Adds the unpaid dates of a series to a cart. If a series exceeds the cart's limit, the cart contains its first dates.
 * The payer pays the others afterwards.
 */
async function addSeriesToCart(tx: Tx, call: Call, row: Reservation): Promise<{ token: string }> {
  const holds = await holdsOf(tx, call, row)
  if (holds.length === 0)
    throw conflict('closed', say`None of the dates in this recurring reservation are awaiting payment.`)
  const refs = holds.slice(0, MAX_PER_RESIDENT).map(({ id }) => ({ kind: rentalPayable.kind, id }))
  return { token: await putIntoCart(tx, call, refs) }
}

/** Calculates the refund that is due if the reservation is cancelled at `now`. */
export async function refundNow(tx: Tx, row: Reservation, now: Date, byStaff: boolean): Promise<number> {
  // If staff cancel, the company retains nothing.
  if (byStaff) return row.paid_cents
  const rules = rulesOf(await findResource(tx, row.company_id as CompanyId, row.resource_id))
  return refundableCents(rules, { priceCents: row.price_cents, paidCents: row.paid_cents, startsAt: termsOf(row) }, now)
}

const cancelCall = implement(cancelRental, (call) =>
  call.inCompany(async (tx) => {
    const now = call.context.clock.now()
    const row = await findOwnReservation(tx, call, true)
    if (row.starts_at <= now) throw conflict('begun', ALREADY_STARTED())
    await transition(tx, rentalStateStore, {
      ...transitionOf(call, row, actorOf(call)),
      event: 'cancel',
      patch: { refund_cents: await refundNow(tx, row, now, false) },
    })
    return { success: true as const, message: say`Reservation ${row.number} was cancelled.` }
  }),
)

const changeCall = implement(changeRental, (call) =>
  call.inCompany(async (tx) => {
    const { reservationId: _named, ...request } = call.body
    const row = await findOwnReservation(tx, call, true)
    const refundCents = await moveReservation(tx, call, row, request, false)
    const message =
      row.paid_cents > 0
        ? say`Reservation ${row.number} was moved to its new time. If you cancel now, we will refund ${formatCents(refundCents)}.`
        : say`Reservation ${row.number} was moved to its new time.`
    return { success: true as const, message }
  }),
)

const icsCall = implement(rentalIcs, (call) =>
  call.reading(async (tx) => {
    const row = await findOwnReservation(tx, call)
    const ics = icsOfReservations(call.context, call.company, [row])
    return { name: `${row.number}.ics`, contentType: 'text/calendar; charset=utf-8', stream: Readable.from([ics]) }
  }),
)

export const residentCalls = [
  rentalsCall,
  rentalCall,
  daysCall,
  priceCall,
  bookCall,
  ownCall,
  payCall,
  cancelCall,
  changeCall,
  icsCall,
]
