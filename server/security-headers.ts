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

/**
 * Sets the fixed security headers on every response. Pages also set their Content-Security-Policy with the nonce of
 * their styles.
 */
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
  // Sets the headers on the raw response, in a hook without a promise. Fastify's own functions take four times as long
  // for each request.
  app.addHook('onRequest', (request, { raw }, done) => {
    for (const [name, value] of headers) raw.setHeader(name, value)
    if (request.url.startsWith('/api/')) raw.setHeader('cache-control', 'no-store')
    done()
  })
}

/**
 * Returns the Content-Security-Policy of a page. It allows scripts from this origin and from `scripts`, styles from
 * this origin, and frames for the gateway's hosted fields and an external support form. A nonce allows two inline
 * styles: the company's colors, and React Aria's style for its buttons.
 */
export const pagePolicy = (
  nonce: string,
  { scripts, frames, calls }: PageOrigins,
  supportForm: string | null,
  development: boolean,
): string =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...scripts, ...(development ? ["'unsafe-inline'"] : [])].join(' '),
    development ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...calls, ...(development ? ['ws:'] : [])].join(' '),
    ['frame-src', ...frames, ...(supportForm === null ? [] : [new URL(supportForm).origin])].join(' '),
    `form-action 'self' ${frames[0]}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "manifest-src 'self'",
  ].join('; ')
