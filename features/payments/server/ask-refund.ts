import { type Call, callerName, signedIn } from '../../../server/call.ts'
import { refuseStale } from '../../../server/edits.ts'
import { conflict, notAllowed, notFound, rejected } from '../../../server/errors.ts'
import { recordCreation, transition, actorOf } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { Values } from '../../../shared/edits.ts'
import { formatCents } from '../../../shared/money.ts'
import { may } from '../../../shared/privileges.ts'
import { say, translated } from '../../../shared/words.ts'
import { orderStatus, receiptNumber } from '../rules.ts'
import { orderStatusLabels } from '../states.ts'
import { type Attempt, lockPayment, type LockedPayment, movedOf } from './orders.ts'
import { centsIn } from './charges.ts'
import { findProvider } from './providers.ts'
import {
  findRefund,
  heldRefund,
  keptRefunds,
  leftOfLines,
  leftToGiveBack,
  lockRefund,
  refundByKey,
  type RefundRow,
  refundsOf,
} from './refund-rows.ts'
import { AT_OFFICE, openTillOf } from './till.ts'

/** A provider that voids does so on the day itself at most. Whether it still can is its own word. */
const VOID_WITHIN_MS = 24 * 3_600_000

interface RefundRequest {
  orderId: number
  kind: 'refund' | 'void'
  /** Null: all of it. */
  amountCents: number | null
  /** The line that it is of; null where it is of the payment as a whole. */
  line: number | null
  reason: string
  /** What the person saw before they decided, as `leftCents`. */
  basis?: Values | undefined
}

/**
 * Writes down what somebody wants to give back, once for the call's key, before anybody outside hears of it. Above the
 * town's limit it waits for a second person; else `sendRefund` goes on with it.
 * @throws 404, 409 where the payment is in a state from which nothing can be given back, 422 for more than is left
 */
export async function askRefund(call: Call, wish: RefundRequest): Promise<RefundRow> {
  const { context, company, idempotencyKey: key } = call
  const { personId } = signedIn(call)
  return call.inCompany(async (tx) => {
    const before = await refundByKey(tx, company.id, key)
    if (before) return before
    const payment = await lockPayment(tx, company.id, await paidAttempt(tx, company.id, wish.orderId))
    const amount_cents = await judge(call, tx, payment, wish)
    const owner = await otherOwner(tx, company.id, { ...wish, asked_by: personId })
    const waits = amount_cents > (await limitOf(tx, company.id)) || owner !== null
    const row = await tx
      .insertInto('payment_refund')
      .values({
        company_id: company.id,
        order_id: wish.orderId,
        attempt_id: payment.attempt.id,
        kind: wish.kind,
        amount_cents,
        line_no: wish.line,
        reason: wish.reason,
        status: waits ? 'waiting' : 'sending',
        asked_by: personId,
        asked_by_name: callerName(call),
        asked_at: context.clock.now(),
        note: owner ? say`It waits for ${owner.clerkName}, in whose open drawer the payment is.` : '',
        idempotency_key: key,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const { id, number, told } = heldRefund(row)
    await recordCreation(tx, keptRefunds, {
      place: company.id,
      ...{ id, number },
      event: waits ? 'ask' : 'send',
      who: actorOf(call),
      detail: { ...told, reason: wish.reason },
    })
    return row
  })
}

/** What is left of a payment, and whether money for one of its line items is requested or on its way. */
export async function refundsUnderWay(
  tx: Tx,
  company: CompanyId,
  { orderId, line }: { orderId: number; line: number },
): Promise<{ leftCents: number; isUnderWay: boolean }> {
  const rows = await refundsOf(tx, company, orderId)
  const { moved } = await tx.selectNoFrom(movedOf(company, orderId).as('moved')).executeTakeFirstOrThrow()
  const isOpen = ({ status }: RefundRow) => status === 'waiting' || status === 'sending'
  const isUnderWay = rows.some((row) => isOpen(row) && !row.of_fee && (row.line_no === line || row.line_no === null))
  return { leftCents: leftToGiveBack(moved, rows), isUnderWay }
}

/** Cents up to which one person gives back alone. */
async function limitOf(tx: Tx, company: CompanyId): Promise<number> {
  const settings = await tx
    .selectFrom('payment_settings')
    .select('refund_limit_cents')
    .where('company_id', '=', company)
    .executeTakeFirstOrThrow()
  return settings.refund_limit_cents
}

/** The charge by which the bill of an order was paid, since its fee follows what goes back of it; of one that was charged twice the second, which is the one too many. */
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
    say`The payment ${receiptNumber(orderId)} is ${translated(orderStatusLabels[status] ?? '')} now, so there is nothing to give back.`,
  )

/** How much is given back; throws where it may not be. */
async function judge(
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
      say`The payer disputes this payment at their bank. Wait until that is decided: nothing can be given back before.`,
    )
  const refunds = await refundsOf(tx, company.id, order.id)
  const left = leftToGiveBack(moved, refunds)
  refuseStale(basis, { leftCents: left }, () => changedSince(refunds, left))
  if (kind === 'void') {
    if (left !== centsIn('bill', order))
      throw conflict('wrong_status', say`Something of this payment was given back already. Refund the rest of it.`)
    if (!(await mayVoid(call, tx, payment))) throw tooLateToVoid(attempt)
    return left
  }
  const ofLine = line === null ? left : leftOfLines(payment, refunds).get(line)
  if (ofLine === undefined) {
    const sentence = say`This payment has no such line. Load the page again.`
    throw rejected(sentence, { line: sentence })
  }
  const amount = amountCents ?? ofLine
  if (line === null && amount < left && order.lines.length > 1) throw rejected(WHICH_LINE, { line: WHICH_LINE })
  if (amount > ofLine) {
    const sentence =
      ofLine === 0
        ? say`All of this is given back already, or on its way.`
        : line === null
          ? say`At most ${formatCents(left)} of this payment can still be given back.`
          : say`At most ${formatCents(ofLine)} of this line can still be given back.`
    throw rejected(sentence, { amountCents: sentence })
  }
  return amount
}

