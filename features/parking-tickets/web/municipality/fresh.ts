import { reloadCases } from '../../../../web/cases/fresh.ts'
import { contestCase, returnContest, returnSettings, returnTicket } from '../../contract.ts'
import { bootList, ticketReport, tickets, violations } from '../../list.ts'

/** Calls to reload after a ticket changed. */
export const reloadedCalls = [tickets, ticketReport, bootList, violations]
  .map(({ call }) => call)
  .concat([returnTicket, returnContest, returnSettings] as never)

export const reloadTickets = (): Promise<unknown> => reloadCases(contestCase, reloadedCalls)
