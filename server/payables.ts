/** The kinds of things that can be paid, by name. */
import { definePayable } from '../features/payments/server/payables.ts'
import { utilityBills } from '../features/utility-accounts/server/payable.ts'

definePayable(utilityBills)
