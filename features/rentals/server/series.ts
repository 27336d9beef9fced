import { sql } from 'kysely'
import { type Call, implement } from '../../../server/call.ts'
import { daysOfRule } from '../../../server/days-of-rule.ts'
import { conflict, notFound, rejected } from '../../../server/errors.ts'
import { transition, actorOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { nationalDigits } from '../../../shared/phone.ts'
import { ruleOf } from '../../../shared/repeats.ts'
import { plural, say } from '../../../shared/messages.ts'
import { bookSeries, cancelSeries, previewSeries } from '../contract.ts'
import { MAX_DATES } from '../rules.ts'
import { bookDates, checkDates, offerOf, type SeriesDate } from './book-dates.ts'
import { canSign, type Reservation } from './reservation-rows.ts'
import { notifySoon, rentalStateStore, transitionOf } from './reservations.ts'
import { residentWith } from './staff-calls.ts'
import { refundNow } from './resident.ts'
import { reservationConditions } from './conditions.ts'

type PreviewSeriesRequest = RequestOf<typeof previewSeries> & { addons?: readonly string[] }

/** Lists the dates of a recurrence rule, with the changes that the requester made to single dates. */
function datesOf(
  { repeats, startsOn, from, until, choices }: Omit<PreviewSeriesRequest, 'companyId'>,
  max: number,
): { dates: (SeriesDate & { of: string })[]; hasMore: boolean } {
  const days = daysOfRule(ruleOf(repeats, startsOn), startsOn, startsOn, max + 1)
  const dates = days.slice(0, max).map((of) => {
    const chosen = choices.find((one) => one.of === of)
    return { of, day: of, from, until, ...chosen?.instead, leftOut: chosen?.instead === null }
  })
  return { dates, hasMore: days.length > max }
}

/** Checks each date against the rules, reservations and other dates, and calculates its price. */
export async function checkedSeries(
  tx: Tx,
  { company, context }: Pick<Call, 'company' | 'context'>,
  input: Omit<PreviewSeriesRequest, 'companyId'>,
  { byStaff = true, maxDates = MAX_DATES } = {},
) {
  const { dates, hasMore } = datesOf(input, maxDates)
  const offer = await offerOf(tx, company, input.resourceId, byStaff)
  const checkedDates = await checkDates(tx, { company, context }, offer, { ...input, byStaff }, dates)
  return {
    dates: checkedDates,
    totalCents: checkedDates.reduce((sum, { totalCents }) => sum + totalCents, 0),
    hasMore,
    hasDeposit: offer.resource.security_deposit_cents > 0,
  }
}

const previewCall = implement(previewSeries, (call) => call.reading((tx) => checkedSeries(tx, call, call.body)))

/**
 * Returns the dates that are not skipped.
 * @throws 422 if none is left, 409 if the total price has changed
 */
export function chosenDatesOf<D extends SeriesDate>(dates: readonly D[], totalCents: number, quotedCents: number): D[] {
  const chosenDates = dates.filter(({ leftOut }) => !leftOut)
  if (chosenDates.length === 0) throw rejected(say`You skipped all dates. Keep at least one.`)
  if (totalCents !== quotedCents)
    throw conflict(
      'changed_since',
      say`The total for these dates is now ${formatCents(totalCents)}. Please review the dates and prices, then continue.`,
    )
  return chosenDates
}

const bookCall = implement(bookSeries, (call) =>
  call.inCompany(async (tx) => {
    const { company, body, context } = call
    const { dates, totalCents } = await checkedSeries(tx, call, body)
    const chosenDates = chosenDatesOf(dates, totalCents, body.quotedCents)
    const rule = ruleOf(body.repeats, body.startsOn)
    const { id, first } = await bookDates(tx, { context, company, actor: actorOf(call) }, chosenDates, {
      ...{ rule, startsOn: body.startsOn },
      input: {
        ...body,
        ...{ phone: nationalDigits(body.phone), addons: [], byStaff: true, agreed: false, agreementId: null },
        personId: await residentWith(tx, company.id, body.email),
      },
    })
    if (body.sendsAgreement && canSign(first) && first.email !== '')
      await reservationConditions().requestSignature(tx, context, company, first, chosenDates.length)
    await call.audit(tx, {
      action: 'rental.series_booked',
      subject: { kind: 'rental_series', id },
      detail: { rule, dates: chosenDates.length, name: body.name },
    })
    await notifySoon(tx, call)
    const cost =
      totalCents > 0 ? say`The total is ${formatCents(totalCents)}. The dates are on hold until the renter pays.` : ''
    const made = say`${plural(chosenDates.length, 'One date was', '# dates were')} booked.`
    return { success: true as const, message: `${made} ${cost}`.trim(), seriesId: id }
  }),
)

const cancelCall = implement(cancelSeries, (call) =>
  call.inCompany(async (tx) => {
    const { company, body, context } = call
    const now = context.clock.now()
    const { rows } = await sql<Reservation>`
      SELECT * FROM rental_reservation WHERE company_id = ${company.id} AND series_id = ${body.seriesId}
        AND starts_at > ${now} AND status IN ('requested', 'held', 'confirmed') ORDER BY id FOR UPDATE`.execute(tx)
    if (rows.length === 0) throw notFound('This recurring reservation has no upcoming dates.')
    return { success: true as const, message: await cancelDates(tx, call, rows, true) }
  }),
)

/**
 * Cancels the dates of a series, and locks them in the order of their ids. If staff cancel, the renter gets a full
 * refund.
 */
export async function cancelDates(tx: Tx, call: Call, rows: readonly Reservation[], byStaff: boolean): Promise<string> {
  const { company, context } = call
  const now = context.clock.now()
  for (const row of rows) {
    await transition(tx, rentalStateStore, {
      ...transitionOf({ context, company, isPart: row !== rows.at(-1) }, row, actorOf(call)),
      event: 'cancel',
      patch: { refund_cents: await refundNow(tx, row, now, byStaff) },
    })
  }
  return say`${plural(rows.length, 'One date was', '# dates were')} cancelled.`
}

export const seriesCalls = [previewCall, bookCall, cancelCall]
