import * as z from 'zod/mini'
import { companyId } from '../../shared/body-parts.ts'
import { downloadCall, endpoint } from '../../shared/endpoint.ts'

/** Downloads the receipt of a payment as PDF, for staff. With `line`, the receipt covers only that line. */
export const paymentReceipt = downloadCall({
  path: 'muni/print/payment/receipt',
  summary: 'Downloads the receipt of a successful payment as PDF',
  access: { audience: ['municipality', 'platform'], privilege: ['payments', 'view'] },
  /** With format `roll`, the PDF fits receipt printer paper of 80 mm width. `line` selects a single line. */
  body: z.object({
    companyId,
    paymentId: z.int(),
    format: z._default(z.enum(['letter', 'roll']), 'letter'),
    line: z.optional(z.int()),
  }),
})

/** Streams the company's new and changed payments to open screens. */
export const paymentEvents = endpoint({
  path: 'muni/live/payments',
  method: 'GET',
  summary: 'Streams an event for each new or changed payment',
  access: { audience: ['municipality'], privilege: ['payments', 'view'] },
  responseType: 'events',
  body: z.object({}),
  response: z.object({ topic: z.string(), id: z.number() }),
})
