import type { CompanyId, Tx } from '../../../server/tenancy.ts'

/** Selects the bills of an account, newest first. */
export const newestBills = (tx: Tx, company: CompanyId, account: number) =>
  tx
    .selectFrom('utility_bill')
    .selectAll()
    .where(({ and }) => and({ company_id: company, account_id: account }))
    .orderBy('bill_date', 'desc')
    .orderBy('bill_number', 'desc')
