import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Watcher } from './response-watchers.ts'
import { stoppedJobs } from './stopped-jobs.ts'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/**
 * Serves `/metrics` to requests that come directly from this machine, and to requests with the token. Returns the
 * watcher that counts each request by route and status.
 */
export function mountMetrics(app: FastifyInstance, token: string | null): Watcher {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  registry.registerMetric(stoppedJobs)
  const requests = new Histogram({
    name: 'mainstreet_request_seconds',
    help: 'How long requests took',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  })
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, token))
      return reply.code(403).type('text/plain').send('metrics are for loopback or the token')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
  const cached = new Map<string, Histogram.Internal<'route' | 'method' | 'status'>>()
  return (request, reply, ms) => {
    const route = request.routeOptions.url ?? 'none'
    const { method } = request
    const status = String(reply.statusCode)
    const key = `${method} ${status} ${route}`
    const one = cached.get(key) ?? requests.labels({ route, method, status })
    cached.set(key, one)
    one.observe(ms / 1000)
  }
}

function mayRead(request: FastifyRequest, token: string | null): boolean {
  if (token) {
    const received = Buffer.from(request.headers.authorization ?? '')
    const expected = Buffer.from(`Bearer ${token}`)
    return received.length === expected.length && timingSafeEqual(received, expected)
  }
  return isLoopback(request.socket.remoteAddress) && isLoopback(request.ip) && !isProxied(request)
}

const isLoopback = (address = '') => ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(address)

/**
 * True if a proxy on this machine may have forwarded the request. Requests from outside then also come from the
 * loopback address. Signs of a proxy are a forwarding header, a public Host, or HTTP/1.0 (the nginx default).
 */
function isProxied({ headers, raw }: FastifyRequest): boolean {
  const added = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']
  const host = (headers.host ?? '').replace(/:\d+$/, '')
  return (
    added.some((name) => headers[name] !== undefined) ||
    !['localhost', '127.0.0.1', '[::1]'].includes(host) ||
    raw.httpVersion === '1.0'
  )
}
