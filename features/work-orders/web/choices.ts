import { useLingui } from '@lingui/react/macro'
import { useResponse } from '../../../web/query.ts'
import type { Option } from '../../../web/ui/Choice.tsx'
import { workChoices } from '../contract.ts'

/** Loads the departments, people and crews that can be assigned. Always includes the current assignees. */
export function useChoices(
  current: { department?: string; assignee?: string; crew?: string; ids?: readonly (number | null)[] } = {},
) {
  const { t } = useLingui()
  const { data } = useResponse(workChoices, {})
  const options = (items: readonly { id: number; name: string }[], id: number | null | undefined, name = '') => [
    { value: '', label: t`Not assigned` },
    ...items.map((item) => ({ value: String(item.id), label: item.name })),
    ...(id && data && !items.some((item) => item.id === id) ? [{ value: String(id), label: name || String(id) }] : []),
  ]
  const [departmentId, personId, crewId] = current.ids ?? []
  return {
    departments: options(data?.departments ?? [], departmentId, current.department) satisfies Option[],
    people: options(data?.people ?? [], personId, current.assignee) satisfies Option[],
    crews: options(data?.crews ?? [], crewId, current.crew) satisfies Option[],
    nameOf: (of: 'departments' | 'people' | 'crews', id: string) =>
      data?.[of].find((item) => String(item.id) === id)?.name ?? (id && t`Selected item`),
  }
}

/** Converts the binding of an id to the binding of a select element. Its empty option means that no one is assigned. */
export const idChoice = ({
  onChange,
  value,
  ...bound
}: {
  name: string
  value: number | null
  onChange: (id: number | null) => void
  error: string | undefined
}) => ({
  ...bound,
  value: value === null ? '' : String(value),
  onChange: ({ target }: { target: { value: string } }) => onChange(target.value === '' ? null : Number(target.value)),
})
