import { type Call, implement } from '../../../server/call.ts'
import { Refusal } from '../../../server/errors.ts'
import { countTry, defineAddressLimit, defineLimit } from '../../../server/limits.ts'
import { findAccountForGuest } from '../../utility-accounts/server/guest-account.ts'
import { normaliseAccountNumber } from '../../utility-accounts/rules.ts'
import { findGuestBill, NO_BILL } from '../contract.ts'
import { settingsOf } from './settings.ts'
import { newToken } from './checkout.ts'

/** Of these only what matches no bill counts: who guesses. */
const wrongByAddress = defineAddressLimit('bill-by-address', { most: 20 })
const wrongByAccount = defineLimit('bill-by-account', { most: 8 })

const DAY = 24 * 60
/**
 * Of these only what matches counts: who walks through the account numbers of a town to read its bills. A household looks
 * up a handful, and a town of thousands of accounts not all of them in a quarter of an hour.
 */
const foundByAddress = defineAddressLimit('bill-found-address', { most: 30, after: 'pause' })
const foundByAddressInADay = defineAddressLimit('bill-found-address-day', { most: 100, minutes: DAY, after: 'pause' })
const foundInTown = defineLimit('bill-found-town', { most: 600, after: 'pause' })
const foundInTownInADay = defineLimit('bill-found-town-day', { most: 6000, minutes: DAY, after: 'pause' })

export const findGuestBillCall = implement(findGuestBill, async (call) => {
  const { house, body, company } = call
  const wrong = wrongGuesses(call, body.accountNumber)
  const found = lookUps(call)
  const counted = await countTry(house, [...wrong, ...found])
  const { token, kept } = newToken(house)
  const isFound = await call.inCompany(async (tx) => {
    const account = await findAccountForGuest(tx, company.id, body, (await settingsOf(tx, company.id)).guestFact)
    if (!account) return false
    await tx
      .insertInto('guest_checkout')
      .values({ company_id: company.id, account_id: account.id, ...kept })
      .execute()
    return true
  })
  await counted.giveBack(isFound ? wrong : found)
  if (!isFound) throw new Refusal(404, 'no_bill', NO_BILL)
  return { token }
})

const wrongGuesses = ({ company, address }: Call, accountNumber: string) => [
  wrongByAddress(address, company.id),
  wrongByAccount(`${company.id}/${normaliseAccountNumber(accountNumber)}`),
]

const lookUps = ({ company, address }: Call) => [
  foundByAddress(address, company.id),
  foundByAddressInADay(address, company.id),
  foundInTown(company.id),
  foundInTownInADay(company.id),
]
