import { auditIn, auditPlatform, type Deed, type Doer } from '../../../server/audit.ts'
import { type Call, implement } from '../../../server/call.ts'
import { notFound, Refusal } from '../../../server/errors.ts'
import { countWrongGuess, forgetGuesses, type Guess, refuseWhileWaiting } from '../../../server/limits.ts'
import { beginSession, sessionColumns, sessionOf, type SessionPerson } from '../../../server/sessions.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { adminSignIn, signIn } from '../contract.ts'
import { isPassword } from './passwords.ts'

export const WRONG_CREDENTIALS = 'Invalid email or password.'

/** Failures that are free, in 15 minutes (product rules, section 3). */
const FREE_PER_ACCOUNT = 5
const FREE_PER_ADDRESS = 50

/** Wrong passwords of an account count together, wherever they are asked for. */
export const accountGuess = (place: CompanyId | 'platform', email: string): Guess => ({
  scope: 'sign-in-account',
  key: `${place}/${email.toLowerCase()}`,
  most: FREE_PER_ACCOUNT,
})

interface Credentials {
  email: string
  password: string
}

interface Candidate extends SessionPerson {
  password_hash: string | null
  is_active: number
  locked_at: Date | null
  /** A town's people alone have it to confirm. */
  email_confirmed_at?: Date | null
}

/** Where people sign in: their town, or the platform (null). */
interface Door {
  company: CompanyId | null
  within<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  find(tx: Tx, email: string): Promise<Candidate | undefined>
  noteSignIn(tx: Tx, id: number): Promise<unknown>
  audit(tx: Tx, doer: Doer, deed: Deed): Promise<void>
}

/** Signs residents and municipality staff in on their town's host. */
export const signInCall = implement(signIn, (call) => signInAt(call, townDoor(call), call.body))

/** Signs the platform's staff in; only on the administrator's host, where alone their sessions count. */
export const adminSignInCall = implement(adminSignIn, async (call) => {
  if (call.host.kind !== 'admin') throw notFound("The platform's staff signs in at the administrator's address.")
  return signInAt(call, platformDoor(call), call.body)
})

/**
 * The same for both: an unknown email, an inactive account and a wrong password get the same answer after the same
 * work, so that nobody learns from it who has an account.
 */
async function signInAt(call: Call, door: Door, { email, password }: Credentials) {
  const { house, requestId } = call
  const place = door.company ?? 'platform'
  const account = accountGuess(place, email)
  const address: Guess = { scope: 'sign-in-address', key: call.address, most: FREE_PER_ADDRESS }
  await refuseWhileWaiting(house.outside, house.clock, [account, address])

  const person = await door.within((tx) => door.find(tx, email))
  const right = await isPassword(person?.password_hash ?? null, password)
  if (!person || !right || person.is_active !== 1 || person.locked_at) {
    await countWrongGuess(house.outside, house.clock, [account, address])
    const detail = { ...traceOf(call), reason: reasonOf(person, right) }
    const refused = {
      action: 'sign_in.refused',
      subject: person ? String(person.id) : '',
      detail,
      ...(person && { person: person.id }),
    }
    await door.within((tx) => door.audit(tx, { session: null, requestId }, refused))
    throw new Refusal(401, 'wrong_credentials', WRONG_CREDENTIALS)
  }
  await forgetGuesses(house.outside, [account])

  const known = sessionOf(person, door.company)
  const { token, expiresAt } = await door.within(async (tx) => {
    const begun = await beginSession(tx, house, person.id, door.company, call)
    const session = { ...known, tokenHash: Buffer.alloc(0), expiresAt: begun.expiresAt }
    await door.noteSignIn(tx, person.id)
    const accepted = { action: 'sign_in.accepted', subject: String(person.id), detail: traceOf(call) }
    await door.audit(tx, { session, requestId }, accepted)
    return begun
  })
  return {
    success: true as const,
    message: `Welcome, ${person.first_name}.`,
    token,
    user: {
      id: person.id,
      company_id: door.company,
      first_name: person.first_name,
      last_name: person.last_name,
      email: person.email,
      role_id: person.role_id,
      email_confirmed: person.email_confirmed_at !== null,
    },
    privileges: { ...known.privileges },
    expire_time: expiresAt.toISOString(),
  }
}

/** How somebody tried to sign in, and from where, for the Login Report. Never what they typed. */
const traceOf = ({ address, device }: Call) => ({ how: 'password', address, device })

/** Why it was refused: for staff to read, never for who tried. */
function reasonOf(person: Candidate | undefined, right: boolean): string {
  if (!person) return 'unknown_email'
  if (person.is_active !== 1) return 'inactive'
  if (person.locked_at) return 'locked'
  if (person.password_hash === null) return 'no_password'
  return right ? '' : 'wrong_password'
}

const columns = [...sessionColumns, 'password_hash', 'is_active', 'locked_at'] as const

function townDoor(call: Call): Door {
  const company = call.company.id
  return {
    company,
    within: (work) => call.house.inCompany(company, work),
    find: (tx, email) =>
      tx
        .selectFrom('person')
        .select([...columns, 'email_confirmed_at'])
        .where('company_id', '=', company)
        .where(tx.fn<string>('lower', ['email']), '=', email.toLowerCase())
        .executeTakeFirst(),
    noteSignIn: (tx, id) =>
      tx
        .updateTable('person')
        .set({ signed_in_at: call.house.clock.now() })
        .where('company_id', '=', company)
        .where('id', '=', id)
        .execute(),
    audit: (tx, doer, deed) => auditIn(tx, call.house.clock, company, doer, deed),
  }
}

function platformDoor(call: Call): Door {
  return {
    company: null,
    within: (work) => call.house.acrossCompanies(work),
    find: (tx, email) =>
      tx
        .selectFrom('platform_person')
        .select(columns)
        .where(tx.fn<string>('lower', ['email']), '=', email.toLowerCase())
        .executeTakeFirst(),
    noteSignIn: (tx, id) =>
      tx.updateTable('platform_person').set({ signed_in_at: call.house.clock.now() }).where('id', '=', id).execute(),
    audit: (tx, doer, deed) => auditPlatform(tx, call.house.clock, doer, deed),
  }
}
