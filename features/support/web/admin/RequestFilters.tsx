import { useLingui } from '@lingui/react/macro'
import { companyFilter } from '../../../../web/admin/CompanySelect.tsx'
import { translated } from '../../../../shared/words.ts'
import { assigneeFilter } from '../../../../web/cases/assignee-filter.tsx'
import type { OwnFilter } from '../../../../web/list/Filters.tsx'
import { Select } from '../../../../web/ui/Choice.tsx'
import { companiesInformation } from '../../../../shared/companies.ts'
import { supportCase } from '../../contract.ts'
import { requestStates } from '../../states.ts'

interface FieldProps {
  value: string
  onChange: (value: string) => void
}

/** What is open stands first: it is what the list begins with. */
const StatusField = ({ value, onChange }: FieldProps) => {
  const { t } = useLingui()
  return (
    <Select
      className="md:w-40"
      label={t`Status`}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      options={[
        { value: 'open', label: t`Open` },
        { value: '', label: t`All statuses` },
        ...requestStates.names.map((state) => ({
          value: String(state),
          label: translated(requestStates.labels[state]),
        })),
      ]}
    />
  )
}

/** Of which town, in which state, and whose. */
export const requestFilters = {
  companyId: companyFilter(companiesInformation, 'md:w-48', 192),
  status: { field: (value, set) => <StatusField value={value} onChange={set} />, width: 160 },
  assignee: assigneeFilter(supportCase),
} satisfies Record<string, OwnFilter>
