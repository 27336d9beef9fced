import { implement, signedIn } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import { dateIn } from '../../../shared/dates.ts'
import { putIntoCart } from '../../payments/api.ts'
import { utilityBills } from '../../utility-accounts/api.ts'
import { accountNumbers, linkedAccounts, openPayment } from '../contract.ts'
import { findLinked, linkedOf, withOwed } from './linked.ts'

export const linkedAccountsCall = implement(linkedAccounts, (call) => {
  const { company, context } = call
  const person = signedIn(call).personId
  return call.reading(async (tx) => {
    const linked = await linkedOf(tx, { company: company.id, person }, dateIn(company.timeZone, context.clock.now()))
    return { accounts: await Promise.all(linked.map((one) => withOwed(tx, company.id, person, one))) }
  })
})

export const accountNumbersCall = implement(accountNumbers, (call) => {
  const { company, body, context } = call
  const person = signedIn(call).personId
  if (String(body.userId ?? person) !== String(person)) throw notFound()
  return call.reading(async (tx) => {
    const linked = await linkedOf(tx, { company: company.id, person }, dateIn(company.timeZone, context.clock.now()))
    return { accountNumber: linked.map(({ number }) => number) }
  })
})

/**
 * Opens one checkout for all chosen accounts, or adds them to the cart. Includes an account only once, even if the
 * request repeats it.
 */
export const openPaymentCall = implement(openPayment, (call) => {
  const { company, body, context } = call
  const person = signedIn(call).personId
  const today = dateIn(company.timeZone, context.clock.now())
  return call.inCompany(async (tx) => {
    const chosen = [...new Set(body.accountIds)]
    for (const account of chosen) await findLinked(tx, { company: company.id, person, account }, today)
    const payables = chosen.map((id) => ({ kind: utilityBills.kind, id }))
    return { token: await putIntoCart(tx, call, payables, body.cart) }
  })
})
