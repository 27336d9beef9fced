import { type Call, implement } from '../../../server/call.ts'
import { Refusal } from '../../../server/errors.ts'
import { countFailures, countAttempt, defineAddressLimit } from '../../../server/limits.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import type { StartedSession } from '../../../shared/accounts.ts'
import { realmOf, isOpen } from '../../../server/accounts/account-realms.ts'
import { signInTries } from '../../../server/accounts/proven-account.ts'
import { startSignedInSession } from '../../../server/accounts/start-session.ts'
import { startPasskeySignIn, passkeySignIn } from '../contract.ts'
import { holderOf } from './sign-in-steps.ts'
import { Factors, type Passkey } from './store.ts'
import { assertionOptions, verifiedAssertion } from './webauthn.ts'

/**
 * Rate limit for each IP address. Each open sign-in page requests one challenge, and an office behind one IP address
 * opens many pages.
 */
const perAddress = defineAddressLimit('passkey-challenge', { max: 300 })

const NOT_ACCEPTED = 'This passkey was not accepted. Sign in with your email and password.'

/** Creates a challenge for any passkey, or for the person with this ticket. */
export const startPasskeySignInCall = implement(startPasskeySignIn, async (call) => {
  const { context, body } = call
  const factors = new Factors(context, realmOf(call))
  const { realm } = factors
  if (body.ticket !== undefined) {
    const { ticket } = body
    const { account } = await holderOf(factors, ticket, 'second')
    const options = await assertionOptions(realm, await realm.within((tx) => factors.passkeysOf(tx, account.id)))
    await realm.within((tx) => factors.noteStep(tx, ticket, 'second', { challenge: options.challenge }))
    return { step: ticket, options: { ...options } }
  }
  await countAttempt(context, [perAddress(call.address)])
  const options = await assertionOptions(realm, [])
  const step = await realm.within((tx) => factors.addStep(tx, 'passkey', null, { challenge: options.challenge }))
  return { step, options: { ...options } }
})

/** Signs in with a passkey that signed a challenge of this account realm. */
export const passkeySignInCall = implement(passkeySignIn, (call) =>
  countFailures(call.context, [signInTries(call)], () => byPasskey(call)),
)

async function byPasskey(call: Call<RequestOf<typeof passkeySignIn>>): Promise<StartedSession> {
  const { body } = call
  const factors = new Factors(call.context, realmOf(call))
  const { realm } = factors
  const { step, passkey, account } = await realm.within(async (tx) => {
    const passkey = await factors.findPasskey(tx, body.assertion.id)
    return {
      step: await factors.findStep(tx, body.step, 'passkey'),
      passkey,
      account: passkey && (await realm.findById(tx, passkey.person_id)),
    }
  })
  const counter =
    step?.challenge && passkey && (await verifiedAssertion(realm, step.challenge, body.assertion, passkey))
  if (typeof counter !== 'number' || !passkey || !account || !isOpen(account))
    throw await refuse(call, factors, passkey)
  return realm.within(async (tx) => {
    if (!(await factors.takeStep(tx, body.step, 'passkey'))) throw new Refusal(401, 'wrong_passkey', NOT_ACCEPTED)
    await factors.notePasskeyUse(tx, passkey.id, counter)
    return startSignedInSession(call, tx, realm, account, 'passkey')
  })
}

async function refuse(call: Call, { realm }: Factors, passkey: Passkey | undefined): Promise<Refusal> {
  const detail = { how: 'passkey', address: call.address, device: call.device, reason: 'wrong_passkey' }
  const id = passkey?.person_id
  const auditSubject = id === undefined ? {} : { subject: { kind: 'person' as const, id }, person: id }
  const actor = { session: null, requestId: call.requestId }
  await realm.within((tx) => realm.audit(tx, actor, { action: 'sign_in.refused', ...auditSubject, detail }))
  return new Refusal(401, 'wrong_passkey', NOT_ACCEPTED)
}
