import { Readable } from 'node:stream'
import { implement, signedIn } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { defineRenderer } from '../../../server/render.ts'
import { printOrder } from '../contract.ts'
import { workOrderItems } from './in-calendar.ts'
import type { orderSheet } from './sheet-pdf.ts'
import { detailsOf } from './show-order.ts'

const renderSheet = defineRenderer<Parameters<typeof orderSheet>>(new URL('./sheet-thread.ts', import.meta.url))

export const printOrderCall = implement(printOrder, async (call) => {
  const { company, context, body } = call
  const order = await call.reading((tx) => detailsOf(tx, call, body.orderId))
  const url = `${originOf(context.config, company.subdomain)}${workOrderItems.path(order.id)}`
  const pdf = await renderSheet(
    `${company.id}/${signedIn(call).personId}`,
    company,
    { ...order, photos: [] },
    url,
    context.clock.now(),
  )
  return { name: `${order.number}.pdf`, contentType: 'application/pdf', stream: Readable.from([pdf]) }
})
