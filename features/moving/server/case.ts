import { sql } from 'kysely'
import type { Call } from '../../../server/call.ts'
import { type CaseKind, defineCase } from '../../../server/cases/kinds.ts'
import { keepCaseStates, stateFrom, stepsFrom } from '../../../server/cases/states.ts'
import type { TransitionActor } from '../../../server/states.ts'
import { caseActions } from '../../../shared/audit-actions.ts'
import { translated } from '../../../shared/words.ts'
import { moveCase } from '../contract.ts'
import { kindLabels, numberOf } from '../rules.ts'
import { moveStates } from '../states.ts'
import { linkWords, replyLetter, signature } from './emails.ts'
import type { Move } from './points.ts'

/** Where staff find a move. */
export const staffPath = (id: number): string => `/municipality/reports/move-in-out?move=${id}`

/** The conversation around a move. What is said changes no state: staff complete it, and whoever asked withdraws it. */
export const moves: CaseKind<Move> = defineCase<Move>({
  calls: moveCase,
  table: 'move_request',
  open: sql`r.status = 'Pending'`,
  subject: 'move_request',
  audit: caseActions('move'),
  words: {
    notFound: 'This move was not found.',
    mayNotRead: 'may not read moves',
    linkOver: 'This link is not known, or it is too old. Please call the office.',
    full: 'This conversation is full. Please call the office.',
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
  replyLetter: ({ id }, text) => replyLetter(id, text),
  signature,
  linkWords,
  conversationPath: (secret) => `/relocate/request/${secret}`,
  staffPath: (_company, id) => staffPath(id),
})

export const keptMoves = keepCaseStates(moves, moveStates)

/** Whoever asked takes the step; behind a mailed link nobody is signed in, so the name is the one of the move. */
export const requesterOf = (call: Call, { name, person_id }: Pick<Move, 'name' | 'person_id'>): TransitionActor => ({
  as: 'requester',
  actor: call,
  clock: call.context.clock,
  known: { id: person_id, name },
})
