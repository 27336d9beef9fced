import { say } from '../../../shared/words.ts'
import { type Call, implement } from '../../../server/call.ts'
import { openCase } from '../../../server/cases/open.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import { countTry, defineAddressLimit, defineLimit } from '../../../server/limits.ts'
import { townPersonOf } from '../../../server/sessions.ts'
import { move } from '../../../server/states.ts'
import { contestTicket } from '../contract.ts'
import { contestNumber } from '../rules.ts'
import { contests } from './case.ts'
import { paymentUnderWay } from './change-status.ts'
import { lookUp } from './find-tickets.ts'
import { receivedLetter } from './letters.ts'
import { underWayOf } from './show-ticket.ts'
import { heldTicket, keptTickets, lockTicket, type Ticket } from './tickets.ts'

/** A library, or half a town behind one provider, is one address; a mailbox is one person's. */
const perAddress = defineAddressLimit('parking-contest', { most: 20 })
const perMailbox = defineLimit('parking-contest-mailbox', { most: 4 })

/**
 * Contests a ticket. From this moment it asks for no payment, no fee is added and no step is taken, since all of them are for
 * tickets that are open. Whoever names both citation and plate has the ticket in hand.
 */
export const contestTicketCall = implement(contestTicket, async (call) => {
  const { house, company, body } = call
  await countTry(house, [perAddress(call.address), perMailbox(`${company.id}/${body.email.toLowerCase()}`)])
  return lookUp(call, body, async (tx, [found]) => {
    const ticket = await lockTicket(tx, company.id, found?.id ?? 0)
    if ((await underWayOf(tx, company.id, ticket.id)) > 0) throw paymentUnderWay(ticket.citation)
    const person = townPersonOf(call.session)
    const contest = await tx
      .insertInto('parking_contest')
      .values({
        company_id: company.id,
        ticket_id: ticket.id,
        citation: ticket.citation,
        created_at: house.clock.now(),
        updated_at: house.clock.now(),
        name: body.name,
        email: body.email,
        person_id: person,
        grounds: body.grounds,
      })
      .onConflict((on) => on.columns(['company_id', 'ticket_id']).doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!contest) throw contestedBefore(ticket)
    await move(tx, keptTickets, {
      place: company.id,
      id: ticket.id,
      held: heldTicket(ticket),
      event: 'contest',
      who: whoIs(call, body.name, person),
      detail: { contest: contestNumber(contest.id) },
    })
    await rememberEmail(tx, ticket, body.email)
    const number = contestNumber(contest.id)
    const letter = () => receivedLetter(number, ticket.citation)
    await openCase(tx, call, contests, contest, { files: body.files, letter })
    return {
      success: true as const,
      number,
      message: say`Your contest ${number} was received. Until it is decided nothing has to be paid. We have sent a mail to ${body.email}, with a link to it.`,
    }
  })
})

/** A guest has no session that says their name. */
const whoIs = (call: Call, name: string, person: number | null) => ({
  as: 'requester' as const,
  doer: call,
  clock: call.house.clock,
  known: { id: person, name },
})

function contestedBefore({ citation, status }: Ticket) {
  return status === 'contested'
    ? conflict('wrong_status', say`Ticket ${citation} is contested already. The mail that came then has a link to it.`)
    : rejected(say`Ticket ${citation} was contested once, and that was decided. Please call the office.`)
}

/** Late notices go there, should the ticket be upheld. */
const rememberEmail = (tx: Parameters<typeof lockTicket>[0], { company_id, id, email }: Ticket, given: string) =>
  email === ''
    ? tx
        .updateTable('parking_ticket')
        .set({ email: given })
        .where('company_id', '=', company_id)
        .where('id', '=', id)
        .execute()
    : null
