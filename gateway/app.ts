import { SANDBOX } from './database.ts'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { openClock } from '../provider-kit/clock.ts'
import { openApi, openServer } from '../provider-kit/api.ts'
import { mountControls } from '../provider-kit/controls.ts'
import { openDatabase } from '../provider-kit/database.ts'
import { openEvents } from '../provider-kit/events.ts'
import { openFaults } from '../provider-kit/faults.ts'
import { mountHostedPages } from './hosted-pages.ts'
import { openIntents } from './intents.ts'
import { newLink, openOnboarding } from '../provider-kit/onboarding.ts'
import { force, forcedStanding, sandboxPage, standingOf } from './onboarding.ts'
import { openMovements } from '../provider-kit/movements.ts'
import { sizeOf } from '../provider-kit/pages.ts'
import { openPayouts } from './payouts.ts'
import { Refused } from '../provider-kit/refused.ts'
import type { Settings } from './settings.ts'
import { openStored } from './stored.ts'
import { openTerminal } from './terminal.ts'
import { tellToken } from './tokens.ts'
import { newId } from '../provider-kit/ids.ts'

const TICK_MS = 250
const MAX_PAYOUT_LINES = 500

const account = z.object({
  reference: z.string().check(z.minLength(1), z.maxLength(100)),
  name: z.string().check(z.maxLength(200)),
  /** True if the account must complete onboarding before it can charge. By default an account is ready immediately. */
  asks_first: z._default(z.boolean(), false),
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
  z.object({ same_as: z.string().check(z.maxLength(100)), return_url: returnUrl }),
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
const decision = z.object({ intent: z.string(), decision: z.enum(['won', 'lost']) })

/**
 * Sandbox payment gateway: accounts, intents, refunds, disputes, hosted fields, signed events and test controls. It
 * stores all data in its own schema and does not know its callers.
 */
export async function buildGateway(settings: Settings, publicOrigin: () => string): Promise<FastifyInstance> {
  const database = openDatabase(settings.databaseUrl, SANDBOX)
  await database.prepare()
  const clock = await openClock(database)
  const events = openEvents(database, clock, settings)
  const movements = openMovements(database, clock)
  const intents = openIntents(database, clock, events, movements, publicOrigin)
  const payouts = openPayouts(database, clock)
  const stored = openStored(database, clock, publicOrigin)
  const terminal = openTerminal(database, clock, intents, publicOrigin)
  const faults = openFaults(settings.faultHoldMs)

  const app = openServer('gateway', 64 * 1024)
  app.get('/healthz', async () => {
    await database.query('SELECT 1')
    return { status: 'ok' }
  })
  const { page } = mountHostedPages(app, { settings, database, clock, intents, stored, terminal })
  const { frameAncestors } = settings
  const onboarding = openOnboarding({ database, clock, events, frameAncestors, page }, sandboxPage(database))
  onboarding.mount(app)

  app.register(async (api) => {
    const { change, look, lookAtAll } = openApi(api, {
      apiKey: settings.apiKey,
      database,
      faults,
      advance: intents.advance,
      deliver: events.deliver,
    })
    lookAtAll('/v1/balance_transactions', 100, movements.list)
    lookAtAll('/v1/payouts', MAX_PAYOUT_LINES, payouts.list)
    look('/v1/payouts/:id/balance_transactions', (of, { params, query }) =>
      payouts.linesOf(of, params.id, query['starting_after'], sizeOf(query, MAX_PAYOUT_LINES)),
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
          `INSERT INTO account (id, reference, name, created_at, state, takes_payments, paid_out)
           VALUES ($1, $2, $3, $4, CASE WHEN $5 THEN 'in_progress' ELSE 'ready' END, NOT $5, NOT $5)
           ON CONFLICT (reference) DO UPDATE SET name = excluded.name RETURNING id, reference, name`,
          [newId('acct'), body.reference, body.name, clock.now(), body.asks_first],
        )
        return rows[0] as unknown
      },
      false,
    )
    change('/v1/account_links', newLink, onboarding.addLink)
    look('/v1/account', (of) => standingOf(database, of))
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
    look('/v1/tokens/:id', (of, { params }) => tellToken(database, of, params.id))
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

    mountControls(api, {
      clock,
      events,
      faults,
      advance: async () => {
        await intents.advance()
        await payouts.advance()
      },
    })
    api.post('/v1/test/accounts', async (request) => {
      const { account: of, outcome } = forcedStanding.parse(request.body)
      await database.transact(async (client) => {
        await force(client, of, outcome)
        await onboarding.tell(client, of)
      })
      void events.deliver().catch(() => {})
      return { outcome }
    })
    api.post('/v1/test/disputes', async (request) => {
      const { intent, decision: decided } = decision.parse(request.body)
      return intents.decideDispute(intent, decided)
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
