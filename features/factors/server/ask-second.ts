import type { Call } from '../../../server/call.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { SecondAsked } from '../../../shared/accounts.ts'
import type { Account, Door } from '../../../server/accounts/account-realms.ts'
import { Factors } from './store.ts'
import { say } from '../../../shared/words.ts'

interface SecondFactorInput {
  /** How they showed who they are so far, for the Login Report. */
  firstWay?: string
  /** Of an identity that is linked with the second step. */
  ssoTicket?: string
  /** Who has no second factor of their own is asked for none: another one counts in its place. */
  ownAlone?: boolean
}

/**
 * What is asked for after the right password; null where that is enough. Codes are asked for where an app was set up. A
 * passkey alone leaves the password as good as it was, unless a second factor is required: then it is asked for, and who
 * has neither sets an app up first.
 */
export async function askSecond(
  call: Pick<Call, 'context'>,
  tx: Tx,
  door: Door,
  person: Pick<Account, 'id' | 'role_id'>,
  { firstWay = 'password', ssoTicket, ownAlone = false }: SecondFactorInput = {},
): Promise<{ success: true; message: string; second: SecondAsked } | null> {
  const factors = new Factors(call.context, door)
  const app = await factors.findApp(tx, person.id)
  const required = await factors.isRequired(tx, person.role_id)
  if (!app && !required) return null
  const hasPasskey = (await factors.passkeysOf(tx, person.id)).length > 0
  const methods: SecondAsked['methods'] = app ? ['totp', 'recovery'] : []
  if (hasPasskey) methods.push('passkey')
  if (ownAlone && methods.length === 0) return null
  const ticket = await factors.addStep(tx, methods.length === 0 ? 'enrol' : 'second', person.id, {
    firstWay,
    ssoTicket,
  })
  const message = app
    ? say`Enter the code that your authenticator app shows.`
    : hasPasskey
      ? say`Show one of your passkeys.`
      : say`${door.name} asks everybody who works there for a second factor. Set yours up to go on.`
  return { success: true, message, second: { ticket, methods } }
}
