import type { Database } from './database.ts'
import { Refused } from './refused.ts'

/** Returns the page size for a `limit`. The default is 50. */
export const sizeOf = ({ limit }: { limit?: string }, max: number): number =>
  Math.max(1, Math.min(max, Number(limit ?? 50) || 50))

/**
 * Returns the sequence number of the row with this id, which is the last row before the page. 0 for the first page.
 * @throws Refused if the id does not exist
 */
export async function findCursorSeq(
  database: Database,
  table: 'movement' | 'payout',
  after: string | undefined,
  unknown: string,
): Promise<number> {
  if (after === undefined) return 0
  const { rows } = await database.query<{ seq: number }>(`SELECT seq FROM ${table} WHERE id = $1`, [after])
  if (!rows[0]) throw new Refused(404, 'not_found', unknown)
  return rows[0].seq
}

/** Builds a page from a query that read one extra row. The extra row shows that more rows follow. */
export const pageOf = <Row>(rows: readonly Row[], limit: number) => ({
  data: rows.slice(0, limit),
  has_more: rows.length > limit,
})
