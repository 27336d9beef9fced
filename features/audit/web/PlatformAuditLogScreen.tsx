import { useLingui } from '@lingui/react/macro'
import { CompanySelect } from '../../../web/admin/CompanySelect.tsx'
import { setQuery } from '../../../web/go.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { companiesInformation } from '../../../shared/companies.ts'
import { AuditLog } from './AuditLogScreen.tsx'

/** Shows the actions of platform staff outside a single company, or the log of a chosen company. */
export default function PlatformAuditLogScreen() {
  const { t } = useLingui()
  const chosen = useQueryParam('companyId') ?? ''
  // Validates the id, because the URL can contain any text.
  const companyId = /^\d{1,9}$/.test(chosen) ? Number(chosen) : 0
  return (
    <AuditLog
      companyId={companyId}
      tabs={
        <div className="compact md:w-72">
          <CompanySelect
            of={companiesInformation}
            none={t`Platform only`}
            value={chosen}
            onChange={(value) => setQuery({ companyId: value || null, cursor: null, page: null })}
          />
        </div>
      }
    />
  )
}
