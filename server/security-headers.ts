import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'

/** Headers of every answer, set statically. Pages add their Content-Security-Policy with the style's nonce. */
export function securityHeaders(app: FastifyInstance, config: Config): void {
  const headers = Object.entries({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
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
  gatewayOrigin: string,
  supportForm: string | null,
  development: boolean,
): string =>
  [
    "default-src 'none'",
    `script-src 'self'${development ? " 'unsafe-inline'" : ''}`,
    development ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${development ? ' ws:' : ''}`,
    `frame-src ${gatewayOrigin}${supportForm === null ? '' : ` ${new URL(supportForm).origin}`}`,
    `form-action 'self' ${gatewayOrigin}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "manifest-src 'self'",
  ].join('; ')
