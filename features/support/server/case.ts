import { type Selectable, sql } from 'kysely'
import type { Call } from '../../../server/call.ts'
import { assignToCaller } from '../../../server/cases/assign.ts'
import { type CaseKind, defineCase } from '../../../server/cases/kinds.ts'
import { defineCaseStateStore, stateFrom, stepsFrom } from '../../../server/cases/states.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { transition, actorOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { caseActions } from '../../../shared/audit-actions.ts'
import { say } from '../../../shared/messages.ts'
import { supportCase } from '../contract.ts'
import { categories, numberOf } from '../rules.ts'
import { requestStates } from '../states.ts'
import { linkText, replyEmail, signature } from './emails.ts'
import { caseStatus } from '../../../shared/cases.ts'
import { litList } from '../../../server/list-sql.ts'

export type Request = Selectable<Schema['support_request']>

/** SQL condition for open requests. Must equal the condition of the partial indexes in the migration. */
export const OPEN = sql`r.status IN (${litList([caseStatus.new, caseStatus.inProgress, caseStatus.reopened])})`

/** Case definition of support requests. See server/cases/kinds.ts for the fields. */
export const supportRequests: CaseKind<Request> = defineCase<Request>({
  calls: supportCase,
  table: 'support_request',
  open: OPEN,
  subject: 'support_request',
  audit: caseActions('support'),
  texts: {
    notFound: 'This support request was not found.',
    mayNotRead: 'cannot view support requests',
    linkExpired: 'This link is not valid or has expired. Please enter a new support request.',
    full: 'This support request has reached the maximum number of messages. Please enter a new support request.',
  },
  numberOf,
  title: ({ category }) => categories[category],
  state: stateFrom(requestStates),
  person: ({ name, email, phone, person_id }) => ({ name, email, phone, id: person_id }),
  opening: ({ created_at, message }) => ({ at: created_at, text: message }),
  steps: stepsFrom(requestStates),
  noReply: ({ id, status }) =>
    status === caseStatus.invalid
      ? say`You cannot reply to support request ${numberOf(id)} because its status is “Invalid”.`
      : null,
  noMessage: ({ id, status }) =>
    status === caseStatus.invalid
      ? say`Support request ${numberOf(id)} is closed. Please enter a new support request.`
      : null,
  // Support staff sign replies with their first names.
  publicName: (name) => name.split(' ')[0] ?? '',
  onReply: startOnReply,
  onMessage: async (tx, call, row) => {
    if (row.status !== caseStatus.completed) return
    // A requester with an emailed link is usually not signed in, so the name comes from the request.
    const person = { id: null, name: row.name }
    const actor = { as: 'requester' as const, caller: call, clock: call.context.clock, person }
    await transition(tx, supportStateStore, { scope: call.company.id, id: row.id, event: 'reopen', actor })
  },
  reopens: ({ status }) => status === caseStatus.completed,
  replyEmail: ({ id }, text, complete) => replyEmail(id, text, complete),
  signature,
  linkText,
  messagesPath: (secret) => `/support/${secret}`,
  staffPath: (company, id) => `/admin/support?request=${company}.${id}`,
})

export const supportStateStore = defineCaseStateStore(supportRequests, requestStates)

/**
 * Updates the status when staff reply: starts the request or completes it. If work starts on an unassigned request,
 * assigns it to the author.
 */
async function startOnReply(tx: Tx, call: Call, row: Request, complete: boolean) {
  const { labels } = requestStates
  const waits = row.status === caseStatus.new || row.status === caseStatus.reopened
  const event = complete && row.status !== caseStatus.completed ? 'complete' : waits ? 'start' : null
  if (!event) return { status: labels[row.status] }
  const { to } = await transition(tx, supportStateStore, {
    scope: call.company.id,
    id: row.id,
    event,
    actor: actorOf(call),
  })
  if (event === 'start' && row.assigned_to === null) await assignToCaller(tx, call, supportRequests, row)
  return { status: labels[to] }
}
