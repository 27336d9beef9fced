import { addDays, dateIn } from '../../../shared/dates.ts'
import { type Call, implement } from '../../../server/call.ts'
import { fileCall } from '../../../server/attachments/keep.ts'
import { notFound } from '../../../server/errors.ts'
import { countTry, defineAddressLimit, defineLimit } from '../../../server/limits.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { findAndOpen } from '../../payments/server/find-and-open.ts'
import { triedOf } from '../../payments/server/outage/tried.ts'
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
import { underWayOf } from './show-ticket.ts'
import type { Ticket } from './tickets.ts'

/** Only tries that match nothing count here: they are guesses. */
const wrongByAddress = defineAddressLimit('ticket-by-address', { most: 20 })
const wrongByNumber = defineLimit('ticket-by-number', { most: 8 })
const DAY = 24 * 60
/** Only tries that match something count here, so that nobody collects all tickets of a town by trying every citation or plate. */
const foundByAddress = defineAddressLimit('ticket-found-address', { most: 30, after: 'pause' })
const foundByAddressInADay = defineAddressLimit('ticket-found-address-day', { most: 100, minutes: DAY, after: 'pause' })

/** More than one car has, and few enough to look at. */
const MAX_TICKETS = 20

/** The tickets that somebody names: one by its citation, by a plate alone those that somebody still has to do something about. */
async function named(tx: Tx, company: CompanyId, { citation, plate, plateState }: TicketQuery): Promise<Ticket[]> {
  let asked = tx.selectFrom('parking_ticket').selectAll().where('company_id', '=', company)
  if (citation) asked = asked.where('citation', '=', citation)
  if (plate) asked = asked.where('plate', '=', plate).where('plate_state', '=', plateState)
  if (!citation) asked = asked.where('status', 'in', ['open', 'contested'])
  return asked.orderBy('issued_at', 'desc').limit(MAX_TICKETS).execute()
}

/** Lets so many tries of a caller through. @throws 429, and 404 where nothing matches */
export async function lookUp<T>(
  call: Call,
  asked: TicketQuery,
  work: (tx: Tx, found: Ticket[]) => Promise<T>,
): Promise<T> {
  const { context, company, address } = call
  const number = asked.citation || `${asked.plateState} ${asked.plate}`
  const wrong = [wrongByAddress(address, company.id), wrongByNumber(`${company.id}/${number}`)]
  const found = [foundByAddress(address, company.id), foundByAddressInADay(address, company.id)]
  const counted = await countTry(context, [...wrong, ...found])
  const answer = await call.inCompany(async (tx) => {
    const tickets = await named(tx, company.id, asked)
    return tickets.length === 0 ? null : { of: await work(tx, tickets) }
  })
  await counted.giveBack(answer === null ? found : wrong)
  if (answer === null) throw notFound(NO_TICKET)
  return answer.of
}

export const findTicketsCall = implement(findTickets, (call) =>
  lookUp(call, call.body, async (tx, tickets) => {
    const settings = await settingsOf(tx, call.company.id)
    const shown = []
    const today = dateIn(call.company.timeZone, call.context.clock.now())
    for (const ticket of tickets) shown.push(await show(tx, ticket, call.body, settings, today))
    return { tickets: shown, alternatives: settings.alternatives }
  }),
)

async function show(tx: Tx, ticket: Ticket, asked: TicketQuery, { steps }: ParkingSettings, today: string) {
  const company = ticket.company_id as CompanyId
  const knowsBoth = asked.citation !== '' && asked.plate !== ''
  const contest = await contestOf(tx, ticket)
  const underWayCents = await underWayOf(tx, company, ticket.id)
  const owedCents = owedOf(ticket)
  const tried = ticket.status === 'open' ? await triedOf(tx, company, parkingTickets.kind, ticket.id) : null
  const next = ticket.status === 'open' ? nextStep(steps, ticket.last_step_day) : null
  const contestable = underWayCents === 0 && mayContest(ticket, contest !== undefined, today)
  return {
    citation: ticket.citation,
    status: ticket.status,
    plate: `${ticket.plate_state} ${asked.plate ? ticket.plate : maskedPlate(ticket.plate)}`,
    violation: ticket.violation_text,
    place: ticket.place,
    issuedAt: ticket.issued_at.toISOString(),
    dueOn: ticket.due_on,
    fineCents: ticket.fine_cents,
    lateCents: ticket.late_cents,
    paidCents: ticket.paid_cents,
    owedCents,
    underWayCents,
    nextStep: next && { on: stepComesOn(addDays(ticket.counted_from, next.day), tried), feeCents: next.feeCents },
    tried,
    hearingAt: contest?.hearing_at && !contest.decided_at ? contest.hearing_at.toISOString() : null,
    hearingPlace: contest?.decided_at ? '' : (contest?.hearing_place ?? ''),
    contestUntil: contestUntilOf(ticket, contest !== undefined),
    photos: knowsBoth ? ((await photosOf(tx, ticketPhotos, company, [ticket.id])).get(ticket.id) ?? []) : [],
    can: {
      pay: owedCents - underWayCents > 0,
      contest: contestable && knowsBoth,
      contestWithPlate: contestable && !knowsBoth,
    },
  }
}

const contestOf = (
  tx: Tx,
  { company_id, id }: Ticket,
): Promise<Pick<Contest, 'hearing_at' | 'hearing_place' | 'decided_at'> | undefined> =>
  tx
    .selectFrom('parking_contest')
    .select(['hearing_at', 'hearing_place', 'decided_at'])
    .where('company_id', '=', company_id)
    .where('ticket_id', '=', id)
    .executeTakeFirst()

export const payTicketCall = implement(payTicket, async (call) => {
  const { citation, cart } = call.body
  const wish = { of: parkingTickets, named: { citation }, number: citation, refusal: NO_TICKET, cart }
  return { token: await findAndOpen(call, wish) }
})

const photo = (call: Call<TicketQuery & { photoId: string }>) =>
  lookUp(call, call.body, (tx, [ticket]) =>
    photoOf(tx, ticketPhotos, call.company.id, ticket?.id ?? 0, call.body.photoId),
  )

export const seePhotoCall = fileCall(seePhoto, photo)
