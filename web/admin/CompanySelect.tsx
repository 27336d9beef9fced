import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queries } from '../query.ts'
import { SelectWithSearch } from '../ui/office/SelectWithSearch.tsx'

/** Under this key the companies are kept once they were asked for. */
export const COMPANIES_TO_CHOOSE = ['companies to choose'] as const

interface Choice {
  companies: readonly { id: number; name: string }[]
}

/** A company's name, once a choice has loaded them. */
export const companyNamed = (id: string): string =>
  queries.getQueryData<Choice>(COMPANIES_TO_CHOOSE)?.companies.find((company) => String(company.id) === id)?.name ?? ''

interface Props {
  /** Asks for the companies: the call is the companies' own, and `web` knows no feature. */
  load: (signal: AbortSignal) => Promise<Choice>
  label: ReactNode
  /** A company's id as text; empty for `none`. */
  value: string
  onChange: (value: string) => void
  /** What choosing no company is called. */
  none: string
  className?: string
}

/** A choice of one municipality of all, or none (specification 2.18, Company select; 8.2 where the list can't be had). */
export function CompanySelect({ load, label, value, onChange, none, className }: Props) {
  const { t } = useLingui()
  const { data, error } = useQuery({ queryKey: COMPANIES_TO_CHOOSE, queryFn: ({ signal }) => load(signal) }, queries)
  const options = (data?.companies ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <SelectWithSearch
      label={label}
      value={value}
      onChange={onChange}
      options={[{ value: '', label: none }, ...options]}
      disabled={!data}
      error={error && !data ? t`Failed to fetch company data` : undefined}
      {...(className && { className })}
    />
  )
}
