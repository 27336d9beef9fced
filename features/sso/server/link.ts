import type { AppContext } from '../../../server/app-context.ts'
import { conflict } from '../../../server/errors.ts'
import { hashSecret, newSecret } from '../../../server/sessions.ts'
import type { Actor } from '../../../server/audit.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { makeLink } from '../../../server/accounts/account-links.ts'
import { type Account, type AccountRealm, refuseUnproven } from '../../../server/accounts/account-realms.ts'
import { accountNotice, confirmMethodText } from '../../../server/accounts/emails.ts'
import { definePendingLink } from '../../../server/accounts/pending-link.ts'
import type { SsoAudience } from '../rules.ts'
import { ccsIssuerOf } from './hand-off.ts'
import { ssoProviderOf } from './issuers.ts'
import { say } from '../../../shared/messages.ts'

/** Identity at an issuer. */
interface IssuerSubject {
  issuer: string
  subject: string
}

type LinkContext = Actor & { context: AppContext }

const TICKET_EXPIRED = 'You ran out of time to link your account, so nothing was changed. Start the sign-in again.'
export const ticketExpired = () => conflict('ticket_expired', TICKET_EXPIRED)

/** Links an identity permanently. Returns false if a concurrent call linked the identity first. */
export async function link(
  { context, ...actor }: LinkContext,
  tx: Tx,
  realm: AccountRealm,
  { issuer, subject }: IssuerSubject,
  person: number,
  undo: Buffer | null = null,
): Promise<boolean> {
  const now = context.clock.now()
  const made = await tx
    .insertInto('sso_identity')
    .values({
      ...{ company_id: companyOf(realm), issuer, subject, person_id: person },
      ...{ linked_at: now, signed_in_at: now, undo_hash: undo },
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('person_id')
    .executeTakeFirst()
  if (made)
    await realm.audit(tx, actor, {
      action: 'sso.linked',
      subject: { kind: 'person', id: person },
      person,
      detail: { issuer, subject },
    })
  return made !== undefined
}

/**
 * Links the identity of a ticket after the person has signed in, and notifies the person.
 * @throws 409 if the ticket has expired, or the account's email is unconfirmed
 */
export async function linkPendingIdentity(
  call: LinkContext,
  tx: Tx,
  realm: AccountRealm,
  account: Account,
  ticketHash: Buffer,
): Promise<void> {
  refuseUnproven(account)
  const { context } = call
  const pending = await tx
    .updateTable('sso_pending')
    .set({ used_at: context.clock.now() })
    .where('company_id', '=', companyOf(realm))
    .where('ticket_hash', '=', ticketHash)
    .where('used_at', 'is', null)
    .returning(['kind', 'issuer', 'subject'])
    .executeTakeFirst()
  const from = pending && (await findTrustedIssuer(tx, companyOf(realm), pending))
  const undo = newSecret()
  if (!from || !(await link(call, tx, realm, pending, account.id, hashSecret(undo)))) throw ticketExpired()
  const { id, email } = account
  const confirm = await makeLink(tx, context, realm, { personId: id, purpose: 'confirm_email', email })
  await realm.notify(tx, email, linkedNotice, { label: from.label, undo, confirm })
}

definePendingLink(linkPendingIdentity)

/** Finds the issuer or billing system that an identity came from. Null if the company no longer trusts it. */
export async function findTrustedIssuer(
  tx: Tx,
  company: CompanyId,
  { kind, issuer }: { kind: 'oidc' | 'ccs'; issuer: string },
): Promise<{ label: string; audience: SsoAudience; counts_as_second_factor: boolean } | null> {
  if (kind === 'ccs') {
    const ccs = await ccsIssuerOf(tx, company)
    if (ccs?.is_active !== 1 || ccs.issuer !== issuer) return null
    return { label: ccs.label, audience: 'residents', counts_as_second_factor: false }
  }
  const provider = await ssoProviderOf(tx, company)
  return provider?.is_active === 1 && bare(provider.issuer) === bare(issuer) ? provider : null
}

const bare = (url: string) => url.replace(/\/$/, '')

/** Returns the company in which a person signs in. The platform has no single sign-on. */
function companyOf(realm: AccountRealm): CompanyId {
  if (!realm.company) throw new Error('nobody is linked to an account of the platform')
  return realm.company.id
}

interface LinkNoticeData {
  label: string
  undo: string
  confirm: string
}

const linkedNotice = accountNotice<LinkNoticeData>('identity_linked', ({ label, undo, confirm }, at) => ({
  subject: say`You can now sign in to ${at.name} with ${label}`,
  paragraphs: [
    say`We linked your ${at.name} account to ${label} after someone entered all your sign-in details. You can now sign in with ${label}.`,
    say`If this was not you, open this link to undo the change, and then set a new password:`,
    { label: say`Undo`, url: at.url(`/sso-auth-complete?undo=${undo}`) },
    ...confirmMethodText(confirm),
  ],
}))
