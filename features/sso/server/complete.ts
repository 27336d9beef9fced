import type { Call } from '../../../server/call.ts'
import { hashSecret, newSecret, sessionOf } from '../../../server/sessions.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { roles } from '../../../shared/privileges.ts'
import { nameField } from '../../../shared/accounts.ts'
import { newEmail } from '../../../shared/email.ts'
import { makeLink } from '../../../server/accounts/account-links.ts'
import { type Account, type AccountRealm, isOpen } from '../../../server/accounts/account-realms.ts'
import { confirmNotice } from '../../../server/accounts/emails.ts'
import { say } from '../../../shared/messages.ts'
import type { Pending, verifySso } from '../contract.ts'
import { isFor, type SsoAudience } from '../rules.ts'
import { finishSignIn } from './finish-sign-in.ts'
import { link } from './link.ts'

/** Time limit for entering the password, in milliseconds. */
const PENDING_MS = 10 * 60_000

/** Identity that an issuer or a billing system vouches for. */
export interface Identity {
  kind: 'oidc' | 'ccs'
  issuer: string
  subject: string
  label: string
  audience: SsoAudience
  email: string
  emailVerified: boolean
  firstName: string
  lastName: string
  secondFactor: boolean
}

type Outcome = ResponseOf<typeof verifySso>
/** Refused sign-in. The caller records the refusal outside the transaction, because the transaction is rolled back. */
export interface SignInRefusal {
  refused: string
  message: string
  person?: number
}

/**
 * Signs in with the account that is linked to an identity. Without a link, creates a resident account if the email is
 * new, otherwise asks for a password. Never links an account only because its email matches.
 */
export async function resolveIdentity(
  call: Call,
  tx: Tx,
  realm: AccountRealm,
  identity: Identity,
): Promise<Outcome | SignInRefusal> {
  const linked = await linkOf(tx, call, identity)
  if (linked) return signInLinked(call, tx, realm, identity, linked.person_id)
  const existing = identity.email ? await realm.findByEmail(tx, identity.email) : undefined
  const reason = linkProblemOf(identity, existing)
  if (reason) return requestProof(call, tx, identity, reason)
  const id = await addResident(call, tx, identity)
  if (id === null) return requestProof(call, tx, identity, 'known_email')
  if (!(await link(call, tx, realm, identity, id))) throw new Error('an identity was linked meanwhile')
  if (!identity.emailVerified) {
    const address = { personId: id, purpose: 'confirm_email' as const, email: identity.email }
    await realm.notify(tx, identity.email, confirmNotice, { link: await makeLink(tx, call.context, realm, address) })
  }
  const person = await realm.findById(tx, id)
  if (!person) throw new Error('a resident who was just added is not there')
  const sessionOptions = { how: 'sso', secondFactor: identity.secondFactor, action: 'sign_up.accepted' as const }
  return { outcome: 'signed_in', session: await finishSignIn(call, tx, realm, person, sessionOptions) }
}

/** Returns the reason to ask for a password. Null if the portal can create a new account. */
export function linkProblemOf(identity: Identity, existing: Account | undefined): Pending['reason'] | null {
  if (identity.kind === 'ccs') return 'customer'
  if (existing) return 'known_email'
  if (!isFor(identity.audience, 'citizen')) return 'staff_only'
  return identity.email ? null : 'no_email'
}

export const linkOf = (
  tx: Tx,
  { company }: Pick<Call, 'company'>,
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
) =>
  tx
    .selectFrom('sso_identity')
    .select('person_id')
    .where('company_id', '=', company.id)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()

async function signInLinked(
  call: Call,
  tx: Tx,
  realm: AccountRealm,
  identity: Identity,
  id: number,
): Promise<Outcome | SignInRefusal> {
  const person = await realm.findById(tx, id)
  const problem = signInProblemOf(person, identity)
  if (!person || problem) return { refused: problem?.[0] ?? 'gone', message: problem?.[1] ?? GONE, person: id }
  await tx
    .updateTable('sso_identity')
    .set({ signed_in_at: call.context.clock.now() })
    .where('company_id', '=', call.company.id)
    .where('issuer', '=', identity.issuer)
    .where('subject', '=', identity.subject)
    .execute()
  const how = identity.kind === 'ccs' ? 'hand_off' : 'sso'
  const sessionOptions = { how, secondFactor: identity.secondFactor }
  return { outcome: 'signed_in', session: await finishSignIn(call, tx, realm, person, sessionOptions) }
}

const GONE = 'This account no longer exists. Contact your municipality.'

/** Returns the reason and the message if the account may not sign in with the issuer. Null if it may. */
export function signInProblemOf(
  person: Account | undefined,
  { audience, label }: Pick<Identity, 'audience' | 'label'>,
): [string, string] | null {
  if (!person) return ['gone', GONE]
  if (person.locked_at) return ['locked', say`This account is locked. Ask your municipality to unlock it.`]
  if (!isOpen(person)) return ['inactive', say`This account is not active. Contact your municipality.`]
  if (!isFor(audience, sessionOf(person, null).kind))
    return ['not_for_them', say`This account cannot sign in with ${label}. Sign in with your email and password.`]
  return null
}

async function requestProof(call: Call, tx: Tx, identity: Identity, reason: Pending['reason']): Promise<Outcome> {
  const ticket = newSecret()
  const now = call.context.clock.now()
  await tx
    .insertInto('sso_pending')
    .values({
      ...{ company_id: call.company.id, ticket_hash: hashSecret(ticket), kind: identity.kind },
      ...{ issuer: identity.issuer, subject: identity.subject, created_at: now },
      ...{ expires_at: new Date(now.getTime() + PENDING_MS), used_at: null },
    })
    .execute()
  const { kind, subject, label, email } = identity
  return {
    ...{ outcome: 'prove', ticket, label, email, reason },
    customer: kind === 'ccs' ? subject : '',
    maySignUp: isFor(identity.audience, 'citizen'),
  }
}

/** Creates a resident. Null if the email already has an account. */
async function addResident(call: Call, tx: Tx, identity: Identity): Promise<number | null> {
  const added = await tx
    .insertInto('person')
    .values({
      ...{ company_id: call.company.id, email: identity.email, password_hash: null, role_id: roles.citizen },
      ...{ first_name: identity.firstName, last_name: identity.lastName, mobile_no: '' },
      ...{ active_email_alerts: null, active_phone_alerts: null, locked_at: null },
      email_confirmed_at: identity.emailVerified ? call.context.clock.now() : null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return added?.id ?? null
}

const required = nameField('')

/** Returns a name from the issuer if the form would accept it, otherwise ''. */
export const asName = (value: unknown): string => {
  const parsed = required.safeParse(value)
  return parsed.success ? parsed.data : ''
}
export const asEmail = (value: unknown): string => {
  const parsed = newEmail.safeParse(value)
  return parsed.success ? parsed.data : ''
}
