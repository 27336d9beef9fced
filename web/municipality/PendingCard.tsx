import { useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '../../shared/endpoint.ts'
import type { waitingForStaff } from '../../shared/waiting.ts'
import { translated } from '../../shared/messages.ts'
import { AreaCard } from './AreaCard.tsx'

/** Residents' submissions that await staff, for people who may see some of them. */
export function WaitingCard({ waiting }: ResponseOf<typeof waitingForStaff>) {
  const { t } = useLingui()
  if (waiting.length === 0) return null
  return (
    <div className="mb-4">
      <AreaCard
        title={t`Waiting for you`}
        failed={false}
        figures={waiting.map(({ label, ...figure }) => ({ ...figure, label: translated(label) }))}
      />
    </div>
  )
}
