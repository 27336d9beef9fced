import type Stripe from 'stripe'
import type { Payout, PayoutLine, SettlementVerbs } from '../provider.ts'
import { callStripe, idOf, wholeOf } from './client.ts'
import { isVoid } from './intent-from.ts'

/** Fields that Stripe must expand. They connect a payout line to the portal's charge or refund. */
const WITH_ORIGIN = [
  'data.source.source_transfer.source_transaction',
  'data.source.source_transfer_reversal.source_refund',
]

/** Builds the methods for payouts from a company's Stripe account to its bank. */
export function settlementVerbs(stripe: Stripe): SettlementVerbs {
  /** Lists the lines of a payout, oldest first, without the payout itself. */
  async function linesOf(account: string, payout: string): Promise<Stripe.BalanceTransaction[]> {
    const lines: Stripe.BalanceTransaction[] = []
    for (let after: string | undefined, more = true; more;) {
      const params = { payout, limit: 100, expand: WITH_ORIGIN, ...(after !== undefined && { starting_after: after }) }
      const page: Stripe.ApiList<Stripe.BalanceTransaction> = await callStripe(() =>
        stripe.balanceTransactions.list(params, { stripeAccount: account }),
      )
      lines.push(...page.data)
      after = page.data.at(-1)?.id
      more = page.has_more && after !== undefined
    }
    return lines.filter(({ type }) => type !== 'payout').toReversed()
  }

  /** Lists payouts, oldest first. Starts after the payout `after`, or with the first payout if `after` is null. */
  async function payoutsAfter(account: string, after: string | null, limit: number) {
    const list = (params: Stripe.PayoutListParams) =>
      callStripe(() => stripe.payouts.list(params, { stripeAccount: account }))
    if (after !== null) {
      const { data, has_more: more } = await list({ ending_before: after, limit })
      return { payouts: data.toReversed(), more }
    }
    let page = await list({ limit })
    let isFirst = true
    while (page.has_more && page.data.length > 0) {
      page = await list({ limit, starting_after: page.data.at(-1)?.id ?? '' })
      isFirst = false
    }
    return { payouts: page.data.toReversed(), more: !isFirst }
  }

  return {
    byAccount: true,
    async listPayouts(account, after, limit) {
      const { payouts, more } = await payoutsAfter(account, after, limit)
      // If Stripe has not finished the lines of a payout, the next run reads that payout and all later ones.
      const unready = payouts.findIndex(({ reconciliation_status }) => reconciliation_status === 'in_progress')
      const ready = unready < 0 ? payouts : payouts.slice(0, unready)
      // Skips manual payouts, because they have no lines. Skips failed and canceled payouts, because Stripe pays their
      // money out again later.
      const followed = ready.filter(
        ({ automatic, status }) => automatic && status !== 'failed' && status !== 'canceled',
      )
      const readyPayouts: Payout[] = []
      for (const payout of followed) readyPayouts.push(payoutFrom(account, payout, await linesOf(account, payout.id)))
      return { payouts: readyPayouts, more: more && unready < 0 }
    },
    async listLines(account, payout) {
      return { lines: (await linesOf(account, payout)).flatMap((line) => lineFrom(line) ?? []), more: false }
    },
  }
}

function payoutFrom(account: string, payout: Stripe.Payout, lines: readonly Stripe.BalanceTransaction[]): Payout {
  return {
    id: payout.id,
    account,
    amountCents: payout.amount,
    feeCents: lines.reduce((sum, { fee }) => sum + fee, 0),
    lines: lines.length,
    trace: payout.trace_id?.value ?? payout.id,
    at: new Date(payout.created * 1000),
    arrivesOn: new Date(payout.arrival_date * 1000).toISOString().slice(0, 10),
  }
}

/**
 * Converts a payout line. Returns null for a line that belongs to no payment, such as a correction by Stripe. The sum
 * of the lines then differs from the payout total.
 */
function lineFrom(line: Stripe.BalanceTransaction): PayoutLine | null {
  const source = wholeOf(line.source as string | { object: string } | null)
  const of = source && (originOf(source as Stripe.Charge | Stripe.Refund) ?? null)
  return of && { ...of, id: line.id, amountCents: line.amount, feeCents: line.fee, at: new Date(line.created * 1000) }
}

function originOf(
  source: Stripe.Charge | Stripe.Refund,
): Pick<PayoutLine, 'movementType' | 'intentId' | 'objectId'> | null {
  if (source.object === 'charge') {
    const charge = wholeOf(wholeOf(source.source_transfer)?.source_transaction)
    const intentId = idOf(charge?.payment_intent)
    return intentId === null ? null : { movementType: 'capture', intentId, objectId: intentId }
  }
  if (source.object !== 'refund') return null
  const refund = wholeOf(wholeOf(source.source_transfer_reversal)?.source_refund)
  if (!refund) return null
  const intentId = idOf(refund.payment_intent) ?? ''
  return isVoid(refund)
    ? { movementType: 'void', intentId, objectId: intentId }
    : { movementType: 'refund', intentId, objectId: refund.id }
}
