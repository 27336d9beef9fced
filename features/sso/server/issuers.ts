import * as oidc from 'openid-client'
import { originOf } from '../../../server/config.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { isLoopbackName } from '../../../shared/loopback-name.ts'
import { outgoing } from '../../../server/outgoing.ts'

/** A town's issuer, as its row has it: the client secret sealed. `hold`: nobody else changes it meanwhile. */
export const providerOf = (tx: Tx, company: CompanyId, { hold = false } = {}) =>
  tx
    .selectFrom('sso_provider')
    .selectAll()
    .where('company_id', '=', company)
    .$if(hold, (query) => query.forUpdate())
    .executeTakeFirst()

export type SsoProvider = NonNullable<Awaited<ReturnType<typeof providerOf>>>

/** The one address that an issuer sends people back to. */
export const redirectUriOf = (context: AppContext, company: Company): string =>
  `${originOf(context.config, company.subdomain)}/sso-verification`

const KEPT_MS = 10 * 60_000
const TIMEOUT_SECONDS = 5
/** How far the clocks may be apart. */
const TOLERANCE_SECONDS = 30
const MAX_STORED = 500

interface CachedIssuer {
  until: number
  config: Promise<oidc.Configuration>
}
const known = new WeakMap<AppContext, Map<string, CachedIssuer>>()

/**
 * What the issuer says of itself, kept for ten minutes. Its tokens' signatures are checked, though they come to us
 * straight from it: a proxy between us shall not be able to say who somebody is.
 * @throws where it cannot be reached, or says nonsense
 */
export async function clientOf(context: AppContext, provider: SsoProvider): Promise<oidc.Configuration> {
  const mine = known.get(context) ?? new Map<string, CachedIssuer>()
  known.set(context, mine)
  const key = [provider.company_id, provider.issuer, provider.client_id, provider.client_secret_sealed].join('\n')
  const now = context.clock.now().getTime()
  const found = mine.get(key)
  if (found && found.until > now) return found.config
  if (mine.size > MAX_STORED) mine.clear()
  const config = discover(context, provider)
  mine.set(key, { config, until: now + KEPT_MS })
  // What failed is tried again by the next one.
  config.catch(() => mine.delete(key))
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
      // The portal's clock decides what has expired.
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
