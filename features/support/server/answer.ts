import { type Call, implement, signedIn } from '../../../server/call.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { changeRequestStatus, noteOnRequest, REASON_REQUIRED, reasonForm, replyToRequest } from '../contract.ts'
import { numberOf, statuses } from '../rules.ts'
import { completedLetter, mailTo, replyLetter } from './letters.ts'
import { addMessage, changeStatus, type Doer, lockRequest, type Request } from './queries.ts'

/** Whoever of the platform calls. */
function doerOf(call: Call): Doer {
  const { personId, firstName, lastName } = signedIn(call)
  return { kind: 'platform', id: personId, name: `${firstName} ${lastName}`.trim() }
}

/** Gives the request to whoever calls. */
async function take(tx: Tx, call: Call, { id, assigned_to }: Request): Promise<void> {
  const { id: me, name } = doerOf(call)
  if (assigned_to === me) return
  await tx
    .updateTable('support_request')
    .set({ assigned_to: me })
    .where('company_id', '=', call.company.id)
    .where('id', '=', id)
    .execute()
  await call.audit(tx, {
    action: 'support.assigned',
    subject: { kind: 'support_request', id: numberOf(id) },
    detail: { to: name },
  })
}

/**
 * Answers the person by mail; whoever answers takes the request into work, and has it where nobody had. Where somebody
 * else wrote since the answer was begun, it is not sent.
 */
export const replyCall = implement(replyToRequest, (call) => {
  const { house, company, body } = call
  const by = doerOf(call)
  const at = house.clock.now()
  return call.inCompany(async (tx) => {
    const request = await lockRequest(tx, company.id, body.requestId)
    const number = numberOf(request.id)
    if (request.status === 4) throw conflict('wrong_status', `${number} is Invalid now, so it gets no answer.`)
    if (request.last_message_id !== body.seen)
      throw conflict(
        'newer_message',
        'Somebody wrote in this conversation meanwhile. Read it, then send your answer again or change it.',
      )
    await addMessage(tx, company.id, request, { kind: 'reply', by, text: body.message, at })
    let { status } = request
    const step = async (to: typeof status) => {
      await changeStatus(tx, company.id, { id: request.id, status }, to, { by, at })
      status = to
    }
    if (body.complete && status !== 2) await step(2)
    else if (status === 0 || status === 3) {
      await step(1)
      if (request.assigned_to === null) await take(tx, call, request)
    }
    await mailTo(tx, house, company, request, replyLetter(request.id, body.message, body.complete))
    const detail = { mailed: request.email !== '', status: statuses[status] }
    await call.audit(tx, { action: 'support.answered', subject: { kind: 'support_request', id: number }, detail })
    return {
      success: true as const,
      message: request.email
        ? `Your answer was sent to ${request.email}.`
        : `Your answer was written down. ${request.name} left no email: call ${formatPhone(request.phone)}.`,
    }
  })
})

export const noteCall = implement(noteOnRequest, (call) => {
  const { house, company, body } = call
  return call.inCompany(async (tx) => {
    const request = await lockRequest(tx, company.id, body.requestId)
    const note = { kind: 'note' as const, by: doerOf(call), text: body.message, at: house.clock.now() }
    await addMessage(tx, company.id, request, note)
    await call.audit(tx, { action: 'support.noted', subject: { kind: 'support_request', id: numberOf(request.id) } })
    return { success: true as const, message: 'Your note was kept. The person does not see it.' }
  })
})

/** Whoever starts work has the request from then on. Invalid wants a reason, which stays among the staff; of a completion the person is told by mail. */
export const changeStatusCall = implement(changeRequestStatus, (call) => {
  const { house, company, body } = call
  const { status, reason = '' } = body
  return call.inCompany(async (tx) => {
    const request = await lockRequest(tx, company.id, body.requestId)
    const given = { by: doerOf(call), at: house.clock.now(), reason }
    await changeStatus(tx, company.id, request, status, given)
    if (status === 4 && !reasonForm.safeParse({ reason }).success)
      throw rejected(REASON_REQUIRED, { reason: REASON_REQUIRED })
    if (status === 2) await mailTo(tx, house, company, request, completedLetter(request.id))
    const detail = { from: statuses[request.status], to: statuses[status], ...(reason && { reason }) }
    await call.audit(tx, {
      action: 'support.status_changed',
      subject: { kind: 'support_request', id: numberOf(request.id) },
      detail,
    })
    const said = `${numberOf(request.id)} is ${statuses[status]} now`
    if (status !== 1) return { success: true as const, message: `${said}.` }
    await take(tx, call, request)
    return { success: true as const, message: `${said}, and assigned to you.` }
  })
})
