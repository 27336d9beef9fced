import { Trans } from '@lingui/react/macro'
import { formatCents } from '../../../shared/money.ts'
import { reload } from '../../../web/query.ts'
import { ImportSlideOut } from '../../../web/ui/office/ImportSlideOut.tsx'
import { lockboxFiles, type LockboxReport, importLockboxFile } from '../contract.ts'
import { lockboxPayments } from '../list.ts'

/** Imports a lockbox file. */
export const TakeFile = ({ onClose }: { onClose: () => void }) => (
  <ImportSlideOut
    title={<Trans>Take a file of bank payments</Trans>}
    onClose={onClose}
    takes={importLockboxFile}
    by={lockboxFiles}
    accept=".csv"
    hint={<Trans>CSV (UTF-8), at most 5 MB</Trans>}
    leavesOut="preset"
    onImported={() => reload(lockboxPayments.call)}
    counts={(report) => <WhatBecomes report={report} />}
  >
    <p>
      <Trans>
        A CSV whose first line names its columns: account, name, amount, date, trace, and if there is one, currency. A
        trace number counts once: what came in a file before is left as it is.
      </Trans>
    </p>
  </ImportSlideOut>
)

function WhatBecomes({
  report: { created, changed, unchanged, createdCents, changedCents },
}: {
  report: LockboxReport
}) {
  const count = (n: number) => n.toLocaleString('en-US')
  return (
    <ul>
      <li>
        <Trans>
          {count(created)} posted, {formatCents(createdCents)} in all
        </Trans>
      </li>
      <li>
        <Trans>
          {count(changed)} for staff to look at, {formatCents(changedCents)} in all
        </Trans>
      </li>
      <li>
        <Trans>{count(unchanged)} known from a file before</Trans>
      </li>
    </ul>
  )
}
