import type { AuditEntry } from '../audit.ts'
import type { Call } from '../call.ts'
import { Refusal } from '../errors.ts'
import { countFailures, defineAddressLimit, defineLimit, type Limit } from '../limits.ts'
import type { CompanyId } from '../tenancy.ts'
import { type Account, type AccountRealm, isOpen } from './account-realms.ts'
import { isPassword } from './passwords.ts'

export const INVALID_CREDENTIALS = 'Invalid email or password.'

/** Rate limits for failed sign-ins. Successful sign-ins do not count (product rules, section 3). */
const perAccount = defineLimit('sign-in-account', { max: 5 })
const perAddress = defineAddressLimit('sign-in-address', { max: 50 })

/** Returns the rate limit for wrong passwords of one account. All forms that require the password share this limit. */
export const passwordTries = (scope: CompanyId | 'platform', email: string): Limit =>
  perAccount(`${scope}/${email.toLowerCase()}`)

/** Returns the rate limit for failed sign-ins from the caller's IP address. */
export const signInTries = ({ address }: Pick<Call, 'address'>): Limit => perAddress(address)

export interface Credentials {
  email: string
  password: string
}

/**
 * Finds the account with this email and password, under the sign-in limits. An unknown email, an inactive account and a
 * wrong password get the same answer after the same work. So the answer never reveals that an account exists.
 * @param how sign-in method for the Login Report
 * @throws 401, 429
 */
export const provenAccount = (
  call: Call,
  realm: AccountRealm,
  credentials: Credentials,
  how: string,
): Promise<Account> =>
  countFailures(call.context, [passwordTries(realm.scope, credentials.email), signInTries(call)], () =>
    findProven(call, realm, credentials, how),
  )

async function findProven(
  call: Call,
  realm: AccountRealm,
  { email, password }: Credentials,
  how: string,
): Promise<Account> {
  const person = await realm.within((tx) => realm.findByEmail(tx, email))
  const right = await isPassword(person?.password_hash ?? null, password, call.address)
  if (!person || !right || !isOpen(person)) {
    // The details never contain the text that the person typed.
    const detail = { how, address: call.address, device: call.device, reason: reasonOf(person, right) }
    const refused: AuditEntry = {
      action: 'sign_in.refused',
      detail,
      ...(person && { subject: { kind: 'person', id: person.id }, person: person.id }),
    }
    await realm.within((tx) => realm.audit(tx, { session: null, requestId: call.requestId }, refused))
    throw new Refusal(401, 'wrong_credentials', INVALID_CREDENTIALS)
  }
  return person
}

/** Returns the reason for refusing the sign-in. Only staff may read the reason, never the caller. */
function reasonOf(person: Account | undefined, right: boolean): string {
  if (!person) return 'unknown_email'
  if (person.is_active !== 1) return 'inactive'
  if (person.locked_at) return 'locked'
  if (person.password_hash === null) return 'no_password'
  return right ? '' : 'wrong_password'
}
