import type Stripe from 'stripe'
import { brandNamed, fundingNamed } from '../../../rules-fees.ts'
import {
  type CardKind,
  ProviderRefused,
  type NewSetup,
  type Setup,
  type StoredMethod,
  type StoredVerbs,
} from '../provider.ts'
import { callStripe, Declined, idOf, wholeOf } from './client.ts'
import { actionUrlOf, codeOf, methodLabelOf } from './intent-from.ts'
import { mandateOf, METHOD_TYPES } from './intents.ts'

const WHOLE = ['payment_method']

/** Loads the card brand and type of a token. The token is a payment method without a customer. */
export async function cardOf(stripe: Stripe, token: string): Promise<CardKind> {
  const { card } = await callStripe(() => stripe.paymentMethods.retrieve(token))
  return { brand: brandNamed(card?.brand), funding: fundingNamed(card?.funding) }
}

/**
 * Builds the methods for cards and bank accounts stored at Stripe. The customers belong to the portal's Stripe account,
 * and each customer belongs to one company.
 */
export function storedVerbs(stripe: Stripe): StoredVerbs {
  const retrieve = (id: string) => callStripe(() => stripe.setupIntents.retrieve(id, { expand: WHOLE }))
  return {
    async setup(account, request, key) {
      const customer = await customerOf(stripe, account, request.customer, `${key}/customer`)
      const isCheck = request.method === 'echeck'
      const params: Stripe.SetupIntentCreateParams = {
        customer,
        payment_method_types: [METHOD_TYPES[request.method]],
        usage: 'off_session',
        confirm: true,
        payment_method: request.token,
        return_url: request.returnUrl,
        metadata: { account, mandate: request.mandate.text.slice(0, 500) },
        expand: WHOLE,
        ...(isCheck && { mandate_data: mandateOf(request.mandate) }),
      }
      try {
        return setupFrom(await callStripe(() => stripe.setupIntents.create(params, { idempotencyKey: key })))
      } catch (error) {
        if (!(error instanceof Declined)) throw error
        return { status: 'failed', error: { code: codeOf(error), message: error.message } }
      }
    },
    getSetup: async (_account, id) => setupFrom(await retrieve(id)),
    async list(_account, customer) {
      const { data } = await callStripe(() => stripe.customers.listPaymentMethods(customer, { limit: 100 }))
      return data.map(storedFrom)
    },
    async remove(_account, id, key) {
      try {
        await callStripe(() => stripe.paymentMethods.detach(id, {}, { idempotencyKey: key }))
      } catch (error) {
        // A method without a customer was already removed by an earlier call.
        if (!(error instanceof ProviderRefused)) throw error
        const { customer } = await callStripe(() => stripe.paymentMethods.retrieve(id))
        if (customer !== null) throw error
      }
    },
  }
}

/** Finds the customer with this reference and email, or creates it. */
async function customerOf(
  stripe: Stripe,
  account: string,
  { reference, name, email }: NewSetup['customer'],
  key: string,
): Promise<string> {
  const { data } = await callStripe(() => stripe.customers.list({ email, limit: 100 }))
  const existing = data.find(({ metadata }) => metadata['reference'] === reference && metadata['account'] === account)
  if (existing) return existing.id
  const made = await callStripe(() =>
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
    methodLabel: methodLabelOf({ ...method, us_bank_account: account ?? null, card: card ?? null }),
    expires: card ? { month: card.exp_month, year: card.exp_year } : null,
    bankName: account?.bank_name ?? null,
  }
}
