import { findCallersCall } from './server/find-callers.ts'
import type { Feature } from '../../server/feature.ts'
import { formPost } from '../../server/form-posts.ts'
import { findGuestBill } from './contract.ts'
import { findableBills } from './server/findable.ts'
import { findGuestBillCall } from './server/find-guest-bill.ts'
import { accountSteps } from './server/setup-steps.ts'

export const utilityAccounts: Feature = {
  module: 'utilities',
  setup: accountSteps,
  calls: [findCallersCall, findGuestBillCall],
  formPosts: [
    formPost({
      path: '/guest-utility-payment',
      endpoint: findGuestBill,
      next: ({ token }) => `/guest/payment/${token}`,
    }),
  ],
  findable: [findableBills],
}
