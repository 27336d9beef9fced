import { implement } from '../../../server/call.ts'
import { findAndOpen } from '../../payments/server/find-and-open.ts'
import { findGuestBill, NO_BILL } from '../contract.ts'
import { normaliseAccountNumber } from '../rules.ts'
import { utilityBills } from './payable.ts'

export const findGuestBillCall = implement(findGuestBill, async (call) => {
  const { cart, ...named } = call.body
  const number = normaliseAccountNumber(named.accountNumber)
  return { token: await findAndOpen(call, { of: utilityBills, named, number, refusal: NO_BILL, cart }) }
})
