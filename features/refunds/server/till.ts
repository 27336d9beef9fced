import type { CompanyId, Tx } from '../../../server/tenancy.ts'

/** Staff member with the open drawer that received a payment. */
interface Till {
  cashierId: number
  cashierName: string
}
/**
 * Finds and locks the open drawer that received a payment. Null if its cash was already counted or the payment has no
 * drawer.
 */
type OpenTill = (tx: Tx, company: CompanyId, orderId: number) => Promise<Till | null>

/** Provider name of attempts made at the counter. They never reach a payment provider. */
export const AT_OFFICE = 'office'

let openTill: OpenTill | null = null

/** Registers the counter's implementation of `OpenTill`. Without it, counter payments cannot be voided. */
export const defineTill = (till: OpenTill): void => void (openTill = till)

export const openTillOf: OpenTill = async (tx, company, orderId) => (await openTill?.(tx, company, orderId)) ?? null
