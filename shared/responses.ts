import * as z from 'zod/mini'
import { signedCents } from './money.ts'

/** Response of most calls that change data: success with a message. */
export const done = z.object({ success: z.literal(true), message: z.string() })

/** Response with the URL of a file. The URL works only once, within a minute. */
export const fileAddress = z.object({ url: z.string() })

/** Transition of an entity, with the new state, the actor, and the reason if the actor entered one. */
export const historyEntry = z.object({ at: z.string(), label: z.string(), by: z.string(), reason: z.string() })
export type HistoryEntry = z.output<typeof historyEntry>

/** Company that a row belongs to. Used only in lists that cover all companies. */
export const companyFields = { companyId: z.number(), company: z.string() }

/** A resident's open item: kind, number and name. */
export const openItem = z.object({
  kind: z.string(),
  id: z.number(),
  reference: z.string(),
  title: z.string(),
  owedCents: signedCents,
})
