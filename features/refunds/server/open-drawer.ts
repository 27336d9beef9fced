import type { CompanyId, Tx } from '../../../server/tenancy.ts'

/** Cashier with the open drawer that received a payment. */
interface OpenDrawer {
  cashierId: number
  cashierName: string
}
/**
 * Finds and locks the open drawer that received a payment. Null if its cash is already counted, or if no drawer
 * received the payment.
 */
type FindOpenDrawer = (tx: Tx, company: CompanyId, orderId: number) => Promise<OpenDrawer | null>

/** Provider name in attempts at the counter. The portal never sends these attempts to a payment provider. */
export const COUNTER_PROVIDER = 'office'

let lookup: FindOpenDrawer | null = null

/**
 * Registers the counter's function that finds open drawers (`FindOpenDrawer`). Without it, counter payments cannot be
 * voided.
 */
export const defineOpenDrawers = (find: FindOpenDrawer): void => void (lookup = find)

export const lockOpenDrawerOf: FindOpenDrawer = async (tx, company, orderId) =>
  (await lookup?.(tx, company, orderId)) ?? null
