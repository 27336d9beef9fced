import { sql } from 'kysely'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'

/** Imported bill, reading or shutoff about which the portal must notify customers. */
interface AccountUpdate {
  id: number
  account_id: number
  bill_number: string | null
  read_date: string | null
  shutoff_number: string | null
}

/** Lists the companies with queued notices. */
export const companiesWithUpdates = (tx: Tx) =>
  tx.selectFrom('utility_update').select('company_id').distinct().execute()

/** Removes a company's oldest entries from the queue and returns them in order. */
export async function takeUpdates(tx: Tx, company: CompanyId, max: number): Promise<AccountUpdate[]> {
  const { rows } = await sql<AccountUpdate>`
    DELETE FROM utility_update WHERE company_id = ${company} AND id IN (
      SELECT id FROM utility_update WHERE company_id = ${company} ORDER BY id LIMIT ${max})
    RETURNING id, account_id, bill_number, read_date, shutoff_number`.execute(tx)
  return rows.toSorted((a, b) => a.id - b.id)
}
