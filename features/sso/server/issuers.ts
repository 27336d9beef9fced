import * as oidc from 'openid-client'
import { originOf } from '../../../server/config.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { isLoopbackName } from '../../../shared/loopback-name.ts'
import { outgoing } from '../../../server/outgoing.ts'

/**
 * Loads the issuer of a company, with its encrypted client secret. If `hold` is true, locks the row until the
 * transaction ends.
 */
export const ssoProviderOf = (tx: Tx, company: CompanyId, { hold = false } = {}) =>
  tx
    .selectFrom('sso_provider')
    .selectAll()
    .where('company_id', '=', company)
    .$if(hold, (query) => query.forUpdate())
    .executeTakeFirst()

export type SsoProvider = NonNullable<Awaited<ReturnType<typeof ssoProviderOf>>>

/** Returns the URL to which the issuer redirects. It is the only redirect URL that is registered with the issuer. */
export const redirectUriOf = (context: AppContext, company: Company): string =>
  `${originOf(context.config, company.subdomain)}/sso-verification`

const CACHE_MS = 10 * 60_000
const TIMEOUT_SECONDS = 5
/** Tolerated clock difference, in seconds. */
const TOLERANCE_SECONDS = 30
const MAX_STORED = 500

interface CachedIssuer {
  until: number
  config: Promise<oidc.Configuration>
}
const caches = new WeakMap<AppContext, Map<string, CachedIssuer>>()

/**
 * Loads the issuer's metadata and caches it for ten minutes. Tokens come directly from the issuer. Their signatures are
 * verified nevertheless, so that a proxy cannot forge identities.
 * @throws if the issuer cannot be reached or returns invalid metadata
 */
export async function clientOf(context: AppContext, provider: SsoProvider): Promise<oidc.Configuration> {
  const cache = caches.get(context) ?? new Map<string, CachedIssuer>()
  caches.set(context, cache)
  const key = [provider.company_id, provider.issuer, provider.client_id, provider.client_secret_sealed].join('\n')
  const now = context.clock.now().getTime()
  const cached = cache.get(key)
  if (cached && cached.until > now) return cached.config
  if (cache.size > MAX_STORED) cache.clear()
  const config = discover(context, provider)
  cache.set(key, { config, until: now + CACHE_MS })
  // Removes the entry if the request fails, so that the next call tries again.
  config.catch(() => cache.delete(key))
  return config
}

async function discover(context: AppContext, provider: SsoProvider): Promise<oidc.Configuration> {
  const issuer = new URL(provider.issuer)
  const secret = context.secrets.open(provider.client_secret_sealed)
  const plain = context.config.ssoLoopback && isLoopbackName(issuer.hostname)
  const config = await oidc.discovery(
    issuer,
    provider.client_id,
    {
      client_secret: secret,
      // Passes the difference between the portal's clock and the real clock. The library then checks the expiration by
      // the portal's clock.
      [oidc.clockSkew]: Math.round((context.clock.now().getTime() - Date.now()) / 1000),
      [oidc.clockTolerance]: TOLERANCE_SECONDS,
    },
    undefined,
    {
      [oidc.customFetch]: outgoing({ loopback: context.config.ssoLoopback }) as oidc.CustomFetch,
      timeout: TIMEOUT_SECONDS,
      execute: [oidc.enableNonRepudiationChecks, ...(plain ? [oidc.allowInsecureRequests] : [])],
    },
  )
  const { authorization_endpoint: there } = config.serverMetadata()
  const target = there && URL.canParse(there) ? new URL(there) : null
  if (!target || (target.protocol !== 'https:' && !(plain && isLoopbackName(target.hostname))))
    throw new Error('the issuer sends people to an address without https')
  return config
}
