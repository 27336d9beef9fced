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

const WRONG_CODE = 'This code is wrong, or was used already. Wait for the next one that your app shows.'

/**
 * Asks for the password, and where codes are asked for, for one of them: whoever got hold of a session, or of a session
 * and the password, makes no way in of their own.
 * @throws 422, 429
 */
export async function proveBoth(
  call: Call,
  factors: Factors,
  session: Session,
  { password, code, field = 'password' }: { password: string; code?: string | undefined; field?: string },
): Promise<Account> {
  const { context } = call
  const { door } = factors
  const account = await provePassword(call, door, session, { password, field })
  if (!(await door.within((tx) => factors.findApp(tx, account.id)))) return account
  if (code === undefined) throw rejected(CODE_REQUIRED, { code: CODE_REQUIRED })
  return countFailures(context, [codeTries(door, account.id)], async () => {
    if (await door.within((tx) => useCode(tx, factors, account.id, code))) return account
    await door.within((tx) =>
      door.audit(tx, call, { action: 'second_factor.refused', subject: { kind: 'person', id: account.id } }),
    )
    throw rejected(WRONG_CODE, { code: WRONG_CODE })
  })
}
