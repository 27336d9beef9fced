import Stripe from 'stripe'
import type { Movement, Provider } from '../provider.ts'
import { callStripe, idOf, wholeOf } from './client.ts'
import { companyOf, isVoid } from './intent-from.ts'
import { isReturn } from './return-codes.ts'

/** Delay in seconds. Stripe may list the newest movements in any order, so the next run reads them. */
const DELAY_SECONDS = 10
/** Fields that Stripe must expand. The company is in the charge of a refund or dispute. */
const WITH_SOURCE = ['data.source', 'data.source.charge']

type Line = Stripe.BalanceTransaction

/**
 * Builds the method that lists the movements of the portal's Stripe account, which includes the charges of all
 * companies.
 */
export function movementVerbs(stripe: Stripe): Pick<Provider, 'listMovements'> {
  /** Loads the page after `after`, or the oldest page if `after` is null. */
  async function pageAfter(after: string | null, limit: number) {
    if (after !== null) return list({ ending_before: after, limit })
    let page = await list({ limit })
    for (let last = page.lines[0]; page.more && last; last = page.lines[0]) {
      const older = await list({ starting_after: last.id, limit })
      if (older.lines.length === 0) break
      page = { ...older, hasNewer: true }
    }
    return { ...page, more: page.hasNewer }
  }

  async function list(params: Stripe.BalanceTransactionListParams) {
    const response = await callStripe(() => stripe.balanceTransactions.list({ ...params, expand: WITH_SOURCE }))
    const now = Date.parse(response.lastResponse.headers['date'] ?? '') / 1000
    return { lines: response.data.toReversed(), more: response.has_more, hasNewer: false, now }
  }

  return {
    async listMovements(after, limit) {
      // Transfers and fees are not movements of a payment. The loop continues to the first page with a movement.
      for (let position = after; ;) {
        const { lines, more, now } = await pageAfter(position, limit)
        const finalLines = lines.filter(({ created }) => created <= now - DELAY_SECONDS)
        const movements = finalLines.flatMap((line) => movementOf(line) ?? [])
        const goesOn = more && finalLines.length === lines.length
        const last = finalLines.at(-1)
        if (movements.length > 0 || !goesOn || !last) return { movements, more: goesOn }
        position = last.id
      }
    },
  }
}

/** Converts a line of the Stripe balance. Returns null if the line is not a movement of a company's payment. */
function movementOf(line: Line): Movement | null {
  const source = wholeOf(line.source as string | { object: string } | null)
  if (source?.object === 'charge') return ofCharge(line, source as Stripe.Charge)
  if (source?.object === 'refund') return ofRefund(line, source as Stripe.Refund)
  if (source?.object === 'dispute') return ofDispute(line, source as Stripe.Dispute)
  return null
}

function ofCharge(line: Line, charge: Stripe.Charge): Movement | null {
  const isPaid = (line.type === 'charge' || line.type === 'payment') && charge.status === 'succeeded'
  return isPaid ? moved(line, charge, { movementType: 'capture', object: 'intent' }) : null
}

function ofRefund(line: Line, refund: Stripe.Refund): Movement | null {
  const movementType = line.amount > 0 ? 'refund_failed' : 'refund'
  if (isVoid(refund)) return moved(line, wholeOf(refund.charge), { movementType: 'void', object: 'intent' })
  return moved(line, wholeOf(refund.charge), { movementType, object: 'refund', objectId: refund.id })
}

function ofDispute(line: Line, dispute: Stripe.Dispute): Movement | null {
  const charge = wholeOf(dispute.charge)
  if (isReturn(dispute.reason)) return moved(line, charge, { movementType: 'return', object: 'intent' })
  const movementType = line.amount > 0 ? 'dispute_won' : 'dispute'
  return moved(line, charge, { movementType, object: 'dispute', objectId: dispute.id })
}

function moved(
  { id, amount }: Line,
  charge: Stripe.Charge | null,
  what: Pick<Movement, 'movementType' | 'object'> & { objectId?: string },
): Movement | null {
  const intentId = idOf(charge?.payment_intent)
  if (!charge || intentId === null) return null
  const account = idOf(charge.transfer_data?.destination) ?? ''
  return {
    objectId: intentId,
    ...what,
    id,
    account,
    intentId,
    amountCents: amount,
    companyId: companyOf(charge.metadata),
  }
}
