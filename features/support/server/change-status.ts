import { implement } from '../../../server/call.ts'
import { take } from '../../../server/cases/assign.ts'
import { authorOf, lockCase } from '../../../server/cases/entries.ts'
import { mailPerson } from '../../../server/cases/letters.ts'
import { rejected } from '../../../server/errors.ts'
import { changeRequestStatus, REASON_REQUIRED, reasonForm } from '../contract.ts'
import { numberOf, statuses } from '../rules.ts'
import { supportRequests } from './case.ts'
import { completedLetter } from './letters.ts'
import { changeStatus } from './status.ts'

/** Whoever starts work has the request from then on. Invalid wants a reason, which stays among the staff; of a completion the person is told by mail. */
export const changeStatusCall = implement(changeRequestStatus, (call) => {
  const { house, company, body } = call
  const { status, reason = '' } = body
  return call.inCompany(async (tx) => {
    const request = await lockCase(tx, supportRequests, company.id, body.subjectId)
    const given = { by: authorOf(call, supportRequests), at: house.clock.now(), reason }
    await changeStatus(tx, company.id, request, status, given)
    if (status === 4 && !reasonForm.safeParse({ reason }).success)
      throw rejected(REASON_REQUIRED, { reason: REASON_REQUIRED })
    if (status === 2) await mailPerson(tx, house, supportRequests, company, request, completedLetter(request.id))
    const detail = { from: statuses[request.status], to: statuses[status], ...(reason && { reason }) }
    await call.audit(tx, {
      action: 'support.status_changed',
      subject: { kind: 'support_request', id: numberOf(request.id) },
      detail,
    })
    const said = `${numberOf(request.id)} is ${statuses[status]} now`
    if (status !== 1) return { success: true as const, message: `${said}.` }
    await take(tx, call, supportRequests, request)
    return { success: true as const, message: `${said}, and assigned to you.` }
  })
})
