import { createHash, timingSafeEqual } from 'node:crypto'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { openClock } from './clock.ts'
import { type Client, openDatabase } from './database.ts'
import { clean, openEvents } from './events.ts'
import { faultKinds, openFaults } from './faults.ts'
import { mountHostedPages } from './hosted-pages.ts'
import { openIntents } from './intents.ts'
import { openMovements } from './movements.ts'
import { sizeOf } from './pages.ts'
import { openPayouts } from './payouts.ts'
import { Refused } from './refused.ts'
import type { Settings } from './settings.ts'
import { openStored } from './stored.ts'
import { openTerminal } from './terminal.ts'
import { newId } from './tokens.ts'

const TICK_MS = 250
const MOST_PAYOUT_LINES = 500

const account = z.object({
  reference: z.string().check(z.minLength(1), z.maxLength(100)),
  name: z.string().check(z.maxLength(200)),
})
const amount = z.int().check(z.minimum(1), z.maximum(999_999_999))
const newIntent = z.object({
  amount_cents: amount,
  fee_cents: z._default(z.int().check(z.minimum(0), z.maximum(999_999_999)), 0),
  method: z.enum(['card', 'echeck']),
  description: z._default(z.string().check(z.maxLength(300)), ''),
  metadata: z._default(z.record(z.string(), z.string().check(z.maxLength(500))), {}),
})
const returnUrl = z.optional(z.string().check(z.maxLength(2000)))
const token = z.string().check(z.maxLength(100))
const confirmation = z.union([
  z.object({ token, return_url: returnUrl }),
  z.object({
    payment_method: z.string().check(z.maxLength(100)),
    off_session: z.boolean(),
    return_url: returnUrl,
  }),
])
const newCustomer = z.object({
  reference: z.string().check(z.minLength(1), z.maxLength(100)),
  name: z._default(z.string().check(z.maxLength(200)), ''),
  email: z._default(z.string().check(z.maxLength(254)), ''),
})
const newSetup = z.object({ customer: z.string(), method: z.enum(['card', 'echeck']) })
const mandate = z.object({
  accepted_at: z.iso.datetime(),
  ip_address: z.string().check(z.maxLength(100)),
  user_agent: z._default(z.string().check(z.maxLength(500)), ''),
  text: z.string().check(z.minLength(1), z.maxLength(5000)),
})
const setupConfirmation = z.object({ token, mandate: z.optional(mandate), return_url: returnUrl })
const newReader = z.object({
  registration_code: z.string().check(z.maxLength(100)),
  label: z.string().check(z.minLength(1), z.maxLength(60)),
})
const newRefund = z.object({
  intent: z.string(),
  amount_cents: amount,
  reason: z._default(z.string().check(z.maxLength(300)), ''),
  metadata: z._default(z.record(z.string(), z.unknown()), {}),
})
const clockMove = z.object({ now: z.optional(z.iso.datetime()), advance_seconds: z.optional(z.number()) })
const chance = z._default(z.number().check(z.minimum(0), z.maximum(1)), 0)
const mischief = z.object({
  mode: z.union([
    z.literal('clean'),
    z.object({
      duplicate: chance,
      reorder: chance,
      drop: chance,
      delay_ms: z._default(z.int(), 0),
      seed: z._default(z.int(), 1),
    }),
  ]),
})
const decision = z.object({ intent: z.string(), decision: z.enum(['won', 'lost']) })
const planted = z.object({ fault: z.enum(faultKinds), path: z._default(z.string(), ''), count: z._default(z.int(), 1) })

/**
 * The sandbox payment gateway: accounts, intents, refunds, disputes, hosted fields, signed events, and controls for
 * tests. It keeps everything in its own schema and knows nothing of who uses it.
 */
