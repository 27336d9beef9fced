import { useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '../../shared/endpoint.ts'
import type { pendingWork } from '../../shared/pending-work.ts'
import { translated } from '../../shared/messages.ts'
import { AreaCard } from './AreaCard.tsx'

/** Counts of residents' submissions that await staff. Shows nothing if the person has access to none of them. */
export function PendingWorkCard({ awaitingStaff }: ResponseOf<typeof pendingWork>) {
  const { t } = useLingui()
  if (awaitingStaff.length === 0) return null
  return (
    <div className="mb-4">
      <AreaCard
        title={t`Waiting for you`}
        failed={false}
        figures={awaitingStaff.map(({ label, ...figure }) => ({ ...figure, label: translated(label) }))}
      />
    </div>
  )
}
