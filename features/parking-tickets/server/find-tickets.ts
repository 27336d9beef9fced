import { addDays, dateIn } from '../../../shared/dates.ts'
import { type Call, implement } from '../../../server/call.ts'
import { fileCall } from '../../../server/attachments/keep.ts'
import { notFound } from '../../../server/errors.ts'
import { countAttempt, defineAddressLimit, defineLimit } from '../../../server/limits.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { findAndOpen } from '../../payments/api.ts'
import { triedOf } from '../../outages/api.ts'
import { findTickets, NO_TICKET, payTicket, seePhoto, ticketPhotos, type TicketQuery } from '../contract.ts'
import {
  contestUntilOf,
  maskedPlate,
  mayContest,
  nextStep,
  owedOf,
  type ParkingSettings,
  stepComesOn,
} from '../rules.ts'
import type { Contest } from './case.ts'
import { parkingTickets } from './payable.ts'
import { photoOf, photosOf } from '../../../server/attachments/photos.ts'
import { settingsOf } from './settings.ts'
import { pendingCentsOf, type Ticket } from './tickets.ts'

/** Limits searches without a match, because they may be guesses. */
const failuresByAddress = defineAddressLimit('ticket-by-address', { max: 20 })
const failuresByNumber = defineLimit('ticket-by-number', { max: 8 })
const DAY = 24 * 60
/** Limits searches with a match, so that no one can collect all tickets of a company. */
const matchesByAddress = defineAddressLimit('ticket-match-address', { max: 30, after: 'pause' })
const matchesByAddressPerDay = defineAddressLimit('ticket-match-address-day', {
  max: 100,
  minutes: DAY,
  after: 'pause',
})

/** Maximum number of tickets that a search returns. A car rarely has more. */
const MAX_TICKETS = 20

/** Returns the ticket with the citation number, or the open and contested tickets of the plate. */
async function named(tx: Tx, company: CompanyId, { citation, plate, plateState }: TicketQuery): Promise<Ticket[]> {
  let ticketQuery = tx.selectFrom('parking_ticket').selectAll().where('company_id', '=', company)
  if (citation) ticketQuery = ticketQuery.where('citation_number', '=', citation)
  if (plate) ticketQuery = ticketQuery.where('plate', '=', plate).where('plate_state', '=', plateState)
  if (!citation) ticketQuery = ticketQuery.where('status', 'in', ['open', 'contested'])
  return ticketQuery.orderBy('issued_at', 'desc').limit(MAX_TICKETS).execute()
}

/**
 * Runs `work` on the found tickets, within the caller's rate limits. @throws 429 if over a limit, 404 if nothing
 * matches
 */
export async function findTicket<T>(
  call: Call,
  query: TicketQuery,
  work: (tx: Tx, tickets: Ticket[]) => Promise<T>,
): Promise<T> {
  const { context, company, address } = call
  const number = query.citation || `${query.plateState} ${query.plate}`
  const failureLimits = [failuresByAddress(address, company.id), failuresByNumber(`${company.id}/${number}`)]
  const matchLimits = [matchesByAddress(address, company.id), matchesByAddressPerDay(address, company.id)]
  const counted = await countAttempt(context, [...failureLimits, ...matchLimits])
  const response = await call.inCompany(async (tx) => {
    const tickets = await named(tx, company.id, query)
    return tickets.length === 0 ? null : { of: await work(tx, tickets) }
  })
  await counted.release(response === null ? matchLimits : failureLimits)
  if (response === null) throw notFound(NO_TICKET)
  return response.of
}

export const findTicketsCall = implement(findTickets, (call) =>
  findTicket(call, call.body, async (tx, tickets) => {
    const settings = await settingsOf(tx, call.company.id)
    const views = []
    const today = dateIn(call.company.timeZone, call.context.clock.now())
    for (const ticket of tickets) views.push(await ticketView(tx, ticket, call.body, settings, today))
    return { tickets: views, alternatives: settings.alternatives }
  }),
)

async function ticketView(tx: Tx, ticket: Ticket, query: TicketQuery, { steps }: ParkingSettings, today: string) {
  const company = ticket.company_id as CompanyId
  const knowsBoth = query.citation !== '' && query.plate !== ''
  const contest = await contestOf(tx, ticket)
  const pendingCents = await pendingCentsOf(tx, company, ticket.id)
  const owedCents = owedOf(ticket)
  const tried = ticket.status === 'open' ? await triedOf(tx, company, parkingTickets.kind, ticket.id) : null
  const next = ticket.status === 'open' ? nextStep(steps, ticket.last_step_day) : null
  const contestable = pendingCents === 0 && mayContest(ticket, contest !== undefined, today)
  return {
    citation: ticket.citation_number,
    status: ticket.status,
    plate: `${ticket.plate_state} ${query.plate ? ticket.plate : maskedPlate(ticket.plate)}`,
    violation: ticket.violation_text,
    location: ticket.location,
    issuedAt: ticket.issued_at.toISOString(),
    dueOn: ticket.due_on,
    fineCents: ticket.fine_cents,
    lateCents: ticket.late_cents,
    paidCents: ticket.paid_cents,
    owedCents,
    pendingCents,
    nextStep: next && { on: stepComesOn(addDays(ticket.counted_from, next.day), tried), feeCents: next.feeCents },
    tried,
    hearingAt: contest?.hearing_at && !contest.decided_at ? contest.hearing_at.toISOString() : null,
    hearingLocation: contest?.decided_at ? '' : (contest?.hearing_location ?? ''),
    contestUntil: contestUntilOf(ticket, contest !== undefined),
    photos: knowsBoth ? ((await photosOf(tx, ticketPhotos, company, [ticket.id])).get(ticket.id) ?? []) : [],
    can: {
      pay: owedCents - pendingCents > 0,
      contest: contestable && knowsBoth,
      contestWithPlate: contestable && !knowsBoth,
    },
  }
}

const contestOf = (
  tx: Tx,
  { company_id, id }: Ticket,
): Promise<Pick<Contest, 'hearing_at' | 'hearing_location' | 'decided_at'> | undefined> =>
  tx
    .selectFrom('parking_contest')
    .select(['hearing_at', 'hearing_location', 'decided_at'])
    .where('company_id', '=', company_id)
    .where('ticket_id', '=', id)
    .executeTakeFirst()

export const payTicketCall = implement(payTicket, async (call) => {
  const { citation, cart } = call.body
  const request = { of: parkingTickets, named: { citation }, number: citation, refusal: NO_TICKET, cart }
  return { token: await findAndOpen(call, request) }
})

const photo = (call: Call<TicketQuery & { photoId: string }>) =>
  findTicket(call, call.body, (tx, [ticket]) =>
    photoOf(tx, ticketPhotos, call.company.id, ticket?.id ?? 0, call.body.photoId),
  )

export const seePhotoCall = fileCall(seePhoto, photo)
