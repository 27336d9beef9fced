import type { Call } from '../../../server/call.ts'
import { take } from '../../../server/cases/assign.ts'
import { type CaseKind, defineCase } from '../../../server/cases/kinds.ts'
import { defineCaseStateStore, stateFrom, stepsFrom } from '../../../server/cases/states.ts'
import { mailPerson } from '../../../server/cases/emails.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Letter } from '../../../server/notices/notice.ts'
import { transition, type TransitionActor, actorOf } from '../../../server/states.ts'
import type { EventOf } from '../../../shared/machine.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { caseActions } from '../../../shared/audit-actions.ts'
import { say } from '../../../shared/words.ts'
import { requestCase } from '../contract.ts'
import { numberOf } from '../rules.ts'
import { requestStates } from '../states.ts'
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
    mayNotRead: 'may not read requests',
    linkOver: 'This link is not known, or it is too old. Please send a new request.',
    full: 'This conversation is full. Please send a new request.',
  },
  numberOf,
  title: ({ title, location }) => (location === '' ? title : `${title}, ${location}`),
  state: stateFrom(requestStates),
  person: ({ name, email, phone, person_id }) => ({ name, email, phone, id: person_id }),
  opening: ({ created_at, description, title }) => ({ at: created_at, text: description || title }),
  // The requester sees every status change. The reasons are visible only to staff.
  steps: stepsFrom(requestStates, [1, 2, 3, 4, 5]),
  noReply: ({ id, status }) =>
    status === 5 ? say`${numberOf(id)} was cancelled by whoever sent it, so it gets no answer.` : null,
  noMessage: (row, now) =>
    row.status === 4 || row.status === 5 || (row.status === 2 && !mayReopen(row, now))
      ? say`${numberOf(row.id)} is closed. Please send a new request.`
      : null,
  publicName: (name) => name,
  onReply: takeIntoWork,
  onMessage: async (tx, call, row) => {
    if (row.status !== 2) return
    const { context, company } = call
    const actor = requesterOf(call, row)
    await moveRequest(tx, { context, company, actor }, { id: row.id, event: 'reopen', tell: false })
  },
  reopens: mayReopen,
  replyEmail: ({ id }, text, complete) => replyEmail(id, text, complete),
  signature,
  linkText: linkLabel,
  conversationPath: (secret) => `/communication/request/${secret}`,
  staffPath: (_company, id) => `/municipality/manage/customer-communication?request=${id}`,
})

export const requestStateStore = defineCaseStateStore(requests, requestStates, {
  effects: { every: async (tx, { locked, ...step }) => countStep(tx, locked.row, step) },
})

/**
 * Moves a request into work on a reply and assigns it to the author if unassigned. The reply itself notifies the
 * requester.
 */
async function takeIntoWork(tx: Tx, call: Call, row: Request, complete: boolean) {
  const { labels } = requestStates
  const waits = row.status === 0 || row.status === 3
  const event = complete && requestStates.states[row.status].open ? 'complete' : waits ? 'start' : null
  if (!event) return { status: labels[row.status] }
  const { context, company } = call
  const { to } = await moveRequest(
    tx,
    { context, company, actor: actorOf(call) },
    { id: row.id, event, tell: 'followers' },
  )
  if (event === 'start' && row.assigned_to === null) await take(tx, call, requests, row)
  return { status: labels[to] }
}

type RequestEvent = EventOf<typeof requestStates>

/** Requester as the actor. No one is signed in behind an emailed link, so the name comes from the request. */
export const requesterOf = (call: Call, { name, person_id }: Pick<Request, 'name' | 'person_id'>): TransitionActor => ({
  as: 'requester',
  caller: call,
  clock: call.context.clock,
  person: { id: person_id, name },
})

interface RequestTransition {
  id: number
  event: RequestEvent
  reason?: string | undefined
  /** Recipients of the email: all, only `followers` if the requester gets another email, or none. */
  tell?: true | false | 'followers'
}

const DAY = 86_400_000

/**
 * Changes the status of a request and notifies the requester and followers in the same transaction. All callers use
 * this function: staff, replies, the requester's page and work orders.
 */
export async function moveRequest(
  tx: Tx,
  { context, company, actor }: { context: AppContext; company: Company; actor: TransitionActor },
  { id, event, reason, tell = true }: RequestTransition,
) {
  const moved = await transition(tx, requestStateStore, { scope: company.id, id, event, actor, reason })
  const { row } = moved.locked
  if (event === 'complete') {
    const { reopenDays } = await settingsOf(tx, company.id)
    await tx
      .updateTable('service_request')
      .set({ reopen_until: new Date(moved.at.getTime() + reopenDays * DAY) })
      .where('company_id', '=', company.id)
      .where('id', '=', id)
      .execute()
  }
  const emailContent = emailOf(event, id, reason ?? '')
  if (tell === true && emailContent && actor.as !== 'requester') {
    const texted = () => (event === 'complete' ? say`your request ${numberOf(id)} is completed. See your email.` : null)
    await mailPerson(tx, context, requests, company, row, () => emailContent, { texted })
  }
  if (tell !== false) await notifyFollowers(tx, context, company, { ...row, status: moved.to })
  return moved
}

/** Email to the requester about a transition. Null for their own transitions and for those with a separate email. */
function emailOf(event: RequestEvent, id: number, reason: string): Letter | null {
  if (event === 'start') return startedEmail(id)
  if (event === 'complete') return completedEmail(id)
  if (event === 'reopen' || event === 'separate') return reopenedEmail(id)
  if (event === 'invalidate') return invalidRequestEmail(id, reason)
  return null
}
