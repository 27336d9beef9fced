import { reload } from '../../../web/query.ts'
import { oneOnboarding, companyOnboardings } from '../contract.ts'
import { onboardings } from '../list.ts'

/** Reloads all onboarding calls after a change. */
export const reloadOnboardings = () =>
  Promise.all([companyOnboardings, oneOnboarding, onboardings.call].map((endpoint) => reload(endpoint)))
