import * as z from 'zod/mini'
import { guestsError } from '../rules.ts'

/** Validates a typed group size against the capacity. */
export const guestsOf = (capacity: number) =>
  z.string().check(
    z.trim(),
    z.regex(/^\d{1,5}$/, 'Enter the group size.'),
    z.refine((typed) => guestsError(Number(typed), capacity) === null, {
      error: ({ input }) => guestsError(Number(input), capacity) ?? '',
    }),
  )
