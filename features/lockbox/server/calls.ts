import { sql } from 'kysely'
import { implement, signedIn } from '../../../server/call.ts'
import { notFound, rejected } from '../../../server/errors.ts'
import { implementList } from '../../../server/list.ts'
import { transition, actorOf } from '../../../server/states.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'
import { receiptNumber } from '../../payments/rules.ts'
import { allPayables } from '../../payments/api.ts'
import { assignLockboxPayment, lockboxPayment, unpostedPayments, transitionLockboxPayment } from '../contract.ts'
import { lockboxPayments } from '../list.ts'
import { lockboxStates } from '../states.ts'
import { otherOwner } from './match.ts'
import { lockedPayment, lockboxStateStore, lockPayment, post, rowsOf } from './payments.ts'

const lockboxPaymentCall = implement(lockboxPayment, (call) =>
  call.reading(async (tx) => {
    const row = await rowsOf(tx, call.company.id).where('id', '=', call.body.id).executeTakeFirst()
    if (!row) throw notFound('This payment was not found.')
    const mover = { as: 'staff', privileges: signedIn(call).privileges } as const
    return {
      id: row.id,
      trace: row.trace,
      file: row.file_name,
      receivedAt: row.received_at.toISOString(),
      paidOn: row.paid_on,
      account: row.account,
      payer: row.payer_name,
      amountCents: row.amount_cents,
      currency: row.currency,
      state: row.state,
      reason: row.reason,
      paymentId: row.order_id,
      can: buttonsFrom(lockboxStates, row.state, mover),
      mayAssign: row.state === 'waiting' && may(mover.privileges, 'payments', 'create'),
    }
  }),
)

/**
 * Posts a payment that needs review to the item that staff chose. If the account is not in the payer's name, staff must
 * enter a reason. Posts the amount received or, for a foreign currency, the US dollars that the bank credited.
 */
const assignLockboxPaymentCall = implement(assignLockboxPayment, (call) => {
  const { company, context, body } = call
  return call.inCompany(async (tx) => {
    const row = await lockPayment(tx, company.id, body.id)
    if (!allPayables().some(({ kind }) => kind === body.kind))
      throw rejected(say`You cannot post a payment to this item. Search for another item.`)
    const isForeign = row.currency !== 'USD'
    if (isForeign && body.dollarsCents === undefined) {
      const errorText = say`Enter the amount that the bank credited, in US dollars.`
      throw rejected(errorText, { dollarsCents: errorText })
    }
    const cents = (isForeign ? body.dollarsCents : undefined) ?? row.amount_cents
    const actor = actorOf(call)
    const ref = { kind: body.kind, id: body.payableId }
    if (row.state === 'waiting' && !body.reason) {
      const owner = await otherOwner(tx, company.id, ref, row.payer_name)
      if (owner !== null) {
        const errorText = say`The account belongs to ${owner}, but ${row.payer_name} paid. To post the payment to this account, enter the reason.`
        throw rejected(errorText, { reason: errorText })
      }
    }
    // Posts nothing if the payment was already posted or returned. In that case, `transition` throws the error.
    const orderId =
      row.state === 'waiting' ? await post(tx, context, company, { trace: row.trace, ref, cents, actor }) : null
    await transition(tx, lockboxStateStore, {
      scope: company.id,
      id: row.id,
      locked: lockedPayment(row),
      event: 'assign',
      actor,
      reason: body.reason,
      patch: { order_id: orderId },
      detail: { kind: body.kind, payableId: body.payableId, cents },
    })
    const message = say`Payment of ${formatCents(cents)} posted. Receipt number: ${receiptNumber(orderId ?? 0)}.`
    return { success: true as const, message }
  })
})

const unpostedPaymentsCall = implement(unpostedPayments, (call) =>
  call.reading(async (tx) => {
    const { n } = await tx
      .selectFrom('lockbox_payment')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('company_id', '=', call.company.id)
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow()
    return { unposted: Number(n) }
  }),
)

const transitionLockboxPaymentCall = implement(transitionLockboxPayment, (call) =>
  call.inCompany(async (tx) => {
    const { id, event, reason } = call.body
    const { message } = await transition(tx, lockboxStateStore, {
      scope: call.company.id,
      id,
      event,
      reason,
      actor: actorOf(call),
    })
    return { success: true as const, message }
  }),
)

export const lockboxCalls = [
  lockboxPaymentCall,
  unpostedPaymentsCall,
  assignLockboxPaymentCall,
  transitionLockboxPaymentCall,
  ...implementList(lockboxPayments, {
    table: ({ question }) => (question.search ? sql`found_lockbox_payment` : sql`lockbox_payment`),
    columns: {
      receivedAt: 'received_at',
      trace: 'trace',
      account: 'account',
      payer: 'payer_name',
      paidOn: 'paid_on',
      amount: 'amount_cents',
      state: 'state',
      reason: 'reason',
      receipt: sql`CASE WHEN r.order_id IS NULL THEN '' ELSE 'P' || r.order_id END`,
      file: 'file_name',
    },
    search: sql`r.search_text`,
    row: () => ({ can: { view: true } }),
    exported: 'export.lockbox_payments',
  }),
]
