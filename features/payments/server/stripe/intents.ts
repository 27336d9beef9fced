import type Stripe from 'stripe'
import type { Intent, PaymentSource, NewIntent, Origin, Provider } from '../provider.ts'
import { ProviderRefused } from '../provider.ts'
import { ask, Declined, idOf, wholeOf } from './client.ts'
import { intentFrom, VOID, WITH_CHARGE } from './intent-from.ts'
import { isReturn } from './return-codes.ts'
import { atReader, handOver, takeFromReader } from './terminal.ts'

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
 * once (destination charges): what the payer pays as a fee stays with the portal as the application fee. A fee that is charged
 * by itself is such a charge as well, all of which is the portal's, so that a town's payouts tell of it as of every other.
 */
export function intentVerbs(stripe: Stripe): Verbs {
  const retrieve = (id: string) => ask(() => stripe.paymentIntents.retrieve(id, { expand: WITH_CHARGE }))
  const told = async (intent: Stripe.PaymentIntent): Promise<Intent> =>
    atReader(stripe, intent, intentFrom(intent, await reasonOfReturn(stripe, intent)))

  /** Whose a charge is: what pays once belongs to nobody; what pays again belongs to a customer, who is made for that. */
  async function customerOf({ stored, again, after }: NewIntent, key: string): Promise<string | null> {
    if (stored !== undefined) return ownerOf(stripe, stored)
    if (after !== undefined) return idOf((await retrieve(after)).customer)
    if (!again) return null
    return (await ask(() => stripe.customers.create({}, { idempotencyKey: `${key}/customer` }))).id
  }

  /** What paid that charge. `once`: it was kept for the charge that follows alone. */
  async function paidBy(id: string): Promise<{ stored: string; once: boolean }> {
    const intent = await retrieve(id)
    const stored = idOf(intent.payment_method)
    if (stored === null) throw new ProviderRefused('that charge was paid by nothing')
    return { stored, once: intent.setup_future_usage === 'off_session' }
  }

  async function cancel(id: string, key: string): Promise<Intent> {
    await takeFromReader(stripe, await retrieve(id), key)
    return told(await ask(() => stripe.paymentIntents.cancel(id, { expand: WITH_CHARGE }, { idempotencyKey: key })))
  }

  return {
    async createIntent(account, wanted, key) {
      const customer = await customerOf(wanted, key)
      const params = paramsOf(account, wanted, customer)
      return intentFrom(await ask(() => stripe.paymentIntents.create(params, { idempotencyKey: key })), null)
    },
    async confirmIntent(account, id, means, returnUrl, key) {
      if ('reader' in means) {
        const why = await handOver(stripe, account, { reader: means.reader, intent: id }, key)
        // What no reader has nobody can pay: it is over, also where it reached the reader after all.
        const now = why ? await cancel(id, `${key}/cancel`) : await told(await retrieve(id))
        return why && now.status === 'canceled' ? { ...now, status: 'failed', error: why } : now
      }
      const confirm = (by: ConfirmedBy, mandate: boolean) =>
        ask(() => stripe.paymentIntents.confirm(id, confirmation(by, returnUrl, mandate), { idempotencyKey: key }))
      // Of its own record: an answer that is repeated may be older than what happened since.
      const known = await retrieve(id)
      const by = 'sameAs' in means ? await paidBy(means.sameAs) : means
      try {
        await confirm(by, 'token' in means && known.payment_method_types.includes(METHOD_TYPES.echeck))
      } catch (error) {
        if (!(error instanceof Declined)) throw error
      }
      const now = await told(await retrieve(id))
      // Nobody agreed that it is kept any longer. That it could not be taken away makes the charge no other.
      if ('once' in by && by.once && now.status === 'succeeded')
        await stripe.paymentMethods.detach(by.stored, {}, { idempotencyKey: `${key}/detach` }).catch(() => null)
      return now
    },
    getIntent: async (_account, id) => told(await retrieve(id)),
    cancelIntent: (_account, id, key) => cancel(id, key),
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
  payment_method_types: [wanted.reader === undefined ? METHOD_TYPES[wanted.method] : 'card_present'],
  description: wanted.description.slice(0, 500),
  transfer_data: { destination: account },
  ...(wanted.feeCents > 0 && { application_fee_amount: wanted.feeCents }),
  ...(customer !== null && { customer }),
  ...(wanted.again && wanted.stored === undefined && { setup_future_usage: 'off_session' as const }),
  ...(wanted.statement !== undefined && { statement_descriptor_suffix: wanted.statement }),
  metadata: {
    company_id: String(wanted.companyId),
    ...(wanted.reader !== undefined && { reader: wanted.reader }),
  },
  expand: WITH_CHARGE,
})

type ConfirmedBy = Exclude<PaymentSource, { sameAs: string } | { reader: string }>

function confirmation(means: ConfirmedBy, returnUrl: string, mandate: boolean): Stripe.PaymentIntentConfirmParams {
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
