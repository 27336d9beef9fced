import type { AuditEntry } from '../../../server/audit.ts'
import { implement } from '../../../server/call.ts'
import { doorOf, refuseUnproven } from '../../../server/accounts/account-realms.ts'
import { welcome } from '../../../server/accounts/welcome.ts'
import { linkWaiting } from '../../../server/accounts/waiting-link.ts'
import { beginEnrolment, confirmEnrolment } from '../contract.ts'
import { appUri, makeRecoveryCodes, newAppSecret, timeStepOf } from './codes.ts'
import { tellOfNewWay } from './emails.ts'
import { holderOf, refusedSecond, ticketOver, tryTicket } from './sign-in-steps.ts'
import { Factors } from './store.ts'

/** The secret that a ticket sets up: made by the first call, the same for each later one. */
export const beginEnrolmentCall = implement(beginEnrolment, async (call) => {
  const { context, body } = call
  const factors = new Factors(context, doorOf(call))
  const { account } = await holderOf(factors, body.ticket, 'enrol')
  refuseUnproven(account)
  const secretSealed = context.secrets.seal(newAppSecret(factors, account.email).secret)
  const kept = await factors.door.within(async (tx) => {
    await factors.noteStep(tx, body.ticket, 'enrol', { secretSealed })
    return factors.findStep(tx, body.ticket, 'enrol')
  })
  if (!kept?.secret_sealed) throw ticketOver()
  return appUri(factors, account.email, context.secrets.open(kept.secret_sealed))
})

/** The first code: the factor counts from here on, and its person is signed in. */
export const confirmEnrolmentCall = implement(confirmEnrolment, async (call) => {
  const { context, body, requestId } = call
  const factors = new Factors(context, doorOf(call))
  const { door } = factors
  const { step, account } = await holderOf(factors, body.ticket, 'enrol')
  const timeStep = await tryTicket(call, factors, account, { ticket: body.ticket, purpose: 'enrol' }, async (left) => {
    const right = step.secret_sealed === null ? null : timeStepOf(factors, step.secret_sealed, body.code)
    if (right !== null) return right
    throw await refusedSecond(call, factors, account, { how: `${step.first_way} + code`, left, isCode: true })
  })
  return door.within(async (tx) => {
    // Another ticket may have set one up meanwhile: that one stays.
    if (!(await factors.takeStep(tx, body.ticket, 'enrol')) || (await factors.findApp(tx, account.id)))
      throw ticketOver()
    await factors.keepApp(tx, account.id, step.secret_sealed ?? '', timeStep)
    const recoveryCodes = await makeRecoveryCodes(tx, factors, account.id)
    await door.endSessions(tx, account.id)
    await tellOfNewWay(tx, context, door, account, 'app_added')
    const auditEntry: AuditEntry = {
      action: 'second_factor.enabled',
      subject: { kind: 'person', id: account.id },
      person: account.id,
    }
    await door.audit(tx, { session: null, requestId }, auditEntry)
    if (step.sso_ticket_hash) await linkWaiting(call, tx, door, account, step.sso_ticket_hash)
    const session = await welcome(call, tx, door, account, `${step.first_way} + code`)
    return { success: true as const, session, recoveryCodes }
  })
})
