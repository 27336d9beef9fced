import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { CaseCalls } from '../../shared/cases.ts'
import type { ResponseOf } from '../../shared/endpoint.ts'
import { i18n } from '../i18n.ts'
import type { OwnFilter } from '../list/Filters.tsx'
import { keyOf, queries, useResponse } from '../query.ts'
import { Select } from '../ui/Choice.tsx'

interface FieldProps {
  of: CaseCalls
  /** True if the list can filter by the caller's department. Only for a company's staff. */
  byDepartment: boolean
  value: string
  onChange: (value: string) => void
}

/** Select for an assignee: staff and departments who handle these cases, and former staff who still have some. */
function AssigneeField({ of, byDepartment, value, onChange }: FieldProps) {
  const { t } = useLingui()
  const { data } = useResponse(of.assignees, {})
  const named = ({ name, active }: { name: string; active: boolean }) => (active ? name : t`${name} (inactive)`)
  return (
    <Select
      className="md:w-48"
      label={t`Assigned to`}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      options={[
        { value: '', label: t`Anyone` },
        { value: 'me', label: t`Me` },
        ...(byDepartment ? [{ value: 'department', label: t`My department` }] : []),
        { value: 'nobody', label: t`Unassigned` },
        ...(data?.people ?? []).map((one) => ({ value: String(one.id), label: named(one) })),
        ...(data?.departments ?? []).map((one) => ({ value: `d${one.id}`, label: t`Department: ${named(one)}` })),
      ]}
    />
  )
}

function labelOf(of: CaseCalls, id: string): string {
  if (id === 'me') return i18n._(msg`Me`)
  if (id === 'department') return i18n._(msg`My department`)
  if (id === 'nobody') return i18n._(msg`Unassigned`)
  const loaded = queries.getQueryData<ResponseOf<CaseCalls['assignees']>>(keyOf(of.assignees, {}))
  const match = loaded?.people.find((person) => String(person.id) === id)
  return (match ?? loaded?.departments.find((department) => `d${department.id}` === id))?.name ?? ''
}

export const assigneeFilter = (of: CaseCalls, { byDepartment = false } = {}): OwnFilter => ({
  field: (value, set) => <AssigneeField of={of} byDepartment={byDepartment} value={value} onChange={set} />,
  labelFor: (value) => labelOf(of, value),
  width: 192,
})
