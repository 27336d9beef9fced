import { type Call, implement } from '../../../server/call.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { actorOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'
import {
  attemptsOfFee,
  chargeFee,
  emailFee,
  findAttemptByKey,
  findOrder,
  findProvider,
  insertFeeAttempt,
  lockOrder,
  moveFee,
} from '../../payments/api.ts'
import { receiptNumber } from '../../payments/rules.ts'
import { chargeFeeAgain, waiveFee } from '../contract-fees.ts'

/** Staff calls for an unpaid fee: charge it again to the payment method of the bill, or waive it. */

/**
 * Locks the payment of a fee and finds the charge that paid its bill.
 * @throws 404 if the payment has no separate fee
 */
async function lockFeePayment(tx: Tx, { company }: Call, id: number) {
  const order = await lockOrder(tx, company.id, id).catch(() => null)
  const { bill } = await attemptsOfFee(tx, company.id, id)
  if (!order?.fee || !bill) throw notFound('This payment has no separate fee. Reload the page.')
  return { order, bill }
}

const chargeFeeAgainCall = implement(chargeFeeAgain, async (call) => {
  const { context, company, idempotencyKey: key } = call
  const { paymentId } = call.body
  await call.inCompany(async (tx) => {
    const { order, bill } = await lockFeePayment(tx, call, paymentId)
    if (await findAttemptByKey(tx, company, key)) return
    if (!findProvider(context.config, bill.provider))
      throw conflict(
        'method_elsewhere',
        say`This payment went through a payment provider that is no longer in use, so its fee can’t be charged. Waive the fee.`,
      )
    await moveFee(tx, company.id, order, 'again', actorOf(call))
    await insertFeeAttempt({ context, tx, company: company.id, order }, bill, key)
  })
  await chargeFee(context, company, paymentId)
  const { fee } = await call.inCompany((tx) => findOrder(tx, company.id, paymentId))
  const name = receiptNumber(paymentId)
  if (fee?.status === 'charged') return { success: true as const, message: say`The fee for ${name} was charged.` }
  if (fee?.status === 'owed')
    return { success: true as const, message: say`The charge was declined again. The fee for ${name} is still owed.` }
  return {
    success: true as const,
    message: say`The fee for ${name} is processing. The payment provider has not responded yet.`,
  }
})

const waiveFeeCall = implement(waiveFee, (call) =>
  call.inCompany(async (tx) => {
    const { context, company } = call
    const { paymentId, reason } = call.body
    const { order, bill } = await lockFeePayment(tx, call, paymentId)
    const message = await moveFee(tx, company.id, order, 'waive', actorOf(call), reason)
    await emailFee({ tx, context, company: company.id, order, attempt: bill }, 'waived')
    return { success: true as const, message }
  }),
)

export const feeCalls = [chargeFeeAgainCall, waiveFeeCall]
