import type { Database } from './database.ts'
import { Refused } from './refused.ts'

/** How many a page has that was asked for `limit`: 50, unless it says otherwise. */
export const sizeOf = ({ limit }: { limit?: string }, most: number): number =>
  Math.max(1, Math.min(most, Number(limit ?? 50) || 50))

/** Behind which row a page begins: the one of this id, or the beginning. @throws Refused where there is none such */
export async function placeAfter(
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

/** A page of rows of which one more was asked for than it has. */
export const pageOf = <Row>(rows: readonly Row[], limit: number) => ({
  data: rows.slice(0, limit),
  has_more: rows.length > limit,
})
