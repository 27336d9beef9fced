import type { Selectable } from 'kysely'
import { changeRow, rowsByNumber } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import { defineStateStore, type Transition, type TransitionActor } from '../../../server/states.ts'
import type { EventOf } from '../../../shared/machine.ts'
import { say } from '../../../shared/words.ts'
import { ticketStates } from '../states.ts'

export type Ticket = Selectable<Schema['parking_ticket']>

export const unknownTicket = () => notFound('This ticket was not found.')

/** `lockTicket` locks the row until the transaction ends. Both @throws 404 if the ticket does not exist */
export const { find: findTicket, lock: lockTicket } = rowsByNumber('parking_ticket', unknownTicket)

/** Columns written together with the state. */
interface TicketPatch {
  /** New due date after the decision on a contest. */
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

export const ticketStateStore = defineStateStore({
  machine: ticketStates,
  subject: 'parking_ticket',
  live: { topic: 'parking/contests' },
  lock: async (tx, scope, id) => lockedTicket(await lockTicket(tx, scope, id)),
  write: (
    tx,
    {
      scope,
      locked,
      to,
      patch,
    }: Transition<Ticket['status'], EventOf<typeof ticketStates>, ReturnType<typeof lockedTicket>, TicketPatch>,
  ) => changeRow(tx, 'parking_ticket', scope, locked.id, { status: to, ...patch }),
})

/** Returns the system as the actor of transitions caused by payments and refunds. */
export const theSystem = (at: Date): TransitionActor => ({
  as: 'system',
  caller: { session: null, requestId: '', kind: 'system' },
  clock: { now: () => at },
})
