import { implement } from '../../../server/call.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { findAndOpen } from '../../payments/api.ts'
import { findGuestBill, NO_BILL } from '../contract.ts'
import { accountNumberKey, normalizeAccountNumber } from '../rules.ts'
import { utilityBills } from './payable.ts'

const count = async (tx: Tx, company: CompanyId): Promise<number> => {
  const { n } = await tx
    .selectFrom('utility_account')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('company_id', '=', company)
    .executeTakeFirstOrThrow()
  return Number(n)
}

export const findGuestBillCall = implement(findGuestBill, async (call) => {
  const { cart, ...named } = call.body
  const number = accountNumberKey(normalizeAccountNumber(named.accountNumber))
  return { token: await findAndOpen(call, { of: utilityBills, named, number, refusal: NO_BILL, cart, count }) }
})
