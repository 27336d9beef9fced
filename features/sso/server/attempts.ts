import * as oidc from 'openid-client'
import { type Call } from '../../../server/call.ts'
import { notFound, Refusal } from '../../../server/errors.ts'
import { countAttempt, defineAddressLimit } from '../../../server/limits.ts'
import { hashSecret, newSecret } from '../../../server/sessions.ts'
import { clientOf, ssoProviderOf, redirectUriOf, type SsoProvider } from './issuers.ts'
import { InnerAddress } from '../../../server/outgoing.ts'
import { refuseSignIn } from './refusals.ts'
import { say } from '../../../shared/messages.ts'

/** Time limit for the sign-in at the issuer, in milliseconds. */
const AWAY_MS = 10 * 60_000
const perAddress = defineAddressLimit('sso-start', { max: 60 })

export type Purpose = 'sign_in' | 'test'

/**
 * Starts a sign-in attempt and stores its secrets, which the browser must send when it returns.
 * @throws 404, 429, 503
 */
export async function startAttempt(call: Call, purpose: Purpose) {
  const { context, company } = call
  const provider = await call.inCompany((tx) => ssoProviderOf(tx, company.id))
  if (!provider || (purpose === 'sign_in' && provider.is_active !== 1))
    throw notFound('We do not offer single sign-on. Sign in with your email and password.')
  await countAttempt(context, [perAddress(call.address)])
  const config = await clientOf(context, provider).catch((error: unknown) => refuseUnreachable(call, provider, error))
  const [state, browser, nonce, verifier] = [
    newSecret(),
    newSecret(),
    oidc.randomNonce(),
    oidc.randomPKCECodeVerifier(),
  ]
  const now = context.clock.now()
  await call.inCompany((tx) =>
    tx
      .insertInto('sso_attempt')
      .values({
        ...{ company_id: company.id, state_hash: hashSecret(state), browser_hash: hashSecret(browser), purpose },
        ...{ issuer: provider.issuer, nonce, verifier_sealed: context.secrets.seal(verifier) },
        started_by: purpose === 'test' ? (call.session?.personId ?? null) : null,
        ...{ created_at: now, expires_at: new Date(now.getTime() + AWAY_MS), used_at: null },
      })
      .execute(),
  )
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUriOf(context, company),
    scope: 'openid email profile',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  })
  return { success: true as const, url: url.href, browser }
}

interface CallbackInput {
  browser: string
  state: string
  code?: string | undefined
  iss?: string | undefined
  error?: string | undefined
}

/** Identity from the issuer, with the claims of the signed token and of the userinfo endpoint. */
export interface IdentityResponse {
  provider: SsoProvider
  claims: Record<string, unknown> & { iss: string; sub: string }
}

const ATTEMPT_EXPIRED =
  'This sign-in took too long, was already used, or started in another window. Start again from the sign-in page.'

/**
 * Verifies the response of the issuer. Works only once, in the same browser tab, within ten minutes.
 * @throws 409 or 503, which are recorded in the audit log
 */
