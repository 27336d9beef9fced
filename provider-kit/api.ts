import { timingSafeEqual } from 'node:crypto'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Client, Database } from './database.ts'
import type { Faults } from './faults.ts'
import { runOnce } from './idempotency.ts'
import { sizeOf } from './pages.ts'
import { Refused } from './refused.ts'

/**
 * Creates a server that responds to refused requests with a code and a message. Hides internal errors. `name` appears
 * in its log.
 */
export function openServer(name: string, bodyLimit: number): FastifyInstance {
  const app = fastify({ logger: false, bodyLimit, forceCloseConnections: true })
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const refused = error instanceof Refused
    const status = refused ? error.status : (error.statusCode ?? 500)
    if (status >= 500) process.stderr.write(`${name}: ${error.stack ?? error.message}\n`)
    return reply.code(status).send({
      error: { code: refused ? error.code : 'error', message: status >= 500 ? `The ${name} failed.` : error.message },
    })
  })
  return app
}

interface Parts {
  apiKey: string
  database: Database
  faults: Faults
  /** Runs before a list of all accounts is returned. Creates the entries that are due, so that the list is complete. */
  advance: () => Promise<unknown>
  /** Sends the events of a change. */
  deliver: () => Promise<unknown>
}

type LookupRequest = FastifyRequest<{ Params: { id: string }; Querystring: Record<string, string> }>

/**
 * Returns functions that add calls to the provider's API. Each call needs the API key, and most calls need a header
 * with the account. Each change runs only once for its idempotency key.
 */
export function openApi(api: FastifyInstance, { apiKey, database, faults, advance, deliver }: Parts) {
  api.addHook('onRequest', async (request) => {
    const received = Buffer.from(request.headers.authorization ?? '')
    const wanted = Buffer.from(`Bearer ${apiKey}`)
    if (received.length !== wanted.length || !timingSafeEqual(received, wanted))
      throw new Refused(401, 'unauthorized', 'The API key is wrong.')
  })

  /**
   * Adds a call that makes a change. The call simulates planted faults, validates the body, and runs the work exactly
   * once for its idempotency key. One transaction saves the work and the response.
   */
  function change<B extends z.ZodMiniType>(
    path: string,
    body: B,
    work: (client: Client, account: string, body: z.output<B>, id: string) => Promise<unknown>,
    needsAccount = true,
  ) {
    api.post<{ Params: { id?: string } }>(path, async (request, reply) => {
      const fault = faults.next(request.url)
      if (fault === 'timeout-before') return faults.hold(request, reply)
      if (fault === '500') throw new Error('a planted fault')
      const parsed = body.safeParse(request.body ?? {})
      if (!parsed.success) throw new Refused(400, 'malformed', z.prettifyError(parsed.error))
      const of = needsAccount ? await accountOf(request) : ''
      const callResult = await runOnce(database, request, of, (client) =>
        work(client, of, parsed.data, request.params.id ?? ''),
      )
      void deliver().catch(() => {})
      if (fault === 'timeout-after') return faults.hold(request, reply)
      return callResult
    })
  }

  async function accountOf(request: FastifyRequest): Promise<string> {
    const id = request.headers['gateway-account']
    const { rows } = await database.query<{ id: string }>('SELECT id FROM account WHERE id = $1', [id ?? ''])
    if (!rows[0]) throw new Refused(400, 'no_account', 'Name a known account in Gateway-Account.')
    return rows[0].id
  }

  /** Runs a read-only call, or simulates the fault that a test planted for the call. */
  async function faulty(request: FastifyRequest, reply: FastifyReply, work: () => Promise<unknown>): Promise<unknown> {
    const fault = faults.next(`GET ${request.url}`)
    if (fault === '500') throw new Error('a planted fault')
    if (fault) return faults.hold(request, reply)
    return work()
  }

  const inspect = (path: string, work: (account: string, request: LookupRequest) => Promise<unknown>) =>
    api.get<{ Params: { id: string }; Querystring: Record<string, string> }>(path, (request, reply) =>
      faulty(request, reply, async () => work(await accountOf(request), request)),
    )

  /**
   * Adds a call that lists the entries of all accounts, so that the operator of many accounts needs only one list.
   * Includes all due entries.
   */
  const inspectAll = (
    path: string,
    max: number,
    list: (after: string | undefined, limit: number) => Promise<unknown>,
  ) =>
    api.get<{ Querystring: { starting_after?: string; limit?: string } }>(path, (request, reply) =>
      faulty(request, reply, async () => {
        await advance()
        return list(request.query.starting_after, sizeOf(request.query, max))
      }),
    )

  return { change, inspect, inspectAll }
}
export type Api = ReturnType<typeof openApi>
