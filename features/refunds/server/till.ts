import type { CompanyId, Tx } from '../../../server/tenancy.ts'

/** Cashier with the open drawer that received a payment. */
interface Till {
  cashierId: number
  cashierName: string
}
/**
 * Finds and locks the open drawer that received a payment. Null if its cash is already counted, or if no drawer
 * received the payment.
 */
type OpenTill = (tx: Tx, company: CompanyId, orderId: number) => Promise<Till | null>

/** Provider name in attempts at the counter. The portal never sends these attempts to a payment provider. */
export const AT_OFFICE = 'office'

let openTill: OpenTill | null = null

/**
 * Registers the counter's function that finds open drawers (`OpenTill`). Without it, counter payments cannot be voided.
 */
export const defineTill = (till: OpenTill): void => void (openTill = till)

export const openTillOf: OpenTill = async (tx, company, orderId) => (await openTill?.(tx, company, orderId)) ?? null
