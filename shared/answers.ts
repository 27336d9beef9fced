import * as z from 'zod/mini'

/** What most calls answer that change something: that it is done, and the sentence that says so. */
export const done = z.object({ success: z.literal(true), message: z.string() })

/** Of which municipality a thing is, where things of all of them stand side by side. */
export const ofTown = { companyId: z.number(), company: z.string() }
