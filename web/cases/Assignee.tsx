import { Trans } from '@lingui/react/macro'

interface AssigneeProps {
  /** Name of a person or a department. '' if unassigned. */
  name: string
  /** True if the assignee is no longer on staff. The case stays assigned until someone assigns it to another person. */
  left: boolean
}

export function Assignee({ name, left }: AssigneeProps) {
  if (name === '')
    return (
      <span className="text-muted">
        <Trans>Unassigned</Trans>
      </span>
    )
  return left ? <Trans>{name} (inactive)</Trans> : name
}
