import { AccountRealm } from '../../../server/accounts/account-realms.ts'
import { type Credentials, provenAccount } from '../../../server/accounts/proven-account.ts'
import { startSignedInSession } from '../../../server/accounts/start-session.ts'
import { type Call, implement } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import { requestSecondFactor } from '../../factors/api.ts'
import { adminSignIn, signIn } from '../contract.ts'

/** Signs in residents and municipality staff on their company's host. */
export const signInCall = implement(signIn, (call) =>
  signInAt(call, new AccountRealm(call.context, call.company), call.body),
)

/** Signs in platform staff. Their sessions are valid only on the administrator host. */
export const adminSignInCall = implement(adminSignIn, async (call) => {
  if (call.host.kind !== 'admin') throw notFound('Platform staff sign in on the administrator site.')
  return signInAt(call, new AccountRealm(call.context, null), call.body)
})

/** If the password is correct, starts a session or requests a second factor. */
async function signInAt(call: Call, realm: AccountRealm, credentials: Credentials) {
  const person = await provenAccount(call, realm, credentials, 'password')
  return realm.within(
    async (tx) =>
      (await requestSecondFactor(call, tx, realm, person)) ?? startSignedInSession(call, tx, realm, person, 'password'),
  )
}
