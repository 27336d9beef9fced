import { changeRow } from '../../../server/db/rows.ts'
import { dateIn, formatDate } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { type Call, implement } from '../../../server/call.ts'
import { openCase } from '../../../server/cases/open.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import { countAttempt, defineAddressLimit, defineLimit } from '../../../server/limits.ts'
import { companyPersonOf } from '../../../server/sessions.ts'
import { transition, actorOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { contestTicket, enterContest } from '../contract.ts'
import { contestNumber } from '../rules.ts'
import { type Contest, contests } from './case.ts'
import { findTicket } from './find-tickets.ts'
import { receivedEmail } from './emails.ts'
import { lockedTicket, ticketStateStore, lockTicket, type Ticket } from './tickets.ts'

/**
 * Many people may share one IP address, for example in a library. The limit per IP address is therefore higher than the
 * limit per email.
 */
const perAddress = defineAddressLimit('parking-contest', { max: 20 })
const perMailbox = defineLimit('parking-contest-mailbox', { max: 4 })

/**
 * Contests a ticket. Payments, fees and late steps stop, because they apply only to open tickets. A caller who enters
 * both citation number and plate counts as the holder of the ticket.
 */
export const contestTicketCall = implement(contestTicket, async (call) => {
  const { context, company, body } = call
  await countAttempt(context, [perAddress(call.address), perMailbox(`${company.id}/${body.email.toLowerCase()}`)])
  return findTicket(call, body, async (tx, [match]) => {
    const ticket = await lockTicket(tx, company.id, match?.id ?? 0)
    const person = companyPersonOf(call.session)
    const { name, email, grounds, files } = body
    const number = await open(tx, call, ticket, { row: { name, email, grounds, person_id: person }, files })
    return {
      success: true as const,
      number,
      message: say`We received your contest request ${number}. No payment is due until we decide. We sent an email to ${email} with a link to your request.`,
    }
  })
})

/** Enters a contest received on paper or at the counter. The day of receipt must not be after the deadline. */
export const enterContestCall = implement(enterContest, (call) => {
  const { context, company, body } = call
  const { companyId: _named, ticketId, files, receivedOn, ...details } = body
  return call.inCompany(async (tx) => {
    const ticket = await lockTicket(tx, company.id, ticketId)
    const today = dateIn(company.timeZone, context.clock.now())
    const issued = dateIn(company.timeZone, ticket.issued_at)
    const errorText = say`Enter a day from ${formatDate(issued)} (the ticket date) to today.`
    if (receivedOn < issued || receivedOn > today) throw rejected(errorText, { receivedOn: errorText })
    const number = await open(tx, call, ticket, { row: { ...details, received_on: receivedOn }, files, by: 'staff' })
    const message =
      details.email === ''
        ? say`Contest request ${number} entered. No email was provided. Notify ${details.name} of the decision in writing or by phone.`
        : say`Contest request ${number} entered. We emailed ${details.name} a link to the request.`
    return { success: true as const, number, message }
  })
})

interface ContestInput {
  row: Pick<Contest, 'name' | 'email' | 'grounds'> &
    Partial<Pick<Contest, 'person_id' | 'phone' | 'address' | 'received_on'>>
  files: readonly string[]
  by?: 'requester' | 'staff'
}

/** Creates the contest of a locked ticket. @returns the number of the contest @throws 409 or 422 with the reason */
async function open(
  tx: Tx,
  call: Call,
  ticket: Ticket,
  { row, files, by = 'requester' }: ContestInput,
): Promise<string> {
  const { context, company } = call
  const now = context.clock.now()
  const contest = await tx
    .insertInto('parking_contest')
    .values({
      ...row,
      company_id: company.id,
      ticket_id: ticket.id,
      citation_number: ticket.citation_number,
      created_at: now,
      updated_at: now,
    })
    .onConflict((on) => on.columns(['company_id', 'ticket_id']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!contest) throw contestedBefore(ticket)
  if (ticket.status === 'open' && (row.received_on ?? dateIn(company.timeZone, now)) > ticket.contest_until)
    throw tooLate(ticket, by)
  const number = contestNumber(contest.id)
  await transition(tx, ticketStateStore, {
    scope: company.id,
    id: ticket.id,
    locked: lockedTicket(ticket),
    event: 'contest',
    actor: by === 'staff' ? actorOf(call) : contestActor(call, contest.name, contest.person_id),
    detail: { contest: number, ...(row.received_on && { receivedOn: row.received_on }) },
  })
  if (contest.email !== '') await rememberEmail(tx, ticket, contest.email)
  await openCase(tx, call, contests, contest, {
    files,
    by,
    confirmationEmail: () => receivedEmail(number, ticket.citation_number),
  })
  return number
}

/** Returns the person who contests as the actor. A guest has no session, so the caller passes the name. */
const contestActor = (call: Call, name: string, person: number | null) => ({
  as: 'requester' as const,
  caller: call,
  clock: call.context.clock,
  person: { id: person, name },
})

function tooLate({ citation_number, contest_until }: Ticket, by: 'requester' | 'staff') {
  const day = formatDate(contest_until)
  return rejected(
    by === 'staff'
      ? say`The deadline to contest ticket ${citation_number} was ${day}. Extend the deadline first, with a reason.`
      : say`The deadline to contest ticket ${citation_number} was ${day}. If something prevented you from contesting it in time, please call the office.`,
  )
}

function contestedBefore({ citation_number, status }: Ticket) {
  return status === 'contested'
    ? conflict(
        'wrong_status',
        say`Ticket ${citation_number} is already contested. The confirmation email has a link to the contest request.`,
      )
    : rejected(say`Ticket ${citation_number} was already contested, and a decision was made. Please call the office.`)
}

/**
 * Saves the email with the ticket if the ticket has none. If staff uphold the ticket, late notices go to this email.
 */
const rememberEmail = (tx: Tx, { company_id, id, email }: Ticket, inputEmail: string) =>
  email === '' ? changeRow(tx, 'parking_ticket', company_id, id, { email: inputEmail }) : null
