import type { House } from '../../../server/house.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { makeLink } from '../../identity/server/account-links.ts'
import type { Account, Door } from '../../identity/server/doors.ts'
import { sendLetter, standForIt } from '../../identity/server/letters.ts'

const changes = {
  app_added: 'An authenticator app was set up for your account',
  app_removed: 'The authenticator app of your account was turned off',
  codes_renewed: 'New recovery codes were made for your account; the earlier ones are worth nothing',
  passkey_added: 'A passkey was added to your account',
  passkey_removed: 'A passkey was removed from your account',
  reset: 'An administrator took the authenticator app, the recovery codes and the passkeys off your account',
} as const

/** Tells somebody that the ways into their account changed. */
export const factorLetter = (door: Door, change: keyof typeof changes, more: readonly string[] = []) => ({
  subject: `How you sign in to ${door.name} was changed`,
  paragraphs: [
    `${changes[change]} with ${door.name}.`,
    ...(change === 'reset' ? ['Your password is as it was, and you were signed out everywhere.'] : []),
    ...more,
    'If this was not you, set a new password now, and tell us:',
    door.url(door.company ? '/reset-password' : '/admin/sign-in?forgot=1'),
  ],
})

/** The same for a new way in, with a link by which its owner stands for it. */
export async function tellOfNewWay(
  tx: Tx,
  house: House,
  door: Door,
  { id, email }: Pick<Account, 'id' | 'email'>,
  change: 'app_added' | 'passkey_added',
): Promise<void> {
  const link = await makeLink(tx, house, door, { personId: id, purpose: 'confirm_email', email })
  await sendLetter(tx, door, email, factorLetter(door, change, standForIt(link)))
}
