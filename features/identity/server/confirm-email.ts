import { type Call, implement } from '../../../server/call.ts'
import { conflict } from '../../../server/errors.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import { hashSecret } from '../../../server/sessions.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { confirmEmail, sendConfirmation } from '../contract.ts'
import { makeLink } from '../../../server/accounts/account-links.ts'
import {
  type Account,
  type AccountRealm,
  realmOf,
  isOpen,
  ownAccount,
  ownSession,
} from '../../../server/accounts/account-realms.ts'
import { confirmNotice } from '../../../server/accounts/emails.ts'
import { emailChangedNotice } from './emails.ts'
import { say } from '../../../shared/messages.ts'

const emailsPerPerson = defineLimit('confirm-email', { max: 3 })

/** Confirms the email or completes an email change, with an emailed link. No session is needed. */
export const confirmEmailCall = implement(confirmEmail, async (call) => {
  const { body, requestId } = call
  const realm = realmOf(call)
  return realm.within(async (tx) => {
    const link = await realm.findLink(tx, hashSecret(body.code), ['confirm_email', 'change_email'], { take: true })
    const account = link && (await realm.findById(tx, link.person_id))
    const changes = link?.purpose === 'change_email'
    if (!account || !isOpen(account) || (!changes && account.email !== link.email))
      return explainPast(tx, realm, hashSecret(body.code))
    if (changes) await moveTo(tx, realm, account, link.email)
    else await realm.setEmail(tx, account.id, account.email)
    const action = changes ? 'email.changed' : 'email.confirmed'
    await realm.audit(
      tx,
      { session: null, requestId },
      { action, subject: { kind: 'person', id: account.id }, person: account.id },
    )
    return {
      success: true as const,
      message: changes
        ? say`Your email is now ${link.email}. Use it to sign in.`
        : say`Thank you. ${link.email} is confirmed.`,
      email: link.email,
      personId: account.id,
    }
  })
})

/**
 * Explains why a link no longer works. Returns a success response if the link was used and the email is confirmed.
 * @throws 409 if the link is void
 */
async function explainPast(tx: Tx, realm: AccountRealm, hash: Buffer) {
  const past = await realm.pastOf(tx, hash)
  const account = past && (await realm.findById(tx, past.person_id))
  const isOurs = past?.purpose === 'confirm_email' || past?.purpose === 'change_email'
  if (isOurs && past.used && account && isOpen(account) && account.email === past.email && account.email_confirmed_at)
    return {
      success: true as const,
      message: say`This link was already used. ${past.email} is confirmed.`,
      email: past.email,
      personId: account.id,
    }
  throw conflict(
    'link_expired',
    past?.newer
      ? 'We emailed you a newer link. Open that one.'
      : 'This link has expired or was cancelled. Request a new one in your settings.',
  )
}

async function moveTo(tx: Tx, realm: AccountRealm, account: Account, email: string): Promise<void> {
  const other = await realm.findByEmail(tx, email)
  if (other && other.id !== account.id)
    throw conflict('email_taken', 'Another account already uses this email. Choose another email in your settings.')
  await realm.setEmail(tx, account.id, email)
  // Voids the links sent to the old address.
  await realm.voidLinks(tx, account.id, ['reset_password', 'confirm_email'])
  await realm.notify(tx, account.email, emailChangedNotice, { email })
}

/** Resends the confirmation link to a resident with an unconfirmed email. */
export const sendConfirmationCall = implement(sendConfirmation, async (call) => {
  const session = ownSession(call)
  const realm = realmOf(call)
  const account = await realm.within((tx) => ownAccount(tx, realm, session))
  if (account.email_confirmed_at) throw conflict('confirmed', 'Your email is already confirmed.')
  await emailConfirmation(call, realm, account)
  return { success: true as const, message: say`We sent the confirmation link to ${account.email} again.` }
})

/** Emails a new confirmation link and voids earlier links. @throws 429 if over the limit */
export async function emailConfirmation(call: Call, realm: AccountRealm, { id, email }: Account): Promise<void> {
  const { context } = call
  await countAttempt(context, [emailsPerPerson(`${realm.scope}/${id}`)])
  await realm.within(async (tx) => {
    const link = await makeLink(tx, context, realm, { personId: id, purpose: 'confirm_email', email })
    await realm.notify(tx, email, confirmNotice, { link })
    await realm.audit(tx, call, { action: 'email.confirmation_sent', subject: { kind: 'person', id }, person: id })
  })
}
