import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Function that runs after each response. `ms` is the time from the request's headers to the last byte of the response.
 */
export type Watcher = (request: FastifyRequest, reply: FastifyReply, ms: number) => void

/**
 * Calls the watchers when the last byte of a response is sent. Fastify's own hooks (onResponse, onSend) would add a
 * fifth to the framework's work for each request. Without those hooks, `reply.elapsedTime` is always 0.
 */
export function watchResponses(app: FastifyInstance, watchers: readonly Watcher[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply
    const began = performance.now()
    const end = raw.end as (...args: unknown[]) => typeof raw
    raw.end = (...args: unknown[]) => {
      raw.end = end
      const ms = performance.now() - began
      for (const watch of watchers) watch(request, reply, ms)
      return end.apply(raw, args)
    }
    done()
  })
}
