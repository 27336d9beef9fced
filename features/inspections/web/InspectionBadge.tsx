import { Trans } from '@lingui/react/macro'
import { StateBadge, StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { type InspectionStatus, inspectionStates } from '../states.ts'

interface InspectionBadgeProps {
  status: InspectionStatus
  isOverdue: boolean
  doneItems: number
}

/** Status of an inspection. For an open inspection, shows whether work has started or the inspection is overdue. */
export const InspectionBadge = ({ status, isOverdue, doneItems }: InspectionBadgeProps) =>
  isOverdue ? (
    <StatusBadge kind="bad">
      <Trans>Overdue</Trans>
    </StatusBadge>
  ) : status === 'scheduled' && doneItems > 0 ? (
    <StatusBadge kind="waiting">
      <Trans>In progress</Trans>
    </StatusBadge>
  ) : (
    <StateBadge of={inspectionStates} state={status} />
  )
