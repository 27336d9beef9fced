import type { Selectable } from 'kysely'
import type { Schema } from '../../../server/db/schema.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { parseCents } from '../../../shared/money.ts'
import { endsName } from '../../../shared/person-names.ts'
import type { GuestBill } from '../contract.ts'
import { accountNumberForms, accountOfNumber, isAccountNumber, normalizeAccountNumber } from '../rules.ts'
import { newestBills } from './newest-bills.ts'

type UtilityAccount = Selectable<Schema['utility_account']>

/**
 * Finds an account by its number, the ZIP code of its service address and the additional fact that the company
 * requires. Undefined if any of them does not match.
 */
export async function findAccountForGuest(
  tx: Tx,
  company: CompanyId,
  { accountNumber, zip, fact }: GuestBill,
): Promise<UtilityAccount | undefined> {
  const number = normalizeAccountNumber(accountNumber)
  if (!isAccountNumber(number)) return undefined
  const rows = await tx
    .selectFrom('utility_account as a')
    .innerJoin('payment_settings as s', 's.company_id', 'a.company_id')
    .selectAll('a')
    .select('s.guest_proof')
    .where('a.company_id', '=', company)
    .where('a.account_number', 'in', accountNumberForms(number))
    .where('a.zipcode', '=', zip.trim())
    .execute()
  const row = accountOfNumber(rows, number)
  if (!row) return undefined
  const { guest_proof, ...account } = row
  return (await knows(tx, account, guest_proof, fact)) ? account : undefined
}

async function knows(
  tx: Tx,
  { company_id, id, customer_name, balance_cents }: UtilityAccount,
  guest_proof: string,
  fact: string,
): Promise<boolean> {
  if (guest_proof === 'none') return true
  if (guest_proof === 'last_name') return endsName(customer_name, fact)
  const bill = await newestBills(tx, company_id as CompanyId, id)
    .limit(1)
    .executeTakeFirst()
  // An account without bills has only the balance that its paper bill shows.
  const amount = bill ? bill.amount_cents : balance_cents
  return amount !== null && parseCents(fact) === amount
}
