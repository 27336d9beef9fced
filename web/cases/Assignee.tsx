import { Trans } from '@lingui/react/macro'

interface AssigneeProps {
  /** Somebody, or a department; '' for nobody. */
  name: string
  /** A case stays with whoever left until somebody takes it over. */
  left: boolean
}

/** Whose a case is. */
export function Assignee({ name, left }: AssigneeProps) {
  if (name === '')
    return (
      <span className="text-muted">
        <Trans>Nobody</Trans>
      </span>
    )
  return left ? <Trans>{name} (inactive)</Trans> : name
}
