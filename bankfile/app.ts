import type { FastifyInstance } from 'fastify'
import { openApi } from '../provider-kit/api.ts'
import { mountBalanceCalls } from '../provider-kit/balance-calls.ts'
import { mountControls } from '../provider-kit/controls.ts'
import { openFaults } from '../provider-kit/faults.ts'
import { BANK_FIELDS, fieldsPage, openPages } from '../provider-kit/hosted.ts'
import { openOnboarding } from '../provider-kit/onboarding.ts'
import { payoutPages } from '../provider-kit/payout-pages.ts'
import { openProvider, openProviderServer, repeatWork } from '../provider-kit/provider.ts'
import { Refused } from '../provider-kit/refused.ts'
import { mountAccountCalls, mountIntentCalls, mountStoredMethodCalls } from './calls.ts'
import { BANKFILE } from './database.ts'
import { openDays } from './days.ts'
import type { BankfileDeps } from './deps.ts'
import { fieldsBody, makeToken } from './details.ts'
import { mountFiles } from './files.ts'
import { openFolder } from './folder.ts'
import { bankPage } from './onboarding.ts'
import { openSeal } from './seal.ts'
import type { Settings } from './settings.ts'

const NAME = 'bank-file provider'
const TICK_MS = 1000
const MAX_FILE_BYTES = 30_000_000
const MAX_FIELDS_BYTES = 4096

/**
 * Starts the bank-file provider, which debits bank accounts through files that companies send to their bank. Payers
 * enter account numbers only into the provider's own fields. The provider stores them encrypted and sends them only in
 * files.
 */
export async function buildBankfile(settings: Settings): Promise<FastifyInstance> {
  const deps: BankfileDeps = { ...(await openProvider(settings, BANKFILE)), seal: openSeal(settings.key) }
  const { database, clock, events, movements } = deps
  const { apiKey, frameAncestors, live } = settings
  const { advance } = openDays(deps)
  const folder = openFolder(settings.folder, deps)
  const faults = openFaults(settings.faultHoldMs)

  const app = openProviderServer(NAME, MAX_FILE_BYTES, database)
  const { page, mountFields } = openPages(app, frameAncestors)
  const onboarding = openOnboarding({ database, clock, events, frameAncestors, page }, bankPage(database, clock, live))
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  onboarding.mount(app)
  mountFields(async (kind) =>
    kind === 'bank' ? fieldsPage(kind, BANK_FIELDS, live ? null : 'TEST: no money moves.') : null,
  )
  mountTokens(app, deps)

  app.register(async (api) => {
    const calls = openApi(api, { apiKey, database, faults, advance, deliver: events.deliver })
    mountAccountCalls(calls, deps, { onboarding, live })
    mountIntentCalls(calls, deps, advance)
    mountStoredMethodCalls(calls, deps)
    mountBalanceCalls(calls, { movements, payouts: payoutPages(database, advance), advance })
    mountFiles(api, calls, deps)
    if (!live) mountControls(api, { clock, events, faults, advance })
  })

  const work = async () => {
    await advance()
    await folder.work()
    await events.deliver()
  }
  repeatWork(app, database, TICK_MS, work, ({ message }) => process.stderr.write(`${NAME}: ${message}\n`))
  return app
}

/** Mounts the call that exchanges a bank account from the hosted fields for a token. */
function mountTokens(app: FastifyInstance, deps: BankfileDeps): void {
  const options = { bodyLimit: MAX_FIELDS_BYTES }
  app.post<{ Querystring: { account?: string } }>('/fields/tokens', options, async (request, reply) => {
    const parsed = fieldsBody.safeParse(request.body)
    if (!parsed.success) throw new Refused(400, 'malformed', 'Fill in every field.')
    const account = request.query.account ?? ''
    const existing = await deps.database.query('SELECT 1 FROM account WHERE id = $1', [account])
    if (existing.rowCount === 0) throw new Refused(400, 'no_account', 'These fields belong to no account.')
    const made = await makeToken(deps, account, parsed.data)
    return reply.code('errors' in made ? 422 : 200).send(made)
  })
}
