import { implement, signedIn } from '../../../server/call.ts'
import { addDays, dateIn } from '../../../shared/dates.ts'
import { itemsOf } from '../../utility-accounts/rules.ts'
import { showBill } from '../contract.ts'
import { adjustmentsOf, compare, documentOf, findBill, billView, withEarlier } from './bills.ts'
import { findLinked } from './linked.ts'
import { usesOf } from './uses.ts'

/**
 * Number of days before a bill for which usage is loaded, so that it can be compared with the previous year. Includes a
 * tolerance, because billing days shift.
 */
const MAX_AGE_DAYS = 430

export const showBillCall = implement(showBill, (call) => {
  const { company, body, context } = call
  const owner = { company: company.id, person: signedIn(call).personId, account: body.accountId }
  return call.reading(async (tx) => {
    const { id, number, customer, address } = await findLinked(tx, owner, dateIn(company.timeZone, context.clock.now()))
    const bill = await findBill(tx, company.id, id, body.billNumber)
    const bills = await withEarlier(tx, bill)
    const adjusted = await adjustmentsOf(tx, company.id, id, bills[1]?.bill_date ?? bill.bill_date, bill.bill_date)
    const uses = await usesOf(tx, company.id, id, addDays(bill.period_start, -MAX_AGE_DAYS), bills)
    return {
      bill: billView(bill),
      account: { id, number, customer, address },
      lines: itemsOf(bill.lines),
      isOfBillingSystem: (await documentOf(tx, company.id, bill.bill_number)) !== null,
      paidElsewhereCents: bill.paid_elsewhere_cents,
      comparison: compare(bills, uses, adjusted),
    }
  })
})
