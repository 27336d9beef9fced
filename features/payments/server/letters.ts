import { escapeHtml } from '../../../server/html.ts'
import { formatInstant } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { originOf } from '../../../server/config.ts'
import type { House } from '../../../server/house.ts'
import type { Company } from '../../../server/hosts.ts'
import type { Attachment } from '../../../server/mail.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { factLabels, receiptNumber } from '../rules.ts'
import { drawReceipt } from './draw-receipt.ts'
import { linkToCheckout } from './checkout.ts'
import { findOrder, type PaidOrder } from './orders.ts'
import { providerOf } from './providers.ts'

const RECEIPT = 'payments.receipt'

/** How the mailer draws the receipts that are attached here. */
export function drawReceipts(house: House): void {
  house.mailer.draws(RECEIPT, async (company, orderId) => {
    const [town, order] = await house.inCompany(company, async (tx) => [
      await townOf(tx, house, company),
      await findOrder(tx, company, orderId),
    ])
    return drawReceipt('mail', town, order, providerOf(house.config).test)
  })
}

/** The receipt, with the PDF attached, in the transaction that captures the payment. */
export async function mailReceipt(tx: Tx, house: House, company: CompanyId, order: PaidOrder): Promise<void> {
  const town = await townOf(tx, house, company)
  const number = receiptNumber(order.id)
  await send(tx, house, town, order, {
    subject: `Receipt ${number}: ${formatCents(order.total_cents)} paid to ${town.name}`,
    paragraphs: [
      `Thank you. Your payment to ${town.name} went through.`,
      factsOf(town, order),
      'The receipt is attached. Keep it for your records.',
    ],
    attachments: [
      { filename: `receipt-${number}.pdf`, contentType: 'application/pdf', drawnBy: RECEIPT, of: order.id },
    ],
  })
}

/** An eCheck is on its way: told at once, and clearly no receipt. */
export async function mailAcknowledgement(tx: Tx, house: House, company: CompanyId, order: PaidOrder): Promise<void> {
  const town = await townOf(tx, house, company)
  const link = await linkToCheckout(tx, house, town, order)
  await send(tx, house, town, order, {
    subject: `Your eCheck to ${town.name} is on its way`,
    paragraphs: [
      `We asked your bank for ${formatCents(order.total_cents)}. That takes a few business days; this is not yet a receipt.`,
      factsOf(town, order),
      'The receipt comes by email when the money has arrived. You do not need to do anything.',
      ...(link ? [`See where it stands, and print this acknowledgement: ${link}`] : []),
    ],
  })
}

/** The bank took an eCheck back. */
export async function mailReturn(
  tx: Tx,
  house: House,
  company: CompanyId,
  order: PaidOrder,
  code: string | null,
): Promise<void> {
  const town = await townOf(tx, house, company)
  const page = (await linkToCheckout(tx, house, town, order)) ?? originOf(house.config, town.subdomain)
  await send(tx, house, town, order, {
    subject: `Your eCheck to ${town.name} was returned`,
    paragraphs: [
      `Your bank took back the eCheck of ${formatCents(order.total_cents)}${code ? ` (code ${code})` : ''}. The amount is owed again.`,
      factsOf(town, order),
      `You can pay by card here: ${page}`,
      'Your bank can tell you why it was returned.',
    ],
  })
}

const factsOf = (town: Company, order: PaidOrder): string =>
  [
    `Reference ${receiptNumber(order.id)}`,
    ...order.lines.flatMap(({ facts: [fact] }) =>
      fact ? [`${factLabels[fact.name] ?? fact.name} ${fact.value}`] : [],
    ),
    `Amount ${formatCents(order.bill_cents)}`,
    ...(order.fee_cents > 0
      ? [`Convenience fee ${formatCents(order.fee_cents)}`, `Total ${formatCents(order.total_cents)}`]
      : []),
    ...(order.means ? [`Paid by ${order.means}`] : []),
    `Date ${formatInstant(order.paid_at ?? order.created_at, town.timeZone)}`,
  ].join('\n')

interface Letter {
  subject: string
  paragraphs: string[]
  attachments?: Attachment[]
}

async function send(tx: Tx, house: House, town: Company, order: PaidOrder, letter: Letter): Promise<void> {
  const test = providerOf(house.config).test ? ['TEST: no money moves.'] : []
  const paragraphs = [
    ...letter.paragraphs,
    ...test,
    `${town.name}, ${town.address1}, ${town.city}, ${town.state} ${town.zipcode}`,
  ]
  await house.mailer.send(tx, town.id, {
    to: order.payer_email,
    subject: letter.subject,
    text: paragraphs.join('\n\n'),
    html: paragraphs.map((text) => `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`).join('\n'),
    attachments: letter.attachments ?? [],
  })
}

async function townOf(tx: Tx, house: House, company: CompanyId): Promise<Company> {
  const town = await house.hosts.byId(company, tx)
  if (!town) throw new Error(`there is no company ${company}`)
  return town
}
