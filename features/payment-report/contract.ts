import * as z from 'zod/mini'
import { companyId } from '../../shared/body-parts.ts'
import { downloadCall, endpoint } from '../../shared/endpoint.ts'

/** Receipt of a payment as PDF, for staff: the whole payment or one line. */
export const paymentReceipt = downloadCall({
  path: 'muni/print/payment/receipt',
  summary: 'The receipt of a successful payment as PDF',
  access: { audience: ['municipality', 'platform'], privilege: ['transaction_management', 'view'] },
  /** `roll`: true for receipt printer paper of 80 mm width. */
  body: z.object({
    companyId,
    paymentId: z.int(),
    format: z._default(z.enum(['letter', 'roll']), 'letter'),
    line: z.optional(z.int()),
  }),
})

/** Stream of the company's new payments, for open screens. */
export const paymentEvents = endpoint({
  path: 'muni/live/payments',
  method: 'GET',
  summary: 'A stream of events: a payment came or changed',
  access: { audience: ['municipality'], privilege: ['transaction_management', 'view'] },
  responseType: 'events',
  body: z.object({}),
  response: z.object({ topic: z.string(), id: z.number() }),
})
