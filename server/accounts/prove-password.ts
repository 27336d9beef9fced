import type { Call } from '../call.ts'
import { rejected } from '../errors.ts'
import { countFailures } from '../limits.ts'
import type { Session } from '../sessions.ts'
import { type Account, type AccountRealm, ownAccount } from './account-realms.ts'
import { isPassword } from './passwords.ts'
import { passwordTries } from './proven-account.ts'

export const WRONG_PASSWORD = 'That is not your current password.'

/**
 * Asks the signed-in person for the password again, under the sign-in rate limits. So a thief with a stolen session
 * gets no extra guesses.
 * @param field form field that shows the error
 * @throws 422 if the password is wrong, 429 after too many failures
 */
export async function provePassword(
  call: Call,
  realm: AccountRealm,
  session: Session,
  { password, field }: { password: string; field: string },
): Promise<Account> {
  const { context } = call
  const account = await realm.within((tx) => ownAccount(tx, realm, session))
  return countFailures(context, [passwordTries(realm.scope, account.email)], async () => {
    if (await isPassword(account.password_hash, password, call.address)) return account
    await realm.within((tx) =>
      realm.audit(tx, call, { action: 'password.refused', subject: { kind: 'person', id: account.id } }),
    )
    throw rejected(WRONG_PASSWORD, { [field]: WRONG_PASSWORD })
  })
}
