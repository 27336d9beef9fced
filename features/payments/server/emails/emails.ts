import { formatInstant } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { say, translated } from '../../../../shared/messages.ts'
import type { AppContext } from '../../../../server/app-context.ts'
import type { Company } from '../../../../server/hosts.ts'
import { defineNotice, type EmailTemplate } from '../../../../server/notices/notice.ts'
import { notify, noticeSenderOf } from '../../../../server/notices/notify.ts'
import type { CompanyId, Tx } from '../../../../server/tenancy.ts'
import { separateFeeCentsOf, factLabels, receiptNumber } from '../../rules.ts'
import { renderReceipt } from '../receipts/render-receipt.ts'
import { separateFeeMessage } from '../attempts/separate-fee-message.ts'
import { createCheckoutLink } from '../orders/checkout.ts'
import { findOrder, type PaidOrder } from '../orders/orders.ts'
import { type ChargeContext, paidCents } from '../ledger/charges.ts'
import { isTestPayment } from '../providers/test-money.ts'

const RECEIPT = 'payments.receipt'

/** Registers the function that renders attached receipts. */
export function registerReceiptRenderer(context: AppContext): void {
  context.mailer.renders(RECEIPT, async (company, orderId) => {
    const [companyRecord, order, test] = await context.inCompany(company, async (tx) => [
      await companyOf(tx, context, company),
      await findOrder(tx, company, orderId),
      await isTestPayment(context, tx, company, { orderId }),
    ])
    return renderReceipt('mail', companyRecord, order, test)
  })
}

interface PaymentNoticeData {
  company: Company
  order: PaidOrder
  /** True if the payment used a test provider, where no money moves. */
  test: boolean
}

type PaymentEvent = 'receipt' | 'processing' | 'returned' | 'separate_fee'

/** Defines a required payment notice. Recipients cannot opt out, because payers must learn the outcome. */
const paymentNotice = <Data extends PaymentNoticeData>(
  event: PaymentEvent,
  createEmail: (data: Data) => EmailTemplate,
  text?: (data: Data) => string,
) =>
  defineNotice<Data>({
    event: `payment.${event}`,
    required: true,
    toCaller: () => true,
    ...(text && {
      text: {
        kind: 'payments',
        content: (data) => (data.test ? say`${text(data)} TEST: no money moves.` : text(data)),
      },
    }),
    why: ({ name }) => say`You are receiving this email because someone entered this address for a payment to ${name}.`,
    content: (data) => {
      const { paragraphs, ...email } = createEmail(data)
      return { ...email, paragraphs: data.test ? [...paragraphs, say`TEST: no money moves.`] : paragraphs }
    },
  })

const receipt = paymentNotice<PaymentNoticeData>(
  'receipt',
  ({ company, order }) => ({
    subject: say`Receipt ${receiptNumber(order.id)}: ${formatCents(paidCents(order))} paid to ${company.name}`,
    paragraphs: [
      say`Thank you. Your payment to ${company.name} went through.`,
      summaryOf(company, order),
      say`The receipt is attached. Keep it for your records.`,
    ],
    attachments: [
      {
        filename: `receipt-${receiptNumber(order.id)}.pdf`,
        contentType: 'application/pdf',
        renderedBy: RECEIPT,
        of: order.id,
      },
    ],
  }),
  ({ order }) =>
    say`your payment of ${formatCents(paidCents(order))} went through, reference ${receiptNumber(order.id)}. The receipt is in your email.`,
)

const acknowledgement = paymentNotice<PaymentNoticeData & { link: string | null }>(
  'processing',
  ({ company, order, link }) => ({
    subject: say`Your eCheck to ${company.name} is processing`,
    paragraphs: [
      say`We requested ${formatCents(order.total_cents)} from your bank. This takes a few business days. This email is not a receipt.`,
      summaryOf(company, order),
      say`We will email the receipt when the money arrives. You do not need to do anything.`,
      ...(link
        ? [
            {
              label: say`View the status`,
              text: say`View the status and print this acknowledgment: `,
              url: link,
            },
          ]
        : []),
    ],
  }),
)

const returned = paymentNotice<PaymentNoticeData & { code: string | null; page: string }>(
  'returned',
  ({ company, order, code, page }) => ({
    subject: say`Your eCheck to ${company.name} was returned`,
    paragraphs: [
      code
        ? say`Your bank returned your eCheck for ${formatCents(order.total_cents)} (code ${code}). The amount is due again.`
        : say`Your bank returned your eCheck for ${formatCents(order.total_cents)}. The amount is due again.`,
      summaryOf(company, order),
      { label: say`Pay by card`, text: say`You can pay by card here: `, url: page },
      say`Your bank can explain why the eCheck was returned.`,
    ],
  }),
  ({ order }) =>
    say`your bank returned your eCheck for ${formatCents(order.total_cents)}, reference ${receiptNumber(order.id)}. The amount is due again. See your email.`,
)

