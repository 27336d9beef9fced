import { type Call, implement } from '../../../server/call.ts'
import { conflict, Refusal, rejected } from '../../../server/errors.ts'
import { hashSecret } from '../../../server/sessions.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { requestSecondFactor } from '../../factors/api.ts'
import { realmOf, refuseUnproven } from '../../../server/accounts/account-realms.ts'
import { provenAccount } from '../../../server/accounts/proven-account.ts'
import { startSignedInSession } from '../../../server/accounts/start-session.ts'
import { linkSso, ssoOptions, startSso, redeemHandOff, undoSso, verifySso } from '../contract.ts'
import { finishAttempt, startAttempt, type IdentityResponse } from './attempts.ts'
import { ccsIssuerOf } from './hand-off.ts'
import { ssoProviderOf } from './issuers.ts'
import { linkPendingIdentity, ticketExpired, findTrustedIssuer } from './link.ts'
import { countRefusals, refuseSignIn } from './refusals.ts'
import { asEmail, asName, type Identity, resolveIdentity, signInProblemOf } from './complete.ts'

export const ssoOptionsCall = implement(ssoOptions, async (call) => {
  const provider = await call.inCompany((tx) => ssoProviderOf(tx, call.company.id))
  return { provider: provider?.is_active === 1 ? { label: provider.label } : null }
})

export const startSsoCall = implement(startSso, (call) => startAttempt(call, 'sign_in'))

/** Builds an identity from the claims, with the claim names that the company configured. */
export function identityOf({ provider, claims }: IdentityResponse): Identity {
  const email = asEmail(claims[provider.claim_email])
  return {
    ...{ kind: 'oidc', issuer: claims.iss, subject: claims.sub, label: provider.label, audience: provider.audience },
    email,
    // The claim `email_verified` is about the claim `email`. If the email comes from another claim, it counts as
    // unverified.
    emailVerified: provider.claim_email === 'email' && claims['email_verified'] === true,
    firstName: asName(claims[provider.claim_first_name]) || asName(email.split('@')[0]),
    lastName: asName(claims[provider.claim_last_name]),
    secondFactor: provider.counts_as_second_factor,
  }
}

export const verifySsoCall = implement(verifySso, (call) =>
  countRefusals(call, async () => finishSignIn(call, identityOf(await finishAttempt(call, 'sign_in')))),
)

async function finishSignIn(call: Call, identity: Identity | ((tx: Tx) => Promise<Identity | null>)) {
  const realm = realmOf(call)
  const result = await call.inCompany(async (tx) => {
    const resolved = typeof identity === 'function' ? await identity(tx) : identity
    return resolved ? resolveIdentity(call, tx, realm, resolved) : null
  })
  if (!result) return refuseSignIn(call, 'code_expired', CODE_EXPIRED, { how: 'hand_off' })
  if (!('refused' in result)) return result
  const { refused, message, person } = result
  return refuseSignIn(call, refused, message, person === undefined ? {} : { person })
}

const CODE_EXPIRED =
  'This sign-in took too long or was already used. Return to your utility billing website and open the portal again.'

export const redeemHandOffCall = implement(redeemHandOff, (call) =>
  countRefusals(call, () =>
    finishSignIn(call, async (tx) => {
      const now = call.context.clock.now()
      const handOff = await tx
        .updateTable('ccs_hand_off')
        .set({ used_at: now })
        .where('company_id', '=', call.company.id)
        .where('code_hash', '=', hashSecret(call.body.code))
        .where('used_at', 'is', null)
        .where('code_expires_at', '>', now)
        .returning(['issuer', 'subject'])
        .executeTakeFirst()
      const issuer = handOff && (await ccsIssuerOf(tx, call.company.id))
      if (!handOff || issuer?.is_active !== 1 || issuer.issuer !== handOff.issuer) return null
      return customerOf(issuer.label, handOff)
    }),
  ),
)

const customerOf = (label: string, { issuer, subject }: { issuer: string; subject: string }): Identity => ({
  ...{ kind: 'ccs', issuer, subject, label, audience: 'residents', email: '', emailVerified: false },
  ...{ firstName: '', lastName: '', secondFactor: false },
})

/**
 * Links an account after the person enters its password and, if enabled, completes its own two-factor authentication.
 * The issuer's authentication does not count, because it proves only the identity at the issuer. The owner gets an
 * email about the link.
 */
export const linkSsoCall = implement(linkSso, async (call) => {
  const { body, company } = call
  const realm = realmOf(call)
  const pending = await call.inCompany((tx) => pendingOf(tx, call))
  if (!pending) throw ticketExpired()
  const how = pending.kind === 'ccs' ? 'hand_off' : 'sso'
  const person = await provenAccount(call, realm, body, how).catch(asFormError)
  const result = await call.inCompany(async (tx) => {
    const now = await realm.findById(tx, person.id)
    const from = await findTrustedIssuer(tx, company.id, pending)
    if (!now || !from) throw ticketExpired()
    const problem = signInProblemOf(now, from)
    if (problem) return { problem }
    refuseUnproven(now)
    const ownAlone = from.counts_as_second_factor
    const challenge = await requestSecondFactor(call, tx, realm, now, {
      firstMethod: 'sso',
      ssoTicket: body.ticket,
      ownAlone,
    })
    if (challenge) return challenge
    await linkPendingIdentity(call, tx, realm, now, hashSecret(body.ticket))
    return startSignedInSession(call, tx, realm, now, 'sso')
  })
  if ('problem' in result) return refuseSignIn(call, result.problem[0], result.problem[1], { person: person.id })
  return result
})

/** Converts a wrong password to a field error, because the status 401 would end the session in the browser. */
function asFormError(error: unknown): never {
  if (error instanceof Refusal && error.status === 401) throw rejected(error.message, { password: error.message })
  throw error
}

const pendingOf = (tx: Tx, { company, body, context }: Call<{ ticket: string }>) =>
  tx
    .selectFrom('sso_pending')
    .select(['kind', 'issuer', 'subject'])
    .where('company_id', '=', company.id)
    .where('ticket_hash', '=', hashSecret(body.ticket))
    .where('used_at', 'is', null)
    .where('expires_at', '>', context.clock.now())
    .executeTakeFirst()

/**
 * Removes a single sign-on link that the account's owner undid through the emailed code, and ends all sessions of the
 * account.
 */
export const undoSsoCall = implement(undoSso, async (call) => {
  const realm = realmOf(call)
  await call.inCompany(async (tx) => {
    const undone = await tx
      .deleteFrom('sso_identity')
      .where('company_id', '=', call.company.id)
      .where('undo_hash', '=', hashSecret(call.body.code))
      .returning(['person_id', 'issuer', 'subject'])
      .executeTakeFirst()
    if (!undone)
      throw conflict(
        'link_expired',
        'The account link was already undone. If you have not set a new password yet, set one now.',
      )
    const { person_id: person, issuer, subject } = undone
    await realm.endSessions(tx, person)
    await call.audit(tx, {
      action: 'sso.unlinked',
      subject: { kind: 'person', id: person },
      person,
      detail: { issuer, subject },
    })
  })
  return {
    success: true as const,
    message: 'The link was undone. The other sign-in method can no longer be used to sign in to your account.',
  }
})
