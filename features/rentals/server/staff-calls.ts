import { sql } from 'kysely'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import { refuseStale } from '../../../server/edits.ts'
import { columnsOfType } from '../../../server/fields/answer-columns.ts'
import { implementList } from '../../../server/list.ts'
import { loadHistory, transition, actorOf } from '../../../server/states.ts'
import { dateIn } from '../../../shared/dates.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { buttonsFrom, eventsFrom } from '../../../shared/machine.ts'
import { formatCents } from '../../../shared/money.ts'
import { nationalDigits } from '../../../shared/phone.ts'
import { may } from '../../../shared/privileges.ts'
import { plural, say } from '../../../shared/messages.ts'
import { requestRefund, pendingRefunds, describeRefund, sendRefund } from '../../refunds/api.ts'
import {
  bookByPhone,
  staffRental,
  refundRental,
  inspectRental,
  transitionRental,
  rentalChoices,
  staffRentalDays,
} from '../contract.ts'
import { reservations as list } from '../list.ts'
import { checkInFrom, priceOf } from '../rules.ts'
import { rentalStates } from '../states.ts'
import { allocateManually, notifySoon, rentalStateStore, transitionOf } from './reservations.ts'
import { refundNow, daysOf, detailsOf, resourceView } from './resident.ts'
import { spaceIn } from './check-reservation.ts'
import { reserve } from './reserve.ts'
import { closedOf, findResource, rulesOf, spacesOf } from './resources.ts'
import { reservationConditions } from './conditions.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { paidBy, withItsFee } from './paid-by.ts'
import { findReservation, lockReservation, type Reservation, canSign, lockSeries } from './reservation-rows.ts'
import { agreementQuestionsOf } from './questions.ts'

export const rentalLists = implementList(list, {
  table: sql`found_rental_reservation`,
  joins: sql`LEFT JOIN rental_agreement g ON g.company_id = r.company_id AND g.id = r.agreement_id`,
  columns: {
    number: 'number',
    title: 'title',
    startsAt: 'starts_at',
    endsAt: 'ends_at',
    status: 'status',
    name: 'name',
    email: 'email',
    phone: 'phone',
    purpose: 'purpose',
    guests: 'guests',
    priceCents: 'price_cents',
    depositCents: 'security_deposit_cents',
    refundCents: 'refund_cents',
    agreement: sql`CASE WHEN r.agreement_id IS NOT NULL THEN 'signed' WHEN r.field_set_id IS NOT NULL THEN 'unsigned' ELSE 'none' END`,
    createdAt: 'created_at',
  },
  filters: {
    status: (status) => sql`r.status = ${status}`,
    resource: (id) => sql`r.resource_id = ${id}`,
    series: (id) => sql`r.series_id = ${id}`,
    unsigned: () =>
      sql`r.field_set_id IS NOT NULL AND r.agreement_id IS NULL AND r.status IN ('waitlisted', 'requested', 'held', 'confirmed')`,
    // Staff approve or decline a series as one request, so only its first date appears in the queue.
    approve: () => sql`r.status = 'requested' AND NOT EXISTS (
      SELECT FROM rental_reservation e WHERE e.company_id = r.company_id AND e.series_id = r.series_id
        AND e.status = 'requested' AND e.id < r.id)`,
    owed: () => sql`r.refund_cents > 0`,
    // Compares the two columns as one pair. With separate comparisons, PostgreSQL 15 would run the subquery again for
    // each row.
    certificate: () => sql`(r.company_id, r.id) IN (
      SELECT c.company_id, c.reservation_id FROM rental_certificate c WHERE c.status = 'sent')`,
  },
  search: sql`r.search_text`,
  // If the export contains a single resource, it has a column for each of the resource's questions.
  ...columnsOfType('rental_resource', { filter: 'resource', row: 'g' }),
  row: () => ({ can: { view: true } }),
  exported: 'export.rentals',
})

