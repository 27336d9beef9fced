import type { Call } from '../../../server/call.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { SecondFactorRequest } from '../../../shared/accounts.ts'
import type { Account, AccountRealm } from '../../../server/accounts/account-realms.ts'
import { Factors } from './store.ts'
import { say } from '../../../shared/messages.ts'

interface SecondFactorInput {
  /** Sign-in method of the first step, for the Login Report. */
  firstMethod?: string
  /** Ticket of an SSO identity that the second step links. */
  ssoTicket?: string
  /** True if a person without a second factor may skip this step, because another proof replaces the factor. */
  ownAlone?: boolean
}

/**
 * Returns the second step after a correct password. Null if the password suffices. A person with an app must enter a
 * code. If a second factor is required, a person with only a passkey uses the passkey. A person without factors sets up
 * an app first.
 */
export async function requestSecondFactor(
  call: Pick<Call, 'context'>,
  tx: Tx,
  realm: AccountRealm,
  person: Pick<Account, 'id' | 'role_id'>,
  { firstMethod = 'password', ssoTicket, ownAlone = false }: SecondFactorInput = {},
): Promise<{ success: true; message: string; second: SecondFactorRequest } | null> {
  const factors = new Factors(call.context, realm)
  const app = await factors.findApp(tx, person.id)
  const required = await factors.isRequired(tx, person.role_id)
  if (!app && !required) return null
  const hasPasskey = (await factors.passkeysOf(tx, person.id)).length > 0
  const methods: SecondFactorRequest['methods'] = app ? ['totp', 'recovery'] : []
  if (hasPasskey) methods.push('passkey')
  if (ownAlone && methods.length === 0) return null
  const ticket = await factors.addStep(tx, methods.length === 0 ? 'enroll' : 'second', person.id, {
    firstMethod,
    ssoTicket,
  })
  const message = app
    ? say`Enter the code shown in your authenticator app.`
    : hasPasskey
      ? say`Use one of your passkeys.`
      : say`${realm.name} requires two-factor authentication for all staff. Set it up to continue.`
  return { success: true, message, second: { ticket, methods } }
}
