import type { AuditEntry } from '../../../server/audit.ts'
import { implement } from '../../../server/call.ts'
import { realmOf, refuseUnproven } from '../../../server/accounts/account-realms.ts'
import { startSignedInSession } from '../../../server/accounts/start-session.ts'
import { linkPendingIdentity } from '../../../server/accounts/pending-link.ts'
import { startEnrollment, confirmEnrollment } from '../contract.ts'
import { appUri, makeRecoveryCodes, newAppSecret, timeStepOf } from './codes.ts'
import { notifyOfNewFactor } from './emails.ts'
import { holderOf, refusedSecond, ticketExpired, tryTicket } from './sign-in-steps.ts'
import { Factors } from './store.ts'

/** Returns the app secret for a ticket. The first call creates the secret, and later calls return the same secret. */
export const startEnrollmentCall = implement(startEnrollment, async (call) => {
  const { context, body } = call
  const factors = new Factors(context, realmOf(call))
  const { account } = await holderOf(factors, body.ticket, 'enroll')
  refuseUnproven(account)
  const secretSealed = context.secrets.seal(newAppSecret(factors, account.email).secret)
  const storedStep = await factors.realm.within(async (tx) => {
    await factors.noteStep(tx, body.ticket, 'enroll', { secretSealed })
    return factors.findStep(tx, body.ticket, 'enroll')
  })
  if (!storedStep?.secret_sealed) throw ticketExpired()
  return appUri(factors, account.email, context.secrets.open(storedStep.secret_sealed))
})

/** Accepts the first code, activates the factor and signs the person in. */
export const confirmEnrollmentCall = implement(confirmEnrollment, async (call) => {
  const { context, body, requestId } = call
  const factors = new Factors(context, realmOf(call))
  const { realm } = factors
  const { step, account } = await holderOf(factors, body.ticket, 'enroll')
  const timeStep = await tryTicket(call, factors, account, { ticket: body.ticket, purpose: 'enroll' }, async (left) => {
    const right = step.secret_sealed === null ? null : timeStepOf(factors, step.secret_sealed, body.code)
    if (right !== null) return right
    throw await refusedSecond(call, factors, account, { how: `${step.first_method} + code`, left, isCode: true })
  })
  return realm.within(async (tx) => {
    // Another ticket may have set up an app first. The portal then keeps that app.
    if (!(await factors.takeStep(tx, body.ticket, 'enroll')) || (await factors.findApp(tx, account.id)))
      throw ticketExpired()
    await factors.keepApp(tx, account.id, step.secret_sealed ?? '', timeStep)
    const recoveryCodes = await makeRecoveryCodes(tx, factors, account.id)
    await realm.endSessions(tx, account.id)
    await notifyOfNewFactor(tx, context, realm, account, 'app_added')
    const auditEntry: AuditEntry = {
      action: 'second_factor.enabled',
      subject: { kind: 'person', id: account.id },
      person: account.id,
    }
    await realm.audit(tx, { session: null, requestId }, auditEntry)
    if (step.sso_ticket_hash) await linkPendingIdentity(call, tx, realm, account, step.sso_ticket_hash)
    const session = await startSignedInSession(call, tx, realm, account, `${step.first_method} + code`)
    return { success: true as const, session, recoveryCodes }
  })
})
