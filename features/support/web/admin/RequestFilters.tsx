import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { AnswerOf } from '../../../../shared/endpoint.ts'
import { companyNamed, CompanySelect } from '../../../../web/admin/CompanySelect.tsx'
import { call } from '../../../../web/call.ts'
import type { OwnFilter } from '../../../../web/list/Filters.tsx'
import { i18n } from '../../../../web/i18n.ts'
import { keyOf, queries, useAnswer } from '../../../../web/query.ts'
import { Select } from '../../../../web/ui/Choice.tsx'
import { companiesInformation } from '../../../../shared/companies.ts'
import { supportCase } from '../../contract.ts'
import { requestStates } from '../../states.ts'

interface FieldProps {
  value: string
  onChange: (value: string) => void
}

const CompanyField = ({ value, onChange }: FieldProps) => {
  const { t } = useLingui()
  return (
    <CompanySelect
      load={(signal) => call(companiesInformation, {}, { signal })}
      label={t`Company`}
      none={t`All companies`}
      value={value}
      onChange={onChange}
      className="md:w-48"
    />
  )
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
        ...requestStates.names.map((state) => ({ value: String(state), label: requestStates.labels[state] })),
      ]}
    />
  )
}

/** Those who work on requests, and those who left and still have some. */
const AssigneeField = ({ value, onChange }: FieldProps) => {
  const { t } = useLingui()
  const { data } = useAnswer(supportCase.assignees, {})
  const people = data?.people ?? []
  return (
    <Select
      className="md:w-48"
      label={t`Assigned to`}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      options={[
        { value: '', label: t`Anyone` },
        { value: 'me', label: t`Me` },
        { value: 'nobody', label: t`Nobody` },
        ...people.map(({ id, name, active }) => ({
          value: String(id),
          label: active ? name : t`${name} (inactive)`,
        })),
      ]}
    />
  )
}

const personNamed = (id: string): string => {
  if (id === 'me') return i18n._(msg`Me`)
  if (id === 'nobody') return i18n._(msg`Nobody`)
  const known = queries.getQueryData<AnswerOf<typeof supportCase.assignees>>(keyOf(supportCase.assignees, {}))
  return known?.people.find((person) => String(person.id) === id)?.name ?? ''
}

/** Of which town, in which state, and whose. */
export const requestFilters = {
  companyId: {
    field: (value, set) => <CompanyField value={value} onChange={set} />,
    words: companyNamed,
    width: 192,
  },
  status: { field: (value, set) => <StatusField value={value} onChange={set} />, width: 160 },
  assignee: { field: (value, set) => <AssigneeField value={value} onChange={set} />, words: personNamed, width: 192 },
} satisfies Record<string, OwnFilter>
