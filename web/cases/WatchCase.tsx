import { Trans } from '@lingui/react/macro'
import { Bell, BellOff } from 'lucide-react'
import type { CaseCalls, CaseSubject, CaseView } from '../../shared/cases.ts'
import { call } from '../call.ts'
import { Button } from '../ui/Button.tsx'
import type { Act } from '../act.ts'

interface WatchCaseProps extends CaseSubject {
  of: CaseCalls
  view: CaseView
  busy: boolean
  act: Act
}

/**
 * Button to watch or stop watching a case. Watchers are notified of new entries by email. The assignee is always
 * notified.
 */
export const WatchCase = ({ of, companyId, subjectId, view: { watching, watchers }, busy, act }: WatchCaseProps) => (
  <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-1">
    <Button
      size="small"
      icon={watching ? BellOff : Bell}
      disabled={busy}
      onClick={() => void act(() => call(of.follow, { companyId, subjectId, watches: !watching }))}
    >
      {watching ? <Trans>Stop watching</Trans> : <Trans>Watch</Trans>}
    </Button>
    {watchers.length > 0 && (
      <span className="text-muted text-sm wrap-anywhere">
        <Trans>Watched by {watchers.join(', ')}</Trans>
      </span>
    )}
  </div>
)
