import * as z from 'zod/mini'
import { decent } from '../../shared/decency.ts'
import { say } from '../../shared/messages.ts'

export const MAX_TEMPLATES = 50
const names = z
  .array(
    z.object({
      name: z
        .string({ error: 'Enter a name for the service.' })
        .check(
          z.trim(),
          z.minLength(3, 'Enter at least 3 characters.'),
          z.maxLength(60, 'Use up to 60 characters.'),
          decent,
        ),
    }),
  )
  .check(z.maxLength(MAX_TEMPLATES, { error: () => say`Enter up to ${MAX_TEMPLATES} services of each type.` }))

/** Alert services of a company by type: 1 Alert Service, 2 Essential Service, 3 Other Service (spec 9.4). */
export const serviceNames = z.object({ alerts: names, essentials: names, others: names })
export type ServiceNames = z.output<typeof serviceNames>
