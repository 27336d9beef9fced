import type { Call } from '../../../server/call.ts'
import { hashSecret, newSecret, sessionOf } from '../../../server/sessions.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { roles } from '../../../shared/privileges.ts'
import { nameField } from '../../../shared/accounts.ts'
import { newEmail } from '../../../shared/email.ts'
import { makeLink } from '../../../server/accounts/account-links.ts'
import { type Account, type Door, isOpen } from '../../../server/accounts/account-realms.ts'
import { confirmNotice } from '../../../server/accounts/emails.ts'
import { say } from '../../../shared/words.ts'
import type { Pending, verifySso } from '../contract.ts'
import { isFor, type SsoAudience } from '../rules.ts'
import { finishSignIn } from './finish-sign-in.ts'
import { link } from './link.ts'

/** How long the question for the password stays open. */
const PENDING_MS = 10 * 60_000

/** Somebody whom an issuer, or a billing system, says to be `subject`. */
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
/** What was not to be: to be written down outside of the transaction that it undoes. */
export interface SignInRefusal {
  refused: string
  sentence: string
  person?: number
}

/**
 * What becomes of somebody whom an issuer vouches for: the linked account is signed in; without a link, a resident's
 * account is made where none has the email, else they are asked for a password. Never is an account found by an email.
 */
export async function settle(call: Call, tx: Tx, door: Door, identity: Identity): Promise<Outcome | SignInRefusal> {
  const linked = await linkOf(tx, call, identity)
  if (linked) return signInLinked(call, tx, door, identity, linked.person_id)
  const known = identity.email ? await door.findByEmail(tx, identity.email) : undefined
  const reason = reasonToAsk(identity, known)
  if (reason) return ask(call, tx, identity, reason)
  const id = await addResident(call, tx, identity)
  if (id === null) return ask(call, tx, identity, 'known_email')
  if (!(await link(call, tx, door, identity, id))) throw new Error('an identity was linked meanwhile')
  if (!identity.emailVerified) {
    const address = { personId: id, purpose: 'confirm_email' as const, email: identity.email }
    await door.tell(tx, identity.email, confirmNotice, { link: await makeLink(tx, call.context, door, address) })
  }
  const person = await door.findById(tx, id)
  if (!person) throw new Error('a resident who was just added is not there')
  const way = { how: 'sso', secondFactor: identity.secondFactor, action: 'sign_up.accepted' as const }
  return { outcome: 'signed_in', session: await finishSignIn(call, tx, door, person, way) }
}

/** Why somebody without a link is asked for a password; null where an account is made for them. */
export function reasonToAsk(identity: Identity, known: Account | undefined): Pending['reason'] | null {
  if (identity.kind === 'ccs') return 'customer'
  if (known) return 'known_email'
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
  door: Door,
  identity: Identity,
  id: number,
): Promise<Outcome | SignInRefusal> {
  const person = await door.findById(tx, id)
  const shut = whyShut(person, identity)
  if (!person || shut) return { refused: shut?.[0] ?? 'gone', sentence: shut?.[1] ?? GONE, person: id }
  await tx
    .updateTable('sso_identity')
    .set({ signed_in_at: call.context.clock.now() })
    .where('company_id', '=', call.company.id)
    .where('issuer', '=', identity.issuer)
    .where('subject', '=', identity.subject)
    .execute()
  const how = identity.kind === 'ccs' ? 'hand_off' : 'sso'
  const way = { how, secondFactor: identity.secondFactor }
  return { outcome: 'signed_in', session: await finishSignIn(call, tx, door, person, way) }
}

const GONE = 'This account is not there any more. Ask your municipality.'

/** The reason and the sentence, where an account may not be signed in to this way. */
export function whyShut(
  person: Account | undefined,
  { audience, label }: Pick<Identity, 'audience' | 'label'>,
): [string, string] | null {
  if (!person) return ['gone', GONE]
  if (person.locked_at) return ['locked', say`This account is locked. Ask your municipality to unlock it.`]
  if (!isOpen(person)) return ['inactive', say`This account is not active. Ask your municipality.`]
  if (!isFor(audience, sessionOf(person, null).kind))
    return [
      'not_for_them',
      say`Signing in with ${label} is not meant for this account. Sign in with your email and password.`,
    ]
  return null
}

async function ask(call: Call, tx: Tx, identity: Identity, reason: Pending['reason']): Promise<Outcome> {
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

/** Null where the email has an account by now. */
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

/** An issuer's words become ours only as far as somebody could have typed them. */
export const asName = (given: unknown): string => {
  const parsed = required.safeParse(given)
  return parsed.success ? parsed.data : ''
}
export const asEmail = (given: unknown): string => {
  const parsed = newEmail.safeParse(given)
  return parsed.success ? parsed.data : ''
}