/** Notice of the outcome of a separate fee, if the receipt does not state it. */
const separateFee = paymentNotice<PaymentNoticeData & { became: 'owed' | 'charged' | 'waived' }>(
  'separate_fee',
  ({ company, order, became }) => {
    const [number, fee] = [receiptNumber(order.id), formatCents(order.fee?.amount_cents ?? 0)]
    const texts = {
      owed: {
        subject: say`The service fee for your payment ${number} could not be charged`,
        first: say`Your payment of ${formatCents(paidCents(order))} to ${company.name} went through and was applied.`,
        then: say`The service fee of ${fee} is a separate charge, and it was declined. You still owe the fee. ${company.name} may charge it again or ask you to pay it. You do not need to repeat your payment.`,
      },
      charged: {
        subject: say`The service fee for your payment ${number} was charged`,
        first: say`The service fee of ${fee}, which could not be charged earlier, is now paid.`,
        then: say`The fee is a separate charge on your statement.`,
      },
      waived: {
        subject: say`The service fee for your payment ${number} was waived`,
        first: say`${company.name} waived the service fee of ${fee}.`,
        then: say`You owe nothing more for this payment.`,
      },
    }[became]
    return { subject: texts.subject, paragraphs: [texts.first, texts.then, summaryOf(company, order)] }
  },
)

/** Payment and the transaction that records its update from the provider. */
type BookedPayment = Pick<ChargeContext, 'tx' | 'context' | 'company' | 'order'> & { attempt: { provider: string } }

/** Queues the receipt email with the PDF, in the transaction that captures the payment. */
export async function emailReceipt({ tx, context, company, order, attempt }: BookedPayment): Promise<void> {
  const companyRecord = await companyOf(tx, context, company)
  const data = { company: companyRecord, order, test: await isTestPayment(context, tx, company, attempt) }
  await notify(tx, context, {
    at: companyRecord,
    to: order.payer_email,
    notice: receipt,
    data,
    ...payerOf(order),
  })
}

/** Emails the payer immediately that an eCheck is pending. The text makes clear that the email is not a receipt. */
export async function emailAcknowledgement({ tx, context, company, order, attempt }: BookedPayment): Promise<void> {
  const companyRecord = await companyOf(tx, context, company)
  const link = await createCheckoutLink(tx, context, companyRecord, order)
  const data = { company: companyRecord, order, link, test: await isTestPayment(context, tx, company, attempt) }
  await notify(tx, context, { at: companyRecord, to: order.payer_email, notice: acknowledgement, data })
}

/** Emails the payer the outcome of the fee, if the payer left an email address. */
export async function emailFee(
  { tx, context, company, order, attempt }: BookedPayment,
  became: 'owed' | 'charged' | 'waived',
): Promise<void> {
  if (order.payer_email === '') return
  const companyRecord = await companyOf(tx, context, company)
  const data = { company: companyRecord, order, became, test: await isTestPayment(context, tx, company, attempt) }
  await notify(tx, context, {
    at: companyRecord,
    to: order.payer_email,
    notice: separateFee,
    data,
    ...payerOf(order),
  })
}

/** Emails the payer that the bank returned an eCheck. */
export async function emailReturn(
  { tx, context, company, order, attempt }: BookedPayment,
  code: string | null,
): Promise<void> {
  const companyRecord = await companyOf(tx, context, company)
  const page =
    (await createCheckoutLink(tx, context, companyRecord, order)) ?? noticeSenderOf(context, companyRecord).url('')
  const data = { company: companyRecord, order, code, page, test: await isTestPayment(context, tx, company, attempt) }
  await notify(tx, context, {
    at: companyRecord,
    to: order.payer_email,
    notice: returned,
    data,
    ...payerOf(order),
  })
}

/** Returns the payer's person id for the notice, if the payer was signed in. */
export const payerOf = ({ person_id }: PaidOrder) => (person_id === null ? {} : { person: person_id })

export const summaryOf = (companyRecord: Company, order: PaidOrder): string =>
  [
    say`Reference ${receiptNumber(order.id)}`,
    ...order.lines.flatMap(({ details: [fact] }) =>
      fact ? [`${translated(factLabels[fact.name] ?? fact.name)} ${fact.value}`] : [],
    ),
    say`Amount ${formatCents(order.bill_cents)}`,
    ...feesOf(order),
    ...(order.method_label ? [say`Paid with ${order.method_label}`] : []),
    say`Date ${formatInstant(order.paid_at ?? order.created_at, companyRecord.timeZone)}`,
  ].join('\n')

/**
 * Returns the fee lines of an email. A separate fee has its own line, because it is not part of the paid amount until
 * it is charged.
 */
function feesOf(order: PaidOrder): string[] {
  const separateCents = separateFeeCentsOf(order.lines)
  if (separateCents === 0)
    return order.fee_cents > 0
      ? [say`Convenience fee ${formatCents(order.fee_cents)}`, say`Total ${formatCents(order.total_cents)}`]
      : []
  const together = order.fee_cents - separateCents
  return [
    ...(together > 0 ? [say`Convenience fee ${formatCents(together)}`] : []),
    separateFeeMessage(formatCents(separateCents), order.fee?.status ?? 'waiting'),
    say`Total ${formatCents(paidCents(order))}`,
  ]
}

export async function companyOf(tx: Tx, context: AppContext, company: CompanyId): Promise<Company> {
  const companyRecord = await context.hosts.byId(company, tx)
  if (!companyRecord) throw new Error(`there is no company ${company}`)
  return companyRecord
}
