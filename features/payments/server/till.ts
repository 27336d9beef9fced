import type { CompanyId, Tx } from '../../../server/tenancy.ts'

/** Clerk whose open drawer has a payment. */
interface Till {
  clerkId: number
  clerkName: string
}
/** The open drawer into which a payment was taken, held as it is. Null if its cash was counted, or if it has no drawer. */
type OpenTill = (tx: Tx, company: CompanyId, orderId: number) => Promise<Till | null>

/** The attempts of what was paid at the office: no provider has ever heard of them. */
export const AT_OFFICE = 'office'

let openTill: OpenTill | null = null

/** The counter says so. Without one nothing that was paid at an office can be voided. */
export const defineTill = (till: OpenTill): void => void (openTill = till)

export const openTillOf: OpenTill = async (tx, company, orderId) => (await openTill?.(tx, company, orderId)) ?? null
