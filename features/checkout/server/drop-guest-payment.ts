import { implement } from '../../../server/call.ts'
import { dropGuestPayment } from '../contract.ts'
import { findCheckout, orderOfCheckout, latestAttempt, dropAttempt } from '../../payments/api.ts'

/**
 * Cancels a payment that awaits a bank challenge. It cancels the payment at the provider first, so that another card
 * can then be charged safely.
 */
export const dropGuestPaymentCall = implement(dropGuestPayment, async (call) => {
  const { context, company, body } = call
  const attempt = await call.inCompany(async (tx) => {
    const checkout = await findCheckout(tx, context, company.id, body.token)
    const order = await orderOfCheckout(tx, company.id, checkout.id)
    return order && latestAttempt(tx, company.id, order.id)
  })
  if (attempt) await dropAttempt(context, company, attempt)
  return { success: true as const }
})
