import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { openApi, openServer } from '../provider-kit/api.ts'
import { openClock } from '../provider-kit/clock.ts'
import { mountControls } from '../provider-kit/controls.ts'
import { openDatabase } from '../provider-kit/database.ts'
import { openEvents } from '../provider-kit/events.ts'
import { openFaults } from '../provider-kit/faults.ts'
import { BANK_FIELDS, fieldsPage, openPages } from '../provider-kit/hosted.ts'
import { newLink, openOnboarding } from '../provider-kit/onboarding.ts'
import { bankPage, statusOf } from './onboarding.ts'
import { openMovements } from '../provider-kit/movements.ts'
import { payoutPages } from '../provider-kit/payout-pages.ts'
import { Refused } from '../provider-kit/refused.ts'
import { addAccount, newAccount, originatorBody, secCodes, setOriginator } from './accounts.ts'
import { openCutter } from './cut.ts'
import { BANKFILE } from './database.ts'
import { openDays } from './days.ts'
import { fieldsBody, makeToken } from './details.ts'
import { mountFiles } from './files.ts'
import { openFolder } from './folder.ts'
import { openIntents } from './intents.ts'
import { openReturns } from './returns.ts'
import { openSeal } from './seal.ts'
import type { Settings } from './settings.ts'
import { newCustomer, newSetup, openStored, setupConfirmation } from './stored.ts'

const TICK_MS = 1000
const MAX_PAYOUT_LINES = 500
const LARGEST_FILE = 30_000_000

/** In cents. One entry has ten digits, and the total of a day's entries has twelve. */
const amount = z.int().check(z.minimum(1), z.maximum(999_999_999))
const newIntent = z.object({
  amount_cents: amount,
  fee_cents: z._default(z.int().check(z.minimum(0), z.maximum(999_999_999)), 0),
  method: z.literal('echeck'),
  description: z._default(z.string().check(z.maxLength(300)), ''),
  metadata: z._default(z.record(z.string(), z.string().check(z.maxLength(500))), {}),
})
const secCode = z.optional(z.enum(secCodes))
const confirmation = z.union([
  z.object({ token: z.string().check(z.maxLength(100)), sec_code: secCode }),
  z.object({ payment_method: z.string().check(z.maxLength(100)), off_session: z.boolean(), sec_code: secCode }),
])
const newRefund = z.object({
  intent: z.string(),
  amount_cents: amount,
  reason: z._default(z.string().check(z.maxLength(300)), ''),
  metadata: z._default(z.record(z.string(), z.unknown()), {}),
})

/**
 * Starts the bank-file provider, which debits bank accounts through files that companies send to their bank. Account
 * numbers are entered only into its own fields and stored sealed. They leave only in files.
 */
