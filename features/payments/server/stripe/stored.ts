import type Stripe from 'stripe'
import { brandNamed, fundingNamed } from '../../rules-fees.ts'
import {
  type CardKind,
  ProviderRefused,
  type NewSetup,
  type Setup,
  type StoredMethod,
  type StoredVerbs,
} from '../provider.ts'
import { ask, Declined, idOf, wholeOf } from './client.ts'
import { actionUrlOf, codeOf, meansOf } from './intent-from.ts'
import { mandateOf, METHOD_TYPES } from './intents.ts'

const WHOLE = ['payment_method']

/** What the fields' token stands for, which is a payment method of nobody's yet. */
export async function cardOf(stripe: Stripe, token: string): Promise<CardKind> {
  const { card } = await ask(() => stripe.paymentMethods.retrieve(token))
  return { brand: brandNamed(card?.brand), funding: fundingNamed(card?.funding) }
}

/** Cards and bank accounts that Stripe keeps. Customers are the portal's, each of one town alone. */
export function storedVerbs(stripe: Stripe): StoredVerbs {
  const retrieve = (id: string) => ask(() => stripe.setupIntents.retrieve(id, { expand: WHOLE }))
  return {
    async setup(account, wanted, key) {
      const customer = await customerOf(stripe, account, wanted.customer, `${key}/customer`)
      const isCheck = wanted.method === 'echeck'
      const params: Stripe.SetupIntentCreateParams = {
        customer,
        payment_method_types: [METHOD_TYPES[wanted.method]],
        usage: 'off_session',
        confirm: true,
        payment_method: wanted.token,
        return_url: wanted.returnUrl,
        metadata: { account, mandate: wanted.mandate.text.slice(0, 500) },
        expand: WHOLE,
        ...(isCheck && { mandate_data: mandateOf(wanted.mandate) }),
      }
      try {
        return setupFrom(await ask(() => stripe.setupIntents.create(params, { idempotencyKey: key })))
      } catch (error) {
        if (!(error instanceof Declined)) throw error
        return { status: 'failed', error: { code: codeOf(error), message: error.message } }
      }
    },
    getSetup: async (_account, id) => setupFrom(await retrieve(id)),
    async list(_account, customer) {
      const { data } = await ask(() => stripe.customers.listPaymentMethods(customer, { limit: 100 }))
      return data.map(storedFrom)
    },
    async remove(_account, id, key) {
      try {
        await ask(() => stripe.paymentMethods.detach(id, {}, { idempotencyKey: key }))
      } catch (error) {
        // One that belongs to nobody any more was removed before.
        if (!(error instanceof ProviderRefused)) throw error
        const { customer } = await ask(() => stripe.paymentMethods.retrieve(id))
        if (customer !== null) throw error
      }
    },
  }
}

/** The same reference is the same customer, as long as its email stays. */
async function customerOf(
  stripe: Stripe,
  account: string,
  { reference, name, email }: NewSetup['customer'],
  key: string,
): Promise<string> {
  const { data } = await ask(() => stripe.customers.list({ email, limit: 100 }))
  const known = data.find(({ metadata }) => metadata['reference'] === reference && metadata['account'] === account)
  if (known) return known.id
  const made = await ask(() =>
    stripe.customers.create({ name, email, metadata: { reference, account } }, { idempotencyKey: key }),
  )
  return made.id
}

function setupFrom(setup: Stripe.SetupIntent): Setup {
  const method = wholeOf(setup.payment_method)
  const actionUrl = actionUrlOf(setup.next_action)
  if (setup.status === 'succeeded' && method)
    return { status: 'succeeded', customer: idOf(setup.customer) ?? '', stored: storedFrom(method) }
  if (setup.status === 'requires_action' && actionUrl !== null)
    return { status: 'requires_action', id: setup.id, actionUrl }
  const error = setup.last_setup_error
  return { status: 'failed', error: { code: error ? codeOf(error) : 'unknown', message: error?.message ?? '' } }
}

function storedFrom(method: Stripe.PaymentMethod): StoredMethod {
  const { id, card, us_bank_account: account } = method
  return {
    id,
    method: card ? 'card' : 'echeck',
    means: meansOf({ ...method, us_bank_account: account ?? null, card: card ?? null }),
    expires: card ? { month: card.exp_month, year: card.exp_year } : null,
    bankName: account?.bank_name ?? null,
  }
}