/** Loads the series of a reservation with its number of dates. Null for a single date. */
async function seriesOf(tx: Tx, { company_id, series_id }: Reservation, now: Date) {
  if (series_id === null) return null
  const { rows } = await sql<{ dates: number; toCome: number }>`
    SELECT count(*)::int AS dates,
      (count(*) FILTER (WHERE starts_at > ${now} AND status IN ('requested', 'held', 'confirmed')))::int AS "toCome"
    FROM rental_reservation WHERE company_id = ${company_id} AND series_id = ${series_id}`.execute(tx)
  return { id: series_id, dates: rows[0]?.dates ?? 0, toCome: rows[0]?.toCome ?? 0 }
}

const MONEY = ['refunds', 'create'] as const

const staffCall = implement(staffRental, (call) =>
  call.reading(async (tx) => {
    const { company, body } = call
    const { privileges, kind } = signedIn(call)
    const row = await findReservation(tx, company.id, body.reservationId)
    const mover = { as: 'staff' as const, privileges }
    const now = call.context.clock.now()
    const steps = buttonsFrom(rentalStates, row.status, mover)
    return {
      ...detailsOf(row),
      name: row.name,
      email: row.email,
      phone: row.phone,
      purpose: row.purpose,
      guests: row.guests,
      pieces: row.pieces,
      isResident: row.is_resident,
      byStaff: row.by_staff,
      agreedAt: row.agreed_at?.toISOString() ?? null,
      items: row.items,
      depositCents: row.security_deposit_cents,
      paidCents: row.paid_cents,
      refundCents: row.refund_cents,
      retainedCents: row.withheld_cents,
      retainedReason: row.withheld_reason,
      paymentId: (await paidBy(tx, company.id, row.id))?.orderId ?? null,
      series: await seriesOf(tx, row, now),
      history: await loadHistory(tx, rentalStates, company.id, row.id),
      checkInFrom: steps.check_in ? checkInFrom(row.starts_at).toISOString() : null,
      can: {
        steps: {
          ...steps,
          check_in: steps.check_in && checkInFrom(row.starts_at) <= now,
          // A no-show is possible only after the start.
          miss: steps.miss && row.starts_at <= now,
        },
        inspect: (eventsFrom(rentalStates, row.status, mover) as readonly string[]).includes('inspect'),
        refund: row.refund_cents > 0 && kind === 'municipality' && may(privileges, ...MONEY),
      },
    }
  }),
)

const totalOf = (row: Reservation) => row.price_cents + row.security_deposit_cents

const moveCall = implement(transitionRental, (call) =>
  call.inCompany(async (tx) => {
    const { company, body, context } = call
    if (body.event === 'offer')
      return { success: true as const, message: await allocateManually(tx, call, body.reservationId, actorOf(call)) }
    const reservation = await findReservation(tx, company.id, body.reservationId)
    const isOfSeries = reservation.series_id !== null && reservation.status === 'requested'
    if (isOfSeries && (body.event === 'approve' || body.event === 'decline'))
      return { success: true as const, message: await decideSeries(tx, call, reservation, body.event) }
    const row = await lockReservation(tx, company.id, body.reservationId)
    const now = context.clock.now()
    if (body.event === 'approve' && row.starts_at <= now)
      throw conflict(
        'begun',
        say`The requested time for reservation ${row.number} has already started. Decline the request.`,
      )
    if (body.event === 'miss' && row.starts_at > now)
      throw conflict(
        'early',
        say`Reservation ${row.number} has not started yet. You can mark it as a no-show after it starts.`,
      )
    const refundPatch =
      body.event === 'cancel'
        ? { refund_cents: await refundNow(tx, row, now, true) }
        : // After a no-show, only the deposit is refunded.
          body.event === 'miss'
          ? { refund_cents: Math.min(row.security_deposit_cents, row.paid_cents) }
          : null
    const { message } = await transition(tx, rentalStateStore, {
      ...transitionOf(call, row, actorOf(call)),
      ...{ event: body.event, reason: body.reason },
      ...(body.event === 'approve' && { to: totalOf(row) > 0 ? ('held' as const) : ('confirmed' as const) }),
      ...(refundPatch && { patch: refundPatch }),
    })
    return { success: true as const, message }
  }),
)

