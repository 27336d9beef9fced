import type Stripe from 'stripe'
import type { Dispute, Provider, Refund } from '../provider.ts'
import { callStripe, idOf, wholeOf } from './client.ts'
import { feeRefund } from './intents.ts'

const PAGE = 100
/** Maximum length of a metadata value in Stripe, in characters. */
const MAX_METADATA = 500

/**
 * Builds the methods for refunds and disputes. The company's account pays the refund, and Stripe refunds the portal's
 * fee in proportion.
 */
export function refundVerbs(stripe: Stripe): Pick<Provider, 'createRefund' | 'getRefund' | 'getDispute' | 'evidence'> {
  return {
    async createRefund(_account, intent, { amountCents, line, reason }, key) {
      // Stripe forgets idempotency keys after some time. The metadata of each refund therefore contains its key, so
      // that a repeated call finds the first refund and creates no second one.
      const before = await callStripe(() => stripe.refunds.list({ payment_intent: intent, limit: PAGE }))
      const made = before.data.find(({ metadata }) => metadata?.['key'] === key)
      if (made) return refundFrom(made)
      const { latest_charge } = await callStripe(() =>
        stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] }),
      )
      const params = {
        payment_intent: intent,
        amount: amountCents,
        reverse_transfer: true,
        ...feeRefund(wholeOf(latest_charge)),
        metadata: { key, reason: reason.slice(0, MAX_METADATA), ...(line !== null && { line: String(line) }) },
      }
      return refundFrom(await callStripe(() => stripe.refunds.create(params, { idempotencyKey: key })))
    },
    getRefund: async (_account, id) => refundFrom(await callStripe(() => stripe.refunds.retrieve(id))),
    getDispute: async (_account, id) => disputeFrom(await callStripe(() => stripe.disputes.retrieve(id))),
    evidence: {
      async submit(_account, id, { explanation, receipt }, key) {
        const evidence = { uncategorized_text: explanation, ...(receipt !== '' && { product_description: receipt }) }
        return disputeFrom(
          await callStripe(() => stripe.disputes.update(id, { evidence, submit: true }, { idempotencyKey: key })),
        )
      },
    },
  }
}

function refundFrom(refund: Stripe.Refund): Refund {
  return {
    id: refund.id,
    intentId: idOf(refund.payment_intent) ?? '',
    amountCents: refund.amount,
    status: statusOfRefund(refund),
    line: Number(refund.metadata?.['line']) || null,
  }
}

/**
 * Returns the status of a refund. If the money has left the Stripe balance, the refund has succeeded, even before the
 * payer's bank credits it. If the refund waits for sufficient balance, it is pending.
 */
export function statusOfRefund({ status, balance_transaction }: Stripe.Refund): Refund['status'] {
  if (status === 'failed' || status === 'canceled') return 'failed'
  return balance_transaction === null ? 'pending' : 'succeeded'
}

const DECIDED: Readonly<Record<string, Dispute['status']>> = {
  won: 'won',
  lost: 'lost',
  warning_closed: 'won',
  prevented: 'won',
  under_review: 'under_review',
  warning_under_review: 'under_review',
}

export const disputeFrom = (dispute: Stripe.Dispute): Dispute => ({
  id: dispute.id,
  intentId: idOf(dispute.payment_intent) ?? '',
  amountCents: dispute.amount,
  status: DECIDED[dispute.status] ?? 'needs_response',
})
