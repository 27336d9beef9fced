import { sql } from 'kysely'
import { changeRow } from '../../../server/db/rows.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { matchesSearch } from '../../../server/list-sql.ts'
import { transition } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { formatInstant } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import {
  alertStaff,
  type FindablePayable,
  type Payable,
  type Settlement,
  settlementsIn,
  pendingPayments,
  definePayable,
} from '../../payments/api.ts'
import { idIn } from '../rules.ts'
import { occupy, TIME_UNAVAILABLE } from './occupy.ts'
import { lockReservation, RENTAL, type Reservation } from './reservation-rows.ts'
import { bySystem, lockedRental, rentalStateStore } from './reservations.ts'
import { findResource, rulesOf } from './resources.ts'

const settlements = settlementsIn('rental_settlement', 'reservation_id')

type Payment = Reservation & { gl_account: string; zone: string }
const read = async (tx: Tx, company: CompanyId, id: number): Promise<Payment | undefined> => {
  const { rows } = await sql<Payment>`
    SELECT v.*, s.gl_account, z.zone FROM rental_reservation v
    JOIN rental_resource s ON s.company_id = v.company_id AND s.id = v.resource_id
    JOIN company c ON c.id = v.company_id JOIN timezone z ON z.id = c.timezone_id
    WHERE v.company_id = ${company} AND v.id = ${id}`.execute(tx)
  return rows[0]
}

const HOLD_EXPIRED = () => say`The hold on this time has expired. You were not charged. Choose the time again.`

