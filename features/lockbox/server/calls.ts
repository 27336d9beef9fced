import { sql } from 'kysely'
import { implement, signedIn } from '../../../server/call.ts'
import { notFound, rejected } from '../../../server/errors.ts'
import { implementList } from '../../../server/list.ts'
import { move, whoOf } from '../../../server/states.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/words.ts'
import { receiptNumber } from '../../payments/rules.ts'
import { allPayables } from '../../payments/server/payables.ts'
import { assignLockboxPayment, lockboxPayment, moveLockboxPayment } from '../contract.ts'
import { lockboxPayments } from '../list.ts'
import { lockboxStates } from '../states.ts'
import { heldRow, keptLockbox, lockRow, post, rowsOf } from './payments.ts'

const lockboxPaymentCall = implement(lockboxPayment, (call) =>
  call.reading(async (tx) => {
    const row = await rowsOf(tx, call.company.id).where('id', '=', call.body.id).executeTakeFirst()
    if (!row) throw notFound('There is no such payment.')
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
      mayAssign: row.state === 'waiting' && may(mover.privileges, 'transaction_management', 'create'),
    }
  }),
)

/** Who assigns it has looked: its name may be another's, and its amount is what came. */
const assignLockboxPaymentCall = implement(assignLockboxPayment, (call) => {
  const { company, house, body } = call
  return call.inCompany(async (tx) => {
    const row = await lockRow(tx, company.id, body.id)
    if (!allPayables().some(({ kind }) => kind === body.kind)) throw rejected(say`This can't be paid. Find it again.`)
    const isForeign = row.currency !== 'USD'
    if (isForeign && body.dollarsCents === undefined) {
      const sentence = say`Enter what the bank credited in dollars.`
      throw rejected(sentence, { dollarsCents: sentence })
    }
    const cents = (isForeign ? body.dollarsCents : undefined) ?? row.amount_cents
    const who = whoOf(call)
    // Where it is settled already nothing is posted: the state says so first.
    const orderId =
      row.state === 'waiting'
        ? await post(tx, house, company, { trace: row.trace, ref: { kind: body.kind, id: body.payableId }, cents, who })
        : null
    await move(tx, keptLockbox, {
      place: company.id,
      id: row.id,
      held: heldRow(row),
      event: 'assign',
      who,
      facts: { order_id: orderId },
      detail: { kind: body.kind, payableId: body.payableId, cents },
    })
    const message = say`${formatCents(cents)} is posted, receipt ${receiptNumber(orderId ?? 0)}.`
    return { success: true as const, message }
  })
})

const moveLockboxPaymentCall = implement(moveLockboxPayment, (call) =>
  call.inCompany(async (tx) => {
    const { id, event, reason } = call.body
    const { message } = await move(tx, keptLockbox, { place: call.company.id, id, event, reason, who: whoOf(call) })
    return { success: true as const, message }
  }),
)

export const lockboxCalls = [
  lockboxPaymentCall,
  assignLockboxPaymentCall,
  moveLockboxPaymentCall,
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
