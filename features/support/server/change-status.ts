import { implement } from '../../../server/call.ts'
import { assignToCaller } from '../../../server/cases/assign.ts'
import { emailPerson } from '../../../server/cases/emails.ts'
import { transition, actorOf } from '../../../server/states.ts'
import { say } from '../../../shared/messages.ts'
import { changeRequestStatus } from '../contract.ts'
import { numberOf } from '../rules.ts'
import { supportStateStore, supportRequests } from './case.ts'
import { completedEmail } from './emails.ts'

/**
 * Changes the status. Starting work assigns the request to the actor. Emails the requester when the request is
 * completed.
 */
export const changeStatusCall = implement(changeRequestStatus, (call) => {
  const { context, company, body } = call
  const { subjectId, event, reason } = body
  return call.inCompany(async (tx) => {
    const request = { scope: company.id, id: subjectId, event, actor: actorOf(call), reason }
    const { locked, message } = await transition(tx, supportStateStore, request)
    if (event === 'start') await assignToCaller(tx, call, supportRequests, locked.row)
    if (event === 'complete') {
      const texted = () => say`your request ${numberOf(locked.id)} has been completed. See your email.`
      await emailPerson(tx, context, supportRequests, company, locked.row, () => completedEmail(locked.id), { texted })
    }
    return { success: true as const, message }
  })
})
