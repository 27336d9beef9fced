import { Trans } from '@lingui/react/macro'
import { formatCents } from '../../../shared/money.ts'
import { reload } from '../../../web/query.ts'
import { ImportSlideOut } from '../../../web/ui/office/ImportSlideOut.tsx'
import { lockboxFiles, type LockboxReport, importLockboxFile } from '../contract.ts'
import { lockboxPayments } from '../list.ts'

/** Form that imports a lockbox file. */
export const TakeFile = ({ onClose }: { onClose: () => void }) => (
  <ImportSlideOut
    title={<Trans>Import lockbox file</Trans>}
    onClose={onClose}
    takes={importLockboxFile}
    by={lockboxFiles}
    accept=".csv,.xlsx"
    sample="lockbox"
    hint={<Trans>CSV (UTF-8) or Excel (XLSX), up to 5 MB</Trans>}
    leavesOut="preset"
    onImported={() => reload(lockboxPayments.call)}
    counts={(report) => <WhatBecomes report={report} />}
  >
    <p>
      <Trans>
        Use a CSV or Excel file (XLSX) with these column names: account, name, amount, date, trace and, optionally,
        currency. Each trace number is imported only once. Payments from earlier files do not change.
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
          Matched payments: {count(created)}, {formatCents(createdCents)} total
        </Trans>
      </li>
      <li>
        <Trans>
          Payments that need review: {count(changed)}, {formatCents(changedCents)} total
        </Trans>
      </li>
      <li>
        <Trans>Already imported payments: {count(unchanged)}</Trans>
      </li>
    </ul>
  )
}
