import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { oneOnboarding } from '../contract.ts'

export type Onboarding = ResponseOf<typeof oneOnboarding>

/** Company of the onboarding. Only platform staff must name the company. */
export interface OnboardingOwner {
  companyId?: number
}
