import { useLingui } from '@lingui/react/macro'
import { assigneeFilter } from '../../../../web/cases/assignee-filter.tsx'
import { StatusField } from '../../../../web/cases/StatusField.tsx'
import type { OwnFilter } from '../../../../web/list/Filters.tsx'
import { queries, keyOf, useResponse } from '../../../../web/query.ts'
import { Select } from '../../../../web/ui/Choice.tsx'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { requestCase } from '../../contract.ts'
import { staffCategories } from '../../contract-staff.ts'
import { requestStates } from '../../states.ts'

interface FieldProps {
  value: string
  onChange: (value: string) => void
}

/**
 * Filter for the status of requests. Spam and merged requests have the status Invalid, and each also has a separate
 * filter.
 */
function RequestStatus(props: FieldProps) {
  const { t } = useLingui()
  const besides = [
    { value: 'spam', label: t`Spam` },
    { value: 'merged', label: t`Merged` },
    { value: 'call_back', label: t`Call back` },
  ]
  return <StatusField of={requestStates} {...props} besides={besides} />
}

function CategoryField({ value, onChange }: FieldProps) {
  const { t } = useLingui()
  const { data } = useResponse(staffCategories, {})
  return (
    <Select
      className="md:w-48"
      label={t`Category`}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      options={[
        { value: '', label: t`All categories` },
        ...(data?.categories ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
    />
  )
}

const categoryNamed = (id: string): string => {
  const cached = queries.getQueryData<ResponseOf<typeof staffCategories>>(keyOf(staffCategories, {}))
  return cached?.categories.find((category) => String(category.id) === id)?.name ?? ''
}

export const reportFilters = {
  status: { field: (value, set) => <RequestStatus value={value} onChange={set} />, width: 160 },
  category: {
    field: (value, set) => <CategoryField value={value} onChange={set} />,
    labelFor: categoryNamed,
    width: 192,
  },
} satisfies Record<string, OwnFilter>

export const inboxFilters = {
  ...reportFilters,
  assignee: assigneeFilter(requestCase, { byDepartment: true }),
} satisfies Record<string, OwnFilter>
