import type { Feature } from '../../server/feature.ts'
import { onboardingCalls } from './server/calls.ts'
import { documentCalls } from './server/documents.ts'
import { defineOnboardingJobs } from './server/learn.ts'
import { defineOnboardingLetters } from './server/emails.ts'
import { onboardingLists } from './server/lists.ts'

export const onboarding: Feature = {
  calls: [...onboardingCalls, ...documentCalls, ...onboardingLists],
  jobs: (context) => {
    defineOnboardingJobs(context)
    defineOnboardingLetters(context)
  },
  demo: () => import('./demo.ts'),
}
