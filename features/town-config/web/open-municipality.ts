import { openFromAdmin } from '../../../web/admin/open-window.ts'
import { call } from '../../../web/call.ts'
import type { StartedImpersonation } from '../../../web/office/start-impersonation.ts'
import { checkPrivilege, cleanUp, companySubdomain } from '../../impersonation/contract.ts'

/** Opens the window in which the administrator impersonates a company (spec 4.9, 8.4). */
export const openMunicipality = (companyId: number, reason: string): Promise<StartedImpersonation> =>
  openFromAdmin(
    {
      check: (body) => call(checkPrivilege, body),
      subdomain: (body) => call(companySubdomain, body),
      end: (body) => call(cleanUp, body),
    },
    { companyId, userId: null },
    reason,
  )
