import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { implementList } from '../../../server/list.ts'
import { addDays, midnightIn } from '../../../shared/dates.ts'
import { detailsOf, type Reservation, signingStatusOf } from '../../rentals/api.ts'
import { rentalDay } from '../contract.ts'
import { rentalUse } from '../list.ts'

const USED = sql`v.status IN ('confirmed', 'in_use', 'completed')`

export const useLists = implementList(rentalUse, {
  table: ({ company, question }) => {
    const { fromDate, toDate } = question.filters as { fromDate: string; toDate: string }
    const zone = company?.timeZone ?? 'UTC'
    const [from, until] = [midnightIn(zone, fromDate), midnightIn(zone, addDays(toDate, 1))]
    const of = company?.id ?? 0
    return sql`(
      SELECT s.company_id, s.id, s.name, s.kind, coalesce(u.used, 0) AS used, coalesce(u.hours, 0) AS hours,
        coalesce(u.guests, 0) AS guests, coalesce(u.rent, 0) AS rent, coalesce(u.kept, 0) AS kept, coalesce(u.missed, 0) AS missed,
        coalesce(u.cancelled, 0) AS cancelled, coalesce(m.received, 0) AS received, coalesce(m.refunded, 0) AS refunded
      FROM rental_resource s
      LEFT JOIN (
        SELECT v.resource_id, count(*) FILTER (WHERE ${USED})::int AS used,
          round(coalesce(sum(extract(epoch FROM v.ends_at - v.starts_at)) FILTER (WHERE ${USED}), 0) / 3600)::int AS hours,
          coalesce(sum(v.guests) FILTER (WHERE ${USED}), 0)::int AS guests,
          coalesce(sum(v.price_cents) FILTER (WHERE ${USED} OR v.status = 'no_show'), 0)::bigint AS rent,
          sum(v.withheld_cents)::bigint AS kept, count(*) FILTER (WHERE v.status = 'no_show')::int AS missed,
          count(*) FILTER (WHERE v.status = 'cancelled')::int AS cancelled
        FROM rental_reservation v WHERE v.company_id = ${of} AND v.starts_at >= ${from} AND v.starts_at < ${until}
        GROUP BY v.resource_id) u ON u.resource_id = s.id
      LEFT JOIN (
        SELECT v.resource_id, sum(t.amount_cents) FILTER (WHERE t.kind = 'credit')::bigint AS received,
          sum(t.amount_cents) FILTER (WHERE t.kind = 'reversal')::bigint AS refunded
        FROM rental_settlement t JOIN rental_reservation v ON v.company_id = t.company_id AND v.id = t.reservation_id
        WHERE t.company_id = ${of} AND t.at >= ${from} AND t.at < ${until}
        GROUP BY v.resource_id) m ON m.resource_id = s.id
      WHERE s.company_id = ${of})`
  },
  together: true,
  columns: {
    name: 'name',
    kind: 'kind',
    used: 'used',
    hours: 'hours',
    guests: 'guests',
    rentCents: 'rent',
    retainedCents: 'kept',
    receivedCents: 'received',
    refundCents: 'refunded',
    missed: 'missed',
    cancelled: 'cancelled',
  },
  row: () => ({ can: { view: true } }),
  exported: 'export.rental_use',
})

/**
 * SQL condition for reservations in the day sheet. Excludes reservations that are waitlisted, declined, expired or
 * cancelled.
 */
const IN_REPORT = sql`v.status IN ('requested', 'held', 'confirmed', 'in_use', 'completed', 'no_show')`

interface PrintedReservation extends Reservation {
  ready_at: Date
  cleared_at: Date
  resource: string
  location: string
}

export const rentalDayCall = implement(rentalDay, (call) =>
  call.reading(async (tx) => {
    const { company, body } = call
    const { rows } = await sql<PrintedReservation>`
      SELECT v.*, s.name AS resource, s.location, v.starts_at - s.before_minutes * interval '1 minute' AS ready_at,
        v.ends_at + s.after_minutes * interval '1 minute' AS cleared_at
      FROM rental_reservation v JOIN rental_resource s ON s.company_id = v.company_id AND s.id = v.resource_id
      WHERE v.company_id = ${company.id} AND ${IN_REPORT}
        AND v.starts_at >= ${midnightIn(company.timeZone, body.day)} AND v.starts_at < ${midnightIn(company.timeZone, addDays(body.day, 1))}
      ORDER BY s.name, s.id, v.starts_at, v.id LIMIT 500`.execute(tx)
    const resources = [...new Map(rows.map((row) => [row.resource_id, row])).values()]
    return {
      resources: resources.map(({ resource_id: id, resource: name, location }) => ({
        ...{ id, name, location },
        reservations: rows.filter((row) => row.resource_id === id).map(printedRowOf),
      })),
    }
  }),
)

const printedRowOf = (row: PrintedReservation) => ({
  ...detailsOf(row),
  readyAt: row.ready_at.toISOString(),
  clearedAt: row.cleared_at.toISOString(),
  name: row.name,
  phone: row.phone,
  purpose: row.purpose,
  guests: row.guests,
  pieces: row.pieces,
  // Skips the first item, which is the rental, and the last item if it is the deposit.
  addons: row.items.slice(1, row.security_deposit_cents > 0 ? -1 : undefined).map(({ text }) => text),
  depositCents: row.security_deposit_cents,
  agreement: signingStatusOf(row),
  owedCents: row.status === 'held' ? Math.max(0, row.price_cents + row.security_deposit_cents - row.paid_cents) : 0,
})
