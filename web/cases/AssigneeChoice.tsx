import { useLingui } from '@lingui/react/macro'
import type { CaseCalls } from '../../shared/cases.ts'
import { useResponse } from '../query.ts'
import { Select } from '../ui/Choice.tsx'

interface AssigneeChoiceProps {
  of: CaseCalls
  /** `p12` for a person, `d12` for a department, or '' before a choice. */
  value: string
  onChange: (value: string) => void
}

/** Select for the new assignee of several cases: active staff who handle these cases, and departments. */
export function AssigneeChoice({ of, value, onChange }: AssigneeChoiceProps) {
  const { t } = useLingui()
  const { data } = useResponse(of.assignees, {})
  const active = (list: readonly { id: number; name: string; active: boolean }[] = []) =>
    list.filter((one) => one.active)
  return (
    <Select
      className="md:w-48"
      label={t`Assign to`}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      options={[
        { value: '', label: t`Choose` },
        ...active(data?.departments).map(({ id, name }) => ({ value: `d${id}`, label: t`Department: ${name}` })),
        ...active(data?.people).map(({ id, name }) => ({ value: `p${id}`, label: name })),
      ]}
    />
  )
}
