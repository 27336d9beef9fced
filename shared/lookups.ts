import * as z from 'zod/mini'
import { companyId } from './body-parts.ts'
import { endpoint } from './endpoint.ts'

/** Minimum number of characters of a search for records. */
export const MIN_SEARCH_LENGTH = 2
export const MAX_SEARCH_LENGTH = 100
/** Maximum number of records of each kind. */
export const MAX_PER_KIND = 5

/** Searches the records of all kinds that the caller may view. A record with the exact number comes first. */
export const findRecords = endpoint({
  path: 'muni/find',
  summary: 'Finds records of all kinds by number, name or address',
  access: { audience: 'municipality' },
  personal: true,
  body: z.object({
    companyId,
    search: z
      .string()
      .check(
        z.trim(),
        z.minLength(MIN_SEARCH_LENGTH, 'Enter at least 2 letters or digits.'),
        z.maxLength(MAX_SEARCH_LENGTH, 'Enter up to 100 characters.'),
      ),
  }),
  response: z.object({
    kinds: z.array(
      z.object({
        /** Plural noun for the records, such as 'Requests'. */
        label: z.string(),
        records: z.array(
          z.object({
            title: z.string(),
            /** Second line, such as the status and the name. */
            detail: z.string(),
            /** Path that opens the record. */
            path: z.string(),
            /** True if the search text is the number of the record. */
            isExact: z.boolean(),
          }),
        ),
      }),
    ),
  }),
})
