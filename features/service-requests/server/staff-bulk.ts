import { runForEach } from '../../../server/bulk.ts'
import { type Handler, implement } from '../../../server/call.ts'
import { assignCalls } from '../../../server/cases/assign.ts'
import { lockCase } from '../../../server/cases/entries.ts'
import { replyCalls } from '../../../server/cases/reply.ts'
import { conflict } from '../../../server/errors.ts'
import type { Endpoint } from '../../../shared/endpoint.ts'
import { plural, say } from '../../../shared/messages.ts'
import { requestCase } from '../contract.ts'
import { assignRequests, changeCategories, completeRequests, markRequestsAsSpam } from '../contract-bulk.ts'
import { numberOf } from '../rules.ts'
import { requests } from './case.ts'
import { changeCategoryCall, expectOpen, markSpamCall } from './staff-steps.ts'

const handlerOf = (handlers: readonly Handler[], endpoint: Endpoint): Handler => {
  const handler = handlers.find((one) => one.endpoint === endpoint)
  if (!handler) throw new Error(`${endpoint.path} has no handler`)
  return handler
}
const assignCall = handlerOf(assignCalls(requests), requestCase.assign)
const replyCall = handlerOf(replyCalls(requests), requestCase.reply)

/** Calls that change several requests with the rules of the calls for one request. */
export const bulkCalls: readonly Handler[] = [
  implement(assignRequests, async (call) => {
    const { companyId, personId, departmentId } = call.body
    const result = await runForEach(call, assignCall, (subjectId) => ({ companyId, subjectId, personId, departmentId }))
    const { changed } = result
    const message = say`${plural(changed, 'One request was assigned.', '# requests were assigned.')}`
    return { success: true as const, message, ...result }
  }),
  implement(changeCategories, async (call) => {
    const { companyId, categoryId } = call.body
    const result = await runForEach(call, changeCategoryCall, async (subjectId, tx) => {
      const { category_id: from } = await lockCase(tx, requests, call.company.id, subjectId)
      return { companyId, subjectId, categoryId, from }
    })
    const { changed } = result
    const message = say`${plural(changed, 'One request was moved.', '# requests were moved.')}`
    return { success: true as const, message, ...result }
  }),
  implement(completeRequests, async (call) => {
    const { companyId, message: reply, updatedAt } = call.body
    const result = await runForEach(call, replyCall, async (subjectId, tx) => {
      const row = await lockCase(tx, requests, call.company.id, subjectId)
      expectOpen(row)
      if (row.updated_at.toISOString() !== updatedAt[subjectId])
        throw conflict('newer_message', say`${numberOf(row.id)} changed. Read the change, then complete the request.`)
      return { companyId, subjectId, message: reply, files: [], seen: row.last_message_id, complete: true }
    })
    const { changed } = result
    const message = say`${plural(changed, 'One request was completed.', '# requests were completed.')}`
    return { success: true as const, message, ...result }
  }),
  implement(markRequestsAsSpam, async (call) => {
    const { companyId } = call.body
    const result = await runForEach(call, markSpamCall, (subjectId) => ({ companyId, subjectId, spam: true }))
    const { changed } = result
    const message = say`${plural(changed, 'One request was marked as spam.', '# requests were marked as spam.')}`
    return { success: true as const, message, ...result }
  }),
]
