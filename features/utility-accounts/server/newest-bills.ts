import type { CompanyId, Tx } from '../../../server/tenancy.ts'

/** The bills of an account, the newest first. */
export const newestBills = (tx: Tx, company: CompanyId, account: number) =>
  tx
    .selectFrom('utility_bill')
    .selectAll()
    .where(({ and }) => and({ company_id: company, account_id: account }))
    .orderBy('bill_date', 'desc')
    .orderBy('bill_number', 'desc')
