import { useLingui } from '@lingui/react/macro'
import { addDays } from '../../../shared/dates.ts'
import { companyNamed, CompanySelect } from '../../../web/admin/CompanySelect.tsx'
import { boot } from '../../../web/boot.ts'
import { call } from '../../../web/call.ts'
import { withDays } from '../../../web/list/DaysFilter.tsx'
import type { OwnFilter } from '../../../web/list/Filters.tsx'
import { companiesInformation } from '../../../shared/companies.ts'
import { feeReport } from '../list.ts'

/** The usual range of the administrator's reports (specification 2.18). */
const USUAL_DAYS = 30

const usual = {
  fromDate: addDays(boot.today, -USUAL_DAYS),
  toDate: boot.today,
  companyId: '',
  absorbFee: '',
  countedBy: '',
  dates: '',
}

/** The filters as they stand in the address. */
export const textsIn = (query: string): typeof usual =>
  withDays(feeReport, { ...usual, ...Object.fromEntries(new URLSearchParams(query)) })

/** What stands in the address, as the calls take it. The address bar may say anything. */
export const periodOf = ({ fromDate, toDate }: Record<'fromDate' | 'toDate', string>) => ({
  fromDate: fromDate || usual.fromDate,
  toDate: toDate || usual.toDate,
})
export const companyOf = ({ companyId }: { companyId: string }): number | undefined =>
  /^[1-9]\d{0,8}$/.test(companyId) ? Number(companyId) : undefined

const CompanyField = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => {
  const { t } = useLingui()
  return (
    <CompanySelect
      load={(signal) => call(companiesInformation, {}, { signal })}
      label={t`Company`}
      none={t`All companies`}
      value={value}
      onChange={onChange}
      className="md:min-w-56"
    />
  )
}

/** One company of all, for a filter of these reports. */
export const companyField: OwnFilter = {
  field: (value, set) => <CompanyField value={value} onChange={set} />,
  words: companyNamed,
  width: 224,
}
