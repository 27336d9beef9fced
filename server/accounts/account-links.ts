import type { AppContext } from '../app-context.ts'
import { hashSecret, newSecret } from '../sessions.ts'
import type { Tx } from '../tenancy.ts'
import type { AccountRealm, LinkPurpose } from './account-realms.ts'

const HOUR = 3_600_000

/**
 * Lifetimes of links, in milliseconds. Confirmation links last a week, because some people read their email only on
 * weekends. Password reset links expire sooner, because they give access to an account.
 */
const LIFETIMES: Record<LinkPurpose, number> = {
  confirm_email: 7 * 24 * HOUR,
  change_email: 7 * 24 * HOUR,
  reset_password: HOUR,
}

/**
 * Paths of the screens that accept a link. Platform staff open all of their links on one screen, the sign-in screen.
 */
const paths: Record<LinkPurpose, [company: string, platform: string]> = {
  confirm_email: ['/sign-in?confirm=', '/admin/sign-in?confirm='],
  change_email: ['/sign-in?confirm=', '/admin/sign-in?confirm='],
  reset_password: ['/reset-password?token=', '/admin/sign-in?reset='],
}

/**
 * Creates a single-use link for a person and voids their earlier links for this purpose. Only the email contains the
 * link's code.
 */
export async function makeLink(
  tx: Tx,
  context: AppContext,
  realm: AccountRealm,
  { personId, purpose, email }: { personId: number; purpose: LinkPurpose; email: string },
): Promise<string> {
  const code = newSecret()
  await realm.voidLinks(tx, personId, [purpose])
  const until = new Date(context.clock.now().getTime() + LIFETIMES[purpose])
  await realm.addLink(tx, { hash: hashSecret(code), personId, purpose, email, until })
  return realm.url(paths[purpose][realm.company ? 0 : 1] + code)
}
