import type { Feature } from '../../server/feature.ts'
import { onboardingCalls } from './server/calls.ts'
import { documentCalls } from './server/documents.ts'
import { defineOnboardingJobs } from './server/learn.ts'
import { defineOnboardingEmails } from './server/emails.ts'
import { onboardingLists } from './server/lists.ts'
import { testChargeCall } from './server/test-charge.ts'
import { onboardingSteps } from './server/setup-steps.ts'

export const onboarding: Feature = {
  setup: onboardingSteps,
  calls: [...onboardingCalls, ...documentCalls, ...onboardingLists, testChargeCall],
  jobs: (context) => {
    defineOnboardingJobs(context)
    defineOnboardingEmails(context)
  },
  demo: () => import('./demo.ts'),
}
