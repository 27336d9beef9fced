import type { Actor } from '../audit.ts'
import type { AppContext } from '../app-context.ts'
import type { Tx } from '../tenancy.ts'
import type { Account, AccountRealm } from './account-realms.ts'

/**
 * Function that links a pending single sign-on identity to an account, after the person has also passed two-factor
 * authentication.
 */
type LinkPendingIdentity = (
  call: Actor & { context: AppContext },
  tx: Tx,
  realm: AccountRealm,
  account: Account,
  ticketHash: Buffer,
) => Promise<void>

let definedLink: LinkPendingIdentity | null = null

/**
 * Registers the linking step of single sign-on. Two-factor authentication runs the step without importing the single
 * sign-on code.
 */
export const definePendingLink = (link: LinkPendingIdentity): void => void (definedLink = link)

export const linkPendingIdentity: LinkPendingIdentity = async (...args) => {
  if (!definedLink) throw new Error('nothing is linked here: single sign-on is not among the features')
  await definedLink(...args)
}
