import { reload } from '../../../web/query.ts'
import { oneOnboarding, townOnboardings } from '../contract.ts'
import { onboardings } from '../list.ts'

/** After something was done: whatever shows onboardings shows them as they are now. */
export const reloadOnboardings = () =>
  Promise.all([townOnboardings, oneOnboarding, onboardings.call].map((endpoint) => reload(endpoint)))
