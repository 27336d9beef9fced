import { changeRow } from '../../../server/db/rows.ts'
import { addDays, dateIn, formatInstant, instantAt } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { type Call, implement } from '../../../server/call.ts'
import { addMessage, authorOf, lockCase } from '../../../server/cases/entries.ts'
import { emailPerson } from '../../../server/cases/emails.ts'
import { type Edit, mergeEdit, recordChanges } from '../../../server/edits.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import { transition, actorOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { cancelItem, putItem } from '../../calendar/api.ts'
import { retainedMessage } from '../../payments/api.ts'
import { changeTicketStatus, setHearing } from '../contract.ts'
import { contestNumber, owedOf } from '../rules.ts'
import { type Contest, contests, hearingOf } from './case.ts'
import { decisionEmail, dismissedMessage, hearingEmail, hearingMessage, upheldMessage } from './emails.ts'
import { updateStatusFromPayments, parkingTickets } from './payable.ts'
import { settingsOf } from './settings.ts'
import { lockedTicket, ticketStateStore, lockTicket } from './tickets.ts'

const HEARING = 5
const HALF_AN_HOUR = 30 * 60_000

/** Upholds or dismisses a contested ticket, or voids an open one. The person who contested it receives the reason. */
export const changeStatusCall = implement(changeTicketStatus, (call) => {
  const { context, company, body } = call
  const { event, reason = '' } = body
  return call.inCompany(async (tx) => {
    // Locks the ticket before its contest. All code uses this order, to prevent deadlocks.
    const ticket = await lockTicket(tx, company.id, body.ticketId)
    const today = dateIn(company.timeZone, context.clock.now())
    const dueOn = addDays(today, (await settingsOf(tx, company.id)).dueDays)
    const { message } = await transition(tx, ticketStateStore, {
      scope: company.id,
      id: ticket.id,
      locked: lockedTicket(ticket),
      event,
      actor: actorOf(call),
      reason,
      patch: event === 'uphold' ? { due_on: dueOn, counted_from: today } : {},
    })
    const contest = event === 'void' ? null : await lockContestOf(tx, call, ticket.id)
    if (contest) {
      const decision = event === 'uphold' ? ('upheld' as const) : ('dismissed' as const)
      await decide(tx, call, contest, decision)
      const owed = owedOf({ ...ticket, status: 'open' })
      const decisionText = decision === 'upheld' ? upheldMessage(reason, owed, dueOn) : dismissedMessage(reason)
      await notifyPerson(tx, call, contest, decisionText, () => decisionEmail(ticket.citation_number, decisionText))
    }
    // The paid amount may have changed during the contest, for example because the payer's bank returned a refund.
    if (event === 'uphold') await updateStatusFromPayments(tx, { ...ticket, status: 'open' }, context.clock.now())
    const paid = { kind: parkingTickets.kind, id: ticket.id, as: 'staff' as const }
    const retainedText = event === 'uphold' ? null : await retainedMessage(tx, company.id, paid)
    return { success: true as const, message: retainedText ? `${message} ${retainedText}` : message }
  })
})

/** Locks the contest of a ticket until the transaction ends. */
async function lockContestOf(tx: Tx, { company }: Call, ticketId: number): Promise<Contest | null> {
  const contest = await tx
    .selectFrom('parking_contest')
    .select('id')
    .where('company_id', '=', company.id)
    .where('ticket_id', '=', ticketId)
    .executeTakeFirst()
  return contest ? lockCase(tx, contests, company.id, contest.id) : null
}

async function decide(tx: Tx, call: Call, contest: Contest, decision: 'upheld' | 'dismissed'): Promise<void> {
  await changeRow(tx, 'parking_contest', call.company.id, contest.id, {
    decision,
    decided_at: call.context.clock.now(),
  })
  if (contest.item_id !== null) await cancelItem(tx, call.context, call.company.id, contest.item_id)
}

/** Adds the decision to the timeline and emails the person a link to the case. */
async function notifyPerson(
  tx: Tx,
  call: Call,
  contest: Contest,
  text: string,
  createEmail: () => ReturnType<typeof decisionEmail>,
) {
  const { context, company } = call
  const entry = { by: authorOf(call, contests), text, at: context.clock.now(), files: [] }
  await addMessage(tx, context, contests, contest, 'reply', entry)
  await emailPerson(tx, context, contests, company, contest, createEmail)
}

/** Sets or moves the hearing. The calendar shows the hearing with a length of 30 minutes. */
export const setHearingCall = implement(setHearing, (call) => {
  const { context, company } = call
  const { companyId: _named, ticketId, basis, ...own } = call.body
  return call.inCompany(async (tx) => {
    const ticket = await lockTicket(tx, company.id, ticketId)
    const contest = await lockContestOf(tx, call, ticket.id)
    if (!contest || contest.decided_at)
      throw conflict(
        'wrong_status',
        say`Ticket ${ticket.citation_number} is not contested, so you cannot schedule a hearing.`,
      )
    const edit: Edit = {
      ...{ tx, clock: context.clock, actor: call },
      ...{ company: company.id, subject: `parking_contest ${contest.id}` },
    }
    const now = hearingOf(company.timeZone, contest)
    const after = await mergeEdit(edit, { basis, own, now: { ...now } })
    const startsAt = instantAt(company.timeZone, after.hearingDate, after.hearingTime)
    const past = say`Choose a future day and time.`
    if (startsAt <= context.clock.now()) throw rejected(past, { hearingDate: past })
    const item = await putItem(tx, company.id, {
      id: contest.item_id,
      typeId: HEARING,
      title: say`Hearing ${contestNumber(contest.id)}, ticket ${ticket.citation_number}`,
      description: after.hearingLocation,
      startsAt,
      endsAt: new Date(startsAt.getTime() + HALF_AN_HOUR),
    })
    await changeRow(tx, 'parking_contest', company.id, contest.id, {
      hearing_at: startsAt,
      hearing_location: after.hearingLocation,
      item_id: item,
    })
    await recordChanges(edit, { ...now }, { ...after })
    const when = formatInstant(startsAt, company.timeZone)
    const hearingText = hearingMessage(when, after.hearingLocation)
    await notifyPerson(tx, call, contest, hearingText, () => hearingEmail(ticket.citation_number, hearingText))
    await call.audit(tx, {
      action: 'parking.hearing_set',
      subject: { kind: 'parking_ticket', id: ticket.citation_number },
      detail: { at: startsAt.toISOString(), location: after.hearingLocation },
    })
    const message =
      contest.email === ''
        ? say`The hearing is on ${when}. ${contest.name} did not provide an email. Notify them in writing or by phone.`
        : say`The hearing is on ${when}. We notified ${contest.name} by email.`
    return { success: true as const, message }
  })
})
