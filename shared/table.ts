/** What a server-side table asks and answers: search, sort, filters and keyset paging (specification 2.19). */
import * as z from 'zod/mini'
import { visible } from './visible.ts'

/** Rows on a page of a table (specification 9.1). */
export const PAGE_SIZE = 10

/** How many rows a person may have on a page instead. */
export const PAGE_SIZES = [PAGE_SIZE, 25, 100] as const

/** Counting stops here, so that no list pays for counting a million rows. */
export const COUNT_CAP = 1000

const MAX_PAGE_SIZE = 100

/**
 * The question of a table. `cursor` is opaque and comes from the answer before it (`next` or `previous`);
 * without it the first page is meant. Sorting or filtering anew starts without a cursor.
 */
export const tableQuery = <Sort extends string, Filters extends z.ZodMiniType>(
  sorts: readonly [Sort, ...Sort[]],
  filters: Filters,
) =>
  z.object({
    search: z._default(
      z.string().check(z.overwrite(visible), z.trim(), z.maxLength(100, 'Search for at most 100 characters.')),
      '',
    ),
    sort: z._default(z.enum(sorts), sorts[0]),
    direction: z._default(z.enum(['asc', 'desc']), 'desc'),
    cursor: z.optional(z.string().check(z.maxLength(400))),
    pageSize: z._default(z.int().check(z.minimum(1), z.maximum(MAX_PAGE_SIZE)), PAGE_SIZE),
    filters,
  })

/** The answer to a table's question. A count at `COUNT_CAP` means "that many or more". */
export const tableAnswer = <Row extends z.ZodMiniType, Totals extends z.ZodMiniType>(row: Row, totals: Totals) =>
  z.object({
    rows: z.array(row),
    next: z.nullable(z.string()),
    previous: z.nullable(z.string()),
    count: z.int(),
    totals,
  })