export async function buildBankfile(settings: Settings): Promise<FastifyInstance> {
  const database = openDatabase(settings.databaseUrl, BANKFILE)
  await database.prepare()
  const clock = await openClock(database)
  const seal = openSeal(settings.key)
  const events = openEvents(database, clock, settings)
  const movements = openMovements(database, clock)
  const intents = openIntents(database, clock, events, movements)
  const stored = openStored(database, clock)
  const days = openDays(database, clock, intents, openCutter(clock, seal, events, movements))
  const returns = openReturns(database, { clock, seal, events, movements, intents })
  const folder = openFolder(settings.folder, { database, clock, seal, returns })
  const faults = openFaults(settings.faultHoldMs)
  const payouts = payoutPages(database, days.advance)

  const app = openServer('bank-file provider', LARGEST_FILE)
  app.get('/healthz', async () => {
    await database.query('SELECT 1')
    return { status: 'ok' }
  })
  const { page, mountFields } = openPages(app, settings.frameAncestors)
  const { frameAncestors, live } = settings
  const onboarding = openOnboarding({ database, clock, events, frameAncestors, page }, bankPage(database, clock, live))
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  onboarding.mount(app)
  mountFields(async (kind) =>
    kind === 'bank' ? fieldsPage(kind, BANK_FIELDS, settings.live ? null : 'TEST: no money moves.') : null,
  )
  app.post<{ Querystring: { account?: string } }>('/fields/tokens', { bodyLimit: 4096 }, async (request, reply) => {
    const parsed = fieldsBody.safeParse(request.body)
    if (!parsed.success) throw new Refused(400, 'malformed', 'Fill in every field.')
    const account = request.query.account ?? ''
    const existing = await database.query('SELECT 1 FROM account WHERE id = $1', [account])
    if (existing.rowCount === 0) throw new Refused(400, 'no_account', 'These fields belong to no account.')
    const made = await makeToken({ database, clock, seal }, account, parsed.data)
    return reply.code('errors' in made ? 422 : 200).send(made)
  })

  app.register(async (api) => {
    const parts = { database, faults, advance: days.advance, deliver: events.deliver }
    const { change, look, lookAtAll } = openApi(api, { ...parts, apiKey: settings.apiKey })

    change('/v1/accounts', newAccount, (client, _of, body) => addAccount(client, clock, body, settings.live), false)
    change(
      '/v1/accounts/:id/originator',
      originatorBody,
      (client, _of, body, id) => setOriginator(client, clock, id, body),
      false,
    )
    change('/v1/account_links', newLink, onboarding.addLink)
    look('/v1/account', (of) => statusOf(database, of))
    change('/v1/intents', newIntent, (client, of, body) => {
      if (body.fee_cents > body.amount_cents) throw new Refused(400, 'malformed', 'The fee is a part of the amount.')
      return intents.create(client, of, body)
    })
    change('/v1/intents/:id/confirm', confirmation, (client, of, body, id) =>
      intents.confirm(client, of, id, body, body.sec_code),
    )
    for (const verb of ['cancel', 'void'])
      change(`/v1/intents/:id/${verb}`, z.object({}), (client, of, _body, id) => intents.cancel(client, of, id))
    change('/v1/refunds', newRefund, (client, of, body) => intents.refund(client, of, body))
    change('/v1/customers', newCustomer, stored.addCustomer)
    change('/v1/setup_intents', newSetup, stored.create)
    change('/v1/setup_intents/:id/confirm', setupConfirmation, (client, of, body, id) =>
      stored.confirm(client, of, id, body),
    )
    change('/v1/payment_methods/:id/detach', z.object({}), (client, of, _body, id) => stored.detach(client, of, id))
    look('/v1/setup_intents/:id', (of, { params }) => stored.get(of, params.id))
    look('/v1/customers/:id/payment_methods', (of, { params }) => stored.list(of, params.id))
    // Processes everything due first, so that the answer matches the clock.
    look('/v1/intents/:id', async (of, { params }) => {
      await days.advance()
      return intents.get(of, params.id)
    })
    look('/v1/refunds/:id', async (of, { params }) => {
      const { rows } = await database.query('SELECT * FROM refund WHERE id = $1 AND account = $2', [params.id, of])
      if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such refund.')
      return rows[0]
    })
    look('/v1/balance', async (of) => {
      await days.advance()
      return movements.balance(of)
    })
    lookAtAll('/v1/balance_transactions', 100, movements.list)
    lookAtAll('/v1/payouts', MAX_PAYOUT_LINES, payouts.list)
    look('/v1/payouts/:id/balance_transactions', (of, { params, query }) =>
      payouts.linesOf(of, params.id, query['starting_after'], Math.min(MAX_PAYOUT_LINES, Number(query['limit']) || 50)),
    )
    mountFiles(api, { database, clock, seal, returns, look })
    if (!settings.live) mountControls(api, { clock, events, faults, advance: days.advance })
  })

  const work = async () => {
    await days.advance()
    await folder.work()
    await events.deliver()
  }
  let busy: Promise<unknown> = Promise.resolve()
  let waiting = false
  const tick = setInterval(() => {
    if (waiting) return
    waiting = true
    busy = work()
      .catch((error: Error) => process.stderr.write(`bank-file provider: ${error.message}\n`))
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
