import type { ResponseOf } from '../../../../shared/endpoint.ts'
import type { returnTicket } from '../../contract.ts'

/** Ticket as its panels receive it. */
export type TicketDetails = ResponseOf<typeof returnTicket>
