import { type Selectable, sql } from 'kysely'
import { changeRow, rowFinderById } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { defineStateStore, type Transition, type TransitionActor } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { EventOf } from '../../../shared/machine.ts'
import { say } from '../../../shared/messages.ts'
import { pendingPayments } from '../../payments/api.ts'
import { ticketStates } from '../states.ts'

export type Ticket = Selectable<Schema['parking_ticket']>

export const unknownTicket = () => notFound('This ticket was not found.')

/**
 * `findTicket` loads a ticket, and `lockTicket` also locks its row until the transaction ends. Both @throws 404 if the
 * ticket does not exist
 */
export const { find: findTicket, lock: lockTicket } = rowFinderById('parking_ticket', unknownTicket)

/** Columns written together with the state. */
interface TicketPatch {
  /** New due date after staff uphold the ticket. */
  due_on?: string
  counted_from?: string
}

export const lockedTicket = (ticket: Ticket) => ({
  id: ticket.id,
  state: ticket.status,
  name: say`Ticket ${ticket.citation_number}`,
  number: ticket.citation_number,
  ticket,
})

/** Payable kind of parking tickets. */
export const PARKING = 'parking'

/** Loads the total of a ticket's pending payments, in cents. The result of these payments is not known yet. */
export async function pendingCentsOf(tx: Tx, company: CompanyId, id: number): Promise<number> {
  const { rows } = await sql<{ cents: number }>`SELECT ${pendingPayments(company, PARKING, id)} AS cents`.execute(tx)
  return rows[0]?.cents ?? 0
}

type TicketTransition = Transition<
  Ticket['status'],
  EventOf<typeof ticketStates>,
  ReturnType<typeof lockedTicket>,
  TicketPatch
>

/** Refuses the transition while a payment is pending. Otherwise the payer could pay a ticket with nothing due. */
async function refusePending(tx: Tx, { scope, locked }: TicketTransition): Promise<void> {
  if ((await pendingCentsOf(tx, scope as CompanyId, locked.id)) === 0) return
  throw conflict(
    'payment_under_way',
    say`A payment for ticket ${locked.number} is pending. Try again when it is complete.`,
  )
}

export const ticketStateStore = defineStateStore({
  machine: ticketStates,
  subject: 'parking_ticket',
  live: { topic: 'parking/contests' },
  lock: async (tx, scope, id) => lockedTicket(await lockTicket(tx, scope, id)),
  write: (tx, { scope, locked, to, patch }: TicketTransition) =>
    changeRow(tx, 'parking_ticket', scope, locked.id, { status: to, ...patch }),
  guard: {
    contest: (tx, step) => refusePending(tx, step),
    uphold: (tx, step) => refusePending(tx, step),
    dismiss: (tx, step) => refusePending(tx, step),
    void: (tx, step) => refusePending(tx, step),
  },
})

/** Returns the system as the actor of transitions caused by payments and refunds. */
export const theSystem = (at: Date): TransitionActor => ({
  as: 'system',
  caller: { session: null, requestId: '', kind: 'system' },
  clock: { now: () => at },
})