export async function buildGateway(settings: Settings, publicOrigin: () => string): Promise<FastifyInstance> {
  const database = openDatabase(settings.databaseUrl)
  await database.prepare()
  const clock = await openClock(database)
  const events = openEvents(database, clock, settings)
  const movements = openMovements(database, clock)
  const intents = openIntents(database, clock, events, movements, publicOrigin)
  const payouts = openPayouts(database, clock)
  const stored = openStored(database, clock, publicOrigin)
  const terminal = openTerminal(database, clock, intents, publicOrigin)
  const faults = openFaults(settings.faultHoldMs)

  const app = fastify({ logger: false, bodyLimit: 64 * 1024, forceCloseConnections: true })
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const refused = error instanceof Refused
    const status = refused ? error.status : (error.statusCode ?? 500)
    if (status >= 500) process.stderr.write(`gateway: ${error.stack ?? error.message}\n`)
    return reply.code(status).send({
      error: { code: refused ? error.code : 'error', message: status >= 500 ? 'The gateway failed.' : error.message },
    })
  })
  app.get('/healthz', async () => {
    await database.query('SELECT 1')
    return { status: 'ok' }
  })
  mountHostedPages(app, { settings, database, clock, intents, stored, terminal })

  app.register(async (api) => {
    api.addHook('onRequest', async (request) => {
      const given = Buffer.from(request.headers.authorization ?? '')
      const wanted = Buffer.from(`Bearer ${settings.apiKey}`)
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
        throw new Refused(401, 'unauthorized', 'The API key is wrong.')
    })

    /** A changing call: faults, body, then the work exactly once for its key, in one transaction with the kept answer. */
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
        void events.deliver().catch(() => {})
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

    /** Two calls with one key: the second waits for the first one's commit and gets its answer. */
    async function once(
      request: FastifyRequest,
      of: string,
      work: (client: Client) => Promise<unknown>,
    ): Promise<unknown> {
      const key = request.headers['idempotency-key']
      if (typeof key !== 'string' || key.length < 1 || key.length > 255)
        throw new Refused(400, 'no_key', 'Send an Idempotency-Key.')
      const path = new URL(request.url, 'http://any').pathname
      const hash = createHash('sha256')
        .update(JSON.stringify(request.body ?? {}))
        .digest('hex')
      return database.transact(async (client) => {
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

    /** What only looks, unless a fault was planted for it. */
    async function faulty(
      request: FastifyRequest,
      reply: FastifyReply,
      work: () => Promise<unknown>,
    ): Promise<unknown> {
      const fault = faults.next(`GET ${request.url}`)
      if (fault === '500') throw new Error('a planted fault')
      if (fault) return faults.hold(request, reply)
      return work()
    }

    const look = (
      path: string,
      work: (
        account: string,
        request: FastifyRequest<{ Params: { id: string }; Querystring: Record<string, string> }>,
      ) => Promise<unknown>,
    ) =>
      api.get<{ Params: { id: string }; Querystring: Record<string, string> }>(path, (request, reply) =>
        faulty(request, reply, async () => work(await accountOf(request), request)),
      )
    /** Of all accounts, so that whoever runs many reads one list. What has come due by the clock is in it. */
    const lookAtAll = (
      path: string,
      most: number,
      list: (after: string | undefined, limit: number) => Promise<unknown>,
    ) =>
      api.get<{ Querystring: { starting_after?: string; limit?: string } }>(path, (request, reply) =>
        faulty(request, reply, async () => {
          await intents.advance()
          return list(request.query.starting_after, sizeOf(request.query, most))
        }),
      )
    lookAtAll('/v1/balance_transactions', 100, movements.list)
    lookAtAll('/v1/payouts', MOST_PAYOUT_LINES, payouts.list)
    look('/v1/payouts/:id/balance_transactions', (of, { params, query }) =>
      payouts.linesOf(of, params.id, query['starting_after'], sizeOf(query, MOST_PAYOUT_LINES)),
    )
    const row = async (table: 'refund' | 'dispute' | 'event', of: string, id: string) => {
      const { rows } = await database.query(`SELECT * FROM ${table} WHERE id = $1 AND account = $2`, [id, of])
      if (!rows[0]) throw new Refused(404, 'not_found', `There is no such ${table}.`)
      return rows[0] as unknown
    }

    change(
      '/v1/accounts',
      account,
      async (client, _of, body) => {
        const { rows } = await client.query(
          `INSERT INTO account (id, reference, name, created_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (reference) DO UPDATE SET name = excluded.name RETURNING id, reference, name`,
          [newId('acct'), body.reference, body.name, clock.now()],
        )
        return rows[0] as unknown
      },
      false,
    )
    change('/v1/intents', newIntent, (client, of, body) => {
      if (body.fee_cents > body.amount_cents) throw new Refused(400, 'malformed', 'The fee is a part of the amount.')
      return intents.create(client, of, body)
    })
    change('/v1/intents/:id/confirm', confirmation, (client, of, body, id) =>
      intents.confirm(client, of, id, body, body.return_url ?? null),
    )
    change('/v1/intents/:id/cancel', z.object({}), (client, of, _body, id) => intents.cancel(client, of, id))
    change('/v1/customers', newCustomer, stored.addCustomer)
    change('/v1/setup_intents', newSetup, stored.create)
    change('/v1/setup_intents/:id/confirm', setupConfirmation, (client, of, body, id) =>
      stored.confirm(client, of, id, body),
    )
    change('/v1/payment_methods/:id/detach', z.object({}), (client, of, _body, id) => stored.detach(client, of, id))
    look('/v1/setup_intents/:id', (of, { params }) => stored.get(of, params.id))
    look('/v1/customers/:id/payment_methods', (of, { params }) => stored.list(of, params.id))
    change('/v1/terminal/readers', newReader, terminal.pair)
    change('/v1/terminal/readers/:id/process', z.object({ intent: z.string() }), (client, of, body, id) =>
      terminal.present(client, of, id, body.intent),
    )
    change('/v1/terminal/readers/:id/cancel_action', z.object({}), (client, of, _body, id) =>
      terminal.clear(client, of, id),
    )
    change('/v1/terminal/readers/:id/remove', z.object({}), (client, of, _body, id) => terminal.remove(client, of, id))
    look('/v1/terminal/readers', (of) => terminal.list(of))
    change('/v1/intents/:id/void', z.object({}), (client, of, _body, id) => intents.voidIntent(client, of, id))
    change('/v1/refunds', newRefund, (client, of, body) => intents.refund(client, of, body))
    look('/v1/intents/:id', (of, { params }) => intents.get(of, params.id))
    look('/v1/intents', (of, { query }) =>
      intents.list(of, Number(query['after'] ?? 0) || 0, Math.min(100, Number(query['limit'] ?? 50) || 50)),
    )
    look('/v1/balance', async (of) => {
      await intents.advance()
      return movements.balance(of)
    })
    look('/v1/refunds/:id', (of, { params }) => row('refund', of, params.id))
    look('/v1/disputes/:id', (of, { params }) => row('dispute', of, params.id))
    look('/v1/events/:id', (of, { params }) => row('event', of, params.id))

    api.get('/v1/test/clock', async () => ({ now: clock.now().toISOString() }))
    api.post('/v1/test/clock', async (request) => {
      const { now, advance_seconds } = clockMove.parse(request.body)
      const at = await clock.move({
        now,
        advanceMs: advance_seconds === undefined ? undefined : advance_seconds * 1000,
      })
      await intents.advance()
      await payouts.advance()
      return { now: at.toISOString() }
    })
    api.post('/v1/test/faults', async (request) => {
      faults.plant(planted.parse(request.body))
      return { planted: true }
    })
    api.delete('/v1/test/faults', async () => {
      faults.clear()
      return { planted: false }
    })
    api.post('/v1/test/disputes', async (request) => {
      const { intent, decision: decided } = decision.parse(request.body)
      return intents.decideDispute(intent, decided)
    })
    api.post('/v1/test/webhooks', async (request) => {
      const { mode } = mischief.parse(request.body)
      events.misbehave(mode === 'clean' ? clean : { ...mode, delayMs: mode.delay_ms })
      return { mode }
    })
    api.post('/v1/test/flush', async () => {
      await intents.advance()
      return { delivered: await events.deliver(true) }
    })
  })

  let busy: Promise<unknown> = Promise.resolve()
  let waiting = false
  const tick = setInterval(() => {
    if (waiting) return
    waiting = true
    busy = intents
      .advance()
      .then(() => payouts.advance())
      .then(() => events.deliver())
      .catch(() => {})
      .finally(() => (waiting = false))
  }, TICK_MS)
  tick.unref()
  app.addHook('onClose', async () => {
    clearInterval(tick)
    await busy
    await database.close()
  })
  return app
}
