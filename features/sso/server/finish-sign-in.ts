import type { Call } from '../../../server/call.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { SignedIn } from '../../../shared/accounts.ts'
import { askSecond } from '../../factors/server/ask-second.ts'
import type { Account, Door } from '../../../server/accounts/account-realms.ts'
import { welcome } from '../../../server/accounts/welcome.ts'

interface SsoSignIn {
  /** 'sso', 'hand_off' …, for the Login Report. */
  how: string
  /** The issuer asked for a second factor itself, and the town lets that count. */
  secondFactor: boolean
  action?: 'sign_up.accepted'
}

/** The one place where single sign-on ends in a session, or in the question for the second factor. */
export const finishSignIn = async (
  call: Call,
  tx: Tx,
  door: Door,
  person: Account,
  { how, secondFactor, action }: SsoSignIn,
): Promise<SignedIn> =>
  (secondFactor ? null : await askSecond(call, tx, door, person, { firstWay: how })) ??
  welcome(call, tx, door, person, how, action)
