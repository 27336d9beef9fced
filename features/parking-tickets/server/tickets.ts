import type { Selectable } from 'kysely'
import { changeRow, rowsByNumber } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import { defineStateStore, type Scope, type TransitionActor } from '../../../server/states.ts'
import { say } from '../../../shared/words.ts'
import { ticketStates } from '../states.ts'

export type Ticket = Selectable<Schema['parking_ticket']>

export const unknownTicket = () => notFound('This ticket was not found.')

/** `lockTicket`: one that nobody else changes until the transaction ends. Both @throws 404 */
export const { find: findTicket, lock: lockTicket } = rowsByNumber('parking_ticket', unknownTicket)

/** What is written with the state. */
interface TicketPatch {
  /** The decision on a contest gives new time to pay. */
  due_on?: string
  counted_from?: string
}

export const heldTicket = (ticket: Ticket) => ({
  id: ticket.id,
  state: ticket.status,
  name: say`Ticket ${ticket.citation}`,
  number: ticket.citation,
  ticket,
})

export const keptTickets = defineStateStore({
  machine: ticketStates,
  subject: 'parking_ticket',
  live: { topic: 'parking/contests' },
  lock: async (tx, place, id) => heldTicket(await lockTicket(tx, place, id)),
  write: (
    tx,
    {
      place,
      held,
      to,
      facts,
    }: { place: Scope; held: { id: number }; to: Ticket['status']; facts: TicketPatch | undefined },
  ) => changeRow(tx, 'parking_ticket', place, held.id, { status: to, ...facts }),
})

/** Who takes a step because money came or went back: nobody in person. */
export const theSystem = (at: Date): TransitionActor => ({
  as: 'system',
  actor: { session: null, requestId: '', kind: 'system' },
  clock: { now: () => at },
})
