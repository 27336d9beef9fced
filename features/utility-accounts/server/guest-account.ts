import type { Selectable } from 'kysely'
import type { Schema } from '../../../server/db/schema.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { parseCents } from '../../../shared/money.ts'
import type { GuestBill } from '../contract.ts'
import { endsName, isAccountNumber, normaliseAccountNumber } from '../rules.ts'
import { newestBills } from './newest-bills.ts'

type UtilityAccount = Selectable<Schema['utility_account']>

/** The account that a guest names by its number, the ZIP code of its service address and what the town asks besides; else undefined. */
export async function findAccountForGuest(
  tx: Tx,
  company: CompanyId,
  { accountNumber, zip, fact }: GuestBill,
): Promise<UtilityAccount | undefined> {
  const account_number = normaliseAccountNumber(accountNumber)
  if (!isAccountNumber(account_number)) return undefined
  const account = await tx
    .selectFrom('utility_account')
    .selectAll()
    .where('company_id', '=', company)
    .where('account_number', '=', account_number)
    .where('zipcode', '=', zip.trim())
    .executeTakeFirst()
  return account && (await knows(tx, account, fact)) ? account : undefined
}

async function knows(tx: Tx, { company_id, id, customer_name }: UtilityAccount, fact: string): Promise<boolean> {
  const { guest_fact } = await tx
    .selectFrom('payment_settings')
    .select('guest_fact')
    .where('company_id', '=', company_id)
    .executeTakeFirstOrThrow()
  if (guest_fact === 'none') return true
  if (guest_fact === 'last_name') return endsName(customer_name, fact)
  const bill = await newestBills(tx, company_id as CompanyId, id)
    .limit(1)
    .executeTakeFirst()
  return bill !== undefined && parseCents(fact) === bill.amount_cents
}
