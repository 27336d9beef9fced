import * as z from 'zod/mini'
import { isoDate } from '../../shared/iso-date.ts'
import { downloadCall, endpoint } from '../../shared/endpoint.ts'
import { periodInOrder } from '../../shared/period.ts'
import { measureNames } from './rules.ts'

const queryFields = {
  fromDate: isoDate,
  toDate: isoDate,
  /** One company, or all if absent. */
  company: z.optional(z.int().check(z.minimum(1), z.maximum(2_147_483_647))),
  by: z._default(z.enum(['day', 'month']), 'day'),
}

const part = z.object({
  /** Name of the part. `rules.ts` has its label. */
  part: z.string(),
  /** For a flow, the total of the period. For a stock, the number at its end. */
  count: z.int(),
  cents: z.int(),
  /** Values of the same number of days before the period. For a stock, the number at the start of the period. */
  before: z.object({ count: z.int(), cents: z.int() }),
  /** One value for each of the answer's `points`. */
  counts: z.array(z.int()),
  centsAt: z.array(z.int()),
})

/** Adoption, payments, sign-ins and failures over time, from the daily figures (spec 2.4, 2.12). */
export const analytics = endpoint({
  path: 'admin/return/analytics',
  summary: 'What the municipalities’ portals are used for, by day or month',
  access: { audience: 'platform', privilege: ['reports_admin', 'view'] },
  scope: 'none',
  body: z.object(queryFields).check(...periodInOrder()),
  response: z.object({
    /** Query of these figures. The page needs it because it may still show old figures while it loads new ones. */
    query: z.object(queryFields),
    /** Time of the last count. Null if figures were never counted. */
    asOf: z.nullable(z.string()),
    /**
     * Period of equal length before the requested one, as YYYY-MM-DD. `counted` is true if figures reach back that far.
     */
    before: z.object({ fromDate: z.string(), toDate: z.string(), counted: z.boolean() }),
    /** Days as YYYY-MM-DD or months as YYYY-MM, without gaps. */
    points: z.array(z.string()),
    measures: z.array(z.object({ name: z.enum(measureNames), parts: z.array(part) })),
  }),
})

export const analyticsCsv = downloadCall({
  path: 'admin/export/analytics',
  summary: 'One measure of them as CSV',
  access: { audience: 'platform', privilege: ['reports_admin', 'create'] },
  scope: 'none',
  body: z.object({ ...queryFields, measure: z.enum(measureNames) }).check(...periodInOrder()),
})
