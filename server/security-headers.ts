import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import type { PageOrigins } from './feature.ts'

/** Browser features that pages may use: location and camera for reports, and wallets of these origins. */
export const permissionsFor = (wallets: readonly string[]): string => {
  const payment = wallets.length === 0 ? '' : ['self', ...wallets.map((origin) => `"${origin}"`)].join(' ')
  return `camera=(self), microphone=(), geolocation=(self), payment=(${payment})`
}

/** Sets the static headers of every answer. Pages add their Content-Security-Policy with the nonce of the style. */
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
  // Set on the raw answer by a hook without a promise. Fastify's own ways cost each request four times as much.
  app.addHook('onRequest', (request, { raw }, done) => {
    for (const [name, value] of headers) raw.setHeader(name, value)
    if (request.url.startsWith('/api/')) raw.setHeader('cache-control', 'no-store')
    done()
  })
}

/**
 * Content-Security-Policy of our pages. Allows scripts and styles only from this origin. Frames may show the gateway's
 * hosted fields and an external provider's support form. A nonce allows two inline styles: the company's colors, and
 * React Aria's style for its buttons (from the page's `csp-nonce`).
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
