import type { Feature } from '../../server/feature.ts'
import { findableBills } from './server/findable.ts'
import { findGuestBillCall } from './server/find-guest-bill.ts'

export const utilityAccounts: Feature = {
  calls: [findGuestBillCall],
  findable: [findableBills],
}
