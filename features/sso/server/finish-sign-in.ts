import type { Call } from '../../../server/call.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { SignedIn } from '../../../shared/accounts.ts'
import { requestSecondFactor } from '../../factors/api.ts'
import type { Account, AccountRealm } from '../../../server/accounts/account-realms.ts'
import { startSignedInSession } from '../../../server/accounts/start-session.ts'

interface SsoSignIn {
  /** Sign-in method for the Login Report, such as 'sso' or 'hand_off'. */
  how: string
  /** True if the issuer used two-factor authentication and the company accepts it instead of the portal's own. */
  secondFactor: boolean
  action?: 'sign_up.accepted'
}

/** Creates the session or asks for two-factor authentication. Every single sign-on ends with this step. */
export const finishSignIn = async (
  call: Call,
  tx: Tx,
  realm: AccountRealm,
  person: Account,
  { how, secondFactor, action }: SsoSignIn,
): Promise<SignedIn> =>
  (secondFactor ? null : await requestSecondFactor(call, tx, realm, person, { firstMethod: how })) ??
  startSignedInSession(call, tx, realm, person, how, action)
