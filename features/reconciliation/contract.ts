import * as z from 'zod/mini'
import { endpoint } from '../../shared/endpoint.ts'

export const tryEvent = endpoint({
  path: 'admin/repeat/provider/event',
  summary: 'Tries an event of the payment provider again, at once',
  access: { audience: 'platform', privilege: ['company_setup', 'update'] },
  scope: 'none',
  body: z.object({ eventId: z.int() }),
  /** `error`: what is against it still, empty where it was applied. */
  answer: z.object({ success: z.boolean(), error: z.string() }),
})
