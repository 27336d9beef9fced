import { sql } from 'kysely'
import { changeRow } from '../../../../server/db/rows.ts'
import {
  recordCreation,
  defineStateStore,
  transition,
  type Scope,
  type Transition,
  type TransitionActor,
} from '../../../../server/states.ts'
import type { CompanyId, Tx } from '../../../../server/tenancy.ts'
import type { EventOf } from '../../../../shared/machine.ts'
import { formatCents } from '../../../../shared/money.ts'
import { say } from '../../../../shared/messages.ts'
import { separateFeeCentsOf, feeRefund, netOf, orderStatus, receiptNumber, attemptStatus } from '../../rules.ts'
import { type FeeStatus, feeStates } from '../../states.ts'
import { retainedIn, type ChargeContext, movedIn } from '../ledger/charges.ts'
import { newAttempt } from '../orders/insert-payment.ts'
import { emailFee } from '../emails/emails.ts'
import { alertStaff, type Attempt, type PaidOrder, providerActor } from '../orders/orders.ts'
import { insertRefund, lockedRefund, refundStateStore, refundsOf } from '../ledger/refund-rows.ts'

/**
 * Event of a separate fee. The fee's charge starts when the bill is captured. If the charge fails, the bill stays paid
 * and the fee stays due. A refund of the bill also refunds its share of the fee.
 */

type FeeEvent = EventOf<typeof feeStates>

export const lockedFee = (order: Pick<PaidOrder, 'id' | 'fee'>) => ({
  id: order.id,
  state: order.fee?.status as FeeStatus,
  name: say`The fee for ${receiptNumber(order.id)}`,
  number: receiptNumber(order.id),
  details: { amountCents: order.fee?.amount_cents ?? 0 },
})

/** State store of separate fees. The caller must hold the lock on the payment. */
export const feeStateStore = defineStateStore({
  machine: feeStates,
  subject: 'payment',
  live: { topic: 'payments' },
  lock: async (tx, scope, id) => {
    const fee = await tx
      .selectFrom('payment_fee')
      .select(['status', 'amount_cents'])
      .where('company_id', '=', scope)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    return lockedFee({ id, fee })
  },
  write: (tx, { scope, locked, to, at }: Transition<FeeStatus, FeeEvent, ReturnType<typeof lockedFee>, undefined>) =>
    changeRow(tx, 'payment_fee', scope, locked.id, { status: to, since: at }),
})

/** Moves the fee of a locked payment to its next state. */
export async function moveFee(
  tx: Tx,
  company: Scope,
  order: PaidOrder,
  event: FeeEvent,
  actor: TransitionActor,
  reason = '',
): Promise<string> {
  const { to, message } = await transition(tx, feeStateStore, {
    scope: company,
    id: order.id,
    locked: lockedFee(order),
    event,
    actor,
    reason,
  })
  if (order.fee) order.fee.status = to
  return message
}

/**
 * Creates the separate fee and its first charge attempt, in the transaction that captures the bill. Does nothing if the
 * payment has no separate fee, or if the fee's charge was already started.
 */
export async function startFee({ context, tx, company, order, attempt }: ChargeContext): Promise<void> {
  const amount_cents = separateFeeCentsOf(order.lines)
  if (amount_cents === 0 || order.fee !== null) return
  const actor = providerActor(context.clock)
  order.fee = { status: 'waiting', amount_cents }
  const { id, number, details } = lockedFee(order)
  const since = context.clock.now()
  await recordCreation(tx, feeStateStore, {
    ...{ scope: company, id, number, event: 'start', actor, detail: details },
    beside: { fee: tx.insertInto('payment_fee').values({ company_id: company, id, since, ...order.fee }) },
  })
  await insertFeeAttempt({ context, tx, company, order }, attempt, `fee-of-${attempt.id}`)
}

/** Inserts the next attempt to charge a fee. `bill` is the attempt that paid its bill. */
export async function insertFeeAttempt(
  { context, tx, company, order }: Pick<ChargeContext, 'context' | 'tx' | 'company' | 'order'>,
  bill: Attempt,
  key: string,
): Promise<Attempt> {
  const { attemptId, attemptNo } = await tx
    .selectFrom('payment_attempt')
    .select([
      sql<number>`nextval('payment_attempt_id_seq')`.as('attemptId'),
      sql<number>`max(attempt_no) + 1`.as('attemptNo'),
    ])
    .where('company_id', '=', company)
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  const through = { provider: bill.provider, account: bill.provider_account }
  const attempt = newAttempt(context, order, { attemptId, attemptNo, key, part: 'fee' }, through)
  await tx.insertInto('payment_attempt').values(attempt).execute()
  return attempt
}

