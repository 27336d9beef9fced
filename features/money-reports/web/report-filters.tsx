import { addDays } from '../../../shared/dates.ts'
import { companyFilter } from '../../../web/admin/CompanySelect.tsx'
import { page } from '../../../web/page.ts'
import { withDays } from '../../../web/list/DaysFilter.tsx'
import { companiesInformation } from '../../../shared/companies.ts'
import { feeReport } from '../list.ts'

/** Default range of the administrator's reports, in days (spec 2.18). */
const USUAL_DAYS = 30

const usual = {
  fromDate: addDays(page().today, -USUAL_DAYS),
  toDate: page().today,
  companyId: '',
  absorbFee: '',
  program: '',
  countedBy: '',
  dates: '',
}

/** Reads the filters from the URL. */
export const textsIn = (query: string): typeof usual =>
  withDays(feeReport, { ...usual, ...Object.fromEntries(new URLSearchParams(query)) })

/** Converts the filters in the URL to call arguments. The URL is untrusted input. */
export const periodOf = ({ fromDate, toDate }: Record<'fromDate' | 'toDate', string>) => ({
  fromDate: fromDate || usual.fromDate,
  toDate: toDate || usual.toDate,
})
export const companyOf = ({ companyId }: { companyId: string }): number | undefined =>
  /^[1-9]\d{0,8}$/.test(companyId) ? Number(companyId) : undefined

/** Company filter of these reports. */
export const companyField = companyFilter(companiesInformation, 'md:min-w-56', 224)
