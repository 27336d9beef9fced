import type { AppContext } from '../../../server/app-context.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { LedgerAccount } from '../report.ts'
import {
  addQuotes,
  apartOf,
  type MovementSums,
  netOf,
  type Part,
  quoteIn,
  refundedOf,
  type Share,
  sharesOf,
} from '../rules.ts'
import type { LockedPayment, OrderMovement as MovedObject, OrderLine, PaidOrder } from './orders.ts'
import type { Intent, MovementType } from './provider.ts'

/** What moved by each charge of a payment, and what is left by that of its bill and of its fee. */

/** A payment of which there are news. */
export interface ChargeContext extends LockedPayment {
  context: AppContext
  tx: Tx
  company: CompanyId
  intent: Pick<Intent, 'means' | 'returnCode'> | null
  /** The account that the money comes into or goes out of, where that is not what the provider holds for the town. */
  cash?: LedgerAccount
  /** What is booked is known to have failed, and is booked back at once. */
  comesBack?: boolean
}

/** The ways that change what is left; what a dispute sets aside is none of them. */
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

/** What moved by one charge until now. */
export const movedIn = (part: Part, moved: readonly MovedObject[]): MovementSums =>
  sumOf(moved.filter((row) => row.part === part))

function sumOf(rows: readonly MovedObject[]): MovementSums {
  const moved: MovementSums = { captured: 0, refunded: 0, refundFailed: 0, returned: 0, lost: 0, voided: 0 }
  for (const { way, cents } of rows) {
    const column = columnOf[way as Change]
    if (column) moved[column] += cents
  }
  return moved
}

/** What refunds of a charge that name a line gave back of each line, less what came back of them. */
export const namedBack = (part: Part, { order, moved }: Lines): number[] =>
  order.lines.map(({ line_no }) => {
    const { refunded, refundFailed } = movedIn(
      part,
      moved.filter(({ line }) => line === line_no),
    )
    return refunded - refundFailed
  })

/** What is kept of each line by one charge. */
export const keptIn = (part: Part, known: Lines) =>
  sharesOf(
    known.order.lines.map((line) => quoteIn(part, line)),
    netOf(movedIn(part, known.moved)),
    namedBack(part, known),
  )

/** What is kept of each line, by both charges. */
export function keptOf(known: Lines): Share[] {
  const fees = keptIn('fee', known).lines
  return keptIn('bill', known).lines.map((share, n) => ({
    ...share,
    feeCents: share.feeCents + (fees[n]?.feeCents ?? 0),
  }))
}

/** More than all of it for a moment, where a refund that failed is learned after the one that was made instead. */
export function refundedIn(part: Part, { order, moved }: Lines): number {
  const { totalCents } = addQuotes(order.lines.map((line) => quoteIn(part, line)))
  return Math.min(refundedOf(movedIn(part, moved), totalCents), totalCents)
}

/** What a charge takes. */
export const centsIn = (part: Part, { total_cents, lines }: { total_cents: number; lines: readonly OrderLine[] }) =>
  part === 'fee' ? apartOf(lines) : total_cents - apartOf(lines)

/** A payment as its payer paid it: without a fee of its own that is not charged. */
export function asPaid(order: PaidOrder): PaidOrder {
  if (!order.fee || order.fee.status === 'charged') return order
  const lines = order.lines.map((line) => ({ ...line, fee_cents: line.fee_cents - apartOf([line]) }))
  const apart = apartOf(order.lines)
  return { ...order, lines, fee_cents: order.fee_cents - apart, total_cents: order.total_cents - apart }
}

export const paidCents = (order: PaidOrder): number => asPaid(order).total_cents
