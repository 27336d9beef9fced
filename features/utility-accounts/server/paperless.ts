import { changeRow } from '../../../server/db/rows.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'

/** Sets the time from which an account receives its bills only by email. Null switches to paper bills. */
export const setPaperless = (tx: Tx, company: CompanyId, account: number, since: Date | null): Promise<unknown> =>
  changeRow(tx, 'utility_account', company, account, { paperless_since: since })
