import { say, translated } from '../../../../shared/messages.ts'
import type { PaymentResponse } from '../../contract.ts'
import type { PaymentState } from '../../contract.ts'
import { dueAfterPayment, methods, orderStatus, receiptNumber } from '../../rules.ts'
import { formatCents } from '../../../../shared/money.ts'
import type { CompanyId, Tx } from '../../../../server/tenancy.ts'
import type { Attempt, Order, OrderLine, PaidOrder } from './orders.ts'
import { paidCents } from '../ledger/charges.ts'
import { payableOf } from './payable.ts'

const NOTHING: PaymentResponse = {
  state: 'none',
  reference: null,
  method: null,
  message: '',
  actionUrl: null,
  quote: null,
  receipt: null,
  next: [],
}

/** Returns the status of a payment: whether money moved, and the next step. */
function paymentStatusOf(order: PaidOrder | undefined, attempt: Attempt | undefined): PaymentResponse {
  if (!order || !attempt) return NOTHING
  const state = stateOf(order, attempt)
  const quote = {
    billCents: order.bill_cents,
    feeCents: order.fee_cents,
    absorbedFeeCents: order.absorbed_fee_cents,
    totalCents: order.total_cents,
  }
  const reference = receiptNumber(order.id)
  const receipt =
    state === 'paid' || state === 'refunded' || state === 'processing'
      ? {
          number: reference,
          paidAt: (order.paid_at ?? order.created_at).toISOString(),
          leftCents: dueAfterPayment(order.lines),
          methodLabel: order.method_label,
          email: order.payer_email,
          quote,
          lines: order.lines.map(lineOf),
          paidCents: paidCents(order),
          separateFee: order.fee && { cents: order.fee.amount_cents, status: order.fee.status },
        }
      : null
  return {
    state,
    reference,
    method: order.method,
    message: messageOf(state, order, attempt),
    actionUrl: state === 'challenge' || state === 'processing' ? attempt.action_url : null,
    quote,
    receipt,
    next: [],
  }
}

/** Builds the payment status and adds the payer's next step. */
export async function statusWithNext(
  tx: Tx,
  company: CompanyId,
  order: PaidOrder | undefined,
  attempt: Attempt | undefined,
): Promise<PaymentResponse> {
  const paymentStatus = paymentStatusOf(order, attempt)
  if (paymentStatus.state !== 'paid' && paymentStatus.state !== 'processing') return paymentStatus
  const all = await Promise.all(
    (order?.lines ?? []).map(async ({ kind, payable_id }) => payableOf(kind).next?.(tx, company, payable_id)),
  )
  return { ...paymentStatus, next: all.filter((one) => one !== null && one !== undefined) }
}

/** Formats an order line for receipts and the staff slide-out. */
export const lineOf = ({
  line_no,
  title,
  details,
  amount_cents,
  fee_cents,
  fee_program,
  fee_mode,
  items,
}: OrderLine) => ({
  no: line_no,
  title,
  details,
  amountCents: amount_cents,
  feeCents: fee_cents,
  feeProgram: fee_program,
  hasSeparateFee: fee_mode === 'two_transactions',
  items,
})

function stateOf(order: Order, attempt: Attempt): PaymentState {
  if (order.status === orderStatus.success) return 'paid'
  if (order.status === orderStatus.refund) return 'refunded'
  if (order.status === orderStatus.void) return 'void'
  if (order.status === orderStatus.declined) return order.paid_at ? 'returned' : 'declined'
  if (attempt.step === 'requires_action') return 'challenge'
  return attempt.step === 'processing' && order.method === methods.echeck ? 'processing' : 'working'
}

const DECLINES: Record<string, string> = {
  card_declined: 'The card issuer declined the payment. Nothing was charged. Try another card, or pay by eCheck.',
  insufficient_funds:
    'The card does not have enough funds for this payment. Nothing was charged. Try another card, or a smaller amount.',
  expired_card: 'The card has expired. Nothing was charged. Try another card.',
  incorrect_cvc: 'The security code did not match the card. Nothing was charged. Check the code and try again.',
  processing_error: 'The card issuer could not be reached. Nothing was charged. Try again in a minute.',
  authentication_failed:
    'Your bank could not confirm your identity. Nothing was charged. Try again, or use another card.',
  invalid_token: 'The card or bank details expired before the payment was sent. Nothing was charged. Enter them again.',
  bank_account_unusable:
    'The bank could not debit this account. Nothing was charged. Check the routing and account numbers, or pay by card.',
}

function messageOf(state: PaymentState, order: PaidOrder, attempt: Attempt): string {
  switch (state) {
    case 'paid':
      if (order.fee?.status === 'owed')
        return say`Thank you. Your payment went through, and we are sending a receipt to ${order.payer_email}. The service fee of ${formatCents(order.fee.amount_cents)} is a separate charge that was declined, so it is still owed. Do not pay again. The office will contact you.`
      return say`Thank you. We are sending a receipt to ${order.payer_email}.`
    case 'working':
      return say`We sent your payment and are waiting for a response. Do not pay again. This page updates automatically. You can also close it, and we will email you the receipt.`
    case 'processing':
      if (attempt.action_url)
        return say`Nothing has been charged yet. The payment provider will send small deposits to your bank account, which takes a day or two. To continue the payment, confirm the deposits on the provider’s page.`
      return say`We sent your payment to your bank. Processing takes a few business days. You do not need to do anything. We will send the receipt to ${order.payer_email} when the money arrives.`
    case 'challenge':
      return say`Nothing has been charged yet. Continue to your bank to approve the payment.`
    case 'declined':
      if (order.return_code)
        return say`The bank rejected the eCheck (${order.return_code}). No money was taken. Check the routing and account numbers, or pay by card.`
      if (attempt.error_code === 'provider_unreachable')
        return say`We could not reach the payment provider. Nothing was charged. We recorded the time of your attempt.`
      if (attempt.step === 'canceled')
        return say`The payment was not completed. Nothing was charged. You can try again now.`
      return (
        translated(translated(DECLINES[attempt.error_code ?? ''] ?? '') || '') ||
        say`The payment did not go through. Nothing was charged. Try another way to pay.`
      )
    case 'returned':
      return order.return_code
        ? say`Your bank returned this eCheck (${order.return_code}). The amount is due again. Please pay by card. To find out why the eCheck was returned, contact your bank.`
        : say`Your bank returned this eCheck. The amount is due again. Please pay by card. To find out why the eCheck was returned, contact your bank.`
    case 'refunded':
      return say`This payment was refunded.`
    case 'void':
      return say`This payment was cancelled. Nothing was charged.`
    case 'none':
      return ''
  }
}
