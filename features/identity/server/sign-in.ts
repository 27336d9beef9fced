import { Door } from '../../../server/accounts/account-realms.ts'
import { type Credentials, provenAccount } from '../../../server/accounts/proven-account.ts'
import { welcome } from '../../../server/accounts/welcome.ts'
import { type Call, implement } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import { askSecond } from '../../factors/server/ask-second.ts'
import { adminSignIn, signIn } from '../contract.ts'

/** Signs residents and municipality staff in on their town's host. */
export const signInCall = implement(signIn, (call) => signInAt(call, new Door(call.context, call.company), call.body))

/** Signs the platform's staff in; only on the administrator's host, where alone their sessions count. */
export const adminSignInCall = implement(adminSignIn, async (call) => {
  if (call.host.kind !== 'admin') throw notFound("The platform's staff signs in at the administrator's address.")
  return signInAt(call, new Door(call.context, null), call.body)
})

/** The right password begins a session, or asks for more. */
async function signInAt(call: Call, door: Door, given: Credentials) {
  const person = await provenAccount(call, door, given, 'password')
  return door.within(
    async (tx) => (await askSecond(call, tx, door, person)) ?? welcome(call, tx, door, person, 'password'),
  )
}
