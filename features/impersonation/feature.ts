import type { Feature } from '../../server/feature.ts'
import { startImpersonationCall } from './server/start-impersonation.ts'
import { checkPrivilegeCall } from './server/check-privilege.ts'
import { cleanUpCall } from './server/clean-up.ts'
import { companySubdomainCall } from './server/company-subdomain.ts'

export const impersonation: Feature = {
  calls: [checkPrivilegeCall, companySubdomainCall, cleanUpCall, startImpersonationCall],
}
