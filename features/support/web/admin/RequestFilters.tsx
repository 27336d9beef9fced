import { useLingui } from '@lingui/react/macro'
import { CompanySelect } from '../../../../web/admin/CompanySelect.tsx'
import { call } from '../../../../web/call.ts'
import type { FieldProps } from '../../../../web/list/ListScreen.tsx'
import { useAnswer } from '../../../../web/query.ts'
import { Select } from '../../../../web/ui/Choice.tsx'
import { companiesInformation } from '../../../companies/contract.ts'
import { supportCase } from '../../contract.ts'
import { requestStates } from '../../states.ts'

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

/** Of which town, in which state, and whose. */
export const requestFields = {
  companyId: (props: FieldProps) => <CompanyField {...props} />,
  status: (props: FieldProps) => <StatusField {...props} />,
  assignee: (props: FieldProps) => <AssigneeField {...props} />,
}
