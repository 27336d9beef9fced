import { type Call, callerName, implement, signedIn } from '../../../server/call.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import { actorOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { ruleOf } from '../../../shared/repeats.ts'
import { plural, say } from '../../../shared/messages.ts'
import { bookMySeries, cancelMySeries, mySeries, previewMySeries } from '../contract-series.ts'
import { reservationConditions } from './conditions.ts'
import { bookDates } from './book-dates.ts'
import { refundNow, findOpen, holdsOf, isResident, renterOf } from './resident.ts'
import { lockResourceTimes, type Resource } from './resources.ts'
import { findOwnReservation, lockSeries, type Reservation } from './reservation-rows.ts'
import { notifySoon } from './reservations.ts'
import { cancelDates, checkedSeries, chosenDatesOf } from './series.ts'

/** Series of dates that residents request, with the same rules and checks as series by staff. */

/** Limits how often a person can hold times without paying. */
const perPerson = defineLimit('rental-series', { max: 10 })

async function offering(tx: Tx, call: Call<{ resourceId: number }>): Promise<Resource> {
  const resource = await findOpen(tx, call.company.id, call.body.resourceId)
  if (resource.series_dates === 0)
    throw conflict(
      'no_series',
      say`You can reserve “${resource.name}” for only one date at a time. Contact the office to reserve multiple dates.`,
    )
  return resource
}

const previewCall = implement(previewMySeries, (call) =>
  call.reading(async (tx) => {
    const resource = await offering(tx, call)
    const input = { ...call.body, isResident: await isResident(tx, call.company.id, signedIn(call).personId) }
    return checkedSeries(tx, call, input, { byStaff: false, maxDates: resource.series_dates })
  }),
)

const bookCall = implement(bookMySeries, async (call) => {
  const { context, company, body } = call
  const { personId } = signedIn(call)
  await countAttempt(context, [perPerson(`${company.id}/${personId}`)])
  return call.once(async (tx) => {
    const resource = await offering(tx, call)
    // Locks the resource before the check, so that the second of two parallel requests sees the dates of the first.
    await lockResourceTimes(tx, company.id, resource.id)
    const request = { ...body, ...(await renterOf(tx, call)) }
    const { dates, totalCents } = await checkedSeries(tx, call, request, {
      byStaff: false,
      maxDates: resource.series_dates,
    })
    const chosenDates = chosenDatesOf(dates, totalCents, body.quotedCents)
    const agreementId = await reservationConditions().saveAnswers(tx, call, resource.id, body.agreement)
    // If only the date with the deposit costs money, most dates would be confirmed without payment. Therefore staff
    // must approve the series.
    const isPartlyFree = totalCents > 0 && chosenDates.some((one) => one.totalCents === 0)
    const { id, first } = await bookDates(tx, { context, company, actor: actorOf(call) }, chosenDates, {
      ...{ rule: ruleOf(body.repeats, body.startsOn), startsOn: body.startsOn, requestedBy: personId },
      waits: resource.series_approval || isPartlyFree,
      input: { ...request, agreementId },
    })
    await call.audit(tx, {
      action: 'rental.series_booked',
      subject: { kind: 'rental_series', id },
      detail: { rule: ruleOf(body.repeats, body.startsOn), dates: chosenDates.length, name: callerName(call) },
    })
    await notifySoon(tx, call)
    const count = plural(chosenDates.length, 'One date is', '# dates are')
    const [next, message] =
      first.status === 'requested'
        ? (['wait', say`${count} requested. We will email you after the office decides.`] as const)
        : first.status === 'held'
          ? (['pay', say`${count} on hold for you until you pay.`] as const)
          : (['done', say`${count} confirmed.`] as const)
    return { success: true as const, message, reservationId: first.id, next }
  })
})

const CANCELLABLE: readonly string[] = ['requested', 'held', 'confirmed']
const toCome = (rows: readonly Reservation[], now: Date): Reservation[] =>
  rows.filter(({ status, starts_at }) => starts_at > now && CANCELLABLE.includes(status))

const showCall = implement(mySeries, (call) =>
  call.reading(async (tx) => {
    const row = await findOwnReservation(tx, call)
    if (row.series_id === null) return { series: null }
    const now = call.context.clock.now()
    const rows = await tx
      .selectFrom('rental_reservation')
      .selectAll()
      .where('company_id', '=', row.company_id)
      .where('series_id', '=', row.series_id)
      .where('person_id', '=', row.person_id)
      .orderBy('starts_at')
      .orderBy('id')
      .execute()
    const holds = await holdsOf(tx, call, row)
    const coming = toCome(rows, now)
    let refundCents = 0
    for (const one of coming) refundCents += await refundNow(tx, one, now, false)
    return {
      series: {
        dates: rows.map((one) => ({
          ...{
            id: one.id,
            number: one.number,
            status: one.status,
            totalCents: one.price_cents + one.security_deposit_cents,
          },
          ...{ startsAt: one.starts_at.toISOString(), endsAt: one.ends_at.toISOString() },
        })),
        held: {
          dates: holds.length,
          cents: holds.reduce((sum, one) => sum + one.price_cents + one.security_deposit_cents - one.paid_cents, 0),
        },
        toCome: { dates: coming.length, refundCents },
      },
    }
  }),
)

const cancelCall = implement(cancelMySeries, (call) =>
  call.inCompany(async (tx) => {
    const row = await findOwnReservation(tx, call)
    const together = row.series_id === null ? [] : await lockSeries(tx, row)
    const ownRows = together.filter(({ person_id }) => person_id === row.person_id)
    const rows = toCome(ownRows, call.context.clock.now())
    if (rows.length === 0) throw notFound('This recurring reservation has no upcoming dates.')
    return { success: true as const, message: await cancelDates(tx, call, rows, false) }
  }),
)

export const residentSeriesCalls = [previewCall, bookCall, showCall, cancelCall]
