import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { outsideCompanies } from './tenancy.ts'

/** How often connections that fell idle are ended while the portal closes. */
const SWEEP_MS = 50

/**
 * `/healthz`: the database answers (and had its migrations, or we would not listen). `/readyz`: we should be sent
 * requests. Returns how to say that we are leaving: then `/readyz` is 503 and each answer is its connection's last, so
 * that those who keep connections, browsers or a balancer, go elsewhere before this portal closes.
 */
export function mountHealth(app: FastifyInstance, pool: Pool): () => void {
  let leaving = false
  const outside = outsideCompanies(pool)
  const answers = async () => {
    await outside((tx) => sql`SELECT 1`.execute(tx))
    return { status: 'ok' }
  }
  const unavailable = { status: 'unavailable' }
  app.get('/healthz', (_request, reply) => answers().catch(() => reply.code(503).send(unavailable)))
  app.get('/readyz', (_request, reply) =>
    leaving ? reply.code(503).send({ status: 'leaving' }) : answers().catch(() => reply.code(503).send(unavailable)),
  )
  return () => {
    leaving = true
    app.server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  }
}

/**
 * Once a portal closes, ends each connection that falls idle. Node ends those that are idle at that moment alone: one
 * that was busy then would hold the close up until its client went.
 */
export function endIdleConnections(app: FastifyInstance): void {
  if (!app.server.listening) return
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS)
  app.server.once('close', () => clearInterval(sweep))
  sweep.unref()
}
