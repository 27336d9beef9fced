import { type Call, implement } from '../../../server/call.ts'
import { malformed } from '../../../server/errors.ts'
import { type Account, realmOf } from '../../../server/accounts/account-realms.ts'
import { startSignedInSession } from '../../../server/accounts/start-session.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { linkPendingIdentity } from '../../../server/accounts/pending-link.ts'
import { verifySecondFactor } from '../contract.ts'
import { useCode } from './codes.ts'
import { holderOf, refusedSecond, ticketExpired, tryTicket } from './sign-in-steps.ts'
import { Factors, type SecondStepRow } from './store.ts'
import { verifiedAssertion } from './webauthn.ts'

type VerifyCall = Call<RequestOf<typeof verifySecondFactor>>

/** Checks the second step of sign-in: an app code, a recovery code or a passkey of the ticket's owner. */
export const verifySecondFactorCall = implement(verifySecondFactor, async (call) => {
  const { context, body } = call
  if ((body.code === undefined) === (body.assertion === undefined))
    throw malformed('Send a code or the assertion of a passkey.')
  const factors = new Factors(context, realmOf(call))
  const { step, account } = await holderOf(factors, body.ticket, 'second')
  return tryTicket(call, factors, account, { ticket: body.ticket, purpose: 'second' }, async (left) => {
    const session =
      body.code === undefined
        ? await byPasskey(call, factors, account, step)
        : await byCode(call, factors, account, step, body.code)
    if (session) return session
    const isCode = body.code !== undefined
    const how = `${step.first_method} + ${isCode ? 'code' : 'passkey'}`
    throw await refusedSecond(call, factors, account, { how, left, isCode })
  })
})

const byCode = (call: VerifyCall, factors: Factors, account: Account, step: SecondStepRow, code: string) =>
  factors.realm.within(async (tx) => {
    const kind = await useCode(tx, factors, account.id, code)
    if (!kind) return null
    // If another call used the ticket at the same moment, the rollback restores the code.
    if (!(await factors.takeStep(tx, call.body.ticket, 'second'))) throw ticketExpired()
    if (step.sso_ticket_hash) await linkPendingIdentity(call, tx, factors.realm, account, step.sso_ticket_hash)
    return startSignedInSession(call, tx, factors.realm, account, `${step.first_method} + ${kind}`)
  })

async function byPasskey(call: VerifyCall, factors: Factors, account: Account, step: SecondStepRow) {
  const { challenge, first_method } = step
  const { realm } = factors
  const { assertion } = call.body
  if (!assertion || challenge === null) return null
  const passkey = await realm.within((tx) => factors.findPasskey(tx, assertion.id))
  if (passkey?.person_id !== account.id) return null
  const counter = await verifiedAssertion(realm, challenge, assertion, passkey)
  if (counter === null) return null
  return realm.within(async (tx) => {
    if (!(await factors.takeStep(tx, call.body.ticket, 'second'))) throw ticketExpired()
    await factors.notePasskeyUse(tx, passkey.id, counter)
    if (step.sso_ticket_hash) await linkPendingIdentity(call, tx, realm, account, step.sso_ticket_hash)
    return startSignedInSession(call, tx, realm, account, `${first_method} + passkey`)
  })
}
