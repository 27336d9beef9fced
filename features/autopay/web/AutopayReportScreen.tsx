import { useState } from 'react'
import type { StatusKind } from '../../../shared/machine.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { StateBadge, StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { autopayReport } from '../list.ts'
import type { ChargeState } from '../rules.ts'
import { autopayStates } from '../states.ts'
import { type AutopayRow, EnrollmentSlideOut } from './EnrollmentSlideOut.tsx'

const kinds: Record<ChargeState, StatusKind> = {
  planned: 'waiting',
  charging: 'waiting',
  paid: 'good',
  failed: 'bad',
  skipped: 'undone',
  not_owed: 'neutral',
  refused: 'attention',
}

/** Shows AutoPay enrollments with their next and last charge (spec 2.3). */
export default function AutopayReportScreen() {
  const [chosen, setChosen] = useState<AutopayRow | null>(null)
  return (
    <>
      <ListScreen
        of={autopayReport}
        rowName={({ reference }) => reference}
        actions={{ view: setChosen }}
        onRow={setChosen}
        cells={{
          status: ({ status }) => <StateBadge of={autopayStates} state={status} />,
          lastResult: ({ lastResult }, text) =>
            lastResult === 'none' ? (
              <span className="text-muted">{text}</span>
            ) : (
              <StatusBadge kind={kinds[lastResult]}>{text}</StatusBadge>
            ),
        }}
      />
      {chosen && <EnrollmentSlideOut row={chosen} onClose={() => setChosen(null)} />}
    </>
  )
}
