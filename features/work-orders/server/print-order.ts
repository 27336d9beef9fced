import { Readable } from 'node:stream'
import { dateIn } from '../../../shared/dates.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { defineRenderer } from '../../../server/render.ts'
import { printOrder } from '../contract.ts'
import { printOrders } from '../contract-bulk.ts'
import { workOrderItems } from './in-calendar.ts'
import { unknownOrder } from './orders.ts'
import type { orderSheets, PrintedOrder } from './sheet-pdf.ts'
import { detailsOf, detailsOfAll } from './show-order.ts'

const renderSheets = defineRenderer<Parameters<typeof orderSheets>>(new URL('./sheet-thread.ts', import.meta.url))

async function pdfOf(call: Call, orders: readonly Omit<PrintedOrder, 'url'>[], name: string) {
  const { company, context } = call
  const origin = originOf(context.config, company.subdomain)
  const pdf = await renderSheets(
    `${company.id}/${signedIn(call).personId}`,
    company,
    orders.map((order) => ({ ...order, photos: [], url: `${origin}${workOrderItems.path(order.id)}` })),
    context.clock.now(),
  )
  return { name: `${name}.pdf`, contentType: 'application/pdf', stream: Readable.from([pdf]) }
}

export const printOrderCall = implement(printOrder, async (call) => {
  const order = await call.reading((tx) => detailsOf(tx, call, call.body.orderId))
  return pdfOf(call, [order], order.number)
})

/** Prints several orders in the sequence of their ids. */
export const printOrdersCall = implement(printOrders, async (call) => {
  const { company, context } = call
  const ids = [...new Set(call.body.ids)]
  const orders = await call.reading(async (tx) => {
    const rows = await tx
      .selectFrom('work_order')
      .selectAll()
      .where('company_id', '=', company.id)
      .where('id', 'in', ids)
      .execute()
    if (rows.length < ids.length) throw unknownOrder()
    return detailsOfAll(
      tx,
      call,
      rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)),
    )
  })
  return pdfOf(call, orders, `work-orders-${dateIn(company.timeZone, context.clock.now())}`)
})
