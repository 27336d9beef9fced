import { type Call, implement } from '../../../server/call.ts'
import { rejected } from '../../../server/errors.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import { changeEmail } from '../contract.ts'
import { makeLink } from '../../../server/accounts/account-links.ts'
import { realmOf, ownSession } from '../../../server/accounts/account-realms.ts'
import { changeEmailNotice, emailChangingNotice, newEmailExistsNotice } from './emails.ts'
import { provePassword } from '../../../server/accounts/prove-password.ts'
import { say } from '../../../shared/messages.ts'

/** Limit for each person, because each request sends two emails. */
const perPerson = defineLimit('change-email', { max: 3 })
const SAME = 'This is already your email.'

/**
 * Starts a change of the caller's email. The new address gets a link. The old address gets a notice and stays valid
 * until the person confirms the link. If another account has the new address, its owner gets an email without a link.
 * The response to the caller is the same.
 * @returns the confirmation text
 * @throws 403 while impersonating, 422 if the password is wrong, 429 if over the limit
 */
export async function startEmailChange(
  call: Call,
  { email, password, field }: { email: string; password: string; field: string },
): Promise<string> {
  const { context } = call
  const session = ownSession(call)
  const realm = realmOf(call)
  const account = await provePassword(call, realm, session, { password, field })
  if (email.toLowerCase() === account.email.toLowerCase()) throw rejected(SAME, { email: SAME })
  await countAttempt(context, [perPerson(`${realm.scope}/${account.id}`)])
  await realm.within(async (tx) => {
    const other = await realm.findByEmail(tx, email)
    const link = await makeLink(tx, context, realm, { personId: account.id, purpose: 'change_email', email })
    await (other
      ? realm.notify(tx, email, newEmailExistsNotice, {})
      : realm.notify(tx, email, changeEmailNotice, { link }))
    await realm.notify(tx, account.email, emailChangingNotice, { email })
    await realm.audit(tx, call, { action: 'email.change_requested', subject: { kind: 'person', id: account.id } })
  })
  return say`We sent a link to ${email}. Your email will change when you open the link. Until then, sign in with your current email.`
}

export const changeEmailCall = implement(changeEmail, async (call) => ({
  success: true as const,
  message: await startEmailChange(call, { ...call.body, field: 'password' }),
}))