/** Approves or declines all dates of a series that still await approval. */
async function decideSeries(
  tx: Tx,
  call: Call<RequestOf<typeof transitionRental>>,
  reservation: Reservation,
  event: 'approve' | 'decline',
): Promise<string> {
  const { company, context, body } = call
  const now = context.clock.now()
  const all = await lockSeries(tx, reservation)
  const rows = all.filter(({ status, starts_at }) => status === 'requested' && (event === 'decline' || starts_at > now))
  const [first] = rows
  if (!first)
    throw conflict(
      'begun',
      say`The requested time for reservation ${reservation.number} has already started. Decline the request.`,
    )
  // If the date with the deposit is not approved, the first approved date gets the deposit.
  const carrier = rows.some(({ security_deposit_cents }) => security_deposit_cents > 0)
    ? undefined
    : all.find((row) => row.security_deposit_cents > 0)
  for (const row of rows) {
    const takes = event === 'approve' && row.id === first.id ? carrier : undefined
    await transition(tx, rentalStateStore, {
      ...transitionOf({ context, company, isPart: row !== rows.at(-1) }, row, actorOf(call)),
      ...{ event, reason: body.reason },
      ...(event === 'approve' && {
        to: totalOf(row) + (takes?.security_deposit_cents ?? 0) > 0 ? ('held' as const) : ('confirmed' as const),
      }),
      ...(takes && {
        patch: {
          security_deposit_cents: takes.security_deposit_cents,
          items: JSON.stringify([...row.items, ...takes.items.slice(-1)]),
        },
      }),
    })
  }
  const dates = plural(rows.length, 'One date was', '# dates were')
  return event === 'approve' ? say`${dates} approved. We notified the renter.` : say`${dates} declined.`
}

const inspectCall = implement(inspectRental, (call) =>
  call.inCompany(async (tx) => {
    const { company, body } = call
    const row = await lockReservation(tx, company.id, body.reservationId)
    const maxCents = Math.min(row.security_deposit_cents, row.paid_cents)
    refuseStale(
      body.basis,
      { paidCents: row.paid_cents },
      () =>
        say`The amount paid for reservation ${row.number} is now ${formatCents(row.paid_cents)}. Check the amount and try again.`,
    )
    if (body.retainedCents > maxCents) {
      const message = say`You can keep no more than ${formatCents(maxCents)} of the security deposit.`
      throw rejected(message, { retainedCents: message })
    }
    const { message } = await transition(tx, rentalStateStore, {
      ...transitionOf(call, row, actorOf(call)),
      event: 'inspect',
      patch: {
        refund_cents: maxCents - body.retainedCents,
        withheld_cents: body.retainedCents,
        withheld_reason: body.reason,
      },
      ...(body.retainedCents > 0 && { detail: { retainedCents: body.retainedCents, reason: body.reason } }),
    })
    return { success: true as const, message }
  }),
)