const WHICH_LINE = 'Choose which line item the money goes back for.'

/** Names the newest request of somebody else, which is why less is left than the person saw. */
function changedSince(refunds: readonly RefundRow[], left: number): string {
  const newest = refunds.findLast(({ of_fee }) => !of_fee)
  return newest
    ? say`${newest.asked_by_name} requested ${formatCents(newest.amount_cents)} of this payment. ${formatCents(left)} is left. Check it, then decide again.`
    : say`This payment changed after you opened it. ${formatCents(left)} is left. Check it, then decide again.`
}

const tooLateToVoid = ({ provider }: Attempt) =>
  conflict(
    'settled',
    provider === AT_OFFICE
      ? say`The drawer of this payment was counted and closed. Refund it instead.`
      : say`This payment is settled already. Refund it instead.`,
  )

/** Whether a payment may be voided still, as far as we know. */
export async function mayVoid(
  { context, company }: Pick<Call, 'context' | 'company'>,
  tx: Tx,
  { order, attempt }: Pick<LockedPayment, 'attempt' | 'order'>,
): Promise<boolean> {
  if (attempt.provider === AT_OFFICE) return (await openTillOf(tx, company.id, order.id)) !== null
  const age = context.clock.now().getTime() - (order.paid_at ?? order.created_at).getTime()
  return findProvider(context.config, attempt.provider) !== null && age < VOID_WITHIN_MS
}

/** The owner of the open drawer that a void would be taken out of, if that is not the person who asked for it. */
async function otherOwner(
  tx: Tx,
  company: CompanyId,
  { kind, orderId, asked_by }: Pick<RefundRequest, 'kind' | 'orderId'> & Pick<RefundRow, 'asked_by'>,
) {
  const till = kind === 'void' ? await openTillOf(tx, company, orderId) : null
  return till && till.clerkId !== asked_by ? till : null
}

/**
 * The second person's word: nobody has one on what they asked for themselves, but that they can take back. A void out of
 * another clerk's open drawer needs that clerk, who answers for its cash.
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
    const owner = await otherOwner(tx, company.id, {
      kind: row.kind as RefundRequest['kind'],
      orderId: row.order_id,
      asked_by: row.asked_by,
    })
    if (row.status === 'waiting' && isOwners && owner?.clerkId !== personId)
      throw notAllowed(say`This payment is not in your open drawer.`)
    if (event === 'approve' && owner)
      throw notAllowed(say`${owner.clerkName} has to agree: the payment is in their open drawer.`)
    if (
      event === 'agree' &&
      row.amount_cents > (await limitOf(tx, company.id)) &&
      !may(privileges, 'transaction_management', 'update')
    )
      throw notAllowed(
        say`This is above what one person gives back alone. Somebody who may approve refunds has to decide.`,
      )
    if (event === 'approve' && row.asked_by === personId)
      throw notAllowed(say`You asked for this yourself, so somebody else has to approve it.`)
    const facts = {
      decided_by: personId,
      decided_by_name: callerName(call),
      decided_at: context.clock.now(),
      note: event === 'decline' || event === 'disagree' ? (reason ?? '') : '',
    }
    await transition(tx, keptRefunds, {
      place: company.id,
      id,
      held: heldRefund(row),
      event,
      who: actorOf(call),
      reason,
      facts,
    })
    return findRefund(tx, company.id, id)
  })
}
