import type { Call } from '../../../server/call.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { SignedIn } from '../../../shared/accounts.ts'
import { requestSecondFactor } from '../../factors/api.ts'
import type { Account, AccountRealm } from '../../../server/accounts/account-realms.ts'
import { welcome } from '../../../server/accounts/welcome.ts'

interface SsoSignIn {
  /** Sign-in method for the Login Report: 'sso', 'hand_off' and so on. */
  how: string
  /** True if the issuer used two-factor authentication and the company accepts it. */
  secondFactor: boolean
  action?: 'sign_up.accepted'
}

/** Creates the session or asks for two-factor authentication. This is the last step of every single sign-on. */
export const finishSignIn = async (
  call: Call,
  tx: Tx,
  realm: AccountRealm,
  person: Account,
  { how, secondFactor, action }: SsoSignIn,
): Promise<SignedIn> =>
  (secondFactor ? null : await requestSecondFactor(call, tx, realm, person, { firstMethod: how })) ??
  welcome(call, tx, realm, person, how, action)
