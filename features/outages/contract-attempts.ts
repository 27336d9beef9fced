import * as z from 'zod/mini'
import { cents } from '../../shared/money.ts'

/** Last attempt to pay an item during an outage. Null if none. */
export const triedFact = z.nullable(
  z.object({
    at: z.string(),
    cents,
    /** Last day before the item counts as late. Null while the outage lasts. */
    graceUntil: z.nullable(z.string()),
  }),
)
export type TriedPayment = NonNullable<z.output<typeof triedFact>>
