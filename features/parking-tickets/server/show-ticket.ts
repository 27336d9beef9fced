import { buttonsFrom } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { addDays, dateIn } from '../../../shared/dates.ts'
import { translated } from '../../../shared/messages.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { findCase } from '../../../server/cases/entries.ts'
import { viewOf } from '../../../server/cases/timeline.ts'
import { paidFor } from '../../payments/api.ts'
import { triedOf } from '../../outages/api.ts'
import { historyOf } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { returnContest, returnTicket, ticketPhotos } from '../contract.ts'
import { contestNumber, contestUntilOf, mayContest, nextStep, stepComesOn } from '../rules.ts'
import { ticketStates, type TicketStatus } from '../states.ts'
import { type Contest, contests, hearingOf } from './case.ts'
import { ticketInputOf } from './enter-ticket.ts'
import { parkingTickets } from './payable.ts'
import { photosOf } from '../../../server/attachments/photos.ts'
import { settingsOf } from './settings.ts'
import { findTicket, pendingCentsOf, type Ticket, unknownTicket } from './tickets.ts'

/** Returns a ticket with all details. */
export const showTicketCall = implement(returnTicket, (call) =>
  call.inCompany(async (tx) => {
    const { company } = call
    const { privileges } = signedIn(call)
    const contest = await contestBy(tx, company.id, call.body)
    const ticket = await findTicket(tx, company.id, contest?.ticket_id ?? call.body.ticketId ?? 0)
    const { steps } = await settingsOf(tx, company.id)
    const next = ticket.status === 'open' ? nextStep(steps, ticket.last_step_day) : null
    const photos = (await photosOf(tx, ticketPhotos, company.id, [ticket.id])).get(ticket.id) ?? []
    const paid = await paidFor(tx, company.id, parkingTickets.kind, ticket.id)
    const today = dateIn(company.timeZone, call.context.clock.now())
    const tried = await triedOf(tx, company.id, parkingTickets.kind, ticket.id)
    const manages = may(privileges, 'parking', 'update')
    return {
      id: ticket.id,
      citation: ticket.citation_number,
      status: ticket.status,
      violationCode: ticket.violation_code,
      violationText: ticket.violation_text,
      issuedAt: ticket.issued_at.toISOString(),
      details: ticketInputOf(ticket, company.timeZone),
      fineCents: ticket.fine_cents,
      lateCents: ticket.late_cents,
      paidCents: ticket.paid_cents,
      unpaidCents: ticket.unpaid_cents ?? 0,
      pendingCents: await pendingCentsOf(tx, company.id, ticket.id),
      dueOn: ticket.due_on,
      contestUntil: contestUntilOf(ticket, contest !== null),
      nextStep: next && { on: stepComesOn(addDays(ticket.counted_from, next.day), tried), feeCents: next.feeCents },
      tried,
      photos,
      history: await stepsOf(tx, company.id, ticket),
      payments: paid.map(({ number, at, cents, refundCents }) => ({
        number,
        at: at.toISOString(),
        cents,
        refundCents,
      })),
      contest: contest && contestView(call, contest),
      can: {
        edit: manages && ticket.status !== 'void',
        addPhoto: may(privileges, 'parking', 'create') && photos.length < ticketPhotos.maxFiles,
        removePhoto: manages,
        hear: manages && ticket.status === 'contested',
        contest: manages && mayContest(ticket, contest !== null, today),
        extendContest: manages && contestUntilOf(ticket, contest !== null) !== null,
        steps: buttonsFrom(ticketStates, ticket.status, { as: 'staff', privileges }),
      },
    }
  }),
)

/** Returns the contest with the given id, or the contest of the given ticket. */
async function contestBy(
  tx: Tx,
  company: CompanyId,
  { ticketId = 0, contestId }: { ticketId?: number | undefined; contestId?: number | undefined },
): Promise<Contest | null> {
  const query = tx.selectFrom('parking_contest').selectAll().where('company_id', '=', company)
  const contest = await (
    contestId === undefined ? query.where('ticket_id', '=', ticketId) : query.where('id', '=', contestId)
  ).executeTakeFirst()
  if (contestId !== undefined && !contest) throw unknownTicket()
  return contest ?? null
}

async function stepsOf(tx: Tx, company: CompanyId, { id }: Ticket) {
  const rows = await historyOf(tx, ticketStates, company, id).execute()
  return rows.map(({ at, to_state, actor_name, reason }) => ({
    at: at.toISOString(),
    label: translated(ticketStates.labels[to_state as TicketStatus]),
    by: actor_name,
    reason,
  }))
}

function contestView({ company }: Call, contest: Contest) {
  const { id, name, email, phone, address, received_on, hearing_at, decision } = contest
  return {
    id,
    number: contestNumber(id),
    name,
    email,
    phone,
    address,
    receivedOn: received_on ?? '',
    hearingAt: hearing_at?.toISOString() ?? null,
    ...hearingOf(company.timeZone, contest),
    decision,
  }
}

export const showContestCall = implement(returnContest, (call) =>
  call.inCompany(async (tx) =>
    viewOf(tx, contests, await findCase(tx, contests, call.company.id, call.body.subjectId), signedIn(call)),
  ),
)
