import type { AppContext } from '../../../../server/app-context.ts'
import type { CompanyId, Tx } from '../../../../server/tenancy.ts'
import type { LedgerAccount } from '../../rules-ledger.ts'
import {
  addQuotes,
  separateFeeCentsOf,
  type MovementSums,
  netOf,
  type Part,
  quoteIn,
  refundedOf,
  type Share,
  sharesOf,
} from '../../rules.ts'
import type { LockedPayment, OrderMovement as MovedObject, OrderLine, PaidOrder } from '../orders/orders.ts'
import type { Intent, MovementType } from '../providers/provider.ts'

/** Computes the movements of each charge of a payment, and the net amounts of its bill and fee. */

/** Payment with new provider data. */
export interface ChargeContext extends LockedPayment {
  context: AppContext
  tx: Tx
  company: CompanyId
  intent: Pick<Intent, 'methodLabel' | 'returnCode'> | null
  /** Ledger account that receives or pays the money. Undefined for the company's balance at the provider. */
  cash?: LedgerAccount
  /** True if the provider reported the refund as failed. The caller then also records its reversal. */
  isFailedRefund?: boolean
}

/** Movements that change the net amount. Movements that only reserve or release disputed money are excluded. */
export type Change = Exclude<MovementType, 'dispute' | 'dispute_won'>

export const columnOf: Readonly<Record<Change, keyof MovementSums>> = {
  capture: 'captured',
  refund: 'refunded',
  refund_failed: 'refundFailed',
  return: 'returned',
  dispute_lost: 'lost',
  void: 'voided',
}

type Lines = { moved: readonly MovedObject[]; order: { lines: readonly OrderLine[] } }

/** Returns the sums of the movements of one charge so far. */
export const movedIn = (part: Part, moved: readonly MovedObject[]): MovementSums =>
  sumOf(moved.filter((row) => row.part === part))

function sumOf(rows: readonly MovedObject[]): MovementSums {
  const moved: MovementSums = { captured: 0, refunded: 0, refundFailed: 0, returned: 0, lost: 0, voided: 0 }
  for (const { movementType, cents } of rows) {
    const column = columnOf[movementType as Change]
    if (column) moved[column] += cents
  }
  return moved
}

/** Returns the total refunds that named each line, in one charge. Failed refunds are subtracted. */
export const namedRefunds = (part: Part, { order, moved }: Lines): number[] =>
  order.lines.map(({ line_no }) => {
    const { refunded, refundFailed } = movedIn(
      part,
      moved.filter(({ line }) => line === line_no),
    )
    return refunded - refundFailed
  })

/** Returns the net amount of each line in one charge. */
export const retainedIn = (part: Part, input: Lines) =>
  sharesOf(
    input.order.lines.map((line) => quoteIn(part, line)),
    netOf(movedIn(part, input.moved)),
    namedRefunds(part, input),
  )

/** Returns the net amount of each line in both charges. */
export function retainedOf(input: Lines): Share[] {
  const fees = retainedIn('fee', input).lines
  return retainedIn('bill', input).lines.map((share, n) => ({
    ...share,
    feeCents: share.feeCents + (fees[n]?.feeCents ?? 0),
  }))
}

/**
 * Returns the refunded amount of a charge in cents, at most its total. Without this limit, the amount could briefly
 * exceed the total, because the replacement of a failed refund may be recorded before the failure.
 */
export function refundedIn(part: Part, { order, moved }: Lines): number {
  const { totalCents } = addQuotes(order.lines.map((line) => quoteIn(part, line)))
  return Math.min(refundedOf(movedIn(part, moved), totalCents), totalCents)
}

/** Returns the amount of a charge in cents. */
export const centsIn = (part: Part, { total_cents, lines }: { total_cents: number; lines: readonly OrderLine[] }) =>
  part === 'fee' ? separateFeeCentsOf(lines) : total_cents - separateFeeCentsOf(lines)

/** Returns a payment with the amounts that the payer paid, without a separate fee that was not charged. */
export function withoutUnchargedFee(order: PaidOrder): PaidOrder {
  if (!order.fee || order.fee.status === 'charged') return order
  const lines = order.lines.map((line) => ({ ...line, fee_cents: line.fee_cents - separateFeeCentsOf([line]) }))
  const separateCents = separateFeeCentsOf(order.lines)
  return { ...order, lines, fee_cents: order.fee_cents - separateCents, total_cents: order.total_cents - separateCents }
}

export const paidCents = (order: PaidOrder): number => withoutUnchargedFee(order).total_cents
