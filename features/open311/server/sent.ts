import { implement } from '../../../server/call.ts'
import { lockCase } from '../../../server/cases/entries.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import { numberOf } from '../../service-requests/rules.ts'
import { requests } from '../../service-requests/api.ts'
import { retrySending, requestAtPortal } from '../contract.ts'
import { keep } from './send.ts'

const find = (tx: Tx, company: CompanyId, request: number) =>
  tx
    .selectFrom('open311_sent_request as s')
    .innerJoin('open311_portal as p', (on) =>
      on.onRef('p.company_id', '=', 's.company_id').onRef('p.id', '=', 's.portal_id'),
    )
    .selectAll('s')
    .select(['p.name', 'p.removed_at'])
    .where('s.company_id', '=', company)
    .where('s.request_id', '=', request)
    .executeTakeFirst()
type SentRequest = NonNullable<Awaited<ReturnType<typeof find>>>

const mayRetry = ({ state, removed_at }: SentRequest): boolean =>
  removed_at === null && (state === 'refused' || state === 'abandoned')

const requestAtPortalCall = implement(requestAtPortal, (call) =>
  call.reading(async (tx) => {
    const row = await find(tx, call.company.id, call.body.subjectId)
    if (!row) return { sent: null, can: { retry: false } }
    return {
      sent: {
        portal: row.name,
        state: row.state,
        theirId: row.portal_request_id,
        theirStatus: row.portal_status,
        problem: row.problem,
        nextAt: row.next_at.toISOString(),
      },
      can: { retry: mayRetry(row) && may(call.session?.privileges ?? {}, 'requests', 'update') },
    }
  }),
)

const retrySendingCall = implement(retrySending, (call) =>
  call.inCompany(async (tx) => {
    const { context, company, body } = call
    await lockCase(tx, requests, company.id, body.subjectId)
    const row = await find(tx, company.id, body.subjectId)
    if (!row) throw notFound('This request was not sent to another portal.')
    if (!mayRetry(row))
      throw conflict(
        'wrong_status',
        say`You cannot send this request again because it is already being sent to ${row.name} or has arrived.`,
      )
    const now = context.clock.now()
    const state = row.token !== '' && row.portal_request_id === '' ? 'token' : 'waiting'
    await keep(tx, row, { state, tries: 0, next_at: now, began_at: now, problem: '' })
    const subject = { kind: 'service_request' as const, id: numberOf(body.subjectId) }
    await call.audit(tx, { action: 'request.sent_again', subject, detail: { portal: row.name } })
    return { success: true as const, message: say`The request will be sent to ${row.name} again within one minute.` }
  }),
)

export const sentCalls = [requestAtPortalCall, retrySendingCall]
