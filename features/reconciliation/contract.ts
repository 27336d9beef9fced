import * as z from 'zod/mini'
import { endpoint } from '../../shared/endpoint.ts'
import { tableAnswer, tableQuery } from '../../shared/table.ts'

/** What the payment provider told and could not be written down yet: of all towns, as a rule nothing at all. */
export const waitingEvents = endpoint({
  path: 'admin/return/provider/events',
  summary: "The payment provider's events that could not be applied, a page at a time",
  access: { audience: 'platform', privilege: ['reports_admin', 'view'] },
  scope: 'none',
  body: tableQuery(['date'], z._default(z.object({}), {})),
  answer: tableAnswer(
    z.object({
      id: z.number(),
      at: z.string(),
      /** What it is about, as the provider names it: `refund`, and the id of the object. */
      type: z.string(),
      object: z.string(),
      /** Empty where no town has that account with the provider. */
      town: z.string(),
      tries: z.int(),
      /** Null where it was given up: then only a person tries it again. */
      nextTry: z.nullable(z.string()),
      error: z.string(),
      can: z.object({ repeat: z.boolean() }),
    }),
    z.null(),
  ),
})

export const tryEvent = endpoint({
  path: 'admin/repeat/provider/event',
  summary: 'Tries an event of the payment provider again, at once',
  access: { audience: 'platform', privilege: ['company_setup', 'update'] },
  scope: 'none',
  body: z.object({ eventId: z.int() }),
  /** `error`: what is against it still, empty where it was applied. */
  answer: z.object({ success: z.boolean(), error: z.string() }),
})
