import type { Selectable } from 'kysely'
import type { Schema } from '../../../server/db/schema.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { isAccountNumber, normaliseAccountNumber } from '../rules.ts'

export type UtilityAccount = Selectable<Schema['utility_account']>

/** The account that a guest names by its number and the ZIP code of its service address, or undefined. */
export async function findAccountForGuest(
  tx: Tx,
  company: CompanyId,
  accountNumber: string,
  zip: string,
): Promise<UtilityAccount | undefined> {
  const account_number = normaliseAccountNumber(accountNumber)
  if (!isAccountNumber(account_number)) return undefined
  return tx
    .selectFrom('utility_account')
    .selectAll()
    .where('company_id', '=', company)
    .where('account_number', '=', account_number)
    .where('zipcode', '=', zip.trim())
    .executeTakeFirst()
}
