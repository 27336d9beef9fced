import { changeRow } from '../../../server/db/rows.ts'
import { defineUnique } from '../../../server/db/unique.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { addDays, dateIn, instantAt, timeIn } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { type Call, implement } from '../../../server/call.ts'
import { applyEdit, editBy } from '../../../server/edits.ts'
import { rejected } from '../../../server/errors.ts'
import { resolveLocation } from '../../../server/places/at-point.ts'
import { recordCreation, actorOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { enterTicket, saveTicket, VIOLATION_REQUIRED } from '../contract.ts'
import { settingsOf } from './settings.ts'
import { ticketStateStore, lockTicket, type Ticket } from './tickets.ts'
import { locationFromRow, locationColumns } from '../../../server/places/stored-location.ts'

type TicketInput = Omit<RequestOf<typeof saveTicket>, 'companyId' | 'ticketId' | 'basis'>

defineUnique({
  index: 'parking_ticket_citation_once',
  field: 'citation',
  message: 'A ticket with this number already exists.',
})

/** Issues a ticket with the current fine of its violation. A warning has no fine. */
export const enterTicketCall = implement(enterTicket, (call) => {
  const { companyId: _named, citation, violation, warning, ...details } = call.body
  const { company } = call
  return call.inCompany(async (tx) => {
    const code = await tx
      .selectFrom('parking_violation')
      .selectAll()
      .where('company_id', '=', company.id)
      .where('code', '=', violation)
      .where('is_active', '=', 1)
      .executeTakeFirst()
    if (!code) throw rejected(VIOLATION_REQUIRED, { violation: VIOLATION_REQUIRED })
    const { dueDays, contestDays } = await settingsOf(tx, company.id)
    const made = await tx
      .insertInto('parking_ticket')
      .values({
        company_id: company.id,
        citation_number: citation,
        ...(await rowOf(tx, call, details)),
        violation_id: code.id,
        violation_code: code.code,
        violation_text: code.description,
        status: warning ? 'warning' : 'open',
        fine_cents: warning ? 0 : code.amount_cents,
        due_on: addDays(details.issuedDate, dueDays),
        counted_from: details.issuedDate,
        contest_until: addDays(details.issuedDate, contestDays),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const request = { scope: company.id, id: made.id, number: citation, actor: actorOf(call) }
    await recordCreation(tx, ticketStateStore, {
      ...request,
      event: warning ? 'warn' : 'issue',
      detail: { plate: `${details.plateState} ${details.plate}`, violation },
    })
    const message = warning ? say`Warning ${citation} entered.` : say`Ticket ${citation} entered.`
    return { success: true as const, message, ticketId: made.id }
  })
})

/** Corrects the details of a ticket. Amounts, violation and state cannot change. */
export const saveTicketCall = implement(saveTicket, (call) => {
  const { companyId: _named, ticketId, basis, ...own } = call.body
  const { company } = call
  return call.inCompany(async (tx) => {
    const ticket = await lockTicket(tx, company.id, ticketId)
    const before = ticketInputOf(ticket, company.timeZone)
    const edit = editBy(tx, call, `parking_ticket ${ticket.id}`)
    const { after, isChanged } = await applyEdit<TicketInput>(edit, { basis, own, before })
    if (isChanged) {
      await changeRow(tx, 'parking_ticket', company.id, ticket.id, await rowOf(tx, call, after))
      await call.audit(tx, {
        action: 'parking.changed',
        subject: { kind: 'parking_ticket', id: ticket.citation_number },
        detail: { before: auditDetailOf(before), after: auditDetailOf(after) },
      })
    }
    return { success: true as const, message: say`Ticket ${ticket.citation_number} saved.` }
  })
})

const auditDetailOf = ({ location, ...details }: TicketInput) => ({ ...details, location: location.text })

/** Returns the details of a ticket for its form. */
export const ticketInputOf = (ticket: Ticket, timeZone: string): TicketInput => ({
  plate: ticket.plate,
  plateState: ticket.plate_state,
  vehicle: ticket.vehicle,
  officer: ticket.officer,
  location: locationFromRow(ticket),
  issuedDate: dateIn(timeZone, ticket.issued_at),
  issuedTime: timeIn(timeZone, ticket.issued_at),
  notes: ticket.notes,
  email: ticket.email,
})

const FUTURE = 'The ticket time cannot be in the future. Check the day and the time.'

/** Converts the ticket's details to columns. @throws 422 if the time is in the future */
async function rowOf(tx: Tx, { context, company }: Call, input: TicketInput) {
  const issued_at = instantAt(company.timeZone, input.issuedDate, input.issuedTime)
  if (issued_at > context.clock.now()) throw rejected(FUTURE, { issuedDate: FUTURE })
  return {
    plate: input.plate,
    plate_state: input.plateState,
    vehicle: input.vehicle,
    officer: input.officer,
    issued_at,
    notes: input.notes,
    email: input.email,
    ...locationColumns(await resolveLocation(tx, company.id, input.location)),
  }
}
