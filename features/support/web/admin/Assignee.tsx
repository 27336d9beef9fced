import { Trans } from '@lingui/react/macro'
import type { AnswerOf } from '../../../../shared/endpoint.ts'
import type { supportRequests } from '../../contract.ts'

type Row = AnswerOf<typeof supportRequests>['rows'][number]

/** Whose a request is; it stays with whoever left until somebody takes it over. */
export function Assignee({ assignee, department }: Pick<Row, 'assignee' | 'department'>) {
  if (!assignee && department) return department
  if (!assignee)
    return (
      <span className="text-muted">
        <Trans>Nobody</Trans>
      </span>
    )
  if (assignee.active) return assignee.name
  return <Trans>{assignee.name} (inactive)</Trans>
}
