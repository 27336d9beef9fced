import type Stripe from 'stripe'
import type { Dispute, Provider, Refund } from '../provider.ts'
import { ask, idOf, wholeOf } from './client.ts'
import { feeBack } from './intents.ts'

const PAGE = 100
/** The longest that a value of metadata may be. */
const MAX_METADATA = 500

/** Refunds and disputes. Money goes back out of the town's account, and the portal's fee with it in proportion. */
export function moneyBackVerbs(
  stripe: Stripe,
): Pick<Provider, 'createRefund' | 'getRefund' | 'getDispute' | 'evidence'> {
  return {
    async createRefund(_account, intent, { amountCents, line, reason }, key) {
      // Stripe forgets keys after a while: what was made under one says so itself, so that nothing is given back twice.
      const before = await ask(() => stripe.refunds.list({ payment_intent: intent, limit: PAGE }))
      const made = before.data.find(({ metadata }) => metadata?.['key'] === key)
      if (made) return refundFrom(made)
      const { latest_charge } = await ask(() => stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] }))
      const params = {
        payment_intent: intent,
        amount: amountCents,
        reverse_transfer: true,
        ...feeBack(wholeOf(latest_charge)),
        metadata: { key, reason: reason.slice(0, MAX_METADATA), ...(line !== null && { line: String(line) }) },
      }
      return refundFrom(await ask(() => stripe.refunds.create(params, { idempotencyKey: key })))
    },
    getRefund: async (_account, id) => refundFrom(await ask(() => stripe.refunds.retrieve(id))),
    getDispute: async (_account, id) => disputeFrom(await ask(() => stripe.disputes.retrieve(id))),
    evidence: {
      async submit(_account, id, { explanation, receipt }, key) {
        const evidence = { uncategorized_text: explanation, ...(receipt !== '' && { product_description: receipt }) }
        return disputeFrom(
          await ask(() => stripe.disputes.update(id, { evidence, submit: true }, { idempotencyKey: key })),
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

/** What left the balance has moved, however long the payer's bank takes; what waits for enough in it has not. */
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
