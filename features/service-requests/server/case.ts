import type { Call } from '../../../server/call.ts'
import { take } from '../../../server/cases/assign.ts'
import { type CaseKind, defineCase } from '../../../server/cases/kinds.ts'
import { keepCaseStates, stateFrom, stepsFrom } from '../../../server/cases/states.ts'
import { mailPerson } from '../../../server/cases/letters.ts'
import type { Company } from '../../../server/hosts.ts'
import type { House } from '../../../server/house.ts'
import type { Letter } from '../../../server/notices/notice.ts'
import { move, type Who, whoOf } from '../../../server/states.ts'
import type { EventOf } from '../../../shared/machine.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { caseActions } from '../../../shared/audit-actions.ts'
import { say } from '../../../shared/words.ts'
import { requestCase } from '../contract.ts'
import { numberOf } from '../rules.ts'
import { requestStates } from '../states.ts'
import { tellFollowers } from './followers.ts'
import {
  completedLetter,
  invalidLetter,
  linkWords,
  reopenedLetter,
  replyLetter,
  signature,
  startedLetter,
} from './letters.ts'
import { countStep } from './request-sums.ts'
import { type Request, mayReopen, OPEN } from './row.ts'
import { settingsOf } from './settings.ts'

/** The conversation around a request (server/cases/kinds.ts says what each of these is). */
export const requests: CaseKind<Request> = defineCase<Request>({
  calls: requestCase,
  table: 'service_request',
  open: OPEN,
  subject: 'service_request',
  audit: caseActions('request'),
  words: {
    notFound: 'This request was not found.',
    mayNotRead: 'may not read requests',
    linkOver: 'This link is not known, or it is too old. Please send a new request.',
    full: 'This conversation is full. Please send a new request.',
  },
  numberOf,
  title: ({ title, place }) => (place === '' ? title : `${title}, ${place}`),
  state: stateFrom(requestStates),
  person: ({ name, email, phone, person_id }) => ({ name, email, phone, id: person_id }),
  opening: ({ created_at, description, title }) => ({ at: created_at, text: description || title }),
  // Whoever asked follows every step; why it was taken stays among the staff.
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
    const { house, company } = call
    const who = requesterOf(call, row)
    await moveRequest(tx, { house, company, who }, { id: row.id, event: 'reopen', tell: false })
  },
  reopens: mayReopen,
  replyLetter: ({ id }, text, complete) => replyLetter(id, text, complete),
  signature,
  linkWords,
  conversationPath: (secret) => `/communication/request/${secret}`,
  staffPath: (_company, id) => `/municipality/manage/customer-communication?request=${id}`,
})

export const keptRequests = keepCaseStates(requests, requestStates, {
  then: async (tx, { held, ...step }) => countStep(tx, held.row, step),
})

/** Whoever answers takes the request into work, and has it where nobody had. The answer itself tells the person. */
async function takeIntoWork(tx: Tx, call: Call, row: Request, complete: boolean) {
  const { labels } = requestStates
  const waits = row.status === 0 || row.status === 3
  const event = complete && requestStates.states[row.status].open ? 'complete' : waits ? 'start' : null
  if (!event) return { status: labels[row.status] }
  const { house, company } = call
  const { to } = await moveRequest(tx, { house, company, who: whoOf(call) }, { id: row.id, event, tell: 'followers' })
  if (event === 'start' && row.assigned_to === null) await take(tx, call, requests, row)
  return { status: labels[to] }
}

type RequestEvent = EventOf<typeof requestStates>

/** Whoever asked takes the step; behind a mailed link nobody is signed in, so the name is the one of the request. */
export const requesterOf = (call: Call, { name, person_id }: Pick<Request, 'name' | 'person_id'>): Who => ({
  as: 'requester',
  doer: call,
  clock: call.house.clock,
  known: { id: person_id, name },
})

interface Moved {
  id: number
  event: RequestEvent
  reason?: string | undefined
  /** Who is mailed of it: everybody, `followers` where the person hears by another mail, or nobody. */
  tell?: true | false | 'followers'
}

const DAY = 86_400_000

/**
 * The one way in which a request takes a step: it moves, and whoever asked and whoever follows hear of it, in the same
 * transaction. The staff's screen, an answer, the person's own page and a work order all end here.
 */
export async function moveRequest(
  tx: Tx,
  { house, company, who }: { house: House; company: Company; who: Who },
  { id, event, reason, tell = true }: Moved,
) {
  const moved = await move(tx, keptRequests, { place: company.id, id, event, who, reason })
  const { row } = moved.held
  if (event === 'complete') {
    const { reopenDays } = await settingsOf(tx, company.id)
    await tx
      .updateTable('service_request')
      .set({ reopen_until: new Date(moved.at.getTime() + reopenDays * DAY) })
      .where('company_id', '=', company.id)
      .where('id', '=', id)
      .execute()
  }
  const letter = letterOf(event, id, reason ?? '')
  if (tell === true && letter && who.as !== 'requester') {
    const texted = () => (event === 'complete' ? say`your request ${numberOf(id)} is completed. See your email.` : null)
    await mailPerson(tx, house, requests, company, row, () => letter, { texted })
  }
  if (tell !== false) await tellFollowers(tx, house, company, { ...row, status: moved.to })
  return moved
}

/** What the person is told of a step; nothing of those that they take, and of what has a mail of its own. */
function letterOf(event: RequestEvent, id: number, reason: string): Letter | null {
  if (event === 'start') return startedLetter(id)
  if (event === 'complete') return completedLetter(id)
  if (event === 'reopen' || event === 'separate') return reopenedLetter(id)
  if (event === 'invalidate') return invalidLetter(id, reason)
  return null
}
