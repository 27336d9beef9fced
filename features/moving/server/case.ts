import { sql } from 'kysely'
import type { Call } from '../../../server/call.ts'
import { type CaseKind, defineCase } from '../../../server/cases/kinds.ts'
import { defineCaseStateStore, stateFrom, stepsFrom } from '../../../server/cases/states.ts'
import { conflict } from '../../../server/errors.ts'
import type { TransitionActor } from '../../../server/states.ts'
import { caseActions } from '../../../shared/audit-actions.ts'
import { say, translated } from '../../../shared/messages.ts'
import { moveCase } from '../contract.ts'
import { kindLabels, numberOf, staffPath } from '../rules.ts'
import { moveStates } from '../states.ts'
import { linkLabel, replyEmail, signature } from './emails.ts'
import type { Move } from './points.ts'
import { cancelReadingOrders } from './reads.ts'

/** Case of a move. Messages do not change the state of the move: staff complete it, and the requester withdraws it. */
export const moves: CaseKind<Move> = defineCase<Move>({
  calls: moveCase,
  table: 'move_request',
  open: sql`r.status = 'Pending'`,
  subject: 'move_request',
  audit: caseActions('move'),
  texts: {
    notFound: 'This move was not found.',
    mayNotRead: 'cannot view moves',
    linkExpired: 'This link is not valid or has expired. Please call the office.',
    full: 'You cannot add more messages here. Please call the office.',
  },
  numberOf,
  title: ({ kind }) => translated(kindLabels[kind as 1 | 2 | 3]),
  state: stateFrom(moveStates),
  person: ({ name, email, phone, person_id }) => ({ name, email, phone, id: person_id }),
  opening: ({ created_at, note, kind }) => ({
    at: created_at,
    text: note || translated(kindLabels[kind as 1 | 2 | 3]),
  }),
  steps: stepsFrom(moveStates, ['Completed', 'Withdrawn']),
  replyEmail: ({ id }, text) => replyEmail(id, text),
  signature,
  linkText: linkLabel,
  messagesPath: (secret) => `/relocate/request/${secret}`,
  staffPath: (_company, id) => staffPath(id),
})

/** Dependencies that a transition's effects need. */
type MoveDeps = Pick<Call, 'company' | 'context'>

export const moveStateStore = defineCaseStateStore(moves, moveStates, {
  guard: {
    complete: async (_tx, { locked: { row } }) => {
      if (row.owner_answer === 'refused')
        throw conflict(
          'refused',
          say`The owner did not agree to move request ${row.number}. The requester must withdraw it.`,
        )
    },
  },
  effects: {
    withdraw: async (tx, { locked: { row } }, deps: MoveDeps) => {
      await cancelReadingOrders(tx, deps, row)
      // Deletes the owner's link, because the move no longer needs the owner's agreement.
      await tx
        .deleteFrom('move_owner_link')
        .where('company_id', '=', deps.company.id)
        .where('move_id', '=', row.id)
        .execute()
    },
  },
})

/** Returns the requester as the actor. An emailed link has no session, so the name comes from the move. */
export const requesterOf = (call: Call, { name, person_id }: Pick<Move, 'name' | 'person_id'>): TransitionActor => ({
  as: 'requester',
  caller: call,
  clock: call.context.clock,
  person: { id: person_id, name },
})
