import type { Call } from '../../../server/call.ts'
import { rejected } from '../../../server/errors.ts'
import { countFailures } from '../../../server/limits.ts'
import type { Session } from '../../../server/sessions.ts'
import type { Account } from '../../../server/accounts/account-realms.ts'
import { provePassword } from '../../../server/accounts/prove-password.ts'
import { CODE_REQUIRED } from '../contract.ts'
import { useCode } from './codes.ts'
import { codeTries } from './sign-in-steps.ts'
import type { Factors } from './store.ts'

const INVALID_CODE = 'This code is wrong or was already used. Wait for the next code in your authenticator app.'

/**
 * Requires the password, and a code if codes are required. A stolen session must not be enough to add a factor, even
 * together with the password.
 * @throws 422 if the proof is wrong, 429 after too many attempts
 */
export async function proveBoth(
  call: Call,
  factors: Factors,
  session: Session,
  { password, code, field = 'password' }: { password: string; code?: string | undefined; field?: string },
): Promise<Account> {
  const { context } = call
  const { realm } = factors
  const account = await provePassword(call, realm, session, { password, field })
  if (!(await realm.within((tx) => factors.findApp(tx, account.id)))) return account
  if (code === undefined) throw rejected(CODE_REQUIRED, { code: CODE_REQUIRED })
  return countFailures(context, [codeTries(realm, account.id)], async () => {
    if (await realm.within((tx) => useCode(tx, factors, account.id, code))) return account
    await realm.within((tx) =>
      realm.audit(tx, call, { action: 'second_factor.refused', subject: { kind: 'person', id: account.id } }),
    )
    throw rejected(INVALID_CODE, { code: INVALID_CODE })
  })
}
