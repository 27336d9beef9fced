import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { Endpoint } from '../../shared/endpoint.ts'
import { call } from '../call.ts'
import type { OwnFilter } from '../list/Filters.tsx'
import { queries } from '../query.ts'
import { SelectWithSearch } from '../ui/office/SelectWithSearch.tsx'

export const COMPANIES_TO_CHOOSE = ['companies to choose'] as const

interface Choice {
  companies: readonly { id: number; name: string }[]
}

/** Returns a company's name if a company select has loaded the companies. Otherwise returns ''. */
export const companyNamed = (id: string): string =>
  queries.getQueryData<Choice>(COMPANIES_TO_CHOOSE)?.companies.find((company) => String(company.id) === id)?.name ?? ''

interface Props {
  /** Call that lists all companies. Passed as a parameter, because `web` does not depend on features. */
  of: Endpoint<z.ZodMiniType, z.ZodMiniType<Choice>>
  /** A company's id as text. Empty for `none`. */
  value: string
  onChange: (value: string) => void
  /** Label of the option for no company. Defaults to 'All companies'. */
  none?: string
  className?: string
}

/**
 * Select for one municipality or none (spec 2.18, Company select). If the list cannot be loaded, the select follows
 * spec 8.2.
 */
export function CompanySelect({ of, value, onChange, none, className }: Props) {
  const { t } = useLingui()
  const { data, error } = useQuery(
    { queryKey: COMPANIES_TO_CHOOSE, queryFn: ({ signal }) => call(of, {}, { signal }) },
    queries,
  )
  const options = (data?.companies ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <SelectWithSearch
      label={t`Company`}
      value={value}
      onChange={onChange}
      options={[{ value: '', label: none ?? t`All companies` }, ...options]}
      disabled={!data}
      error={error && !data ? t`Failed to fetch company data` : undefined}
      {...(className && { className })}
    />
  )
}

/** Returns a filter of a list by company. */
export const companyFilter = (of: Props['of'], className: string, width: number): OwnFilter => ({
  field: (value, set) => <CompanySelect of={of} value={value} onChange={set} className={className} />,
  labelFor: companyNamed,
  width,
})
