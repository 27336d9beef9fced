import { Trans } from '@lingui/react/macro'

interface AssigneeProps {
  /** A person or a department. '' if unassigned. */
  name: string
  /** True if the assignee left. The case stays assigned until someone takes it over. */
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
