import { sql } from 'kysely'
import { changeRow } from '../../../../server/db/rows.ts'
import { formatCents } from '../../../../shared/money.ts'
import { orderStatus, type Share, statusAfter } from '../../rules.ts'
import type { LedgerAccount } from '../../rules-ledger.ts'
import { post, type Transfer, transferOf } from './ledger.ts'
import { type Change, columnOf, type ChargeContext, retainedIn, movedIn, refundedIn } from './charges.ts'
import { refundFee } from '../attempts/separate-fee.ts'
import { alertStaff, moveOrder, type Order, type OrderEvent, providerActor } from '../orders/orders.ts'
import { type Settlement, inLockOrder, payableOf } from '../orders/payable.ts'
import type { MovementType } from '../providers/provider.ts'

/** Net effect and order event of each movement type. `bookDispute` handles reserved money. */
const changes: Record<Change, { sign: 1 | -1; event: OrderEvent }> = {
  capture: { sign: 1, event: 'captured' },
  refund: { sign: -1, event: 'refunded' },
  refund_failed: { sign: 1, event: 'refund_failed' },
  return: { sign: -1, event: 'returned' },
  dispute_lost: { sign: -1, event: 'chargeback_lost' },
  void: { sign: -1, event: 'voided' },
}

/** Records provider object `ref` once. `named` is the refund's line. `beside` runs after the order update. */
export async function book(
  charge: ChargeContext,
  movementType: Change,
  ref: string,
  amountCents: number,
  { named = null, beside = async () => {} }: { named?: number | null; beside?: () => Promise<unknown> } = {},
): Promise<void> {
  const { context, tx, company, order, attempt, intent } = charge
  if (isBooked(charge, movementType, ref)) return
  const { part } = attempt
  const moved = movedIn(part, charge.moved)
  const { sign, event } = changes[movementType]
  const before = retainedIn(part, charge)
  const line = order.lines.some(({ line_no }) => line_no === named) ? named : null
  moved[columnOf[movementType]] += amountCents
  charge.moved.push({ movementType, ref, cents: amountCents, line, part })
  const after = retainedIn(part, charge)

  await settleLines(charge, ref, before.lines, after.lines)

  const status = statusAfter(moved)
  const patch = {
    refunded_cents: refundedIn('bill', charge) + refundedIn('fee', charge),
    ...(movementType === 'capture' &&
      part === 'bill' &&
      order.status !== orderStatus.success && {
        method_label: intent?.methodLabel ?? '',
        paid_at: order.paid_at ?? context.clock.now(),
      }),
    ...(movementType === 'return' && part === 'bill' && { return_code: intent?.returnCode ?? null }),
  }
  const reopened = movementType === 'capture' && order.status !== orderStatus.pending
  // Only the charge of the bill, not the charge of the fee, decides whether a payment is paid, refunded or void.
  if (part === 'fee' || moved.captured === 0 || status === order.status) await update(charge, patch)
  else await moveOrder(tx, company, order, status, reopened ? 'corrected' : event, patch, providerActor(context.clock))
  Object.assign(order, patch)
  await beside()
  await refundFee(charge)

  // The money of a lost dispute comes from the reserve, because it was reserved when the dispute started.
  const cash = movementType === 'dispute_lost' ? 'dispute_reserve' : (charge.cash ?? 'gateway_clearing')
  const legs = [
    ...order.lines.flatMap(({ line_no }, n) => {
      const change = (part: keyof Share) => (after.lines[n]?.[part] ?? 0) - (before.lines[n]?.[part] ?? 0)
      return [
        leg(movementType, 'bill', cash, 'payable_municipality', change('billCents'), line_no),
        leg(movementType, 'fee', cash, 'fee_revenue', change('feeCents'), line_no),
        leg(movementType, 'absorbed', 'absorbed_fee', 'fee_revenue', change('absorbedFeeCents'), line_no),
      ]
    }),
    leg(movementType, 'receivable', cash, 'returns_receivable', after.payerCents - before.payerCents),
  ]
  await post(
    tx,
    company,
    entryOf(charge, ref),
    legs.map((transfer) => ({ ...transfer, namedLineNo: line, ofFee: part === 'fee' })),
  )

  if (sign < 0 && after.payerCents < 0 && !charge.isFailedRefund)
    await alertStaff(
      tx,
      company,
      context.clock,
      order.id,
      'owed_by_payer',
      `The payer got ${formatCents(-after.payerCents)} more back than was paid: it was refunded, and the bank took it back too. Ask for it.`,
    )
}

