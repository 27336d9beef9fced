import type { ResponseOf } from '../../../../shared/endpoint.ts'
import type { returnTicket } from '../../contract.ts'

/** A ticket as its panels have it. */
export type TicketDetails = ResponseOf<typeof returnTicket>
