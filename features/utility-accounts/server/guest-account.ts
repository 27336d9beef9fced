import type { Selectable } from 'kysely'
import type { Schema } from '../../../server/db/schema.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { parseCents } from '../../../shared/money.ts'
import { endsName, type GuestFact, isAccountNumber, normaliseAccountNumber } from '../rules.ts'
import { owedOn } from './owed.ts'

export type UtilityAccount = Selectable<Schema['utility_account']>

interface Named {
  accountNumber: string
  zip: string
  fact: string
}

/** The account that a guest names by its number, the ZIP code of its service address and what the town asks besides; else undefined. */
export async function findAccountForGuest(
  tx: Tx,
  company: CompanyId,
  { accountNumber, zip, fact }: Named,
  asked: GuestFact,
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
  return account && (await knows(tx, account, company, fact, asked)) ? account : undefined
}

async function knows(tx: Tx, account: UtilityAccount, company: CompanyId, fact: string, asked: GuestFact) {
  if (asked === 'none') return true
  if (asked === 'last_name') return endsName(account.customer_name, fact)
  const { bill } = await owedOn(tx, company, account.id)
  return bill !== null && parseCents(fact) === bill.amountCents
}
