import type { ResponseOf } from '../../../../shared/endpoint.ts'
import type { returnTicket } from '../../contract.ts'

/** Ticket with all details, as the server returns it. */
export type TicketDetails = ResponseOf<typeof returnTicket>
