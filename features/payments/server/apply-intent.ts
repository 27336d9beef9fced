import type { House } from '../../../server/house.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { feeRefund, orderStatus } from '../rules.ts'
import { post, type Transfer } from './ledger.ts'
import { mailAcknowledgement, mailReceipt, mailReturn } from './letters.ts'
import { alertStaff, type Attempt, findAttempt, lockOrder, moveOrder, type Order } from './orders.ts'
import type { Intent, Refund } from './provider.ts'

/**
 * Makes an attempt and its order agree with what the provider says of the charge: state, ledger, remittance and mail
 * in one transaction. Every way by which news arrive (an answer, an event, the reconciler) ends here, and applying the
 * same snapshot again, or an older one later, changes nothing.
 */
export async function applyIntent(house: House, company: CompanyId, attemptId: number, intent: Intent): Promise<void> {
  await house.inCompany(company, async (tx) => {
    const { order_id } = await findAttempt(tx, company, attemptId)
    const order = await lockOrder(tx, company, order_id)
    // Read again under the lock: somebody may have applied newer news meanwhile.
    const attempt = await findAttempt(tx, company, attemptId)
    const known = { house, tx, company, order, attempt, intent }
    if (intent.status === 'succeeded') await capture(known)
    if (intent.status === 'returned') {
      await capture(known)
      await takeBack(known)
    }
    if (intent.status === 'failed' || intent.status === 'canceled') await giveUp(known)
    if (intent.status === 'processing' || intent.status === 'requires_action') await wait(known)
    await tx
      .updateTable('payment_attempt')
      .set({ checked_at: house.clock.now() })
      .where('company_id', '=', company)
      .where('id', '=', attemptId)
      .execute()
    if (intent.disputed && !order.dispute_open)
      await tx
        .updateTable('payment_order')
        .set({ dispute_open: true })
        .where('company_id', '=', company)
        .where('id', '=', order.id)
        .execute()
  })
}

interface Known {
  house: House
  tx: Tx
  company: CompanyId
  order: Order
  attempt: Attempt
  intent: Intent
}

const settled = (attempt: Attempt) => attempt.step === 'succeeded' || attempt.step === 'returned'

/** The money came. An order that we had given up is corrected to the provider's truth, and staff are told. */
async function capture(known: Known): Promise<void> {
  const { house, tx, company, order, attempt, intent } = known
  if (settled(attempt)) return
  await finish(known, 1, 'succeeded')
  if (order.status === orderStatus.success || order.status === orderStatus.refund) {
    await alertStaff(
      tx,
      company,
      house.clock,
      order.id,
      'captured_twice',
      `A second charge (${intent.id}) of this payment succeeded. Refund it.`,
    )
    return
  }
  const corrected = order.status !== orderStatus.pending
  await moveOrder(tx, company, house.clock, order, orderStatus.success, corrected ? 'corrected' : 'captured', {
    means: intent.means,
    paid_at: house.clock.now(),
  })
  if (corrected)
    await alertStaff(
      tx,
      company,
      house.clock,
      order.id,
      'corrected',
      'A payment that was given up turned out to be paid.',
    )
  await postBothWays(known, 'capture')
  await remit(known, 'credit')
  await mailReceipt(tx, house, company, { ...order, means: intent.means, paid_at: house.clock.now() })
}

/** The bank took an eCheck back after it had been paid: everything is moved the other way. */
async function takeBack(known: Known): Promise<void> {
  const { house, tx, company, order, attempt, intent } = known
  if (attempt.step === 'returned' || order.status !== orderStatus.success) return
  await finish(known, 2, 'returned')
  await moveOrder(tx, company, house.clock, order, orderStatus.declined, 'returned', { return_code: intent.returnCode })
  await postBothWays(known, 'return')
  await remit(known, 'reversal')
  await alertStaff(
    tx,
    company,
    house.clock,
    order.id,
    'returned',
    `The bank returned this eCheck (${intent.returnCode ?? 'no code'}).`,
  )
  await mailReturn(tx, house, company, order, intent.returnCode)
}

/** It did not happen: declined, or cancelled before it could. */
async function giveUp(known: Known): Promise<void> {
  const { house, tx, company, order, attempt, intent } = known
  if (attempt.status !== 0) return
  await finish(known, 2, intent.status === 'failed' ? 'failed' : 'canceled')
  if (order.status === orderStatus.pending)
    await moveOrder(
      tx,
      company,
      house.clock,
      order,
      orderStatus.declined,
      intent.status === 'failed' ? 'declined' : 'expired',
      {
        means: intent.means,
        return_code: intent.returnCode,
      },
    )
}

