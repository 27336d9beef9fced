import * as z from 'zod/mini'
import { signedCents } from './money.ts'

/** What most calls answer that change something: that it is done, and the sentence that says so. */
export const done = z.object({ success: z.literal(true), message: z.string() })

/** Where a file is, for a minute and once. */
export const fileAddress = z.object({ url: z.string() })

/** A step that was taken with a thing: what it was from then on, who took it, and why where somebody said so. */
export const historyEntry = z.object({ at: z.string(), label: z.string(), by: z.string(), reason: z.string() })
export type HistoryEntry = z.output<typeof historyEntry>

/** Of which municipality a thing is, where things of all of them stand side by side. */
export const ofTown = { companyId: z.number(), company: z.string() }

/** Something of a resident's that can be paid, by its kind and number, and how it is called. */
export const owedThing = z.object({
  kind: z.string(),
  id: z.number(),
  reference: z.string(),
  title: z.string(),
  owedCents: signedCents,
})
