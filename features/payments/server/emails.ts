import { formatInstant } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { say, translated } from '../../../shared/words.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { defineNotice, type Letter } from '../../../server/notices/notice.ts'
import { notify, placeOf } from '../../../server/notices/notify.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { apartOf, factLabels, receiptNumber } from '../rules.ts'
import { drawReceipt } from './draw-receipt.ts'
import { ownFeeSays } from './own-fee-says.ts'
import { linkToCheckout } from './checkout.ts'
import { findOrder, type PaidOrder } from './orders.ts'
import { type ChargeContext, paidCents } from './charges.ts'
import { isTestPayment } from './test-money.ts'

const RECEIPT = 'payments.receipt'

/** How the mailer draws the receipts that are attached here. */
export function drawReceipts(context: AppContext): void {
  context.mailer.draws(RECEIPT, async (company, orderId) => {
    const [town, order, test] = await context.inCompany(company, async (tx) => [
      await townOf(tx, context, company),
      await findOrder(tx, company, orderId),
      await isTestPayment(context, tx, company, { orderId }),
    ])
    return drawReceipt('mail', town, order, test)
  })
}

interface PaymentNoticeData {
  town: Company
  order: PaidOrder
  /** No money moves at this provider. */
  test: boolean
}

type PaymentEvent = 'receipt' | 'on_its_way' | 'returned' | 'own_fee'

/** Payers have to hear what became of their money: none of these can be stopped. */
const paymentNotice = <Facts extends PaymentNoticeData>(
  event: PaymentEvent,
  words: (facts: Facts) => Letter,
  text?: (facts: Facts) => string,
) =>
  defineNotice<Facts>({
    event: `payment.${event}`,
    required: true,
    toCaller: () => true,
    ...(text && {
      text: {
        kind: 'payments',
        words: (facts) => (facts.test ? say`${text(facts)} TEST: no money moves.` : text(facts)),
      },
    }),
    why: ({ name }) => say`You get this mail because this address was given with a payment to ${name}.`,
    words: (facts) => {
      const { paragraphs, ...letter } = words(facts)
      return { ...letter, paragraphs: facts.test ? [...paragraphs, say`TEST: no money moves.`] : paragraphs }
    },
  })

const receipt = paymentNotice<PaymentNoticeData>(
  'receipt',
  ({ town, order }) => ({
    subject: say`Receipt ${receiptNumber(order.id)}: ${formatCents(paidCents(order))} paid to ${town.name}`,
    paragraphs: [
      say`Thank you. Your payment to ${town.name} went through.`,
      factsOf(town, order),
      say`The receipt is attached. Keep it for your records.`,
    ],
    attachments: [
      {
        filename: `receipt-${receiptNumber(order.id)}.pdf`,
        contentType: 'application/pdf',
        drawnBy: RECEIPT,
        of: order.id,
      },
    ],
  }),
  ({ order }) =>
    say`your payment of ${formatCents(paidCents(order))} went through, reference ${receiptNumber(order.id)}. The receipt is in your email.`,
)

const acknowledgement = paymentNotice<PaymentNoticeData & { link: string | null }>(
  'on_its_way',
  ({ town, order, link }) => ({
    subject: say`Your eCheck to ${town.name} is on its way`,
    paragraphs: [
      say`We asked your bank for ${formatCents(order.total_cents)}. That takes a few business days; this is not yet a receipt.`,
      factsOf(town, order),
      say`The receipt comes by email when the money has arrived. You do not need to do anything.`,
      ...(link
        ? [
            {
              label: say`See where it stands`,
              says: say`See where it stands, and print this acknowledgement: `,
              url: link,
            },
          ]
        : []),
    ],
  }),
)

const returned = paymentNotice<PaymentNoticeData & { code: string | null; page: string }>(
  'returned',
  ({ town, order, code, page }) => ({
    subject: say`Your eCheck to ${town.name} was returned`,
    paragraphs: [
      code
        ? say`Your bank took back the eCheck of ${formatCents(order.total_cents)} (code ${code}). The amount is owed again.`
        : say`Your bank took back the eCheck of ${formatCents(order.total_cents)}. The amount is owed again.`,
      factsOf(town, order),
      { label: say`Pay by card`, says: say`You can pay by card here: `, url: page },
      say`Your bank can tell you why it was returned.`,
    ],
  }),
  ({ order }) =>
    say`your bank took back the eCheck of ${formatCents(order.total_cents)}, reference ${receiptNumber(order.id)}. The amount is owed again. See your email.`,
)

