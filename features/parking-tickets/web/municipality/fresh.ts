import { reloadCases } from '../../../../web/cases/fresh.ts'
import { contestCase, returnContest, returnSettings, returnTicket } from '../../contract.ts'
import { bootList, ticketReport, tickets, violations } from '../../list.ts'

/** What is on show of tickets, once one changed. */
export const shown = [tickets, ticketReport, bootList, violations]
  .map(({ call }) => call)
  .concat([returnTicket, returnContest, returnSettings] as never)

export const reloadTickets = (): Promise<unknown> => reloadCases(contestCase, shown)
