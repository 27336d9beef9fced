import type Stripe from 'stripe'
import type { Intent, Means, NewIntent, Origin, Provider } from '../provider.ts'
import { ProviderRefused } from '../provider.ts'
import { ask, Declined, idOf, wholeOf } from './client.ts'
import { intentFrom, VOID, WITH_CHARGE } from './intent-from.ts'
import { isReturn } from './return-codes.ts'

type Verbs = Pick<Provider, 'createIntent' | 'confirmIntent' | 'getIntent' | 'cancelIntent' | 'voidIntent'>

export const METHOD_TYPES = { card: 'card', echeck: 'us_bank_account' } as const

/** What Stripe asks for a bank account that is debited: that its owner agreed. At the counter they did so on paper. */
export function mandateOf(from: Origin | undefined): Stripe.SetupIntentCreateParams.MandateData {
  return {
    customer_acceptance: from
      ? { type: 'online', online: { ip_address: from.address, user_agent: from.device.slice(0, 500) || 'unknown' } }
      : { type: 'offline', offline: {} },
  }
}

/**
 * Charges of towns. They are made on the portal's own account and what is the town's of them is sent on to its account at
 * once (destination charges): what the payer pays as a fee stays with the portal as the application fee.
 */
export function intentVerbs(stripe: Stripe): Verbs {
  const retrieve = (id: string) => ask(() => stripe.paymentIntents.retrieve(id, { expand: WITH_CHARGE }))
  const told = async (intent: Stripe.PaymentIntent): Promise<Intent> =>
    intentFrom(intent, await reasonOfReturn(stripe, intent))

  return {
    async createIntent(account, wanted, key) {
      const customer = wanted.stored === undefined ? null : await ownerOf(stripe, wanted.stored)
      return told(
        await ask(() => stripe.paymentIntents.create(paramsOf(account, wanted, customer), { idempotencyKey: key })),
      )
    },
    async confirmIntent(_account, id, means, returnUrl, key) {
      const confirm = (mandate: boolean) =>
        ask(() => stripe.paymentIntents.confirm(id, confirmation(means, returnUrl, mandate), { idempotencyKey: key }))
      // Of its own record: an answer that is repeated may be older than what happened since.
      const known = await retrieve(id)
      try {
        await confirm('token' in means && known.payment_method_types.includes(METHOD_TYPES.echeck))
      } catch (error) {
        if (!(error instanceof Declined)) throw error
      }
      return told(await retrieve(id))
    },
    getIntent: async (_account, id) => told(await retrieve(id)),
    cancelIntent: async (_account, id, key) =>
      told(await ask(() => stripe.paymentIntents.cancel(id, { expand: WITH_CHARGE }, { idempotencyKey: key }))),
    async voidIntent(_account, id, key) {
      const before = await retrieve(id)
      const charge = wholeOf(before.latest_charge)
      const isWhole = before.status === 'succeeded' && charge?.amount_refunded === 0 && !charge.disputed
      const now = await told(before)
      if (now.status === 'canceled') return now
      if (!isWhole) throw new ProviderRefused('something of this charge has moved already')
      const back = { payment_intent: id, reverse_transfer: true, ...feeBack(charge), metadata: { ...VOID } }
      await ask(() => stripe.refunds.create(back, { idempotencyKey: key }))
      return told(await retrieve(id))
    },
  }
}

/** Whether the portal's fee is given back in proportion; where there was none Stripe refuses to be told so. */
export const feeBack = (charge: Stripe.Charge | null) =>
  charge?.application_fee_amount ? { refund_application_fee: true } : {}

const paramsOf = (account: string, wanted: NewIntent, customer: string | null): Stripe.PaymentIntentCreateParams => ({
  amount: wanted.amountCents,
  currency: 'usd',
  payment_method_types: [METHOD_TYPES[wanted.method]],
  description: wanted.description.slice(0, 500),
  transfer_data: { destination: account },
  ...(wanted.feeCents > 0 && { application_fee_amount: wanted.feeCents }),
  ...(customer !== null && { customer }),
  metadata: { company_id: String(wanted.companyId) },
  expand: WITH_CHARGE,
})

function confirmation(means: Means, returnUrl: string, mandate: boolean): Stripe.PaymentIntentConfirmParams {
  if ('reader' in means) throw new ProviderRefused('there are no card readers')
  return {
    payment_method: 'token' in means ? means.token : means.stored,
    ...('stored' in means && !means.present && { off_session: true }),
    ...(mandate && 'token' in means && { mandate_data: mandateOf(means.from) }),
    ...(returnUrl !== '' && { return_url: returnUrl }),
  }
}

/** A stored method pays for its customer alone. */
async function ownerOf(stripe: Stripe, method: string): Promise<string | null> {
  return idOf((await ask(() => stripe.paymentMethods.retrieve(method))).customer)
}

/** Why a bank took back a debit that was paid: Stripe keeps it as a dispute. */
async function reasonOfReturn(stripe: Stripe, { id, latest_charge }: Stripe.PaymentIntent): Promise<string | null> {
  const charge = wholeOf(latest_charge)
  if (!charge?.disputed || charge.payment_method_details?.type !== METHOD_TYPES.echeck) return null
  const { data } = await ask(() => stripe.disputes.list({ payment_intent: id, limit: 10 }))
  return data.find(({ reason }) => isReturn(reason))?.reason ?? null
}
