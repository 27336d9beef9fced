import { sql } from 'kysely'
import { type Call, callerName, implement } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { conflict, notFound, rejected } from '../../../server/errors.ts'
import { defineNotice } from '../../../server/notices/notice.ts'
import { notify } from '../../../server/notices/notify.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'
import { openCheckout } from '../../payments/api.ts'
import { createPaymentLink, type PaymentLink, sendPaymentLink } from '../contract.ts'
import { chargeNumber } from '../rules.ts'
import { addCharge } from './charges.ts'
import { generalPayable } from './payable.ts'
import { readType } from './types.ts'

interface LinkNoticeData {
  title: string
  number: string
  owedCents: number
  dueDate: string | null
  url: string
}

/** Sent immediately and never included in a combined email, because the email contains a secret link. */
const linkNotice = defineNotice<LinkNoticeData>({
  event: 'payment.link',
  required: true,
  why: ({ name }) => say`You are receiving this email because ${name} requested a payment from you.`,
  content: ({ title, number, owedCents, dueDate, url }, at) => ({
    subject: say`${title}: ${formatCents(owedCents)} payable to ${at.name}`,
    paragraphs: [
      say`${at.name} is asking you to pay ${formatCents(owedCents)} for “${title}” (reference ${number}).`,
      ...(dueDate === null ? [] : [say`The payment is due on ${formatDate(dueDate)}.`]),
      {
        label: say`Pay ${formatCents(owedCents)}`,
        text: say`Pay by card or eCheck here, without signing in: `,
        url,
      },
      say`The link is valid for 30 days. Anyone with the link can see the amount due, so do not share it.`,
    ],
  }),
})

export const createPaymentLinkCall = implement(createPaymentLink, async (call) => {
  const { context, company, body } = call
  return call.inCompany(async (tx) => {
    const type = await readType(tx, company.id, body.typeId)
    if (type.status !== 'open') throw conflict('closed', say`“${type.title}” is not open for payment. Open it first.`)
    if (type.amountKind === 'listed')
      throw rejected('This payment type uses a list of open items. Send a link for one of its open items.')
    const { id } = await addCharge(tx, context, company, type, {
      raw: body.answers,
      email: body.email,
      person: null,
      madeBy: callerName(call),
      signer: null,
    })
    return linkTo(tx, call, id, body.email)
  })
})

export const sendPaymentLinkCall = implement(sendPaymentLink, async (call) => {
  const { chargeId, email } = call.body
  return call.inCompany((tx) => linkTo(tx, call, chargeId, email))
})

interface Charge {
  title: string
  item_number: string | null
  owed: number
  due_date: string | null
  status: string
}

/**
 * Creates a new link for an unpaid charge. Only the recipient and the staff member who creates the link see its secret.
 */
async function linkTo(tx: Tx, call: Call, chargeId: number, email: string): Promise<PaymentLink> {
  const { context, company } = call
  const { rows } = await sql<Charge>`
    SELECT t.title, t.status, c.item_number, c.amount_cents - c.paid_cents AS owed, c.due_date
    FROM general_charge c JOIN payment_type t ON t.company_id = c.company_id AND t.id = c.type_id
    WHERE c.company_id = ${company.id} AND c.id = ${chargeId}`.execute(tx)
  const [charge] = rows
  if (!charge) throw notFound('This payment was not found.')
  const { title, item_number, owed: owedCents, due_date: dueDate } = charge
  const number = item_number ?? chargeNumber(chargeId)
  if (owedCents <= 0) throw conflict('paid', say`${number} is already paid, so it does not need a link.`)
  if (charge.status !== 'open') throw conflict('closed', say`“${title}” is not open for payment. Open it first.`)
  const token = await openCheckout(tx, context, company.id, [{ kind: generalPayable.kind, id: chargeId }])
  const url = `${originOf(context.config, company.subdomain)}/guest/payment/${token}`
  if (email !== '') {
    const noticeData = { title, number, owedCents, dueDate, url }
    await notify(tx, context, { at: company, to: email, notice: linkNotice, data: noticeData })
  }
  await call.audit(tx, {
    action: 'general.link_made',
    subject: { kind: 'general_charge', id: chargeId },
    detail: { title, number, ...(email !== '' && { email }) },
  })
  const message =
    email === '' ? say`The link for ${number} is ready.` : say`The link for ${number} was sent to ${email}.`
  return { success: true, message, chargeId, number, url, amountCents: owedCents }
}
