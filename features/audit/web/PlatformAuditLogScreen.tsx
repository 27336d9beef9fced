import { useLingui } from '@lingui/react/macro'
import { CompanySelect } from '../../../web/admin/CompanySelect.tsx'
import { call } from '../../../web/call.ts'
import { setQuery } from '../../../web/go.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { companiesInformation } from '../../../shared/companies.ts'
import { AuditLog } from './AuditLogScreen.tsx'

/** What the platform's staff did outside any one town, or with a company chosen, everything that was done in it. */
export default function PlatformAuditLogScreen() {
  const { t } = useLingui()
  const chosen = useQueryParam('companyId') ?? ''
  // The address may say anything.
  const companyId = /^\d{1,9}$/.test(chosen) ? Number(chosen) : 0
  return (
    <AuditLog companyId={companyId}>
      <CompanySelect
        load={(signal) => call(companiesInformation, {}, { signal })}
        label={t`Company`}
        none={t`The platform itself`}
        value={chosen}
        onChange={(value) => setQuery({ companyId: value || null, cursor: null, page: null })}
        className="mb-4 md:max-w-72"
      />
    </AuditLog>
  )
}
