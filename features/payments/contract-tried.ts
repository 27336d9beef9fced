import * as z from 'zod/mini'
import { cents } from '../../shared/money.ts'

/** That somebody tried to pay a thing while payments were out, the last time; null where nobody did. */
export const triedFact = z.nullable(
  z.object({
    at: z.string(),
    cents,
    /** Through this day nobody is late with it; null while the outage lasts. */
    graceUntil: z.nullable(z.string()),
  }),
)
export type TriedPayment = NonNullable<z.output<typeof triedFact>>
