import type { Call } from '../../../server/call.ts'
import { assignToCaller } from '../../../server/cases/assign.ts'
import { type CaseKind, defineCase } from '../../../server/cases/kinds.ts'
import { type CaseTransition, defineCaseStateStore, stateFrom, stepsFrom } from '../../../server/cases/states.ts'
import { emailPerson } from '../../../server/cases/emails.ts'
import { changeRow } from '../../../server/db/rows.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { EmailTemplate } from '../../../server/notices/notice.ts'
import { transition, type TransitionActor, actorOf } from '../../../server/states.ts'
import type { EventOf } from '../../../shared/machine.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { caseActions } from '../../../shared/audit-actions.ts'
import { say } from '../../../shared/messages.ts'
import { requestCase } from '../contract.ts'
import { numberOf, requestStatus } from '../rules.ts'
import { requestStates, type RequestStatus } from '../states.ts'
import { notifyFollowers } from './followers.ts'
import {
  completedEmail,
  invalidRequestEmail,
  linkLabel,
  reopenedEmail,
  replyEmail,
  signature,
  startedEmail,
} from './emails.ts'
import { countStep } from './request-sums.ts'
import { type Request, mayReopen, OPEN } from './row.ts'
import { settingsOf } from './settings.ts'

/** Case definition of requests. See server/cases/kinds.ts for the fields. */
export const requests: CaseKind<Request> = defineCase<Request>({
  calls: requestCase,
  table: 'service_request',
  open: OPEN,
  subject: 'service_request',
  audit: caseActions('request'),
  texts: {
    notFound: 'This request was not found.',
    mayNotRead: 'cannot view requests',
    linkExpired: 'This link is incorrect or has expired. Please submit a new request.',
    full: 'You cannot add more messages to this request. Please submit a new request.',
  },
  numberOf,
  title: ({ title, location }) => (location === '' ? title : `${title}, ${location}`),
  state: stateFrom(requestStates),
  person: ({ name, email, phone, person_id }) => ({ name, email, phone, id: person_id }),
  opening: ({ created_at, description, title }) => ({ at: created_at, text: description || title }),
  // The requester sees every status change in the timeline. Only staff see the reasons there.
  steps: stepsFrom(
    requestStates,
    requestStates.names.filter((status) => status !== requestStatus.new),
  ),
  noReply: ({ id, status }) =>
    status === requestStatus.cancelled
      ? say`You cannot reply because the requester cancelled request ${numberOf(id)}.`
      : null,
  noMessage: (row, now) =>
    row.status === requestStatus.invalid ||
    row.status === requestStatus.cancelled ||
    (row.status === requestStatus.completed && !mayReopen(row, now))
      ? say`Request ${numberOf(row.id)} is closed. Please submit a new request.`
      : null,
  publicName: (name) => name,
  onReply: startOnReply,
  onMessage: async (tx, call, row) => {
    if (row.status !== requestStatus.completed) return
    await transition(tx, requestStateStore, {
      scope: call.company.id,
      id: row.id,
      event: 'reopen',
      actor: requesterOf(call, row),
      deps: { context: call.context, company: call.company, recipients: 'nobody' },
    })
  },
  reopens: mayReopen,
  replyGroup: ({ category_id }) => String(category_id),
  replyEmail: ({ id }, text, complete) => replyEmail(id, text, complete),
  signature,
  linkText: linkLabel,
  messagesPath: (secret) => `/communication/request/${secret}`,
  staffPath: (_company, id) => `/municipality/manage/customer-communication?request=${id}`,
})

/** Dependencies that the side effects of a transition need. */
export interface RequestDeps {
  context: AppContext
  company: Company
  /**
   * Recipients of the status email. Defaults to everyone. Use `followers` if the requester receives a different email.
   */
  recipients?: 'everyone' | 'followers' | 'nobody'
}
type RequestTransition = CaseTransition<RequestStatus, EventOf<typeof requestStates>, Request>

export const requestStateStore = defineCaseStateStore(requests, requestStates, {
  effects: {
    every: async (tx, { locked, ...step }) => countStep(tx, locked.row, step),
    start: (tx, step, deps: RequestDeps) => notifyOf(tx, deps, step, startedEmail(step.locked.id)),
    complete: async (tx, step, deps) => {
      await allowReopening(tx, step)
      await notifyOf(tx, deps, step, completedEmail(step.locked.id))
    },
    reopen: (tx, step, deps) => notifyOf(tx, deps, step, reopenedEmail(step.locked.id)),
    separate: (tx, step, deps) => notifyOf(tx, deps, step, reopenedEmail(step.locked.id)),
    invalidate: (tx, step, deps) => notifyOf(tx, deps, step, invalidRequestEmail(step.locked.id, step.reason)),
    cancel: (tx, step, deps) => notifyOf(tx, deps, step, null),
    spam: (tx, step) => markAsSpam(tx, step, true),
    not_spam: (tx, step) => markAsSpam(tx, step, false),
  },
})

const DAY = 86_400_000

async function allowReopening(tx: Tx, { scope, locked, at }: RequestTransition): Promise<void> {
  const { reopenDays } = await settingsOf(tx, scope as CompanyId)
  await changeRow(tx, 'service_request', scope, locked.id, {
    reopen_until: new Date(at.getTime() + reopenDays * DAY),
  })
}

const markAsSpam = async (tx: Tx, { scope, locked }: RequestTransition, is_spam: boolean): Promise<void> =>
  void (await changeRow(tx, 'service_request', scope, locked.id, { is_spam }))

/** Emails the followers and the requester. Skips the requester if they made the change. */
async function notifyOf(
  tx: Tx,
  { context, company, recipients = 'everyone' }: RequestDeps,
  { locked: { row }, to, event, actor }: RequestTransition,
  email: EmailTemplate | null,
): Promise<void> {
  if (recipients === 'nobody') return
  if (recipients === 'everyone' && email && actor.as !== 'requester') {
    const texted = () =>
      event === 'complete' ? say`your request ${numberOf(row.id)} has been completed. See your email.` : null
    await emailPerson(tx, context, requests, company, row, () => email, { texted })
  }
  await notifyFollowers(tx, context, company, { ...row, status: to })
}

/**
 * Starts work on a request after a staff reply, or completes the request. Assigns an unassigned request to the author
 * of the reply. The reply itself notifies the requester.
 */
async function startOnReply(tx: Tx, call: Call, row: Request, complete: boolean) {
  // The portal emails the answer. Without an email address, staff must call.
  if (row.email === '' && row.phone !== '')
    await changeRow(tx, 'service_request', row.company_id, row.id, { call_back_since: call.context.clock.now() })
  const { labels } = requestStates
  const waits = row.status === requestStatus.new || row.status === requestStatus.reopened
  const event = complete && requestStates.states[row.status].open ? 'complete' : waits ? 'start' : null
  if (!event) return { status: labels[row.status] }
  const { to } = await transition(tx, requestStateStore, {
    scope: call.company.id,
    id: row.id,
    event,
    actor: actorOf(call),
    deps: { context: call.context, company: call.company, recipients: 'followers' },
  })
  if (event === 'start' && row.assigned_to === null) await assignToCaller(tx, call, requests, row)
  return { status: labels[to] }
}

/** Returns the requester as the actor. An emailed link works without a sign-in, so the name comes from the request. */
export const requesterOf = (call: Call, { name, person_id }: Pick<Request, 'name' | 'person_id'>): TransitionActor => ({
  as: 'requester',
  caller: call,
  clock: call.context.clock,
  person: { id: person_id, name },
})
