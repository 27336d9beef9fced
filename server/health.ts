import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { outsideCompanies } from './tenancy.ts'

/** Interval at which a closing portal ends idle connections, in milliseconds. */
const IDLE_CHECK_MS = 50

/**
 * Adds `/healthz` (the database responds) and `/readyz` (the portal accepts requests). Returns the function that starts
 * the shutdown. During the shutdown, `/readyz` returns 503, and each response closes its connection. Browsers and load
 * balancers then switch to another portal process.
 */
export function mountHealth(app: FastifyInstance, pool: Pool): () => void {
  let leaving = false
  const outside = outsideCompanies(pool)
  const checkDatabase = async () => {
    await outside((tx) => sql`SELECT 1`.execute(tx))
    return { status: 'ok' }
  }
  const unavailable = { status: 'unavailable' }
  app.get('/healthz', (_request, reply) => checkDatabase().catch(() => reply.code(503).send(unavailable)))
  app.get('/readyz', (_request, reply) =>
    leaving
      ? reply.code(503).send({ status: 'leaving' })
      : checkDatabase().catch(() => reply.code(503).send(unavailable)),
  )
  return () => {
    leaving = true
    app.server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  }
}

/**
 * Ends connections that become idle while the portal is shutting down. Node ends only the connections that are already
 * idle when the shutdown starts. Other connections would delay the shutdown until their clients disconnect.
 */
export function endIdleConnections(app: FastifyInstance): void {
  if (!app.server.listening) return
  const timer = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS)
  app.server.once('close', () => clearInterval(timer))
  timer.unref()
}
