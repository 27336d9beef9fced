import type Stripe from 'stripe'
import type { Intent, PaymentSource, NewIntent, Origin, Provider } from '../provider.ts'
import { ProviderRefused } from '../provider.ts'
import { callStripe, Declined, idOf, wholeOf } from './client.ts'
import { intentFrom, VOID, WITH_CHARGE } from './intent-from.ts'
import { isReturn } from './return-codes.ts'
import { atReader, sendToReader, takeFromReader } from './terminal.ts'

type Verbs = Pick<Provider, 'createIntent' | 'confirmIntent' | 'getIntent' | 'cancelIntent' | 'voidIntent'>

export const METHOD_TYPES = { card: 'card', echeck: 'us_bank_account' } as const

/** Returns Stripe's authorization for a bank debit. Without `from`, the payer signed a printed form. */
export function mandateOf(from: Origin | undefined): Stripe.SetupIntentCreateParams.MandateData {
  return {
    customer_acceptance: from
      ? { type: 'online', online: { ip_address: from.address, user_agent: from.device.slice(0, 500) || 'unknown' } }
      : { type: 'offline', offline: {} },
  }
}

/**
 * Builds the methods for charges of companies. Stripe charges on the portal's account and immediately transfers the
 * company's share (destination charges). The portal keeps the payer's fee as the application fee. A separate fee is
 * also a destination charge, and the portal's share is its full amount. It therefore also appears in the company's
 * payouts.
 */
export function intentVerbs(stripe: Stripe): Verbs {
  const retrieve = (id: string) => callStripe(() => stripe.paymentIntents.retrieve(id, { expand: WITH_CHARGE }))
  const resultOf = async (intent: Stripe.PaymentIntent): Promise<Intent> =>
    atReader(stripe, intent, intentFrom(intent, await reasonOfReturn(stripe, intent)))

  /**
   * Finds or creates the customer of a charge. Only a payment source that is charged again needs a customer. Null for
   * other charges.
   */
  async function customerOf({ stored, again, after }: NewIntent, key: string): Promise<string | null> {
    if (stored !== undefined) return ownerOf(stripe, stored)
    if (after !== undefined) return idOf((await retrieve(after)).customer)
    if (!again) return null
    return (await callStripe(() => stripe.customers.create({}, { idempotencyKey: `${key}/customer` }))).id
  }

  /** Finds the payment method that paid a charge. `once` is true if Stripe stored it only for the next charge. */
  async function paidBy(id: string): Promise<{ stored: string; once: boolean }> {
    const intent = await retrieve(id)
    const stored = idOf(intent.payment_method)
    if (stored === null) throw new ProviderRefused('that charge was paid by nothing')
    return { stored, once: intent.setup_future_usage === 'off_session' }
  }

  async function cancel(id: string, key: string): Promise<Intent> {
    await takeFromReader(stripe, await retrieve(id), key)
    return resultOf(
      await callStripe(() => stripe.paymentIntents.cancel(id, { expand: WITH_CHARGE }, { idempotencyKey: key })),
    )
  }

  return {
    async createIntent(account, request, key) {
      const customer = await customerOf(request, key)
      const params = paramsOf(account, request, customer)
      return intentFrom(await callStripe(() => stripe.paymentIntents.create(params, { idempotencyKey: key })), null)
    },
    async confirmIntent(account, id, source, returnUrl, key) {
      if ('reader' in source) {
        const why = await sendToReader(stripe, account, { reader: source.reader, intent: id }, key)
        // The reader did not accept the charge, so no one can pay it, and the portal cancels it. The cancellation also
        // covers a reader that received the charge after all.
        const now = why ? await cancel(id, `${key}/cancel`) : await resultOf(await retrieve(id))
        return why && now.status === 'canceled' ? { ...now, status: 'failed', error: why } : now
      }
      const confirm = (by: ConfirmedBy, mandate: boolean) =>
        callStripe(() =>
          stripe.paymentIntents.confirm(id, confirmation(by, returnUrl, mandate), { idempotencyKey: key }),
        )
      // Loads the current intent, because the response to a repeated call may be outdated.
      const currentIntent = await retrieve(id)
      const by = 'sameAs' in source ? await paidBy(source.sameAs) : source
      try {
        await confirm(by, 'token' in source && currentIntent.payment_method_types.includes(METHOD_TYPES.echeck))
      } catch (error) {
        if (!(error instanceof Declined)) throw error
      }
      const now = await resultOf(await retrieve(id))
      // The payer agreed to store the method only for this charge. If its removal fails, the charge is still valid.
      if ('once' in by && by.once && now.status === 'succeeded')
        await stripe.paymentMethods.detach(by.stored, {}, { idempotencyKey: `${key}/detach` }).catch(() => null)
      return now
    },
    getIntent: async (_account, id) => resultOf(await retrieve(id)),
    cancelIntent: (_account, id, key) => cancel(id, key),
    async voidIntent(_account, id, key) {
      const before = await retrieve(id)
      const charge = wholeOf(before.latest_charge)
      const isWhole = before.status === 'succeeded' && charge?.amount_refunded === 0 && !charge.disputed
      const now = await resultOf(before)
      if (now.status === 'canceled') return now
      if (!isWhole) throw new ProviderRefused('something of this charge has moved already')
      const refund = { payment_intent: id, reverse_transfer: true, ...feeRefund(charge), metadata: { ...VOID } }
      await callStripe(() => stripe.refunds.create(refund, { idempotencyKey: key }))
      return resultOf(await retrieve(id))
    },
  }
}

