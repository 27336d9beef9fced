import { useLingui } from '@lingui/react/macro'
import { useAnswer } from '../../../web/query.ts'
import type { Option } from '../../../web/ui/Choice.tsx'
import { workChoices } from '../contract.ts'

/** Departments, people and crews that can be assigned. Current assignees are always included. */
export function useChoices(
  kept: { department?: string; assignee?: string; crew?: string; ids?: readonly (number | null)[] } = {},
) {
  const { t } = useLingui()
  const { data } = useAnswer(workChoices, {})
  const options = (things: readonly { id: number; name: string }[], id: number | null | undefined, name = '') => [
    { value: '', label: t`Nobody yet` },
    ...things.map((thing) => ({ value: String(thing.id), label: thing.name })),
    ...(id && data && !things.some((thing) => thing.id === id)
      ? [{ value: String(id), label: name || String(id) }]
      : []),
  ]
  const [departmentId, personId, crewId] = kept.ids ?? []
  return {
    departments: options(data?.departments ?? [], departmentId, kept.department) satisfies Option[],
    people: options(data?.people ?? [], personId, kept.assignee) satisfies Option[],
    crews: options(data?.crews ?? [], crewId, kept.crew) satisfies Option[],
    nameOf: (of: 'departments' | 'people' | 'crews', id: string) =>
      data?.[of].find((thing) => String(thing.id) === id)?.name ?? (id && t`One of them`),
  }
}

/** Select of ids, with an option for no assignee. */
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
