import { sql } from 'kysely'
import { changeRow } from '../../../server/db/rows.ts'
import { eachSeparately } from '../../../server/each-separately.ts'
import { whereOn } from '../../../server/modules.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { defineNotice } from '../../../server/notices/notice.ts'
import { notify } from '../../../server/notices/notify.ts'
import { transition } from '../../../server/states.ts'
import { type CompanyId, companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { formatInstant } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { plural, say } from '../../../shared/messages.ts'
import { rentalStates } from '../states.ts'
import { icsOfReservations } from './ics.ts'
import { holdExpired } from './occupy.ts'
import { findReservation, lockReservation, type Reservation } from './reservation-rows.ts'
import { bySystem, offerFreed, rentalStateStore, transitionOf } from './reservations.ts'

interface RentalNoticeData {
  row: Reservation
  timeZone: string
  /** Reason for declining the reservation. */
  reason: string
  /** True if the reservation came from the waitlist. */
  waited: boolean
}

const ICS = 'rental'
const SERIES_ICS = 'rental_series'

/** Renters cannot turn off this notice, because they must know the status of their reservation. */
const rentalNotice = defineNotice<RentalNoticeData>({
  event: 'rental.update',
  required: true,
  why: ({ name }) => say`You are receiving this email because you made a reservation with ${name}.`,
  content: ({ row, timeZone, reason, waited }, at) => {
    const when = say`${row.title}, ${formatInstant(row.starts_at, timeZone)}`
    const total = formatCents(row.price_cents + row.security_deposit_cents)
    const see = { label: say`View reservation`, url: at.url(`/resource-rentals/reservation/${row.id}`) }
    const calendar = {
      attachments: [{ filename: `${row.number}.ics`, contentType: 'text/calendar', renderedBy: ICS, of: row.id }],
    }
    const refunds =
      row.refund_cents > 0
        ? [
            say`We will refund ${formatCents(row.refund_cents)}. If you paid a fee, we will also refund the corresponding share of it.`,
          ]
        : []
    const { number } = row
    const became = waited ? [say`The time that you were waiting for is now available.`] : []
    const contentOf = (subject: string, ...text: string[]) => ({ subject, paragraphs: [when, ...text, see] })
    switch (row.status) {
      case 'waitlisted':
        return contentOf(
          say`Reservation ${number}: you are on the waitlist`,
          say`If the time becomes available, we will hold it for you and email you.`,
        )
      case 'requested':
        return contentOf(
          say`Reservation ${number}: we received your request`,
          ...became,
          say`The office will review your request and email you.`,
        )
      case 'held':
        return contentOf(
          waited
            ? say`Reservation ${number}: pay to reserve the available time`
            : say`Reservation ${number} is awaiting payment`,
          ...became,
          say`The total is ${total}. We will hold this reservation for you until ${formatInstant(row.held_until ?? row.starts_at, timeZone)}.`,
        )
      case 'declined':
        return contentOf(say`Reservation ${number} was declined`, reason)
      case 'expired':
        return waited
          ? contentOf(
              say`Reservation ${number}: the time did not become available`,
              say`The time did not become available before the waitlist closed, so your place on the waitlist has ended.`,
            )
          : contentOf(
              say`Reservation ${number} has expired`,
              say`The reservation was not paid for or approved in time. Others can reserve this time again.`,
            )
      case 'cancelled':
        return waited
          ? {
              subject: say`Reservation ${number}: you are no longer on the waitlist`,
              paragraphs: [when, say`Your place on the waitlist has ended.`],
            }
          : { ...contentOf(say`Reservation ${number} was cancelled`, ...refunds), ...calendar }
      default: {
        const ends = say`Your reservation ends on ${formatInstant(row.ends_at, timeZone)}.`
        return { ...contentOf(say`Reservation ${number} is confirmed`, ...became, ends), ...calendar }
      }
    }
  },
})

interface SeriesNoticeData {
  /** Dates with the same status, sorted by start. */
  rows: readonly Reservation[]
  timeZone: string
  /** Reason for declining the dates. */
  reason: string
}

/** Notice about a series. A renter with twenty dates gets only one email. */
const seriesNotice = defineNotice<SeriesNoticeData>({
  event: 'rental.series_update',
  required: true,
  why: ({ name }) => say`You are receiving this email because you made a reservation with ${name}.`,
  content: ({ rows, timeZone, reason }, at) => {
    const [first] = rows
    if (!first) throw new Error('a series has a date at least')
    const dates = rows.map((row) => say`${formatInstant(row.starts_at, timeZone)} (${row.number})`).join('; ')
    const what = say`${first.title}: ${dates}.`
    const total = formatCents(rows.reduce((sum, row) => sum + row.price_cents + row.security_deposit_cents, 0))
    const refunds = rows.reduce((sum, row) => sum + row.refund_cents, 0)
    const see = { label: say`View reservations`, url: at.url('/resource-rentals') }
    const count = plural(rows.length, 'one date', '# dates')
    const attachments = [
      { filename: 'dates.ics', contentType: 'text/calendar', renderedBy: SERIES_ICS, of: first.series_id ?? 0 },
    ]
    const contentOf = (subject: string, ...text: string[]) => ({ subject, paragraphs: [what, ...text, see] })
    switch (first.status) {
      case 'requested':
        return contentOf(
          say`${first.title}: ${count} requested`,
          say`The office will review all of the dates together and email you.`,
        )
      case 'declined':
        return contentOf(say`${first.title}: ${count} declined`, reason)
      case 'held':
        return contentOf(
          say`${first.title}: ${count} awaiting payment`,
          say`The total is ${total}. We will hold these dates for you until ${formatInstant(first.held_until ?? first.starts_at, timeZone)}.`,
        )
      case 'expired':
        return contentOf(
          say`${first.title}: ${count} expired`,
          say`The dates were not paid for in time. Others can reserve them again.`,
        )
      case 'cancelled': {
        const refund = say`We will refund ${formatCents(refunds)}. If you paid a fee, we will also refund the corresponding share of it.`
        return { ...contentOf(say`${first.title}: ${count} cancelled`, ...(refunds > 0 ? [refund] : [])), attachments }
      }
      default:
        return { ...contentOf(say`${first.title}: ${count} confirmed`), attachments }
    }
  },
})

async function notifyReservation(tx: Tx, context: AppContext, company: Company, id: number): Promise<void> {
  const row = await lockReservation(tx, company.id, id)
  if (row.is_notified) return
  const together = row.series_id === null ? [] : await markSeriesNotified(tx, row)
  if (together.length === 0) await changeRow(tx, 'rental_reservation', company.id, id, { is_notified: true })
  if (row.email === '') return
  const to = { at: company, to: row.email, ...(row.person_id !== null && { person: row.person_id }) }
  const { timeZone } = company
  const { rows } = await sql<{ reason: string; from_state: string }>`
    SELECT reason, from_state FROM status_history WHERE company_id = ${company.id} AND machine = ${rentalStates.name} AND subject_id = ${id}
    ORDER BY seq DESC LIMIT 1`.execute(tx)
  const { reason = '', from_state: from = '' } = rows[0] ?? {}
  if (together.length > 1) {
    await notify(tx, context, { ...to, notice: seriesNotice, data: { rows: together, timeZone, reason } })
    return
  }
  const noticeData = { row, timeZone, reason, waited: from === 'waitlisted' }
  await notify(tx, context, { ...to, notice: rentalNotice, data: noticeData })
}

/**
 * Finds all dates of a series without a notice about the current status, and marks them as notified. One email then
 * covers all of them.
 */
async function markSeriesNotified(tx: Tx, { company_id, series_id, status }: Reservation): Promise<Reservation[]> {
  const { rows } = await sql<Reservation>`
    UPDATE rental_reservation SET is_notified = true
    WHERE company_id = ${company_id} AND series_id = ${series_id} AND status = ${status} AND NOT is_notified RETURNING *`.execute(
    tx,
  )
  return rows.toSorted((a, b) => a.starts_at.getTime() - b.starts_at.getTime())
}

const BATCH_SIZE = 500

/** Notifies renters of each status change that has no notice yet. */
export async function notifyRentals(context: AppContext): Promise<void> {
  const unannounced = await context.acrossCompanies((tx) =>
    tx
      .selectFrom('rental_reservation')
      .select(['company_id', 'id'])
      .where('is_notified', '=', false)
      .orderBy('company_id')
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute(),
  )
  await eachSeparately(context, unannounced, async ({ company_id, id }) => {
    const companyRecord = await context.hosts.byId(companyIdFrom('job', company_id))
    if (companyRecord)
      await context.inCompany(companyRecord.id, (tx) => notifyReservation(tx, context, companyRecord, id))
  })
}

/**
 * Returns an SQL condition for expired holds, undecided requests after their start, and waitlist entries that can no
 * longer get an offer.
 */
const isExpired = (now: Date) => sql<boolean>`(
  v.held_until <= ${now} AND ${holdExpired(now)} OR v.status = 'requested' AND v.starts_at <= ${now}
  OR v.status = 'waitlisted' AND v.starts_at <= ${now}::timestamptz + (
    SELECT s.notice_hours FROM rental_resource s WHERE s.company_id = v.company_id AND s.id = v.resource_id) * interval '1 hour')`

/**
 * Ends reservations that match `isExpired` and offers released times to the waitlist. Each has its own transaction, so
 * that the next run resumes after a crash.
 */
export async function expireRentals(context: AppContext): Promise<number> {
  const now = context.clock.now()
  const { rows: expired } = await context.acrossCompanies((tx) =>
    sql<{ company_id: number; id: number }>`
      SELECT v.company_id, v.id FROM rental_reservation v
      WHERE ${isExpired(now)}
      ORDER BY v.company_id, v.id LIMIT ${BATCH_SIZE}`.execute(tx),
  )
  let ended = 0
  for (const { company_id, id } of expired) {
    const company = await context.hosts.byId(companyIdFrom('job', company_id))
    if (!company) continue
    const done = await context.inCompany(company.id, async (tx) => {
      const row = await lockReservation(tx, company.id, id)
      // Checks the condition again after the row is locked, because a payment may have started in the meantime.
      const { rows } = await sql`
        SELECT FROM rental_reservation v WHERE v.company_id = ${company_id} AND v.id = ${id} AND ${isExpired(now)}`.execute(
        tx,
      )
      if (rows.length === 0) return false
      const request = transitionOf({ context, company }, row, bySystem(context.clock))
      await transition(tx, rentalStateStore, { ...request, event: 'expire' })
      return true
    })
    if (done) ended += 1
  }
  return ended
}

/**
 * Offers free times to the waitlist. Includes times that became free without a transition, for example when a blackout
 * ended.
 */
export async function offerWaitlisted(context: AppContext): Promise<number> {
  const { rows } = await context.acrossCompanies((tx) =>
    sql<{ company_id: number; resource_id: number }>`
      SELECT DISTINCT company_id, resource_id FROM rental_reservation WHERE status = 'waitlisted' AND ${whereOn('rentals')}
      ORDER BY company_id, resource_id`.execute(tx),
  )
  let offeredCount = 0
  await eachSeparately(context, rows, async ({ company_id, resource_id }) => {
    const companyRecord = await context.hosts.byId(companyIdFrom('job', company_id))
    if (companyRecord)
      offeredCount += await context.inCompany(companyRecord.id, (tx) =>
        offerFreed(tx, { context, company: companyRecord }, resource_id),
      )
  })
  return offeredCount
}

/** Defines the job that runs each minute. The job also runs immediately after a call that needs a notification. */
export function defineRentalJobs(context: AppContext): void {
  const renderIcs = async (company: CompanyId, read: (tx: Tx) => Promise<Reservation[]>) => {
    const companyRecord = await context.hosts.byId(company)
    if (!companyRecord) throw new Error(`town ${company} is gone`)
    return Buffer.from(icsOfReservations(context, companyRecord, await context.inCompany(company, read)))
  }
  context.mailer.renders(ICS, (company, id) =>
    renderIcs(company, async (tx) => [await findReservation(tx, company, id)]),
  )
  context.mailer.renders(SERIES_ICS, (company, id) =>
    renderIcs(company, (tx) =>
      tx
        .selectFrom('rental_reservation')
        .selectAll()
        .where('company_id', '=', company)
        .where('series_id', '=', id)
        .orderBy('starts_at')
        .execute(),
    ),
  )
  context.jobs.define('rentals.notify', () => notifyRentals(context))
  context.jobs.define(
    'rentals.review',
    async () => {
      await expireRentals(context)
      await offerWaitlisted(context)
      await notifyRentals(context)
    },
    { cron: '* * * * *', retryLimit: 0 },
  )
}
