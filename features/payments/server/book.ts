import { sql } from 'kysely'
import type { House } from '../../../server/house.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { formatCents } from '../../../shared/money.ts'
import { type Moved, netOf, orderStatus, refundedOf, settledOf, sharesOf, statusAfter } from '../rules.ts'
import { type LedgerAccount, post, type Transfer } from './ledger.ts'
import {
  alertStaff,
  type Attempt,
  moveOrder,
  type Order,
  type OrderEvent,
  type PaidOrder,
  providerSays,
} from './orders.ts'
import type { Settlement } from './payable.ts'
import { inLockOrder, payableOf } from './payables.ts'
import type { Intent, Way } from './provider.ts'

/** A payment whose order is locked, and the attempt that news are about. */
export interface Known {
  house: House
  tx: Tx
  company: CompanyId
  order: PaidOrder
  attempt: Attempt
  intent: Pick<Intent, 'means' | 'returnCode'> | null
}

/** The ways that change what is left of a payment; what a dispute sets aside is told by `bookDispute`. */
type Change = Exclude<Way, 'dispute' | 'dispute_won'>

const changes: Record<Change, { of: keyof Moved; sign: 1 | -1; event: OrderEvent }> = {
  capture: { of: 'captured', sign: 1, event: 'captured' },
  refund: { of: 'refunded', sign: -1, event: 'refunded' },
  refund_failed: { of: 'refundFailed', sign: 1, event: 'refund_failed' },
  return: { of: 'returned', sign: -1, event: 'returned' },
  dispute_lost: { of: 'lost', sign: -1, event: 'chargeback_lost' },
}

/**
 * Books one object of the provider, once, whatever the state of the order is: transfers, what was paid, state and alerts
 * follow from what has moved in all, so that the same objects learned in another order come to the same.
 * `ref`: the object's id at the provider.
 */
export async function book(known: Known, way: Change, ref: string, amountCents: number): Promise<void> {
  const { house, tx, company, order, intent } = known
  const rows = await movedRows(known)
  if (isBooked(rows, way, ref)) return
  const moved = sumOf(rows)
  const { of, sign, event } = changes[way]
  const quote = {
    billCents: order.bill_cents,
    feeCents: order.fee_cents,
    absorbedFeeCents: order.absorbed_fee_cents,
    totalCents: order.total_cents,
  }
  const before = sharesOf(quote, netOf(moved))
  moved[of] += amountCents
  const after = sharesOf(quote, netOf(moved))

  // A dispute that is lost was taken away when it began.
  const cash = way === 'dispute_lost' ? 'dispute_reserve' : 'gateway_clearing'
  const transfers = [
    leg(way, 'bill', cash, 'payable_municipality', after.billCents - before.billCents),
    leg(way, 'fee', cash, 'fee_revenue', after.feeCents - before.feeCents),
    leg(way, 'absorbed', 'absorbed_fee', 'fee_revenue', after.absorbedFeeCents - before.absorbedFeeCents),
    leg(way, 'receivable', cash, 'returns_receivable', after.payerCents - before.payerCents),
  ]
  await post(tx, company, entryOf(known, ref), transfers)
  await settleLines(known, ref, before.billCents, after.billCents)

  const status = statusAfter(moved)
  const facts = {
    refunded_cents: refundedOf(moved, order.total_cents),
    ...(way === 'capture' &&
      order.status !== orderStatus.success && {
        means: intent?.means ?? '',
        paid_at: order.paid_at ?? house.clock.now(),
      }),
    ...(way === 'return' && { return_code: intent?.returnCode ?? null }),
  }
  const reopened = way === 'capture' && order.status !== orderStatus.pending
  if (moved.captured === 0 || status === order.status) await update(known, facts)
  else await moveOrder(tx, company, order, status, reopened ? 'corrected' : event, facts, providerSays(house.clock))
  Object.assign(order, facts)

  if (sign < 0 && after.payerCents < 0)
    await alertStaff(
      tx,
      company,
      house.clock,
      order.id,
      'owed_by_payer',
      `The payer got ${formatCents(-after.payerCents)} more back than was paid: it was refunded, and the bank took it back too. Ask for it.`,
    )
}

/**
 * Sets aside what a dispute took away, once, until it is decided: won, it comes back; lost, it is taken from bill and
 * fees as a refund would be. The order's flag says whether anything is set aside.
 */
