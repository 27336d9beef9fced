import * as z from 'zod/mini'
import type { Api } from '../provider-kit/api.ts'
import { expectFeeInAmount, idString, newIntentOf, newRefund } from '../provider-kit/bodies.ts'
import { addCustomer, newCustomer } from '../provider-kit/customers.ts'
import { newId } from '../provider-kit/ids.ts'
import { newLink, type Onboarding } from '../provider-kit/onboarding.ts'
import { Refused } from '../provider-kit/refused.ts'
import type { GatewayDeps } from './deps.ts'
import { cancelIntent, confirmIntent, createIntent, getIntent, listIntents, voidIntent } from './intents.ts'
import { statusOf } from './onboarding.ts'
import { clearReader, listReaders, newReader, pairReader, presentIntent, removeReader } from './readers.ts'
import { refundIntent } from './refunds.ts'
import { confirmSetup, createSetup, getSetup, newSetup, setupConfirmation } from './setups.ts'
import { detachStoredMethod, listStoredMethods } from './stored-methods.ts'
import { sendToken } from './tokens.ts'

const newAccount = z.object({
  reference: z.string().check(z.minLength(1), z.maxLength(100)),
  name: z.string().check(z.maxLength(200)),
  /** True if the account must complete onboarding before it can charge. By default, an account is ready immediately. */
  needs_consent: z._default(z.boolean(), false),
})
const newIntent = newIntentOf(z.enum(['card', 'echeck']))
const returnUrl = z.optional(z.string().check(z.maxLength(2000)))
const confirmation = z.union([
  z.object({ token: idString, return_url: returnUrl }),
  z.object({ same_as: idString, return_url: returnUrl }),
  z.object({ payment_method: idString, off_session: z.boolean(), return_url: returnUrl }),
])
const nothing = z.object({})

/** Mounts the calls for accounts and their onboarding. */
export function mountAccountCalls(
  { change, inspect }: Api,
  { database, clock }: GatewayDeps,
  onboarding: Onboarding,
): void {
  change(
    '/v1/accounts',
    newAccount,
    async (client, _of, body) => {
      const { rows } = await client.query(
        `INSERT INTO account (id, reference, name, created_at, state, takes_payments, paid_out)
         VALUES ($1, $2, $3, $4, CASE WHEN $5 THEN 'in_progress' ELSE 'ready' END, NOT $5, NOT $5)
         ON CONFLICT (reference) DO UPDATE SET name = excluded.name RETURNING id, reference, name`,
        [newId('acct'), body.reference, body.name, clock.now(), body.needs_consent],
      )
      return rows[0] as unknown
    },
    false,
  )
  change('/v1/account_links', newLink, onboarding.addLink)
  inspect('/v1/account', (of) => statusOf(database, of))
}

/** Mounts the calls for intents, refunds and disputes, and for the events about them. */
export function mountIntentCalls({ change, inspect }: Api, deps: GatewayDeps): void {
  change('/v1/intents', newIntent, (client, of, body) => {
    expectFeeInAmount(body)
    return createIntent(deps, client, of, body)
  })
  change('/v1/intents/:id/confirm', confirmation, (client, account, source, id) =>
    confirmIntent(deps, client, { account, id, source, returnUrl: source.return_url ?? null }),
  )
  change('/v1/intents/:id/cancel', nothing, (client, of, _body, id) => cancelIntent(deps, client, of, id))
  change('/v1/intents/:id/void', nothing, (client, of, _body, id) => voidIntent(deps, client, of, id))
  inspect('/v1/intents/:id', (of, { params }) => getIntent(deps, of, params.id))
  inspect('/v1/intents', (of, { query }) =>
    listIntents(deps, of, Number(query['after'] ?? 0) || 0, Math.min(100, Number(query['limit'] ?? 50) || 50)),
  )
  change('/v1/refunds', newRefund, (client, of, body) => refundIntent(deps, client, of, body))
  for (const table of ['refund', 'dispute', 'event'] as const)
    inspect(`/v1/${table}s/:id`, async (of, { params }) => {
      const { rows } = await deps.database.query(`SELECT * FROM ${table} WHERE id = $1 AND account = $2`, [
        params.id,
        of,
      ])
      if (!rows[0]) throw new Refused(404, 'not_found', `There is no such ${table}.`)
      return rows[0]
    })
}

/** Mounts the calls for customers and their stored payment methods. */
export function mountStoredMethodCalls({ change, inspect }: Api, deps: GatewayDeps): void {
  change('/v1/customers', newCustomer, (client, of, body) => addCustomer(client, deps.clock, of, body))
  change('/v1/setup_intents', newSetup, (client, of, body) => createSetup(deps, client, of, body))
  change('/v1/setup_intents/:id/confirm', setupConfirmation, (client, of, body, id) =>
    confirmSetup(deps, client, of, id, body),
  )
  inspect('/v1/setup_intents/:id', (of, { params }) => getSetup(deps, of, params.id))
  change('/v1/payment_methods/:id/detach', nothing, (client, of, _body, id) => detachStoredMethod(deps, client, of, id))
  inspect('/v1/customers/:id/payment_methods', (of, { params }) => listStoredMethods(deps, of, params.id))
  inspect('/v1/tokens/:id', (of, { params }) => sendToken(deps.database, of, params.id))
}

/** Mounts the calls for card readers at a counter. */
export function mountReaderCalls({ change, inspect }: Api, deps: GatewayDeps): void {
  change('/v1/terminal/readers', newReader, (client, of, body) => pairReader(deps, client, of, body))
  inspect('/v1/terminal/readers', (of) => listReaders(deps, of))
  change('/v1/terminal/readers/:id/process', z.object({ intent: z.string() }), (client, of, body, id) =>
    presentIntent(deps, client, of, id, body.intent),
  )
  change('/v1/terminal/readers/:id/cancel_action', nothing, (client, of, _body, id) =>
    clearReader(deps, client, of, id),
  )
  change('/v1/terminal/readers/:id/remove', nothing, (client, of, _body, id) => removeReader(deps, client, of, id))
}
