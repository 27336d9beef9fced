import { Trans } from '@lingui/react/macro'
import type { LucideIcon } from 'lucide-react'
import { EmptyState } from '../../../../web/ui/States.tsx'

/** Empty state of staff lists that have one row for each resource. */
export const NoResources = ({ icon }: { icon: LucideIcon }) => (
  <EmptyState icon={icon} title={<Trans>No rental resources yet</Trans>}>
    <Trans>Add a pavilion, a hall, a field or equipment.</Trans>
  </EmptyState>
)
