import type { Actor } from '../audit.ts'
import type { AppContext } from '../app-context.ts'
import type { Tx } from '../tenancy.ts'
import type { Account, Door } from './account-realms.ts'

/** Links the identity that waits behind a ticket, after its person has also passed the second factor. */
type LinkWaiting = (
  call: Actor & { context: AppContext },
  tx: Tx,
  door: Door,
  account: Account,
  ticketHash: Buffer,
) => Promise<void>

let definedLink: LinkWaiting | null = null

/** Single sign-on defines this step. The second factor comes in between and does not know about it. */
export const defineWaitingLink = (link: LinkWaiting): void => void (definedLink = link)

export const linkWaiting: LinkWaiting = async (...waiting) => {
  if (!definedLink) throw new Error('nothing is linked here: single sign-on is not among the features')
  await definedLink(...waiting)
}
