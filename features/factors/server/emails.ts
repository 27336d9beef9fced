import type { AppContext } from '../../../server/app-context.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { makeLink } from '../../../server/accounts/account-links.ts'
import type { Account, AccountRealm } from '../../../server/accounts/account-realms.ts'
import { accountNotice, newPassword, confirmMethodText } from '../../../server/accounts/emails.ts'
import { say, translated } from '../../../shared/messages.ts'

const changes = {
  app_added: 'An authenticator app was set up for your account',
  app_removed: 'The authenticator app was turned off for your account',
  codes_renewed: 'New recovery codes replaced the earlier ones for your account',
  passkey_added: 'A passkey was added to your account',
  passkey_removed: 'A passkey was removed from your account',
  reset: 'An administrator removed the authenticator app, the recovery codes and the passkeys from your account',
} as const

interface Change {
  change: keyof typeof changes
  /** Link that the account owner opens to confirm a new factor. */
  link?: string
}

export const factorNotice = accountNotice<Change>(
  'factors_changed',
  ({ change, link }, at) => ({
    subject: say`Your sign-in methods for ${at.name} were changed`,
    paragraphs: [
      say`${translated(changes[change])} with ${at.name}.`,
      ...(change === 'reset' ? [say`Your password did not change, and you were signed out everywhere.`] : []),
      ...(link === undefined ? [] : confirmMethodText(link)),
      say`If you did not make or request this change, contact us and set a new password now:`,
      newPassword(at),
    ],
  }),
  // True if the recipient made the change. In a reset, an administrator removed the factors.
  ({ change }) => change !== 'reset',
)

/** Notifies a person of a new factor, with a link to confirm it. */
export async function notifyOfNewFactor(
  tx: Tx,
  context: AppContext,
  realm: AccountRealm,
  { id, email }: Pick<Account, 'id' | 'email'>,
  change: 'app_added' | 'passkey_added',
): Promise<void> {
  const link = await makeLink(tx, context, realm, { personId: id, purpose: 'confirm_email', email })
  await realm.notify(tx, email, factorNotice, { change, link })
}
