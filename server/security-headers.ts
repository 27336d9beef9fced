import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import type { PageOrigins } from './feature.ts'

/** Browser features for pages: location and camera for reports, and wallets of these origins. */
export const permissionsFor = (wallets: readonly string[]): string => {
  const payment = wallets.length === 0 ? '' : ['self', ...wallets.map((origin) => `"${origin}"`)].join(' ')
  return `camera=(self), microphone=(), geolocation=(self), payment=(${payment})`
}

/** Headers of every answer, set statically. Pages add their Content-Security-Policy with the style's nonce. */
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
  // Set on the answer itself and by a hook without a promise: Fastify's own ways cost each request four times as much.
  app.addHook('onRequest', (request, { raw }, done) => {
    for (const [name, value] of headers) raw.setHeader(name, value)
    if (request.url.startsWith('/api/')) raw.setHeader('cache-control', 'no-store')
    done()
  })
}

/**
 * The policy of our own pages: scripts and styles of this origin alone, the gateway's hosted fields in a frame
 * and the support form's where that is another provider's; and by nonce the one inline style that carries the town's colours, and the one that React Aria adds for its buttons
 * (it finds the nonce in the page's `csp-nonce`).
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
