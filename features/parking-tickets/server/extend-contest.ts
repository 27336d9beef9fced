import { changeRow, hasRow } from '../../../server/db/rows.ts'
import { addDays, dateIn, formatDate } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { implement } from '../../../server/call.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import { extendContest } from '../contract.ts'
import { contestUntilOf } from '../rules.ts'
import { lockTicket } from './tickets.ts'

const MAX_DAYS = 365

/** Extends the time to contest a ticket, for example after an illness or if mail was lost. */
export const extendContestCall = implement(extendContest, (call) => {
  const { context, company, body } = call
  const { ticketId, until, reason } = body
  return call.inCompany(async (tx) => {
    const ticket = await lockTicket(tx, company.id, ticketId)
    const contested = await hasRow(tx, 'parking_contest', { company_id: company.id, ticket_id: ticket.id })
    if (contestUntilOf(ticket, contested) === null)
      throw conflict(
        'wrong_status',
        say`Ticket ${ticket.citation_number} can no longer be contested. It is not open, or it was contested before.`,
      )
    const today = dateIn(company.timeZone, context.clock.now())
    const errorText = say`Choose a day from ${formatDate(today)} to one year from today.`
    if (until < today || until > addDays(today, MAX_DAYS)) throw rejected(errorText, { until: errorText })
    await changeRow(tx, 'parking_ticket', company.id, ticket.id, { contest_until: until })
    await call.audit(tx, {
      action: 'parking.contest_extended',
      subject: { kind: 'parking_ticket', id: ticket.citation_number },
      detail: { before: ticket.contest_until, until, reason },
    })
    const message = say`Ticket ${ticket.citation_number} can be contested until ${formatDate(until)}.`
    return { success: true as const, message }
  })
})