/** Returns the option for a proportional fee refund. Stripe rejects the option if the charge has no fee. */
export const feeRefund = (charge: Stripe.Charge | null) =>
  charge?.application_fee_amount ? { refund_application_fee: true } : {}

const paramsOf = (account: string, request: NewIntent, customer: string | null): Stripe.PaymentIntentCreateParams => ({
  amount: request.amountCents,
  currency: 'usd',
  payment_method_types: [request.reader === undefined ? METHOD_TYPES[request.method] : 'card_present'],
  description: request.description.slice(0, 500),
  transfer_data: { destination: account },
  ...(request.feeCents > 0 && { application_fee_amount: request.feeCents }),
  ...(customer !== null && { customer }),
  ...(request.again && request.stored === undefined && { setup_future_usage: 'off_session' as const }),
  ...(request.statement !== undefined && { statement_descriptor_suffix: request.statement }),
  metadata: {
    company_id: String(request.companyId),
    ...(request.reader !== undefined && { reader: request.reader }),
  },
  expand: WITH_CHARGE,
})

type ConfirmedBy = Exclude<PaymentSource, { sameAs: string } | { reader: string }>

function confirmation(source: ConfirmedBy, returnUrl: string, mandate: boolean): Stripe.PaymentIntentConfirmParams {
  return {
    payment_method: 'token' in source ? source.token : source.stored,
    ...('stored' in source && !source.present && { off_session: true }),
    ...(mandate && 'token' in source && { mandate_data: mandateOf(source.from) }),
    ...(returnUrl !== '' && { return_url: returnUrl }),
  }
}

/** Finds the customer of a stored method. In Stripe, a stored method can pay only for its own customer. */
async function ownerOf(stripe: Stripe, method: string): Promise<string | null> {
  return idOf((await callStripe(() => stripe.paymentMethods.retrieve(method))).customer)
}

/** Finds the bank's reason for a debit return, which Stripe records as a dispute. Null if not returned. */
async function reasonOfReturn(stripe: Stripe, { id, latest_charge }: Stripe.PaymentIntent): Promise<string | null> {
  const charge = wholeOf(latest_charge)
  if (!charge?.disputed || charge.payment_method_details?.type !== METHOD_TYPES.echeck) return null
  const { data } = await callStripe(() => stripe.disputes.list({ payment_intent: id, limit: 10 }))
  return data.find(({ reason }) => isReturn(reason))?.reason ?? null
}