/** Reserves, releases or deducts the money of a dispute. `dispute_open` is true while money is reserved. */
export async function bookDispute(
  charge: ChargeContext,
  ref: string,
  amountCents: number,
  decided: 'won' | 'lost' | null,
) {
  const { context, tx, company, order } = charge
  const { part } = charge.attempt
  const set = async (movementType: 'dispute' | 'dispute_won', cents: number) => {
    const reserve = leg(movementType, 'reserve', 'gateway_clearing', 'dispute_reserve', cents)
    await post(tx, company, entryOf(charge, ref), [{ ...reserve, ofFee: part === 'fee' }])
    charge.moved.push({ movementType, ref, cents: amountCents, line: null, part })
  }
  if (!isBooked(charge, 'dispute', ref)) {
    await set('dispute', -amountCents)
    await alertStaff(tx, company, context.clock, order.id, 'disputed', 'The payer disputes this payment at their bank.')
  }
  if (decided === 'won' && !isBooked(charge, 'dispute_won', ref)) await set('dispute_won', amountCents)
  if (decided === 'lost') await book(charge, 'dispute_lost', ref, amountCents)
  const sum = (movementType: MovementType) =>
    charge.moved.filter((row) => row.movementType === movementType).reduce((cents, row) => cents + row.cents, 0)
  await update(charge, { dispute_open: sum('dispute') > sum('dispute_won') + sum('dispute_lost') })
}

const isBooked = ({ moved }: ChargeContext, movementType: MovementType, ref: string) =>
  moved.some((row) => row.movementType === movementType && row.ref === ref)

/** Creates one ledger entry of a movement. */
const leg = (
  movementType: MovementType,
  part: string,
  debit: LedgerAccount,
  credit: LedgerAccount,
  cents: number,
  lineNo: number | null = null,
): Transfer => transferOf({ kind: `${movementType}.${part}`, lineNo }, debit, credit, cents)

const entryOf = ({ context, order, attempt }: ChargeContext, ref: string) => ({
  orderId: order.id,
  source: attempt.provider,
  sourceRef: ref,
  at: context.clock.now(),
})

type OrderPatch = Partial<Pick<Order, 'refunded_cents' | 'method_label' | 'paid_at' | 'return_code' | 'dispute_open'>>

async function update({ tx, company, order }: ChargeContext, patch: OrderPatch): Promise<void> {
  await changeRow(tx, 'payment_order', company, order.id, patch)
}

/** For each paid item, reports the change in its settled amount to the feature that owns the item. */
async function settleLines(
  { context, tx, company, order, attempt }: ChargeContext,
  ref: string,
  was: readonly Share[],
  is: readonly Share[],
) {
  const changed = order.lines
    .map((line, n) => {
      const settledCents = is[n]?.billCents ?? 0
      return { ...line, id: line.payable_id, settledCents, changeCents: settledCents - (was[n]?.billCents ?? 0) }
    })
    .filter(({ changeCents }) => changeCents !== 0)
  for (const { kind, id, line_no: lineNo, changeCents } of inLockOrder(changed)) {
    const payable = payableOf(kind)
    const settlement: Settlement = {
      payableId: id,
      orderId: order.id,
      lineNo,
      amountCents: Math.abs(changeCents),
      source: attempt.provider,
      sourceRef: ref,
      at: context.clock.now(),
    }
    if (changeCents > 0) await payable.onSettled(tx, company, settlement)
    else await payable.onReversed(tx, company, settlement)
  }
  if (changed.length > 0)
    await sql`
      UPDATE payment_order_line l SET settled_cents = s.cents
      FROM unnest(${changed.map(({ line_no }) => line_no)}::int[], ${changed.map(({ settledCents }) => settledCents)}::bigint[]) AS s(no, cents)
      WHERE l.company_id = ${company} AND l.order_id = ${order.id} AND l.line_no = s.no`.execute(tx)
}
