import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { defineNotice } from '../../../server/notices/notice.ts'
import { notify } from '../../../server/notices/notify.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'
import { receiptNumber } from '../../payments/rules.ts'
import {
  summaryOf,
  payerOf,
  companyOf,
  describeLines,
  type PaidOrder,
  findProvider,
  isTestPayment,
  type RefundRow,
} from '../../payments/api.ts'
import { COUNTER_PROVIDER } from './open-drawer.ts'

interface RefundNoticeData {
  company: Company
  order: PaidOrder
  kind: RefundRow['kind']
  /** Title of the refunded line, if the order has several lines. */
  of: string
  amountCents: number
  /** Refund method: the original payment method, cash or check. */
  method: 'means' | 'cash' | 'check'
  test: boolean
}

const methods: Record<RefundNoticeData['method'], (data: RefundNoticeData) => string> = {
  means: ({ order }) =>
    order.method_label
      ? say`The refund will go to ${order.method_label}. This takes a few business days.`
      : say`The refund will go to your original payment method. This takes a few business days.`,
  cash: () => say`You received the refund at the counter.`,
  check: ({ company }) => say`${company.name} will send you the refund by check.`,
}

/** Notice about a refund. Payers cannot turn it off, because they must learn of a refund. */
const refundNotice = defineNotice<RefundNoticeData>({
  event: 'payment.refunded',
  required: true,
  why: ({ name }) => say`You are receiving this email because someone entered this address for a payment to ${name}.`,
  content: (data) => {
    const { company, order, kind, of, amountCents, method, test } = data
    const number = receiptNumber(order.id)
    const amount = formatCents(amountCents)
    const owed = order.refunded_cents === order.total_cents || kind === 'void'
    return {
      subject:
        kind === 'void'
          ? say`Your payment ${number} to ${company.name} was voided`
          : say`${amount} of your payment ${number} to ${company.name} was refunded`,
      paragraphs: [
        kind === 'void'
          ? say`${company.name} voided your payment of ${amount}. The payment is treated as if it had never been made.`
          : say`${company.name} refunded ${amount} of the ${formatCents(order.total_cents)} that you paid.`,
        ...(of === '' ? [] : [say`The refund is for: ${of}.`]),
        methods[method](data),
        summaryOf(company, order),
        ...(owed ? [say`You may owe the amount again. Check your bill.`] : []),
        ...(test ? [say`TEST: no money moves.`] : []),
      ],
    }
  },
})

/**
 * Queues the email to the payer, in the transaction that books the refund. Does nothing if the order has no email
 * address.
 */
export async function emailRefund(
  tx: Tx,
  context: AppContext,
  company: CompanyId,
  order: PaidOrder,
  { kind, amount_cents: amountCents, line_no }: RefundRow,
  provider: string,
): Promise<void> {
  if (order.payer_email === '') return
  const test = await isTestPayment(context, tx, company, { provider })
  const atOffice = provider === COUNTER_PROVIDER && kind === 'void'
  const method = findProvider(context.config, provider) ? 'means' : atOffice ? 'cash' : 'check'
  const companyRecord = await companyOf(tx, context, company)
  const named = order.lines.length > 1 ? order.lines.filter((line) => line.line_no === line_no) : []
  const of = named.map((line) => `${line.title}, ${describeLines({ lines: [line] })}`).join('')
  const noticeData = { company: companyRecord, order, kind, of, amountCents, method, test } as const
  await notify(tx, context, {
    at: companyRecord,
    to: order.payer_email,
    notice: refundNotice,
    data: noticeData,
    ...payerOf(order),
  })
}