/** Records that the fee was captured, regardless of its earlier state. */
export async function recordFeeCharged({ context, tx, company, order, attempt }: ChargeContext): Promise<void> {
  const before = order.fee?.status
  if (before === undefined || before === 'charged') return
  await moveFee(tx, company, order, 'charge', providerActor(context.clock))
  if (before !== 'waiting')
    await alertStaff(
      tx,
      company,
      context.clock,
      order.id,
      'corrected',
      say`The portal stopped charging the fee for this payment, but the provider charged it anyway.`,
    )
  if (await wasOwed(tx, company, order.id)) await emailFee({ tx, context, company, order, attempt }, 'charged')
}

/** Records that the fee charge failed. The bill stays paid, the fee stays due, and staff and the payer are notified. */
export async function recordFeeFailed({ context, tx, company, order, attempt }: ChargeContext): Promise<void> {
  if (order.fee?.status !== 'waiting') return
  const actor = providerActor(context.clock)
  if (order.status !== orderStatus.success) return void (await moveFee(tx, company, order, 'drop', actor))
  await moveFee(tx, company, order, 'fail', actor)
  const amount = formatCents(order.fee.amount_cents)
  await alertStaff(
    tx,
    company,
    context.clock,
    order.id,
    'fee_owed',
    say`The bill is paid, but its fee of ${amount} could not be charged. Charge the fee again, or waive it.`,
  )
  await emailFee({ tx, context, company, order, attempt }, 'owed')
}

const wasOwed = async (tx: Tx, company: CompanyId, id: number): Promise<boolean> =>
  (await tx
    .selectFrom('status_history')
    .select('seq')
    .where('company_id', '=', company)
    .where('machine', '=', 'fee')
    .where('subject_id', '=', id)
    .where('event', '=', 'fail')
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Requests the fee refund in proportion to the bill refund of each line. Never repeats a failed request. */
export async function refundFee({ context, tx, company, order, attempt, moved }: ChargeContext): Promise<void> {
  if (order.fee === null) return
  const actor = providerActor(context.clock)
  // If the bill is no longer paid, its unpaid fee is dropped.
  if (order.fee.status === 'owed' && order.status !== orderStatus.success)
    await moveFee(tx, company, order, 'drop', actor)
  const fee = movedIn('fee', moved)
  if (fee.captured === 0) return
  const rows = (await refundsOf(tx, company, order.id)).filter(({ is_fee_part }) => is_fee_part)
  const sum = (some: typeof rows) => some.reduce((all, { amount_cents }) => all + amount_cents, 0)
  let left = netOf(fee) - sum(rows.filter(({ status }) => status === 'sending'))
  const bills = retainedIn('bill', { order, moved }).lines
  const charged = attempt.part === 'fee' ? attempt.id : await chargedBy(tx, company, order.id)
  for (const [n, line] of order.lines.entries()) {
    const bill = line.amount_cents
    const due = feeRefund(separateFeeCentsOf([line]), bill, bill - (bills[n]?.billCents ?? 0))
    const requestedCents = sum(rows.filter(({ line_no }) => line_no === line.line_no))
    const amount_cents = Math.min(due - requestedCents, left)
    if (amount_cents <= 0) continue
    left -= amount_cents
    const row = await insertRefund(tx, {
      ...{ company_id: company, order_id: order.id, attempt_id: charged, kind: 'refund', is_fee_part: true },
      ...{
        amount_cents,
        line_no: line.line_no,
        status: 'sending',
        reason: say`The fee was refunded together with the bill.`,
      },
      ...{ requested_by: 0, requested_by_name: 'Mainstreet', requested_at: context.clock.now() },
      idempotency_key: `fee-of-${order.id}-${line.line_no}-${rows.length}`,
    })
    rows.push(row)
    const { id, number, details } = lockedRefund(row)
    await recordCreation(tx, refundStateStore, {
      scope: company,
      ...{ id, number },
      event: 'follow',
      actor,
      detail: details,
    })
  }
}

const chargedBy = async (tx: Tx, company: CompanyId, orderId: number): Promise<number> => {
  const { id } = await tx
    .selectFrom('payment_attempt')
    .select('id')
    .where('company_id', '=', company)
    .where('order_id', '=', orderId)
    .where('part', '=', 'fee')
    .where('status', '=', attemptStatus.succeeded)
    .orderBy('attempt_no', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return id
}
