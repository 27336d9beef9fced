import * as z from 'zod/mini'
import type { Api } from '../provider-kit/api.ts'
import { expectFeeInAmount, idString, newIntentOf, newRefund } from '../provider-kit/bodies.ts'
import { addCustomer, newCustomer } from '../provider-kit/customers.ts'
import { newLink, type Onboarding } from '../provider-kit/onboarding.ts'
import { Refused } from '../provider-kit/refused.ts'
import { addAccount, newAccount, originatorBody, secCodes, setOriginator } from './accounts.ts'
import type { BankfileDeps } from './deps.ts'
import { cancelIntent, confirmIntent, createIntent, getIntent } from './intents.ts'
import { statusOf } from './onboarding.ts'
import { requestRefund } from './refunds.ts'
import { confirmSetup, createSetup, getSetup, newSetup, setupConfirmation } from './setups.ts'
import { detachStoredMethod, listStoredMethods } from './stored-methods.ts'

const newIntent = newIntentOf(z.literal('echeck'))
const secCode = z.optional(z.enum(secCodes))
const confirmation = z.union([
  z.object({ token: idString, sec_code: secCode }),
  z.object({ payment_method: idString, off_session: z.boolean(), sec_code: secCode }),
])
const nothing = z.object({})

/** Mounts the calls for accounts, their bank details and their onboarding. */
export function mountAccountCalls(
  { change, inspect }: Api,
  { database, clock }: BankfileDeps,
  { onboarding, live }: { onboarding: Onboarding; live: boolean },
): void {
  change('/v1/accounts', newAccount, (client, _of, body) => addAccount(client, clock, body, live), false)
  change(
    '/v1/accounts/:id/originator',
    originatorBody,
    (client, _of, body, id) => setOriginator(client, clock, id, body),
    false,
  )
  change('/v1/account_links', newLink, onboarding.addLink)
  inspect('/v1/account', (of) => statusOf(database, of))
}

/**
 * Mounts the calls for intents and refunds. `advance` closes the banking days that have ended, so that the response is
 * up to date.
 */
export function mountIntentCalls({ change, inspect }: Api, deps: BankfileDeps, advance: () => Promise<unknown>): void {
  change('/v1/intents', newIntent, (client, of, body) => {
    expectFeeInAmount(body)
    return createIntent(deps, client, of, body)
  })
  change('/v1/intents/:id/confirm', confirmation, (client, account, source, id) =>
    confirmIntent(deps, client, { account, id, source, secCode: source.sec_code }),
  )
  for (const verb of ['cancel', 'void'])
    change(`/v1/intents/:id/${verb}`, nothing, (client, of, _body, id) => cancelIntent(deps, client, of, id))
  inspect('/v1/intents/:id', async (of, { params }) => {
    await advance()
    return getIntent(deps, of, params.id)
  })
  change('/v1/refunds', newRefund, (client, of, body) => requestRefund(deps, client, of, body))
  inspect('/v1/refunds/:id', async (of, { params }) => {
    const { rows } = await deps.database.query('SELECT * FROM refund WHERE id = $1 AND account = $2', [params.id, of])
    if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such refund.')
    return rows[0]
  })
}

/** Mounts the calls for customers and their saved bank accounts. */
export function mountStoredMethodCalls({ change, inspect }: Api, deps: BankfileDeps): void {
  change('/v1/customers', newCustomer, (client, of, body) => addCustomer(client, deps.clock, of, body))
  change('/v1/setup_intents', newSetup, (client, of, body) => createSetup(deps, client, of, body))
  change('/v1/setup_intents/:id/confirm', setupConfirmation, (client, of, body, id) =>
    confirmSetup(deps, client, of, id, body),
  )
  inspect('/v1/setup_intents/:id', (of, { params }) => getSetup(deps, of, params.id))
  change('/v1/payment_methods/:id/detach', nothing, (client, of, _body, id) => detachStoredMethod(deps, client, of, id))
  inspect('/v1/customers/:id/payment_methods', (of, { params }) => listStoredMethods(deps, of, params.id))
}
