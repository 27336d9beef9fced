import { addDays } from '../../../shared/dates.ts'
import { companyFilter } from '../../../web/admin/CompanySelect.tsx'
import { boot } from '../../../web/boot.ts'
import { withDays } from '../../../web/list/DaysFilter.tsx'
import { companiesInformation } from '../../../shared/companies.ts'
import { feeReport } from '../list.ts'

/** The usual range of the administrator's reports (specification 2.18). */
const USUAL_DAYS = 30

const usual = {
  fromDate: addDays(boot.today, -USUAL_DAYS),
  toDate: boot.today,
  companyId: '',
  absorbFee: '',
  program: '',
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

/** One company of all, for a filter of these reports. */
export const companyField = companyFilter(companiesInformation, 'md:min-w-56', 224)
