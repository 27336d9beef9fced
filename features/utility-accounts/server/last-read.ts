import { sql } from 'kysely'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'

/**
 * Returns the latest reading if the account has only one meter. Null for several meters, because a typed reading could
 * belong to any of them.
 */
export async function lastReadOf(
  tx: Tx,
  company: CompanyId,
  { account_id: account }: { account_id: number | null },
): Promise<{ reading: number; on: string } | null> {
  if (account === null) return null
  const { rows } = await sql<{ reading: number; on: string }>`
    SELECT DISTINCT ON (meter_number) reading, read_date::text AS on FROM meter_reading
    WHERE company_id = ${company} AND account_id = ${account} ORDER BY meter_number, read_date DESC LIMIT 2`.execute(tx)
  return rows.length === 1 ? (rows[0] ?? null) : null
}