export async function bookDispute(known: Known, ref: string, amountCents: number, decided: 'won' | 'lost' | null) {
  const { house, tx, company, order } = known
  const rows = await movedRows(known)
  if (!isBooked(rows, 'dispute', ref)) {
    await post(tx, company, entryOf(known, ref), [
      leg('dispute', 'reserve', 'gateway_clearing', 'dispute_reserve', -amountCents),
    ])
    await alertStaff(tx, company, house.clock, order.id, 'disputed', 'The payer disputes this payment at their bank.')
  }
  if (decided === 'won' && !isBooked(rows, 'dispute_won', ref))
    await post(tx, company, entryOf(known, ref), [
      leg('dispute_won', 'reserve', 'gateway_clearing', 'dispute_reserve', amountCents),
    ])
  if (decided === 'lost') await book(known, 'dispute_lost', ref, amountCents)
  const now = await movedRows(known)
  const sum = (way: Way) => now.filter((row) => row.way === way).reduce((cents, row) => cents + row.cents, 0)
  await update(known, { dispute_open: sum('dispute') > sum('dispute_won') + sum('dispute_lost') })
}

interface Row {
  way: string
  ref: string
  cents: number
}

/** What the ledger says that the provider moved for this order, by way and object. */
async function movedRows({ tx, company, order }: Known): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT split_part(kind, '.', 1) AS way, source_ref AS ref, sum(amount_cents)::bigint AS cents FROM ledger_transfer
    WHERE company_id = ${company} AND order_id = ${order.id} AND kind NOT LIKE '%.absorbed' GROUP BY 1, 2`.execute(tx)
  return rows
}

const isBooked = (rows: readonly Row[], way: Way, ref: string) => rows.some((row) => row.way === way && row.ref === ref)

function sumOf(rows: readonly Row[]): Moved {
  const moved: Moved = { captured: 0, refunded: 0, refundFailed: 0, returned: 0, lost: 0 }
  for (const { way, cents } of rows) {
    const change = changes[way as Change]
    if (change) moved[change.of] += cents
  }
  return moved
}

/** A transfer of so many cents; of a negative amount it goes the other way. */
const leg = (way: Way, part: string, debit: LedgerAccount, credit: LedgerAccount, cents: number): Transfer => {
  const kind = `${way}.${part}`
  return cents < 0
    ? { kind, debit: credit, credit: debit, amountCents: -cents }
    : { kind, debit, credit, amountCents: cents }
}

const entryOf = ({ house, order, attempt }: Known, ref: string) => ({
  orderId: order.id,
  source: attempt.provider,
  sourceRef: ref,
  at: house.clock.now(),
})

type Facts = Partial<Pick<Order, 'refunded_cents' | 'means' | 'paid_at' | 'return_code' | 'dispute_open'>>

async function update({ tx, company, order }: Known, facts: Facts): Promise<void> {
  await tx
    .updateTable('payment_order')
    .set(facts)
    .where('company_id', '=', company)
    .where('id', '=', order.id)
    .execute()
}

/** Tells each thing that the order pays by how much it is paid more, or less. */
async function settleLines(
  { house, tx, company, order, attempt }: Known,
  ref: string,
  wasCents: number,
  isCents: number,
) {
  const was = settledOf(order.lines, wasCents)
  const is = settledOf(order.lines, isCents)
  const changes = order.lines.map(({ kind, payable_id: id, line_no: lineNo }, n) => {
    const settledCents = is[n] ?? 0
    return { kind, id, lineNo, settledCents, changeCents: settledCents - (was[n] ?? 0) }
  })
  for (const { kind, id, lineNo, settledCents, changeCents } of inLockOrder(changes)) {
    if (changeCents === 0) continue
    const payable = payableOf(kind)
    const settlement: Settlement = {
      payableId: id,
      orderId: order.id,
      lineNo,
      amountCents: Math.abs(changeCents),
      source: attempt.provider,
      sourceRef: ref,
      at: house.clock.now(),
    }
    if (changeCents > 0) await payable.onSettled(tx, company, settlement)
    else await payable.onReversed(tx, company, settlement)
    await tx
      .updateTable('payment_order_line')
      .set({ settled_cents: settledCents })
      .where('company_id', '=', company)
      .where('order_id', '=', order.id)
      .where('line_no', '=', lineNo)
      .execute()
  }
}
