import type { Feature } from '../../server/feature.ts'
import { activityCall, activityCsvCall } from './server/activity.ts'
import { auditLists } from './server/audit-log.ts'
import { defineSealing } from './server/seal.ts'
import { verifyChains } from './server/verify-chain.ts'

export const audit: Feature = {
  calls: [activityCall, activityCsvCall, ...auditLists],
  jobs: defineSealing,
  verify: async ({ acrossCompanies }) => ({ findings: await acrossCompanies(verifyChains) }),
}
