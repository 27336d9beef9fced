import { type Call, implement } from '../../../server/call.ts'
import { Refusal } from '../../../server/errors.ts'
import { countWrongGuess, type Guess, refuseWhileWaiting } from '../../../server/limits.ts'
import { findAccountForGuest } from '../../utility-accounts/server/guest-account.ts'
import { findGuestBill, NO_BILL } from '../contract.ts'
import { newToken } from './checkout.ts'

/** Wrong pairs of account number and ZIP that are free, for one address and for one account, in 15 minutes. */
const FREE_GUESSES_PER_ADDRESS = 20
const FREE_GUESSES_PER_ACCOUNT = 8

export const findGuestBillCall = implement(findGuestBill, async (call) => {
  const { house, body, company } = call
  const guesses = guessesOf(call, body.accountNumber)
  await refuseWhileWaiting(house.outside, house.clock, guesses)
  const { token, kept } = newToken(house)
  const found = await call.inCompany(async (tx) => {
    const account = await findAccountForGuest(tx, company.id, body.accountNumber, body.zip)
    if (!account) return false
    await tx
      .insertInto('guest_checkout')
      .values({ company_id: company.id, account_id: account.id, ...kept })
      .execute()
    return true
  })
  if (found) return { token }
  await countWrongGuess(house.outside, house.clock, guesses)
  throw new Refusal(404, 'no_bill', NO_BILL)
})

const guessesOf = (call: Call, accountNumber: string): Guess[] => [
  { scope: 'bill-by-address', key: `${call.company.id}/${call.address}`, most: FREE_GUESSES_PER_ADDRESS },
  {
    scope: 'bill-by-account',
    key: `${call.company.id}/${accountNumber.toUpperCase().replaceAll(/[^\dA-Z]/g, '')}`,
    most: FREE_GUESSES_PER_ACCOUNT,
  },
]
