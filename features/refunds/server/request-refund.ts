import { type Call, callerName, signedIn } from '../../../server/call.ts'
import { refuseStale } from '../../../server/edits.ts'
import { conflict, notAllowed, notFound, rejected } from '../../../server/errors.ts'
import { recordCreation, transition, actorOf } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { Values } from '../../../shared/edits.ts'
import { formatCents } from '../../../shared/money.ts'
import { may } from '../../../shared/privileges.ts'
import { say, translated } from '../../../shared/messages.ts'
import { orderStatus, receiptNumber } from '../../payments/rules.ts'
import { orderStatusLabels } from '../../payments/states.ts'
import {
  type Attempt,
  lockPayment,
  type LockedPayment,
  movedOf,
  centsIn,
  findProvider,
  findRefund,
  insertRefund,
  lockedRefund,
  refundStateStore,
  leftOfLines,
  refundableCents,
  lockRefund,
  refundByKey,
  type RefundRow,
  refundsOf,
} from '../../payments/api.ts'
import { COUNTER_PROVIDER, lockOpenDrawerOf } from './open-drawer.ts'

/**
 * Time in which a void is probably possible. A provider can void a payment only on the day of the payment, if at all.
 */
const VOID_WITHIN_MS = 24 * 3_600_000

interface RefundRequest {
  orderId: number
  kind: 'refund' | 'void'
  /** Null for the full amount. */
  amountCents: number | null
  /** Number of the refunded line. Null for a refund of the full payment. */
  line: number | null
  reason: string
  /** `leftCents` as the person saw it before the request. */
  basis?: Values | undefined
}

/**
 * Saves a refund request, once for each idempotency key, before any call to the provider. Above the company's limit,
 * the request awaits approval. Otherwise `sendRefund` sends it.
 * @throws 404 if the payment does not exist, 409 if no refund is possible, 422 if the amount exceeds the remainder
 */
export async function requestRefund(call: Call, request: RefundRequest): Promise<RefundRow> {
  const { context, company, idempotencyKey: key } = call
  const { personId } = signedIn(call)
  return call.inCompany(async (tx) => {
    const before = await refundByKey(tx, company.id, key)
    if (before) return before
    const payment = await lockPayment(tx, company.id, await paidAttempt(tx, company.id, request.orderId))
    const amount_cents = await checkRefund(call, tx, payment, request)
    const owner = await lockOtherCashier(tx, company.id, { ...request, requested_by: personId })
    const waits = amount_cents > (await limitOf(tx, company.id)) || owner !== null
    const row = await insertRefund(tx, {
      company_id: company.id,
      order_id: request.orderId,
      attempt_id: payment.attempt.id,
      kind: request.kind,
      amount_cents,
      line_no: request.line,
      reason: request.reason,
      status: waits ? 'waiting' : 'sending',
      requested_by: personId,
      requested_by_name: callerName(call),
      requested_at: context.clock.now(),
      note: owner
        ? say`The void is waiting for approval by ${owner.cashierName}, because the payment is in their open cash drawer.`
        : '',
      idempotency_key: key,
    })
    const { id, number, details } = lockedRefund(row)
    await recordCreation(tx, refundStateStore, {
      scope: company.id,
      ...{ id, number },
      event: waits ? 'request' : 'send',
      actor: actorOf(call),
      detail: { ...details, reason: request.reason },
    })
    return row
  })
}

/**
 * Returns the amount that can still be refunded. Also returns whether a refund of the line item is already requested or
 * processing.
 */
export async function pendingRefunds(
  tx: Tx,
  company: CompanyId,
  { orderId, line }: { orderId: number; line: number },
): Promise<{ leftCents: number; isPending: boolean }> {
  const rows = await refundsOf(tx, company, orderId)
  const { moved } = await tx.selectNoFrom(movedOf(company, orderId).as('moved')).executeTakeFirstOrThrow()
  const isOpen = ({ status }: RefundRow) => status === 'waiting' || status === 'sending'
  const isPending = rows.some(
    (row) => isOpen(row) && !row.is_fee_part && (row.line_no === line || row.line_no === null),
  )
  return { leftCents: refundableCents(moved, rows), isPending }
}

/** Returns the largest refund, in cents, that needs no approval. */
async function limitOf(tx: Tx, company: CompanyId): Promise<number> {
  const settings = await tx
    .selectFrom('payment_settings')
    .select('refund_limit_cents')
    .where('company_id', '=', company)
    .executeTakeFirstOrThrow()
  return settings.refund_limit_cents
}

/**
 * Finds the charge to refund: the latest charge of the order's bill. If the order was charged twice by mistake, that is
 * the second charge.
 */
async function paidAttempt(tx: Tx, company: CompanyId, orderId: number): Promise<number> {
  const order = await tx
    .selectFrom('payment_order as o')
    .leftJoin('payment_attempt as a', (on) =>
      on
        .onRef('a.company_id', '=', 'o.company_id')
        .onRef('a.order_id', '=', 'o.id')
        .on('a.step', '=', 'succeeded')
        .on('a.part', '=', 'bill'),
    )
    .select(['o.status', 'a.id'])
    .where('o.company_id', '=', company)
    .where('o.id', '=', orderId)
    .orderBy('a.attempt_no', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!order) throw notFound('This payment was not found.')
  if (order.id === null) throw nothingLeft(orderId, order.status)
  return order.id
}

const nothingLeft = (orderId: number, status: number) =>
  conflict(
    'wrong_status',
    say`You cannot refund payment ${receiptNumber(orderId)} because its status is now “${translated(orderStatusLabels[status] ?? '')}”.`,
  )

/**
 * Checks a refund request and returns the amount to refund.
 * @throws if the refund is not allowed
 */