/** What became of a fee that is charged by itself, where that is not told by the receipt. */
const ownFee = paymentNotice<PaymentNoticeData & { became: 'owed' | 'charged' | 'waived' }>(
  'own_fee',
  ({ town, order, became }) => {
    const [number, fee] = [receiptNumber(order.id), formatCents(order.fee?.amount_cents ?? 0)]
    const says = {
      owed: {
        subject: say`The service fee of your payment ${number} could not be charged`,
        first: say`Your payment of ${formatCents(paidCents(order))} to ${town.name} went through, and what it paid for is paid.`,
        then: say`Its service fee of ${fee}, which is a charge of its own, was refused. It is owed still: ${town.name} may charge it again, or ask you for it. You do not need to pay anything a second time.`,
      },
      charged: {
        subject: say`The service fee of your payment ${number} was charged`,
        first: say`The service fee of ${fee}, which could not be charged before, is paid now.`,
        then: say`It is a charge of its own on your statement.`,
      },
      waived: {
        subject: say`The service fee of your payment ${number} is waived`,
        first: say`${town.name} does not ask you for the service fee of ${fee} any more.`,
        then: say`Nothing more is owed for this payment.`,
      },
    }[became]
    return { subject: says.subject, paragraphs: [says.first, says.then, factsOf(town, order)] }
  },
)

/** A payment within the transaction that books its news. */
type BookedPayment = Pick<ChargeContext, 'tx' | 'context' | 'company' | 'order'> & { attempt: { provider: string } }

/** The receipt, with the PDF attached, in the transaction that captures the payment. */
export async function mailReceipt({ tx, context, company, order, attempt }: BookedPayment): Promise<void> {
  const town = await townOf(tx, context, company)
  const facts = { town, order, test: await isTestPayment(context, tx, company, attempt) }
  await notify(tx, context, { at: town, to: order.payer_email, notice: receipt, facts, ...payerOf(order) })
}

/** An eCheck is on its way: told at once, and clearly no receipt. */
export async function mailAcknowledgement({ tx, context, company, order, attempt }: BookedPayment): Promise<void> {
  const town = await townOf(tx, context, company)
  const link = await linkToCheckout(tx, context, town, order)
  const facts = { town, order, link, test: await isTestPayment(context, tx, company, attempt) }
  await notify(tx, context, { at: town, to: order.payer_email, notice: acknowledgement, facts })
}

/** Tells the payer what became of the fee, where they left an address. */
export async function mailFee(
  { tx, context, company, order, attempt }: BookedPayment,
  became: 'owed' | 'charged' | 'waived',
): Promise<void> {
  if (order.payer_email === '') return
  const town = await townOf(tx, context, company)
  const facts = { town, order, became, test: await isTestPayment(context, tx, company, attempt) }
  await notify(tx, context, { at: town, to: order.payer_email, notice: ownFee, facts, ...payerOf(order) })
}

/** The bank took an eCheck back. */
export async function mailReturn(
  { tx, context, company, order, attempt }: BookedPayment,
  code: string | null,
): Promise<void> {
  const town = await townOf(tx, context, company)
  const page = (await linkToCheckout(tx, context, town, order)) ?? placeOf(context, town).url('')
  const facts = { town, order, code, page, test: await isTestPayment(context, tx, company, attempt) }
  await notify(tx, context, { at: town, to: order.payer_email, notice: returned, facts, ...payerOf(order) })
}

/** A resident who paid while signed in. */
export const payerOf = ({ person_id }: PaidOrder) => (person_id === null ? {} : { person: person_id })

export const factsOf = (town: Company, order: PaidOrder): string =>
  [
    say`Reference ${receiptNumber(order.id)}`,
    ...order.lines.flatMap(({ facts: [fact] }) =>
      fact ? [`${translated(factLabels[fact.name] ?? fact.name)} ${fact.value}`] : [],
    ),
    say`Amount ${formatCents(order.bill_cents)}`,
    ...feesOf(order),
    ...(order.means ? [say`Paid by ${order.means}`] : []),
    say`Date ${formatInstant(order.paid_at ?? order.created_at, town.timeZone)}`,
  ].join('\n')

/** A fee of its own is told apart: until it is charged it is no part of what was paid. */
function feesOf(order: PaidOrder): string[] {
  const apart = apartOf(order.lines)
  if (apart === 0)
    return order.fee_cents > 0
      ? [say`Convenience fee ${formatCents(order.fee_cents)}`, say`Total ${formatCents(order.total_cents)}`]
      : []
  const together = order.fee_cents - apart
  return [
    ...(together > 0 ? [say`Convenience fee ${formatCents(together)}`] : []),
    ownFeeSays(formatCents(apart), order.fee?.status ?? 'waiting'),
    say`Total ${formatCents(paidCents(order))}`,
  ]
}

export async function townOf(tx: Tx, context: AppContext, company: CompanyId): Promise<Company> {
  const town = await context.hosts.byId(company, tx)
  if (!town) throw new Error(`there is no company ${company}`)
  return town
}
