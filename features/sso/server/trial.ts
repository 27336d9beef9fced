import { implement } from '../../../server/call.ts'
import { realmOf } from '../../../server/accounts/account-realms.ts'
import { settingsOf } from '../../payments/api.ts'
import { ssoTestState, startSsoTest, verifySsoTest } from '../contract.ts'
import { finishAttempt, startAttempt } from './attempts.ts'
import { ssoProviderOf, redirectUriOf } from './issuers.ts'
import { countRefusals } from './refusals.ts'
import { identityOf } from './sign-in.ts'
import { linkOf, linkProblemOf, signInProblemOf } from './complete.ts'
import { say } from '../../../shared/messages.ts'

export const ssoTestStateCall = implement(ssoTestState, async ({ context, company }) => {
  const [row, { provider: shortName }] = await context.inCompany(company.id, async (tx) => [
    await ssoProviderOf(tx, company.id),
    await settingsOf(tx, company.id),
  ])
  return {
    shortName,
    provider: row
      ? { label: row.label, issuer: row.issuer, active: row.is_active === 1, audience: row.audience }
      : null,
    redirectUri: redirectUriOf(context, company),
  }
})

export const startSsoTestCall = implement(startSsoTest, (call) => startAttempt(call, 'test'))

/** Describes the effect of a sign-in, without creating a session, an account or a link. */
export const verifySsoTestCall = implement(verifySsoTest, async (call) => {
  const returned = await countRefusals(call, () => finishAttempt(call, 'test'))
  const { provider, claims } = returned
  const identity = identityOf(returned)
  const realm = realmOf(call)
  const would = await call.inCompany(async (tx) => {
    await call.audit(tx, { action: 'sso.tested', subject: { kind: 'issuer', id: identity.issuer } })
    const linked = await linkOf(tx, call, identity)
    const person = linked && (await realm.findById(tx, linked.person_id))
    if (linked)
      return (
        signInProblemOf(person, identity)?.[1] ??
        say`A sign-in would open the account of ${person?.first_name ?? ''} ${person?.last_name ?? ''} (${person?.email ?? ''}).`
      )
    const existing = identity.email ? await realm.findByEmail(tx, identity.email) : undefined
    return sentences[linkProblemOf(identity, existing) ?? 'new']
  })
  const from: [string, string][] = [
    [say`Email`, provider.claim_email],
    [say`First Name`, provider.claim_first_name],
    [say`Last Name`, provider.claim_last_name],
  ]
  const used = new Set([...from.map(([, claim]) => claim), 'iss', 'sub', 'email_verified'])
  return {
    ...{ issuer: identity.issuer, subject: identity.subject, emailVerified: identity.emailVerified, would },
    fields: from.map(([field, claim]) => ({ field, claim, value: claimText(claims[claim]) })),
    otherClaims: Object.keys(claims)
      .filter((name) => !used.has(name))
      .toSorted(),
  }
})

const sentences = {
  new: 'A sign-in would create a new resident account with these details and open it.',
  known_email:
    'An account with this email already exists. The first sign-in would ask once for that account’s password and then link the account.',
  staff_only:
    'A sign-in would ask once for the email and password of a staff account, and then link that account. Single sign-on does not create staff accounts.',
  no_email:
    'The issuer does not provide a usable email address. A sign-in would ask once for the email and password of an account, and then link that account.',
  customer: '',
}

const claimText = (value: unknown): string =>
  (typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)).slice(0, 300)
