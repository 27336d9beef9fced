import { useQuery } from '@tanstack/react-query'
import { call } from '../../../web/call.ts'
import { COMPANIES_TO_CHOOSE } from '../../../web/admin/CompanySelect.tsx'
import { queries } from '../../../web/query.ts'
import { companiesInformation } from '../../../shared/companies.ts'

/** Returns the name of a company from the list that the company filter has loaded. */
export function useCompanyName(id: number | undefined): string | undefined {
  const { data } = useQuery(
    { queryKey: COMPANIES_TO_CHOOSE, queryFn: ({ signal }) => call(companiesInformation, {}, { signal }) },
    queries,
  )
  return data?.companies.find((company) => company.id === id)?.name
}
