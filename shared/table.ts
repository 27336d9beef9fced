/** Request and response of a server-side table: search, sort, filters and keyset paging (spec 2.19). */
import * as z from 'zod/mini'
import { visible } from './visible.ts'

/** Default number of rows on a page of a table (spec 9.1). */
export const PAGE_SIZE = 10

/** Page sizes that a person may choose. */
export const PAGE_SIZES = [PAGE_SIZE, 25, 100] as const

/** Maximum count of rows. Counting stops at this number, so that no list counts a million rows. */
export const COUNT_CAP = 1000

const MAX_PAGE_SIZE = 100

/**
 * Schema of a table request. `cursor` is an opaque value from the previous response (`next` or `previous`). Without
 * `cursor`, the response is the first page. If the sort or a filter changes, the next request must omit `cursor`.
 */
export const tableQuery = <Sort extends string, Filters extends z.ZodMiniType>(
  sorts: readonly [Sort, ...Sort[]],
  filters: Filters,
) =>
  z.object({
    search: z._default(
      z.string().check(z.overwrite(visible), z.trim(), z.maxLength(100, 'Enter up to 100 characters.')),
      '',
    ),
    sort: z._default(z.enum(sorts), sorts[0]),
    direction: z._default(z.enum(['asc', 'desc']), 'desc'),
    cursor: z.optional(z.string().check(z.maxLength(400))),
    pageSize: z._default(z.int().check(z.minimum(1), z.maximum(MAX_PAGE_SIZE)), PAGE_SIZE),
    filters,
  })

/** Schema of a table response. If the count is `COUNT_CAP`, there may be more rows. */
export const tableResponse = <Row extends z.ZodMiniType, Totals extends z.ZodMiniType>(row: Row, totals: Totals) =>
  z.object({
    rows: z.array(row),
    next: z.nullable(z.string()),
    previous: z.nullable(z.string()),
    count: z.int(),
    totals,
  })