/** Reservation as an item to pay. The payer pays the price and the deposit in full while the reservation is on hold. */
export const rentalPayable: Payable = {
  kind: RENTAL,
  label: 'Resource rentals',
  takesCredit: false,
  settled: settlements.sums,
  find: async () => null,

  async search(tx, company, text, max) {
    const { rows } = await sql<FindablePayable>`
      SELECT r.id, r.number AS reference, r.name, r.title AS description FROM found_rental_reservation r
      WHERE r.company_id = ${company} AND r.status = 'held' AND ${matchesSearch(sql`r.search_text`, text.toLowerCase())}
      ORDER BY r.id DESC LIMIT ${max}`.execute(tx)
    return rows
  },
  byReference: async (tx, company, reference) => {
    const id = idIn(reference)
    return id !== null && (await read(tx, company, id)) ? id : null
  },

  async lock(tx, company, id, now) {
    const row = await tx
      .selectFrom('rental_reservation')
      .select(['status', 'held_until'])
      .where('company_id', '=', company)
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!row) return false
    if (row.status !== 'held' || row.held_until === null) throw conflict('closed', HOLD_EXPIRED())
    if (row.held_until > now) return true
    // If no one else reserved the time since the hold expired, the payer still gets it.
    const { rows } = await sql`
      SELECT FROM rental_occupancy WHERE company_id = ${company} AND reservation_id = ${id}`.execute(tx)
    if (rows.length === 0) throw conflict('closed', HOLD_EXPIRED())
    return true
  },

  async owed(tx, company, id) {
    const { rows } = await sql<{ owedCents: number; pendingCents: number }>`
      SELECT CASE status WHEN 'held' THEN greatest(price_cents + security_deposit_cents - paid_cents, 0) ELSE 0 END AS "owedCents",
        ${pendingPayments(company, RENTAL, id)} AS "pendingCents"
      FROM rental_reservation WHERE company_id = ${company} AND id = ${id}`.execute(tx)
    if (!rows[0]) throw notFound()
    return { ...rows[0], inFull: true }
  },

  async describe(tx, company, id) {
    const row = await read(tx, company, id)
    if (!row) throw notFound()
    const details = [
      { name: 'reference', value: row.number },
      { name: say`From`, value: formatInstant(row.starts_at, row.zone) },
      { name: say`Until`, value: formatInstant(row.ends_at, row.zone) },
    ]
    return {
      glAccount: row.gl_account,
      payerName: row.name,
      reference: row.number,
      title: row.title,
      details,
      items: row.items,
      publicView: {
        title: row.title,
        details,
        dueDate: null,
        nothingYet: null,
        closed: row.status === 'held' ? null : HOLD_EXPIRED(),
        heldUntil: row.held_until,
      },
    }
  },

  async next(tx, company, id) {
    const row = await read(tx, company, id)
    if (!row || row.person_id === null) return null
    const when = formatInstant(row.starts_at, row.zone)
    const message =
      row.status === 'confirmed'
        ? say`${row.title} is reserved for you on ${when}. Your reservation number is ${row.number}.`
        : row.status === 'held'
          ? say`${row.title}, ${when}, will stay on hold for you while your bank processes the payment. Your reservation number is ${row.number}.`
          : null
    return message === null
      ? null
      : { text: message, label: say`View reservation`, path: `/resource-rentals/reservation/${id}` }
  },

  /** Lists the person's own unpaid holds. */
  async listOwn(tx, company, person) {
    const { rows } = await sql<{ id: number }>`
      SELECT id FROM rental_reservation WHERE company_id = ${company} AND person_id = ${person} AND status = 'held'
      ORDER BY id DESC LIMIT 20`.execute(tx)
    return rows.map(({ id }) => id)
  },

  async onSettled(tx, company, settlement) {
    await recordSettlement(tx, company, 'credit', settlement)
    const row = await lockReservation(tx, company, settlement.payableId)
    if (row.paid_cents < row.price_cents + row.security_deposit_cents) return
    const clock = { now: () => settlement.at }
    // A charge that seemed abandoned may succeed later. If the time is still free, the reservation is restored.
    // Otherwise the money is refunded.
    if (row.status === 'held' || row.status === 'expired') {
      if (await ensureTimeReserved(tx, company, row, settlement.at)) {
        await transition(tx, rentalStateStore, {
          ...{ scope: company, id: row.id, locked: lockedRental(row), event: 'pay', actor: bySystem(clock) },
          deps: null,
        })
        return
      }
    } else if (row.status !== 'cancelled') return
    await changeRow(tx, 'rental_reservation', company, row.id, { refund_cents: row.paid_cents })
    const message = say`Reservation ${row.number} was paid for after someone else had reserved the same time. Refund the payment.`
    await alertStaff(tx, company, clock, settlement.orderId, 'rental', message)
  },
  onReversed: (tx, company, settlement) => recordSettlement(tx, company, 'reversal', settlement),
}
definePayable(rentalPayable)

/** Returns true if the reservation still has its time. If the time was released and is free, reserves it again. */
async function ensureTimeReserved(tx: Tx, company: CompanyId, row: Reservation, now: Date): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM rental_occupancy WHERE company_id = ${company} AND reservation_id = ${row.id} LIMIT 1`.execute(tx)
  if (rows.length > 0) return true
  const resource = await findResource(tx, company, row.resource_id)
  try {
    await occupy(tx, company, {
      ...{ reservationId: row.id, resource, spaceId: row.space_id, pieces: row.pieces, rules: rulesOf(resource), now },
      ...{ startsAt: row.starts_at, endsAt: row.ends_at },
    })
    return true
  } catch (error) {
    if (error instanceof Error && error.message === TIME_UNAVAILABLE) return false
    throw error
  }
}

/** Records a change of the paid amount. A completed refund reduces the amount that is still to be refunded. */
async function recordSettlement(
  tx: Tx,
  company: CompanyId,
  kind: 'credit' | 'reversal',
  settlement: Settlement,
): Promise<void> {
  const change = await settlements.keep(tx, company, kind, settlement)
  await sql`
    UPDATE rental_reservation SET paid_cents = paid_cents + ${change},  refund_cents = greatest(0, refund_cents + least(${change}, 0))
    WHERE company_id = ${company} AND id = ${settlement.payableId}`.execute(tx)
}
