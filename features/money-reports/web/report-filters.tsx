import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { addDays } from '../../../shared/dates.ts'
import { CompanySelect } from '../../../web/admin/CompanySelect.tsx'
import { boot } from '../../../web/boot.ts'
import { call } from '../../../web/call.ts'
import { DateRange } from '../../../web/ui/office/DateRange.tsx'
import { companiesInformation } from '../../companies/contract.ts'

/** The usual range of the administrator's reports (specification 2.18). */
const USUAL_DAYS = 30

export const start = { fromDate: addDays(boot.today, -USUAL_DAYS), toDate: boot.today, companyId: '' }
export type Filter = keyof typeof start

/** What stands in the address, as the calls take it. The address bar may say anything. */
export const periodOf = ({ fromDate, toDate }: Record<'fromDate' | 'toDate', string>) => ({
  fromDate: fromDate || start.fromDate,
  toDate: toDate || start.toDate,
})
export const companyOf = ({ companyId }: { companyId: string }): number | undefined =>
  /^[1-9]\d{0,8}$/.test(companyId) ? Number(companyId) : undefined

interface Props {
  filters: Record<Filter, string>
  onChange: (changed: Partial<Record<Filter, string>>) => void
  children?: ReactNode
}

/** Days and company, and what else a report is narrowed by. */
export function ReportFilters({ filters, onChange, children }: Props) {
  const { t } = useLingui()
  return (
    <>
      <DateRange
        className="sm:max-md:col-span-2"
        label={<Trans>Date range</Trans>}
        from={filters.fromDate}
        to={filters.toDate}
        max={boot.today}
        onChange={({ from, to }) => onChange({ fromDate: from, toDate: to })}
      />
      <CompanySelect
        load={(signal) => call(companiesInformation, {}, { signal })}
        label={t`Company`}
        none={t`All companies`}
        value={filters.companyId}
        onChange={(companyId) => onChange({ companyId })}
        className="md:min-w-56"
      />
      {children}
    </>
  )
}
