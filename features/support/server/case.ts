import { type Selectable, sql } from 'kysely'
import type { Call } from '../../../server/call.ts'
import { take } from '../../../server/cases/assign.ts'
import { authorOf } from '../../../server/cases/entries.ts'
import { defineCase } from '../../../server/cases/kinds.ts'
import type { Schema } from '../../../server/db/schema.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { supportCase } from '../contract.ts'
import { categories, numberOf, statuses, statusKinds, type Status } from '../rules.ts'
import { linkWords, replyLetter, signature } from './letters.ts'
import { changeStatus } from './status.ts'

export type Request = Selectable<Schema['support_request']>

/** As the migration's partial indexes have it. */
export const OPEN = sql`r.status IN (0, 1, 3)`

/** The conversation around a support request (server/cases/kinds.ts says what each of these is). */
export const supportRequests = defineCase<Request>({
  calls: supportCase,
  table: 'support_request',
  open: OPEN,
  subject: 'support_request',
  audit: {
    answered: 'support.answered',
    noted: 'support.noted',
    assigned: 'support.assigned',
    followedUp: 'support.followed_up',
    answersChanged: 'support.answers_changed',
  },
  words: {
    notFound: 'This support request was not found.',
    mayNotRead: 'may not read support requests',
    linkOver: 'This link is not known, or it is too old. Please enter a new support request.',
    full: 'This conversation is full. Please enter a new support request.',
  },
  numberOf,
  title: ({ category }) => categories[category],
  state: ({ status }) => ({ label: statuses[status], kind: statusKinds[status] }),
  person: ({ name, email, phone }) => ({ name, email, phone }),
  opening: ({ created_at, message }) => ({ at: created_at, text: message }),
  steps: stepsOf,
  noReply: ({ id, status }) => (status === 4 ? `${numberOf(id)} is Invalid now, so it gets no answer.` : null),
  noMessage: ({ id, status }) =>
    status === 4 ? `${numberOf(id)} is closed. Please enter a new support request.` : null,
  // The support answers by first names.
  publicName: (name) => name.split(' ')[0] ?? '',
  onReply: takeIntoWork,
  onMessage: async (tx, call, row) => {
    // What was completed is open again.
    const by = { kind: 'person' as const, id: null, name: row.name }
    if (row.status === 2) await changeStatus(tx, call.company.id, row, 3, { by, at: call.house.clock.now() })
  },
  reopens: ({ status }) => status === 2,
  replyLetter: ({ id }, text, complete) => replyLetter(id, text, complete),
  signature,
  linkWords,
  conversationPath: (secret) => `/support/${secret}`,
  staffPath: (company, id) => `/admin/support?request=${company}.${id}`,
})

/** Whoever answers takes the request into work, and has it where nobody had. */
async function takeIntoWork(tx: Tx, call: Call, row: Request, complete: boolean) {
  const given = { by: authorOf(call, supportRequests), at: call.house.clock.now() }
  let { status } = row
  const step = async (to: Status) => {
    await changeStatus(tx, call.company.id, { id: row.id, status }, to, given)
    status = to
  }
  if (complete && status !== 2) await step(2)
  else if (status === 0 || status === 3) {
    await step(1)
    if (row.assigned_to === null) await take(tx, call, supportRequests, row)
  }
  return { status: statuses[status] }
}

/** The steps of a request; why they were made stays among the staff, and so do they. */
async function stepsOf(tx: Tx, { company_id, id }: Request) {
  const steps = await tx
    .selectFrom('support_status_history')
    .select(['id', 'at', 'to_status', 'actor_name', 'reason'])
    .where('company_id', '=', company_id)
    .where('request_id', '=', id)
    .where('from_status', '>=', 0)
    .orderBy('id')
    .execute()
  return steps.map(({ id: step, at, to_status, actor_name, reason }) => ({
    ...{ id: step, at, by: actor_name, label: statuses[to_status], reason },
    visibility: 'staff' as const,
  }))
}
