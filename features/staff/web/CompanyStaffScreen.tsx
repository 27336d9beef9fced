import { Trans } from '@lingui/react/macro'
import { useMemo } from 'react'
import { CompanyName } from '../../../web/admin/CompanyName.tsx'
import { call } from '../../../web/call.ts'
import { useParam } from '../../../web/routes.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { companyDetails } from '../../../shared/companies.ts'
import { companyScopeOf } from './staff-scope.ts'
import { StaffScreen } from './StaffScreen.tsx'

/**
 * Staff, departments and privileges of one company, for the platform. The platform invites a company's first
 * administrator here.
 */
export default function CompanyStaffScreen() {
  const companyId = Number(useParam('companyId'))
  const scope = useMemo(() => companyScopeOf(companyId), [companyId])
  return (
    <StaffScreen
      scope={scope}
      head={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <CompanyName companyId={companyId} load={(signal) => call(companyDetails, { companyId }, { signal })} />
          <Link className="link" to={`/admin/${companyId}/company/information`}>
            <Trans>Company Information</Trans>
          </Link>
        </span>
      }
    />
  )
}
