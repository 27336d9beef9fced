import { declaredServices } from '../../../server/findable.ts'

/** Search entry for paying a utility bill as a guest. */
export const findableBills = declaredServices([
  {
    title: 'Pay a utility bill',
    text: 'Find your water, sewer or trash bill by account number and ZIP code, and pay it without an account.',
    alternatives: ['Pay water', 'Pay my water bill', 'Pay as a guest', 'Pay without signing in', 'Pay my sewer bill'],
    path: '/guest-utility-payment',
  },
])
