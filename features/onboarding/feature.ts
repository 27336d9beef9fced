import type { Feature } from '../../server/feature.ts'
import { onboardingCalls } from './server/calls.ts'
import { documentCalls } from './server/documents.ts'
import { defineOnboardingJobs } from './server/learn.ts'
import { defineOnboardingLetters } from './server/letters.ts'
import { onboardingLists } from './server/lists.ts'

export const onboarding: Feature = {
  calls: [...onboardingCalls, ...documentCalls, ...onboardingLists],
  jobs: (house) => {
    defineOnboardingJobs(house)
    defineOnboardingLetters(house)
  },
  demo: () => import('./demo.ts'),
}
