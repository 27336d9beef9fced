import { Readable } from 'node:stream'
import { downloadOf } from '../../../server/attachments/keep.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { defineRenderer } from '../../../server/render.ts'
import { notFound } from '../../../server/errors.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { receiptNumber } from '../../payments/rules.ts'
import {
  CHECKOUT_DAYS,
  openCheckout,
  renderReceipt,
  paidOrders,
  noteReceipt,
  isTestPayment,
} from '../../payments/api.ts'
import { utilityBills } from '../../utility-accounts/api.ts'
import { printBill, printReceipt } from '../contract.ts'
import type { billPdf } from './bill-pdf.ts'
import { documentOf, findBill } from './bills.ts'
import { findLinked } from './linked.ts'
import { maySeePayment } from './show-account.ts'

/** Rate limit for PDF downloads. It is high enough for a person who downloads all bills and receipts of a year. */
const documentsPerPerson = defineLimit('utility-documents', { max: 100, after: 'pause' })

export const renderBill = defineRenderer<Parameters<typeof billPdf>>(new URL('./bill-thread.ts', import.meta.url))

/** Returns a payment link that needs no sign-in, with its expiration. Null if nothing is due. */
export async function payableUntil(tx: Tx, { company, context }: Call, account: number) {
  const { owedCents, pendingCents } = await utilityBills.owed(tx, company.id, account)
  if (owedCents <= pendingCents) return null
  const token = await openCheckout(tx, context, company.id, [{ kind: utilityBills.kind, id: account }])
  const until = new Date(context.clock.now().getTime() + CHECKOUT_DAYS * 86_400_000)
  const url = `${originOf(context.config, company.subdomain)}/guest/payment/${token}`
  return { url, until: dateIn(company.timeZone, until) }
}

export const printBillCall = implement(printBill, async (call) => {
  const { company, body, context } = call
  const person = signedIn(call).personId
  await countAttempt(context, [documentsPerPerson(`${company.id}/${person}`)])
  const [account, bill, document, pay] = await call.inCompany(async (tx) => {
    const owner = { company: company.id, person, account: body.accountId }
    const linked = await findLinked(tx, owner, dateIn(company.timeZone, context.clock.now()))
    const linkedBill = await findBill(tx, company.id, linked.id, body.billNumber)
    const own = await documentOf(tx, company.id, linkedBill.bill_number)
    return [linked, linkedBill, own, own ? null : await payableUntil(tx, call, linked.id)] as const
  })
  const name = `bill-${bill.bill_number.replaceAll(/[^\w-]+/g, '-')}.pdf`
  if (document) return { ...downloadOf(context, document), name }
  const { number, customer, address } = account
  const pdf = await renderBill(`${company.id}/${person}`, company, { number, customer, address }, bill, {
    pay,
    link: null,
  })
  return { name, contentType: 'application/pdf', stream: Readable.from([pdf]) }
})

/** Receipts exist only for successful payments (spec 2.19). */
export const printReceiptCall = implement(printReceipt, async (call) => {
  const { company, body, context } = call
  const person = signedIn(call).personId
  await countAttempt(context, [documentsPerPerson(`${company.id}/${person}`)])
  const { order, test } = await call.inCompany(async (tx) => {
    const owner = { company: company.id, person, account: body.accountId }
    const { id } = await findLinked(tx, owner, dateIn(company.timeZone, context.clock.now()))
    const paidOrder = await paidOrders(tx, company.id).where('o.id', '=', body.paymentId).executeTakeFirst()
    const isOfAccount = paidOrder?.lines.some((line) => line.kind === utilityBills.kind && line.payable_id === id)
    const is_alone = paidOrder?.lines.length === 1
    if (!paidOrder || !isOfAccount || !maySeePayment({ ...paidOrder, is_alone }, person))
      throw notFound('This payment was not found.')
    await noteReceipt(tx, call, paidOrder)
    return { order: paidOrder, test: await isTestPayment(context, tx, company.id, { orderId: paidOrder.id }) }
  })
  const pdf = await renderReceipt(`${company.id}/${person}`, company, order, test)
  const stream = Readable.from([pdf])
  return { name: `receipt-${receiptNumber(order.id)}.pdf`, contentType: 'application/pdf', stream }
})
