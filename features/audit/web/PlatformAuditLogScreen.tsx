import { useLingui } from '@lingui/react/macro'
import { CompanySelect } from '../../../web/admin/CompanySelect.tsx'
import { call } from '../../../web/call.ts'
import { download } from '../../../web/download.ts'
import { type TableQuestion, useTableState } from '../../../web/ui/office/table/table-state.ts'
import { companiesInformation } from '../../companies/contract.ts'
import { auditCsv, auditLog, platformAuditCsv, platformAuditLog } from '../contract.ts'
import { asked, AuditLog, type Filter, start } from './AuditLogScreen.tsx'

type Question = TableQuestion<Filter | 'companyId'>

/** What the platform's staff did outside any one town, or with a company chosen, everything that was done in it. */
export default function PlatformAuditLogScreen() {
  const { t } = useLingui()
  const state = useTableState<Filter | 'companyId'>({ ...start, filters: { ...start.filters, companyId: '' } })
  const { companyId } = state.question.filters
  return (
    <AuditLog<'companyId'>
      state={state}
      load={(question, signal) => {
        const company = companyOf(question)
        return company
          ? call(auditLog, { ...asked(question), companyId: company }, signal && { signal })
          : call(platformAuditLog, asked(question), signal && { signal })
      }}
      onExport={(question) => {
        const company = companyOf(question)
        return company
          ? download(auditCsv, { ...asked(question), companyId: company })
          : download(platformAuditCsv, asked(question))
      }}
      before={
        <CompanySelect
          load={(signal) => call(companiesInformation, {}, { signal })}
          label={t`Company`}
          none={t`The platform itself`}
          value={companyId}
          onChange={(chosen) => state.setFilters({ companyId: chosen })}
          className="md:min-w-56"
        />
      }
    />
  )
}

/** The address bar may say anything. */
const companyOf = ({ filters: { companyId } }: Question): number =>
  /^\d{1,9}$/.test(companyId) ? Number(companyId) : 0
