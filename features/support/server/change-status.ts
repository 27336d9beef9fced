import { implement } from '../../../server/call.ts'
import { take } from '../../../server/cases/assign.ts'
import { mailPerson } from '../../../server/cases/emails.ts'
import { transition, actorOf } from '../../../server/states.ts'
import { say } from '../../../shared/words.ts'
import { changeRequestStatus } from '../contract.ts'
import { numberOf } from '../rules.ts'
import { keptRequests, supportRequests } from './case.ts'
import { completedLetter } from './emails.ts'

/** Changes the status. Starting work assigns the request to the actor. Completion is emailed to the requester. */
export const changeStatusCall = implement(changeRequestStatus, (call) => {
  const { context, company, body } = call
  const { subjectId, event, reason } = body
  return call.inCompany(async (tx) => {
    const wish = { place: company.id, id: subjectId, event, who: actorOf(call), reason }
    const { held, message } = await transition(tx, keptRequests, wish)
    if (event === 'start') await take(tx, call, supportRequests, held.row)
    if (event === 'complete') {
      const texted = () => say`your request ${numberOf(held.id)} is completed. See your email.`
      await mailPerson(tx, context, supportRequests, company, held.row, () => completedLetter(held.id), { texted })
    }
    return { success: true as const, message }
  })
})
