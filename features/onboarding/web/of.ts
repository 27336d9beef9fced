import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { oneOnboarding } from '../contract.ts'

export type Onboarding = ResponseOf<typeof oneOnboarding>

/** Of which town: the platform names it, and a town's own staff need not. */
export interface OnboardingOwner {
  companyId?: number
}
