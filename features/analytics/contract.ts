import * as z from 'zod/mini'
import { isoDate } from '../../shared/iso-date.ts'
import { downloadCall, endpoint } from '../../shared/endpoint.ts'
import { periodInOrder } from '../../shared/period.ts'
import { measureNames } from './rules.ts'

const queryFields = {
  fromDate: isoDate,
  toDate: isoDate,
  /** Id of one company. If absent, the query covers all companies. */
  company: z.optional(z.int().check(z.minimum(1), z.maximum(2_147_483_647))),
  by: z._default(z.enum(['day', 'month']), 'day'),
}

const part = z.object({
  /** Name of a part of the measure. `rules.ts` has its label. */
  part: z.string(),
  /** For a `flow` measure, the total of the period. For a `stock` measure, the number at the end of the period. */
  count: z.int(),
  cents: z.int(),
  /**
   * Values of an equally long period before the requested one. For a `stock` measure, the number at the start of the
   * requested period.
   */
  before: z.object({ count: z.int(), cents: z.int() }),
  /** One value for each entry of `points` in the response. */
  counts: z.array(z.int()),
  centsAt: z.array(z.int()),
})

/** Adoption, payments, sign-ins and failures over time, from the daily figures (spec 2.4, 2.12). */
export const analytics = endpoint({
  path: 'admin/return/analytics',
  summary: 'Returns usage figures of the companies by day or month',
  access: { audience: 'platform', privilege: ['reports_admin', 'view'] },
  scope: 'none',
  body: z.object(queryFields).check(...periodInOrder()),
  response: z.object({
    /**
     * Query that produced these figures. While the page loads new figures, it still shows the old ones with their
     * query.
     */
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
  summary: 'Exports one usage measure of the companies as CSV',
  access: { audience: 'platform', privilege: ['reports_admin', 'create'] },
  scope: 'none',
  body: z.object({ ...queryFields, measure: z.enum(measureNames) }).check(...periodInOrder()),
})
