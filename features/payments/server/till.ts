import type { CompanyId, Tx } from '../../../server/tenancy.ts'

/** Whether the drawer into which a payment was taken is still open, held as it is: after that its cash was counted. */
type IsOpen = (tx: Tx, company: CompanyId, orderId: number) => Promise<boolean>

/** The attempts of what was paid at the office: no provider has ever heard of them. */
export const AT_OFFICE = 'office'

let isOpen: IsOpen | null = null

/** The counter says so. Without one nothing that was paid at an office can be voided. */
export const defineTill = (till: IsOpen): void => void (isOpen = till)

export const isInOpenTill: IsOpen = async (tx, company, orderId) => (await isOpen?.(tx, company, orderId)) ?? false
