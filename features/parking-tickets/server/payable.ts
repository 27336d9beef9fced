import { sql } from 'kysely'
import { allOf, hasPart, searchTerms } from '../../../server/list-sql.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { transition } from '../../../server/states.ts'
import { say } from '../../../shared/messages.ts'
import {
  type FindablePayable,
  type Payable,
  type Settlement,
  settlementsIn,
  pendingPayments,
  definePayable,
} from '../../payments/api.ts'
import { maskedPlate, owedOf } from '../rules.ts'
import { settingsOf } from './settings.ts'
import {
  findTicket,
  lockedTicket,
  PARKING,
  ticketStateStore,
  type Ticket,
  theSystem,
  unknownTicket,
} from './tickets.ts'

const settlements = settlementsIn('parking_receipt', 'ticket_id')

/** Payable for parking tickets: fine and late fees. Nothing is due while a ticket is contested. */
export const parkingTickets: Payable<{ citation: string }> = {
  kind: PARKING,
  label: 'Parking',
  takesCredit: false,
  settled: settlements.sums,

  async find(tx, company, { citation }) {
    const ticket = await tx
      .selectFrom('parking_ticket')
      .select('id')
      .where('company_id', '=', company)
      .where('citation_number', '=', citation)
      .where('status', '<>', 'warning')
      .executeTakeFirst()
    return ticket?.id ?? null
  },

  /** Searches tickets with an amount due, by citation number or plate. */
  async search(tx, company, text, max) {
    const matches = searchTerms(text.toLowerCase()).map((word) => hasPart(sql`r.search_text`, word))
    const { rows } = await sql<FindablePayable>`
      SELECT r.id, r.citation_number AS reference, r.plate_state || ' ' || r.plate AS name, r.violation_text AS description
      FROM found_parking_ticket r WHERE r.company_id = ${company} AND r.status = 'open' AND ${allOf(matches)}
      ORDER BY r.id DESC LIMIT ${max}`.execute(tx)
    return rows
  },

  byReference: (tx, company, citation) => parkingTickets.find(tx, company, { citation }),

  async lock(tx, company, id) {
    const { rows } = await sql`
      SELECT 1 FROM parking_ticket WHERE company_id = ${company} AND id = ${id} FOR NO KEY UPDATE`.execute(tx)
    return rows.length > 0
  },

  async owed(tx, company, id) {
    const { rows } = await sql<{ owedCents: number; pendingCents: number }>`
      SELECT CASE status WHEN 'open' THEN unpaid_cents ELSE 0 END AS "owedCents", ${pendingPayments(company, PARKING, id)} AS "pendingCents"
      FROM parking_ticket WHERE company_id = ${company} AND id = ${id}`.execute(tx)
    const [row] = rows
    if (!row) throw unknownTicket()
    return row
  },

  async describe(tx, company, id) {
    const ticket = await findTicket(tx, company, id)
    const { citation_number, plate, plate_state, violation_text, fine_cents, late_cents, due_on } = ticket
    const { glAccount } = await settingsOf(tx, company)
    const [reference, violation] = [
      { name: 'citation', value: citation_number },
      { name: 'violation', value: violation_text },
    ]
    return {
      glAccount,
      // The owner of the car is unknown, so the plate replaces the payer's name.
      payerName: `${plate_state} ${plate}`,
      reference: citation_number,
      title: say`Parking ticket`,
      details: [reference, { name: 'plate', value: `${plate_state} ${plate}` }, violation],
      items: [
        { text: violation_text, note: '', amountCents: fine_cents },
        ...(late_cents > 0 ? [{ text: say`Late fees`, note: '', amountCents: late_cents }] : []),
      ],
      publicView: {
        title: say`Parking ticket`,
        details: [reference, { name: 'plate', value: maskedPlate(plate) }, violation],
        dueDate: due_on,
        nothingYet: null,
        closed: whyNothing(ticket),
      },
    }
  },

  async paths(tx, company) {
    const { rows } = await sql`SELECT 1 FROM parking_ticket WHERE company_id = ${company} LIMIT 1`.execute(tx)
    if (rows.length === 0) return []
    return [{ path: '/parking-ticket-payment', title: say`Parking ticket`, note: say`By citation number or plate` }]
  },
  /**
   * The owner of a car is unknown. A person's own tickets are those that the person contested, or those with the
   * person's confirmed email.
   */
  async listOwn(tx, company, person) {
    const { rows } = await sql<{ id: number }>`
      SELECT t.id FROM parking_ticket t JOIN parking_contest c ON c.company_id = t.company_id AND c.ticket_id = t.id
      WHERE c.company_id = ${company} AND c.person_id = ${person} AND t.status = 'open'
      UNION
      SELECT t.id FROM parking_ticket t JOIN person p ON p.company_id = t.company_id AND p.email = t.email
      WHERE p.company_id = ${company} AND p.id = ${person} AND p.email_confirmed_at IS NOT NULL
        AND t.status = 'open' AND t.email <> '' ORDER BY 1 LIMIT 20`.execute(tx)
    return rows.map(({ id }) => id)
  },

  onSettled: (tx, company, settlement) => receive(tx, company, 'credit', settlement),
  onReversed: (tx, company, settlement) => receive(tx, company, 'reversal', settlement),
}
definePayable(parkingTickets)

/** Returns the reason why the ticket cannot be paid. Null if it can be paid. */
function whyNothing({ status }: Ticket): string | null {
  if (status === 'contested') return say`This ticket is contested. No payment is due until we decide.`
  return status === 'void' ? say`This ticket is void. No payment is due.` : null
}

/** Records a payment or a refund. A ticket is paid when nothing is due. After a refund, it is open again. */
async function receive(tx: Tx, company: CompanyId, kind: 'credit' | 'reversal', settlement: Settlement): Promise<void> {
  const { payableId, orderId, at } = settlement
  const more = await settlements.keep(tx, company, kind, settlement)
  const ticket = await tx
    .updateTable('parking_ticket')
    .set((e) => ({ paid_cents: e('paid_cents', '+', more) }))
    .where('company_id', '=', company)
    .where('id', '=', payableId)
    .returningAll()
    .executeTakeFirstOrThrow()
  await updateStatusFromPayments(tx, ticket, at, { orderId })
}

/**
 * Changes the ticket's state between open and paid to match its payments. A contested or void ticket keeps its state.
 */
export async function updateStatusFromPayments(tx: Tx, ticket: Ticket, at: Date, detail = {}): Promise<void> {
  const request = {
    scope: ticket.company_id as CompanyId,
    id: ticket.id,
    locked: lockedTicket(ticket),
    actor: theSystem(at),
    detail,
  }
  const covered = owedOf({ ...ticket, status: 'open' }) === 0
  if (ticket.status === 'open' && covered) await transition(tx, ticketStateStore, { ...request, event: 'pay' })
  if (ticket.status === 'paid' && !covered) await transition(tx, ticketStateStore, { ...request, event: 'reverse' })
}
