import { type Selectable, sql } from 'kysely'
import { type CaseKind, type CaseStep, defineCase } from '../../../server/cases/kinds.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { historyOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { caseActions } from '../../../shared/audit-actions.ts'
import { dateIn, timeIn } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { contestCase } from '../contract.ts'
import { contestNumber } from '../rules.ts'
import { ticketStates, type TicketStatus } from '../states.ts'
import { linkLabel, replyEmail, signature } from './emails.ts'

export type Contest = Selectable<Schema['parking_contest']>

/** Returns date, time and location of the hearing for the staff form. Each is empty if not set. */
export const hearingOf = (timeZone: string, { hearing_at, hearing_location }: Contest) => ({
  hearingDate: hearing_at ? dateIn(timeZone, hearing_at) : '',
  hearingTime: hearing_at ? timeIn(timeZone, hearing_at) : '',
  hearingLocation: hearing_location,
})

/** Labels and badge types of the decisions. */
const stands = {
  upheld: { label: 'Upheld', kind: 'attention' },
  dismissed: { label: 'Dismissed', kind: 'good' },
} as const

/**
 * Case type of a contest. A reply does not decide the contest, because the decision is a transition of the ticket (see
 * server/cases/kinds.ts).
 */
export const contests: CaseKind<Contest> = defineCase<Contest>({
  calls: contestCase,
  table: 'parking_contest',
  open: sql`r.decided_at IS NULL`,
  subject: 'parking_contest',
  audit: caseActions('contest'),
  texts: {
    notFound: 'This contest request was not found.',
    mayNotRead: 'cannot view contested parking tickets',
    linkExpired: 'This link is not valid or has expired. Please call the office.',
    full: 'You cannot add more messages here. Please call the office.',
  },
  numberOf: contestNumber,
  title: ({ citation_number }) => say`Ticket ${citation_number}`,
  state: ({ decision, hearing_at }) =>
    decision ? stands[decision] : { label: hearing_at ? say`Hearing scheduled` : say`In review`, kind: 'waiting' },
  person: ({ name, email, phone, person_id }) => ({ name, email, phone, id: person_id }),
  opening: ({ created_at, grounds }) => ({ at: created_at, text: grounds }),
  steps: stepsOf,
  noMessage: ({ decided_at }) =>
    decided_at ? say`This contest request has been decided. Please call the office.` : null,
  replyEmail: ({ citation_number }, text) => replyEmail(citation_number, text),
  signature,
  linkText: linkLabel,
  messagesPath: (secret) => `/parking-ticket-contest/${secret}`,
  staffPath: (_company, id) => `/municipality/manage/parking-tickets?contest=${id}`,
})

/** Returns the ticket's transitions since the contest. The person sees the decision but not the staff member's name. */
async function stepsOf(tx: Tx, { company_id, ticket_id, created_at }: Contest): Promise<CaseStep[]> {
  const steps = await historyOf(tx, ticketStates, company_id, ticket_id).where('at', '>=', created_at).execute()
  return steps.map(({ seq, at, to_state, event, actor_name, reason }) => ({
    id: seq,
    at,
    by: actor_name,
    label: labelOf(event, to_state as TicketStatus),
    reason: event === 'uphold' || event === 'dismiss' ? '' : reason,
    visibility: 'everyone',
  }))
}

const labelOf = (event: string, state: TicketStatus): string =>
  event === 'uphold' ? stands.upheld.label : event === 'dismiss' ? stands.dismissed.label : ticketStates.labels[state]
