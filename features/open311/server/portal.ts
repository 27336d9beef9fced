import { notFound } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { OtherPortal } from './client.ts'

const NOT_FOUND = 'This portal was not found. Someone may have removed it.'

/**
 * Returns one of the portals that the company sends requests to. `hold` locks its row. @throws 404 if the portal does
 * not exist
 */
export async function portalOf(tx: Tx, company: CompanyId, id: number, { hold = false } = {}): Promise<OtherPortal> {
  const row = await tx
    .selectFrom('open311_portal')
    .selectAll()
    .where(({ and }) => and({ company_id: company, id }))
    .where('removed_at', 'is', null)
    .$if(hold, (query) => query.forUpdate())
    .executeTakeFirst()
  if (!row) throw notFound(NOT_FOUND)
  return row
}