/** Still under way. The payer of an eCheck gets an acknowledgement, once. */
async function wait(known: Known): Promise<void> {
  const { house, tx, company, order, attempt, intent } = known
  if (attempt.status !== 0) return
  const first = intent.status === 'processing' && attempt.step !== 'processing'
  await finish(known, 0, intent.status === 'processing' ? 'processing' : 'requires_action')
  if (first)
    await tx
      .updateTable('payment_order')
      .set({ means: intent.means })
      .where('company_id', '=', company)
      .where('id', '=', order.id)
      .execute()
  if (first && order.method === 2) await mailAcknowledgement(tx, house, company, { ...order, means: intent.means })
}

async function finish({ tx, company, attempt, intent }: Known, status: number, step: Attempt['step']): Promise<void> {
  await tx
    .updateTable('payment_attempt')
    .set({
      status,
      step,
      action_url: intent.actionUrl,
      error_code: intent.error?.code ?? null,
      error_message: intent.error?.message ?? null,
    })
    .where('company_id', '=', company)
    .where('id', '=', attempt.id)
    .execute()
  attempt.status = status
  attempt.step = step
}

/** The transfers of a capture; those of a return are the same the other way. */
async function postBothWays(
  { house, tx, company, order, attempt, intent }: Known,
  way: 'capture' | 'return',
): Promise<void> {
  const forth: Transfer[] = [
    { kind: `${way}.bill`, debit: 'gateway_clearing', credit: 'payable_municipality', amountCents: order.bill_cents },
    { kind: `${way}.fee`, debit: 'gateway_clearing', credit: 'fee_revenue', amountCents: order.fee_cents },
    { kind: `${way}.absorbed`, debit: 'absorbed_fee', credit: 'fee_revenue', amountCents: order.absorbed_fee_cents },
  ]
  const transfers =
    way === 'capture' ? forth : forth.map(({ debit, credit, ...rest }) => ({ ...rest, debit: credit, credit: debit }))
  await post(
    tx,
    company,
    { orderId: order.id, source: attempt.provider, sourceRef: intent.id, at: house.clock.now() },
    transfers,
  )
}

async function remit(
  { house, tx, company, order, attempt, intent }: Known,
  kind: 'credit' | 'reversal',
): Promise<void> {
  await tx
    .insertInto('remittance')
    .values({
      company_id: company,
      account_id: order.account_id,
      order_id: order.id,
      source: attempt.provider,
      source_ref: intent.id,
      kind,
      amount_cents: order.bill_cents,
      at: house.clock.now(),
    })
    .execute()
}

/** Applies a refund that succeeded: fees go back pro rata, and a full refund ends the order. Twice changes nothing. */
export async function applyRefund(house: House, company: CompanyId, attemptId: number, refund: Refund): Promise<void> {
  if (refund.status !== 'succeeded') return
  await house.inCompany(company, async (tx) => {
    const attempt = await findAttempt(tx, company, attemptId)
    const order = await lockOrder(tx, company, attempt.order_id)
    const done = await tx
      .selectFrom('ledger_transfer')
      .select('id')
      .where('company_id', '=', company)
      .where('source', '=', attempt.provider)
      .where('source_ref', '=', refund.id)
      .limit(1)
      .executeTakeFirst()
    if (done || order.status !== orderStatus.success) return
    const refunded = order.refunded_cents + refund.amountCents
    const feeBack = feeRefund(order.fee_cents, order.total_cents, order.refunded_cents, refund.amountCents)
    const absorbedBack = feeRefund(
      order.absorbed_fee_cents,
      order.total_cents,
      order.refunded_cents,
      refund.amountCents,
    )
    const billBack = refund.amountCents - feeBack
    await post(
      tx,
      company,
      { orderId: order.id, source: attempt.provider, sourceRef: refund.id, at: house.clock.now() },
      [
        { kind: 'refund.bill', debit: 'payable_municipality', credit: 'gateway_clearing', amountCents: billBack },
        { kind: 'refund.fee', debit: 'fee_revenue', credit: 'gateway_clearing', amountCents: feeBack },
        { kind: 'refund.absorbed', debit: 'fee_revenue', credit: 'absorbed_fee', amountCents: absorbedBack },
      ],
    )
    if (billBack > 0)
      await tx
        .insertInto('remittance')
        .values({
          company_id: company,
          account_id: order.account_id,
          order_id: order.id,
          source: attempt.provider,
          source_ref: refund.id,
          kind: 'reversal',
          amount_cents: billBack,
          at: house.clock.now(),
        })
        .execute()
    if (refunded === order.total_cents)
      await moveOrder(tx, company, house.clock, order, orderStatus.refund, 'refunded', { refunded_cents: refunded })
    else
      await tx
        .updateTable('payment_order')
        .set({ refunded_cents: refunded })
        .where('company_id', '=', company)
        .where('id', '=', order.id)
        .execute()
  })
}
