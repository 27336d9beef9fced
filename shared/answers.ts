import * as z from 'zod/mini'
import { signedCents } from './money.ts'

/** Answer of most calls that change data: success and a message. */
export const done = z.object({ success: z.literal(true), message: z.string() })

/** Address of a file. Works once, within a minute. */
export const fileAddress = z.object({ url: z.string() })

/** A transition of an entity: new state, actor, and the reason if one was entered. */
export const historyEntry = z.object({ at: z.string(), label: z.string(), by: z.string(), reason: z.string() })
export type HistoryEntry = z.output<typeof historyEntry>

/** Company of a row, in lists of all companies. */
export const companyFields = { companyId: z.number(), company: z.string() }

/** A resident's open item: kind, number and name. */
export const openItem = z.object({
  kind: z.string(),
  id: z.number(),
  reference: z.string(),
  title: z.string(),
  owedCents: signedCents,
})
