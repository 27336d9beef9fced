import type { AuditEntry } from '../audit.ts'
import type { Call } from '../call.ts'
import { Refusal } from '../errors.ts'
import { countFailures, defineAddressLimit, defineLimit, type Limit } from '../limits.ts'
import type { CompanyId } from '../tenancy.ts'
import { type Account, type Door, isOpen } from './account-realms.ts'
import { isPassword } from './passwords.ts'

export const WRONG_CREDENTIALS = 'Invalid email or password.'

/** Failures alone count (product rules, section 3). */
const perAccount = defineLimit('sign-in-account', { most: 5 })
const perAddress = defineAddressLimit('sign-in-address', { most: 50 })

/** Wrong passwords of an account count together, wherever they are asked for. */
export const passwordTries = (place: CompanyId | 'platform', email: string): Limit =>
  perAccount(`${place}/${email.toLowerCase()}`)

/** Whatever somebody at this address gets wrong when they sign in. */
export const signInTries = ({ address }: Pick<Call, 'address'>): Limit => perAddress(address)

export interface Credentials {
  email: string
  password: string
}

/**
 * The account whose email and password these are, under the limits of signing in. An unknown email, an inactive account
 * and a wrong password get the same answer after the same work, so that nobody learns from it who has an account.
 * @param how they are signing in, for the Login Report
 * @throws 401, 429
 */
export const provenAccount = (call: Call, door: Door, given: Credentials, how: string): Promise<Account> =>
  countFailures(call.context, [passwordTries(door.place, given.email), signInTries(call)], () =>
    findProven(call, door, given, how),
  )

async function findProven(call: Call, door: Door, { email, password }: Credentials, how: string): Promise<Account> {
  const person = await door.within((tx) => door.findByEmail(tx, email))
  const right = await isPassword(person?.password_hash ?? null, password, call.address)
  if (!person || !right || !isOpen(person)) {
    // Never what they typed.
    const detail = { how, address: call.address, device: call.device, reason: reasonOf(person, right) }
    const refused: AuditEntry = {
      action: 'sign_in.refused',
      detail,
      ...(person && { subject: { kind: 'person', id: person.id }, person: person.id }),
    }
    await door.within((tx) => door.audit(tx, { session: null, requestId: call.requestId }, refused))
    throw new Refusal(401, 'wrong_credentials', WRONG_CREDENTIALS)
  }
  return person
}

/** Why it was refused: for staff to read, never for who tried. */
function reasonOf(person: Account | undefined, right: boolean): string {
  if (!person) return 'unknown_email'
  if (person.is_active !== 1) return 'inactive'
  if (person.locked_at) return 'locked'
  if (person.password_hash === null) return 'no_password'
  return right ? '' : 'wrong_password'
}