export async function finishAttempt(call: Call<CallbackInput>, purpose: Purpose): Promise<IdentityResponse> {
  const { context, company, body } = call
  const now = context.clock.now()
  const { attempt, provider } = await call.inCompany(async (tx) => ({
    attempt: await tx
      .updateTable('sso_attempt')
      .set({ used_at: now })
      .where('company_id', '=', company.id)
      .where('state_hash', '=', hashSecret(body.state))
      .where('browser_hash', '=', hashSecret(body.browser))
      .where('purpose', '=', purpose)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .returning(['issuer', 'nonce', 'verifier_sealed', 'started_by'])
      .executeTakeFirst(),
    provider: await ssoProviderOf(tx, company.id),
  }))
  const isOwn = purpose === 'sign_in' || attempt?.started_by === call.session?.personId
  if (!attempt || !isOwn) return refuseSignIn(call, 'unknown_state', ATTEMPT_EXPIRED)
  if (!provider || provider.issuer !== attempt.issuer || (purpose === 'sign_in' && provider.is_active !== 1))
    return refuseSignIn(call, 'issuer_changed', ATTEMPT_EXPIRED)
  if (body.error !== undefined || body.code === undefined)
    return refuseSignIn(
      call,
      `issuer_said_${(body.error ?? 'nothing').replaceAll(/[^\w]/g, '').slice(0, 40)}`,
      say`${provider.label} did not sign you in. Try again, or sign in with your email and password.`,
    )
  const config = await clientOf(context, provider).catch((error: unknown) => refuseUnreachable(call, provider, error))
  const url = new URL(redirectUriOf(context, company))
  for (const [name, value] of [
    ['code', body.code],
    ['state', body.state],
    ['iss', body.iss],
  ] as const)
    if (value !== undefined) url.searchParams.set(name, value)
  try {
    const tokens = await oidc.authorizationCodeGrant(config, url, {
      expectedState: body.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: context.secrets.open(attempt.verifier_sealed),
      idTokenExpected: true,
    })
    const signed = tokens.claims()
    if (!signed) throw new Error('no id token')
    return { provider, claims: await withUserInfo(config, provider, tokens.access_token, signed) }
  } catch (error) {
    if (isUnreachable(error)) return refuseUnreachable(call, provider, error)
    context.log.warn({ err: error, company: company.id }, 'an answer of an issuer was refused')
    return refuseSignIn(
      call,
      `response_refused_${codeOf(error)}`,
      say`We could not verify the response from ${provider.label}, so we did not sign you in. Try again from the sign-in page. If it happens again, contact your municipality.`,
    )
  }
}

/**
 * Adds claims from the userinfo endpoint, because many issuers return the email only there. If both sources have a
 * claim, the signed claim applies.
 */
async function withUserInfo(
  config: oidc.Configuration,
  provider: SsoProvider,
  accessToken: string,
  signed: oidc.IDToken,
): Promise<IdentityResponse['claims']> {
  const complete = [provider.claim_email, provider.claim_first_name].every((name) => signed[name] !== undefined)
  if (complete || !config.serverMetadata().userinfo_endpoint) return signed
  return { ...(await oidc.fetchUserInfo(config, accessToken, signed.sub)), ...signed }
}

const codeOf = (error: unknown): string => {
  const { code, error: errorCode, cause } = error as { code?: unknown; error?: unknown; cause?: { code?: unknown } }
  return (
    [errorCode, code, cause?.code]
      .find((word) => typeof word === 'string')
      ?.toString()
      .slice(0, 60) ?? 'unknown'
  )
}

/** Returns true if the error means that the issuer could not be reached. */
function isUnreachable(error: unknown): boolean {
  const causes = [error, (error as Error | null)?.cause] as ({ name?: string; code?: string } | undefined)[]
  return causes.some(
    (cause) =>
      cause instanceof InnerAddress ||
      cause?.name === 'TimeoutError' ||
      cause?.name === 'AbortError' ||
      /^(?:ECONN|ENOTFOUND|EAI_|EHOST|ENET|ETIMEDOUT|ERR_TLS|CERT_|UNABLE_|DEPTH_|SELF_)/.test(cause?.code ?? ''),
  )
}

function refuseUnreachable(call: Call, provider: SsoProvider, error: unknown): Promise<never> {
  call.context.log.warn({ err: error, company: call.company.id }, 'an issuer could not be asked')
  return refuseSignIn(
    call,
    `issuer_silent`,
    say`We cannot reach ${provider.label} right now. Try again in a minute, or sign in with your email and password.`,
    { status: 503, code: 'issuer_silent' },
  )
}

/** Tests whether the portal can reach the issuer. Null if it can, otherwise the reason. */
export const issuerProblemOf = (call: Call, provider: SsoProvider): Promise<string | null> =>
  clientOf(call.context, provider).then(
    () => null,
    (error: unknown) => {
      const causes = [error, (error as Error).cause]
      if (causes.some((cause) => cause instanceof InnerAddress))
        return say`its URL leads to this server or an internal network, which is not allowed`
      if (error instanceof Refusal) return error.message
      return isUnreachable(error) ? say`it does not respond` : say`its configuration could not be read`
    },
  )
