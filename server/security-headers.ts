import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import type { PageOrigins } from './feature.ts'

/**
 * Returns the Permissions-Policy header of a page. It allows camera and location for reports, and browser wallets from
 * the origins in `wallets`.
 */
export const permissionsFor = (wallets: readonly string[]): string => {
  const payment = wallets.length === 0 ? '' : ['self', ...wallets.map((origin) => `"${origin}"`)].join(' ')
  return `camera=(self), microphone=(), geolocation=(self), payment=(${payment})`
}

/** Headers of files that cannot run as a page: scripts, styles and fonts. */
const ASSET_HEADERS = ['x-content-type-options', 'cross-origin-resource-policy']
const IS_ASSET = /^\/assets\/[^?#]+\.(?:css|js|woff2)$/

/** Sets the fixed security headers on every response. Pages also set their Content-Security-Policy. */
export function securityHeaders(app: FastifyInstance, config: Config): void {
  const headers = Object.entries({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': permissionsFor([]),
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...(config.publicUrl.startsWith('https:') && {
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    }),
  })
  const assetHeaders = headers.filter(([name]) => ASSET_HEADERS.includes(name))
  // Sets the headers on the raw response, in a hook without a promise. Fastify's own functions take four times as long
  // for each request.
  app.addHook('onRequest', (request, { raw }, done) => {
    for (const [name, value] of IS_ASSET.test(request.url) ? assetHeaders : headers) raw.setHeader(name, value)
    if (request.url.startsWith('/api/')) raw.setHeader('cache-control', 'no-store')
    done()
  })
}

/**
 * Returns the Content-Security-Policy of a page. It allows scripts from this origin and from `scripts`, styles from
 * this origin, and frames for the gateway's hosted fields and an external support form. It allows inline
 * styles and scripts only by their hashes.
 */
export const pagePolicy = (
  styleHashes: readonly string[],
  scriptHashes: readonly string[],
  { scripts, frames, calls }: PageOrigins,
  supportForm: string | null,
  development: boolean,
): string =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...scriptHashes, ...scripts, ...(development ? ["'unsafe-inline'"] : [])].join(' '),
    development ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' ${styleHashes.join(' ')}`,
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...calls, ...(development ? ['ws:'] : [])].join(' '),
    ['frame-src', ...frames, ...(supportForm === null ? [] : [new URL(supportForm).origin])].join(' '),
    `form-action 'self' ${frames[0]}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "manifest-src 'self'",
  ].join('; ')
