import { createHash, timingSafeEqual } from 'node:crypto'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Client, Database } from './database.ts'
import type { Faults } from './faults.ts'
import { sizeOf } from './pages.ts'
import { Refused } from './refused.ts'

/**
 * Creates a server that answers refusals with their code and message. It hides internal errors. `name` appears in its
 * log.
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
  /** Runs before a list of all accounts is answered, so that the list includes the entries that are due. */
  advance: () => Promise<unknown>
  /** Sends the events of a change. */
  deliver: () => Promise<unknown>
}

type LookupRequest = FastifyRequest<{ Params: { id: string }; Querystring: Record<string, string> }>

/**
 * Opens the provider's API. Each call needs the API key and a header with the account. Each change runs once for its
 * idempotency key.
 */
export function openApi(api: FastifyInstance, { apiKey, database, faults, advance, deliver }: Parts) {
  api.addHook('onRequest', async (request) => {
    const given = Buffer.from(request.headers.authorization ?? '')
    const wanted = Buffer.from(`Bearer ${apiKey}`)
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
      throw new Refused(401, 'unauthorized', 'The API key is wrong.')
  })

  /**
   * Adds a changing call: faults, body, then the work exactly once for its key. One transaction saves the work and the
   * answer.
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
      const answer = await once(request, of, (client) => work(client, of, parsed.data, request.params.id ?? ''))
      void deliver().catch(() => {})
      if (fault === 'timeout-after') return faults.hold(request, reply)
      return answer
    })
  }

  async function accountOf(request: FastifyRequest): Promise<string> {
    const id = request.headers['gateway-account']
    const { rows } = await database.query<{ id: string }>('SELECT id FROM account WHERE id = $1', [id ?? ''])
    if (!rows[0]) throw new Refused(400, 'no_account', 'Name a known account in Gateway-Account.')
    return rows[0].id
  }

  /** If two calls share a key, the second waits for the first commit and gets the same answer. */
  async function once(request: FastifyRequest, of: string, work: (client: Client) => Promise<unknown>) {
    const key = request.headers['idempotency-key']
    if (typeof key !== 'string' || key.length < 1 || key.length > 255)
      throw new Refused(400, 'no_key', 'Send an Idempotency-Key.')
    const path = new URL(request.url, 'http://any').pathname
    const hash = createHash('sha256')
      .update(JSON.stringify(request.body ?? {}))
      .digest('hex')
    return database.transact(async (client): Promise<unknown> => {
      const taken = await client.query(
        'INSERT INTO idempotency (account, path, key, body_hash) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
        [of, path, key, hash],
      )
      if (taken.rowCount === 0) {
        const { rows } = await client.query<{ body_hash: string; answer: unknown }>(
          'SELECT body_hash, answer FROM idempotency WHERE account = $1 AND path = $2 AND key = $3',
          [of, path, key],
        )
        if (rows[0]?.body_hash !== hash)
          throw new Refused(422, 'key_reused', 'This Idempotency-Key was used with another body.')
        return rows[0].answer
      }
      const answer = await work(client)
      await client.query(
        'UPDATE idempotency SET status = 200, answer = $4 WHERE account = $1 AND path = $2 AND key = $3',
        [of, path, key, JSON.stringify(answer)],
      )
      return answer
    })
  }

  /** Runs a read-only call, unless a test planted a fault for it. */
  async function faulty(request: FastifyRequest, reply: FastifyReply, work: () => Promise<unknown>): Promise<unknown> {
    const fault = faults.next(`GET ${request.url}`)
    if (fault === '500') throw new Error('a planted fault')
    if (fault) return faults.hold(request, reply)
    return work()
  }

  const look = (path: string, work: (account: string, request: LookupRequest) => Promise<unknown>) =>
    api.get<{ Params: { id: string }; Querystring: Record<string, string> }>(path, (request, reply) =>
      faulty(request, reply, async () => work(await accountOf(request), request)),
    )

  /**
   * Adds a list over all accounts, so that an operator of many accounts reads one list. It includes entries that are
   * due.
   */
  const lookAtAll = (
    path: string,
    most: number,
    list: (after: string | undefined, limit: number) => Promise<unknown>,
  ) =>
    api.get<{ Querystring: { starting_after?: string; limit?: string } }>(path, (request, reply) =>
      faulty(request, reply, async () => {
        await advance()
        return list(request.query.starting_after, sizeOf(request.query, most))
      }),
    )

  return { change, look, lookAtAll }
}
