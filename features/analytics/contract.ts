import * as z from 'zod/mini'
import { isoDate } from '../../shared/iso-date.ts'
import { downloadCall, endpoint } from '../../shared/endpoint.ts'
import { periodInOrder } from '../../shared/period.ts'
import { measureNames } from './rules.ts'

const asked = {
  fromDate: isoDate,
  toDate: isoDate,
  /** One company, or all together. */
  company: z.optional(z.int().check(z.minimum(1), z.maximum(2_147_483_647))),
  by: z._default(z.enum(['day', 'month']), 'day'),
}

const part = z.object({
  /** Its label stands in `rules.ts`. */
  part: z.string(),
  /** Of a flow, the period's sum; of a stock, what there was at its end. */
  count: z.int(),
  cents: z.int(),
  /** The same of as many days before the period; of a stock, what there was when the period began. */
  before: z.object({ count: z.int(), cents: z.int() }),
  /** For each of the answer's `points`. */
  counts: z.array(z.int()),
  centsAt: z.array(z.int()),
})

/** Adoption, payments, sign-ins and failures over time (specification 2.4, 2.12), from the daily figures. */
export const analytics = endpoint({
  path: 'admin/return/analytics',
  summary: 'What the municipalities’ portals are used for, by day or month',
  access: { audience: 'platform', privilege: ['reports_admin', 'view'] },
  scope: 'none',
  body: z.object(asked).check(...periodInOrder()),
  answer: z.object({
    /** What was asked: a page that shows these figures until others come reads here of what they are. */
    asked: z.object(asked),
    /** When they were counted; null where they never were. */
    asOf: z.nullable(z.string()),
    /** The days before, as many: YYYY-MM-DD. `counted`: whether figures go back that far. */
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
  body: z.object({ ...asked, measure: z.enum(measureNames) }).check(...periodInOrder()),
})