const refundCall = implement(refundRental, async (call) => {
  const { company, body, context } = call
  const { row, paid } = await call.reading(async (tx) => ({
    row: await findReservation(tx, company.id, body.reservationId),
    paid: await paidBy(tx, company.id, body.reservationId),
  }))
  if (row.refund_cents === 0) throw conflict('wrong_status', say`No refund is due for reservation ${row.number}.`)
  if (!paid)
    throw conflict(
      'wrong_status',
      say`Reservation ${row.number} was not paid for through the portal, so you cannot refund it here.`,
    )
  refuseStale(
    body.basis,
    { refundCents: row.refund_cents },
    () =>
      say`The refund due for reservation ${row.number} is now ${formatCents(row.refund_cents)}. Check the amount and try again.`,
  )
  // Checks for pending refunds here, because the reservation shows the refund as due until the provider responds.
  const { leftCents, isPending } = await call.reading((tx) => pendingRefunds(tx, company.id, paid))
  if (isPending)
    throw conflict(
      'processing',
      say`A refund for reservation ${row.number} is already processing or awaiting approval.`,
    )
  const refund = await requestRefund(call, {
    orderId: paid.orderId,
    kind: 'refund',
    // A full refund covers the entire order line, so it needs no amount.
    amountCents: row.refund_cents >= paid.settledCents ? null : withItsFee(paid, row.refund_cents),
    line: paid.line,
    reason:
      row.status === 'cancelled'
        ? say`Reservation ${row.number} was cancelled`
        : say`Security deposit for reservation ${row.number}`,
    // If two refunds run in parallel, `leftCents` makes the second one fail.
    basis: { leftCents },
  })
  const sent = await sendRefund(context, company.id, refund.id)
  return { success: true as const, message: describeRefund(sent) }
})

/** Finds the resident with this email address. The phone reservation then appears in the resident's reservations. */
export async function residentWith(tx: Tx, company: CompanyId, email: string): Promise<number | null> {
  if (email === '') return null
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM person WHERE company_id = ${company} AND lower(email) = ${email.toLowerCase()} AND role_id < 3 AND is_active = 1`.execute(
    tx,
  )
  return rows[0]?.id ?? null
}

const choicesCall = implement(rentalChoices, (call) =>
  call.reading(async (tx) => {
    const { company, context } = call
    const rows = await tx
      .selectFrom('rental_resource')
      .selectAll()
      .where('company_id', '=', company.id)
      .where('status', '=', 'open')
      .orderBy('name')
      .limit(200)
      .execute()
    const resources = []
    for (const row of rows)
      resources.push({
        ...resourceView(row),
        pieces: row.pieces,
        hasQuestions: (await agreementQuestionsOf(tx, company.id, row)) !== null,
        addons: row.addons,
        spaces: (await spacesOf(tx, company.id, row.id)).map(({ id, name }) => ({ id, name })),
      })
    return { today: dateIn(company.timeZone, context.clock.now()), resources }
  }),
)

const daysCall = implement(staffRentalDays, (call) => call.reading((tx) => daysOf(tx, call, true)))

const phoneCall = implement(bookByPhone, (call) =>
  call.inCompany(async (tx) => {
    const { company, body, context } = call
    const resource = await findResource(tx, company.id, body.resourceId)
    const space = spaceIn(await spacesOf(tx, company.id, resource.id), body.spaceId)
    const { totalCents } = priceOf(
      rulesOf(resource),
      body,
      await closedOf(tx, company, resource.id, true),
      company.timeZone,
      { isResident: body.isResident, pieces: body.pieces, addons: [], spacePercent: space.price_percent },
    )
    const input = {
      ...body,
      ...{ phone: nationalDigits(body.phone), addons: [], byStaff: true, agreed: false, agreementId: null },
      ...{ personId: await residentWith(tx, company.id, body.email), quotedCents: totalCents },
    }
    const row = await reserve(tx, context, company, input, actorOf(call))
    if (body.sendsAgreement && canSign(row) && row.email !== '')
      await reservationConditions().requestSignature(tx, context, company, row, 1)
    await notifySoon(tx, call)
    const message =
      row.status === 'held'
        ? say`Reservation ${row.number} is on hold. The renter can pay ${formatCents(totalCents)} at the counter with this number.`
        : say`Reservation ${row.number} is confirmed.`
    return { success: true as const, message, reservationId: row.id }
  }),
)

export const staffCalls = [staffCall, moveCall, inspectCall, refundCall, choicesCall, daysCall, phoneCall]