async function checkRefund(
  call: Call,
  tx: Tx,
  payment: LockedPayment,
  { kind, amountCents, line, basis }: RefundRequest,
): Promise<number> {
  const { company } = call
  const { order, attempt, moved } = payment
  if (order.status !== orderStatus.success) throw nothingLeft(order.id, order.status)
  if (order.dispute_open)
    throw conflict(
      'disputed',
      say`The payer has disputed this payment with their bank. You cannot refund anything until the bank decides.`,
    )
  const refunds = await refundsOf(tx, company.id, order.id)
  const left = refundableCents(moved, refunds)
  refuseStale(basis, { leftCents: left }, () => changedSince(refunds, left))
  if (kind === 'void') {
    if (left !== centsIn('bill', order))
      throw conflict(
        'wrong_status',
        say`Part of this payment was already refunded, so you cannot void it. Refund the rest instead.`,
      )
    if (!(await mayVoid(call, tx, payment))) throw tooLateToVoid(attempt)
    return left
  }
  const ofLine = line === null ? left : leftOfLines(payment, refunds).get(line)
  if (ofLine === undefined) {
    const errorText = say`This payment does not have this line item. Reload the page.`
    throw rejected(errorText, { line: errorText })
  }
  const amount = amountCents ?? ofLine
  if (line === null && amount < left && order.lines.length > 1) throw rejected(WHICH_LINE, { line: WHICH_LINE })
  if (amount > ofLine) {
    const errorText =
      ofLine === 0
        ? say`The full amount has already been refunded or is being refunded.`
        : line === null
          ? say`You can refund up to ${formatCents(left)} of this payment.`
          : say`You can refund up to ${formatCents(ofLine)} of this line item.`
    throw rejected(errorText, { amountCents: errorText })
  }
  return amount
}

const WHICH_LINE = 'Choose the line item to refund.'

/**
 * Builds an error message that explains why the refundable amount is smaller than the person saw. It names the latest
 * refund.
 */
function changedSince(refunds: readonly RefundRow[], left: number): string {
  const newest = refunds.findLast(({ is_fee_part }) => !is_fee_part)
  return newest
    ? say`${newest.requested_by_name} has already requested a refund of ${formatCents(newest.amount_cents)}. ${formatCents(left)} can still be refunded. Check the amount and try again.`
    : say`This payment changed after you opened it. ${formatCents(left)} can still be refunded. Check the amount and try again.`
}

const tooLateToVoid = ({ provider }: Attempt) =>
  conflict(
    'settled',
    provider === COUNTER_PROVIDER
      ? say`The cash drawer for this payment was counted and closed. Refund the payment instead.`
      : say`This payment is already settled. Refund it instead.`,
  )

/** Returns true if a void of the payment is probably still possible. */
export async function mayVoid(
  { context, company }: Pick<Call, 'context' | 'company'>,
  tx: Tx,
  { order, attempt }: Pick<LockedPayment, 'attempt' | 'order'>,
): Promise<boolean> {
  if (attempt.provider === COUNTER_PROVIDER) return (await lockOpenDrawerOf(tx, company.id, order.id)) !== null
  const age = context.clock.now().getTime() - (order.paid_at ?? order.created_at).getTime()
  return findProvider(context.config, attempt.provider) !== null && age < VOID_WITHIN_MS
}

/**
 * Decides about a refund. The requester cannot approve it, but can withdraw it. If a void would be paid from another
 * person's open drawer, that person must agree, because that person is responsible for the cash.
 */
async function lockOtherCashier(
  tx: Tx,
  company: CompanyId,
  { kind, orderId, requested_by }: Pick<RefundRequest, 'kind' | 'orderId'> & Pick<RefundRow, 'requested_by'>,
) {
  const drawer = kind === 'void' ? await lockOpenDrawerOf(tx, company, orderId) : null
  return drawer && drawer.cashierId !== requested_by ? drawer : null
}

/**
 * Decides about a refund. The requester cannot approve it, but can withdraw it. For a void from another person's open
 * drawer, that person must agree, because that person is responsible for the cash.
 */
export async function decide(
  call: Call,
  id: number,
  event: 'approve' | 'decline' | 'agree' | 'disagree',
  reason?: string,
): Promise<RefundRow> {
  const { context, company } = call
  const { personId, privileges } = signedIn(call)
  const isOwners = event === 'agree' || event === 'disagree'
  return call.inCompany(async (tx) => {
    const row = await lockRefund(tx, company.id, id)
    const owner = await lockOtherCashier(tx, company.id, {
      kind: row.kind as RefundRequest['kind'],
      orderId: row.order_id,
      requested_by: row.requested_by,
    })
    if (row.status === 'waiting' && isOwners && owner?.cashierId !== personId)
      throw notAllowed(say`This payment is not in your open cash drawer, so you cannot make this decision.`)
    if (event === 'approve' && owner)
      throw notAllowed(
        say`${owner.cashierName} must agree to this void, because the payment is in their open cash drawer.`,
      )
    if (
      event === 'agree' &&
      row.amount_cents > (await limitOf(tx, company.id)) &&
      !may(privileges, 'refunds', 'update')
    )
      throw notAllowed(
        say`This amount is above the refund limit. Someone with permission to approve refunds must decide.`,
      )
    if (event === 'approve' && row.requested_by === personId)
      throw notAllowed(say`You requested this refund, so another person must approve it.`)
    const data = {
      decided_by: personId,
      decided_by_name: callerName(call),
      decided_at: context.clock.now(),
      note: event === 'decline' || event === 'disagree' ? (reason ?? '') : '',
    }
    await transition(tx, refundStateStore, {
      scope: company.id,
      id,
      locked: lockedRefund(row),
      event,
      actor: actorOf(call),
      reason,
      patch: data,
    })
    return findRefund(tx, company.id, id)
  })
}
